"""What is said of a clip that makes one doubt."""

from dataclasses import replace

import numpy as np
import pytest

from _builders import human_clip
from poise.motion.source import Source
from poise.report import clip_warnings as module
from poise.report.clip_warnings import clip_warnings, made_in_place
from poise.runtime import Character


def test_somebody_who_stands_still_is_told_how_to_move() -> None:
    clip = replace(human_clip(), source=Source(path="far/knight.glb"))
    for frames, told in ((1, "this one frame"), (9, "these 9 frames")):
        still = clip.with_motion(
            np.tile(clip.rotations[:1], (frames, 1, 1)), np.tile(clip.translations[:1], (frames, 1, 1))
        )
        who = Character.from_clip(still)
        (line,) = clip_warnings(who.plan, still, who.floor)
        assert line.startswith(f"nobody moves in {told}: ")
        assert line.endswith("poise run forest --character knight.glb")


def test_a_heading_is_never_minus_nought(monkeypatch: pytest.MonkeyPatch) -> None:
    who = Character.from_clip(human_clip())
    travel = module.find_travel(who.clip, who.plan)
    slightly = replace(travel, in_place=True, heading=-0.002)
    monkeypatch.setattr(module, "find_travel", lambda *_: slightly)
    (line,) = made_in_place(who.plan, who.clip)
    assert line.endswith("towards 0° from x")


@pytest.mark.parametrize(("factor", "told"), [(1.0, 0), (2.0, 1), (0.2, 1)])
def test_a_giant_and_a_dwarf_are_asked_for_their_unit(factor: float, told: int) -> None:
    clip = human_clip()
    skeleton = replace(
        clip.skeleton, offsets=factor * clip.skeleton.offsets, end_offsets=factor * clip.skeleton.end_offsets
    )
    who = Character.from_clip(replace(clip, skeleton=skeleton, translations=factor * clip.translations))
    lines = [line for line in clip_warnings(who.plan, who.clip, who.floor) if "which nobody has" in line]
    assert len(lines) == told
    assert all("is the unit right (--unit)?" in line for line in lines)
