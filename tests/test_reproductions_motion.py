"""Motion quality: the rows, the breakages, and agreement with a measure that reads exports alone."""

import json
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from poise.io import read_clip, write_clip
from poise.reproductions import run_checks
from poise.reproductions.motion import clips
from poise.reproductions.motion.bars import BARS, GROUPS
from poise.reproductions.motion.broken import BREAKAGES, broken, refused
from poise.reproductions.motion.numbers import measure
from poise.reproductions.motion.page import write_page
from poise.reproductions.motion.runs import play, runs
from poise.scenes import anticipating, clip_scene
from poise.world.render import NoRenderer


@pytest.mark.slow
def test_a_sample_of_runs_has_no_fault_and_every_open_row_an_aim() -> None:
    rows = run_checks("motion", ablate=True, quick=True)
    assert [f"{row.id} {row.fault}" for row in rows if row.fault] == []
    assert all(row.aim for row in rows if row.kind == "open")
    json.dumps([row._asdict() for row in rows], allow_nan=False)


@pytest.mark.slow
def test_every_breakage_is_noticed_by_its_bar() -> None:
    for bar in BARS:
        if bar.number in BREAKAGES:
            assert not bar.within(getattr(broken(), bar.number)), bar.number
    shaken = broken()
    assert shaken.hand_jerk > 2.0
    assert shaken.reversals > 1.5
    assert shaken.joint_acceleration > 1.0


def test_a_run_that_cannot_begin_is_told() -> None:
    assert "cm inside 'inside'" in refused()


def test_bars_that_hold_somewhere_name_a_breakage() -> None:
    for bar in BARS:
        assert set(bar.open) <= set(GROUPS)
        assert bar.number in BREAKAGES or set(bar.open) >= set(GROUPS) - {"clips"}, bar.number
        assert bar.reason


def test_held_out_clips_are_many_of_many_producers() -> None:
    held = clips.HELD_OUT
    assert len(held) >= 20
    assert len({source.producer for source in held}) >= 6
    assert sum("skinned" in source.kind for source in held) >= 2
    assert not set(held) & set(clips.SHIPPED)
    assert clips.sources(quick=True) == clips.SHIPPED


def outside(folder: Path) -> ModuleType:
    """The measure that reads exports alone; what it does when run is left out."""
    sys.path.insert(0, str(folder))
    module = ModuleType("motion_from_outside")
    module.__file__ = str(folder / "motion.py")
    text = (folder / "motion.py").read_text(encoding="utf-8").rstrip().removesuffix("main()")
    exec(compile(text, module.__file__, "exec"), module.__dict__)
    sys.path.remove(str(folder))
    return module


@pytest.mark.shared
@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["bandai-namco/dataset-1_kick_normal_001.bvh", "bvh-toolbox/walk01.bvh", "hello-avatar/Shove_Reaction.bvh"]
)
def test_numbers_agree_with_those_told_from_exports(name: str, shared_data: Path, tmp_path: Path) -> None:
    clip = read_clip(shared_data / name)
    session, found = play(anticipating(clip_scene(clip)))
    (who,) = found
    write_clip(tmp_path / "result.bvh", session.result(who))
    told = outside(shared_data.parent / "tools").measure(
        str(shared_data / name), str(tmp_path / "result.bvh"), clip.source.metres_per_unit
    )
    ours = measure(found[who])
    assert ours.hand_jerk == pytest.approx(told["jerk"], rel=0.02)
    assert ours.reversals == pytest.approx(told["reversals"], abs=0.1)


@pytest.mark.slow
def test_the_page_shows_every_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = tuple(run for run in runs(True) if run.name in ("walk", "apple"))
    monkeypatch.setattr("poise.reproductions.motion.page.runs", lambda _: sample)
    monkeypatch.setattr("poise.reproductions.motion.page.sources", lambda quick: clips.SHIPPED)
    try:
        text = write_page(tmp_path).read_text(encoding="utf-8")
    except NoRenderer as error:
        pytest.skip(str(error))
    assert text.count("<h3>") == len(sample) == 3
    assert "class=bad" in text
    facts = json.loads((tmp_path / "motion.json").read_text(encoding="utf-8"))
    assert np.isfinite(facts[0]["numbers"]["character"]["hand_jerk"])
