"""What a run that broke off says about its cause, and what the times of a tick's parts are."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_clip
from poise.errors import InputError, RunError
from poise.runtime import Character, CharacterOptions, Session
from poise.runtime.failure import refuse_overlaps, run_boundary
from poise.world import SceneSpec
from poise.world.overlap import Overlap

RATE = 30.0


def broken_off(jump_at: int, jump: float, frame: int) -> str:
    """What is told of a run that broke off at a frame of a clip whose whole body is elsewhere from another frame on."""
    clip = human_clip(rate=RATE)
    translations = clip.translations.copy()
    translations[jump_at:, 0, 0] += jump
    options = CharacterOptions(mending=False, cutoff=None)
    who = Character.from_clip(clip.with_motion(clip.rotations, translations), options)
    run = Session({"walker": who}, SceneSpec(floor=None))
    for _ in range(round(frame / RATE / run.clock.tick)):
        run.tick()
    with pytest.raises(RunError) as error, run_boundary(run):
        raise RunError("it broke")
    return str(error.value)


@pytest.mark.parametrize("frame", [1, 2, 20, 45])
def test_a_clip_that_jumps_is_named_with_the_frame(frame: int) -> None:
    told = broken_off(frame, 1.0, frame)
    assert told.startswith("it broke; likeliest cause: the clip of walker moves at 3")
    assert told.endswith(f"m/s in frame {frame}")


def test_a_run_that_breaks_before_the_first_tick_or_after_the_last_looks_at_the_clips_ends() -> None:
    assert broken_off(1, 1.0, 0).endswith("in frame 1")
    assert broken_off(45, 1.0, 47).endswith("in frame 45")


def test_a_clip_that_jumps_elsewhere_or_by_less_than_nobody_could_is_not_named() -> None:
    assert broken_off(40, 1.0, 10) == "it broke"
    assert broken_off(10, 1.0, 40) == "it broke"
    assert broken_off(20, 0.4, 20) == "it broke", "12 m/s is fast, and a hand may be"


def test_times_of_a_tick_are_of_its_parts_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Session({"walker": Character.from_clip(human_clip())}, SceneSpec(floor=None))
    readings = iter(2.0 ** np.arange(50))
    monkeypatch.setattr("poise.runtime.tick.perf_counter", lambda: next(readings))
    assert list(run.tick().timings)[:5] == [1.0, 2.0, 4.0, 8.0, 16.0]


@pytest.mark.parametrize(("count", "more"), [(1, "'crate0';"), (2, "(and 1 more);"), (4, "(and 3 more);")])
def test_limbs_that_begin_inside_things_are_counted(count: int, more: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = Session({"walker": Character.from_clip(human_clip())}, SceneSpec(floor=None))
    inside = [Overlap("walker", "LeftHand", f"crate{number}", 0.1 - 0.01 * number) for number in range(count)]
    monkeypatch.setattr("poise.runtime.failure.overlaps", lambda world, deeper: inside)
    with pytest.raises(InputError) as error:
        refuse_overlaps(run)
    assert str(error.value).startswith("LeftHand of walker begins 10 cm inside 'crate0'")
    assert f"{more} move" in str(error.value)
