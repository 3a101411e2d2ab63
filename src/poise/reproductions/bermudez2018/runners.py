"""Who runs in the checks: runs, strides of running cut out of longer clips, and other people who are lent a run."""

from __future__ import annotations

import numpy as np

from poise.characters.character import Character
from poise.characters.retarget import retarget_onto
from poise.io import read_character
from poise.motion.clip import Clip
from poise.motion.edit import loop, trim
from poise.motion.skin import SkinnedMesh
from poise.reproductions.motion.clips import HELD_OUT, data_folder, spread
from poise.wading import going

__all__ = ["LENT", "RUNS", "STRIDES", "lent", "stride"]

RUNS = (
    "motion-viewer/cmu_run_filtered.bvh",
    "bandai-namco/dataset-1_run_normal_001.bvh",
    "bandai-namco/dataset-2_run_exhausted_001.bvh",
    "hello-avatar/jog_lsw.bvh",
    "deepmimic/humanoid3d_run.txt",
    "bandai-namco/dataset-2_run_normal_001.bvh",
)
"""Runs and jogs of 1.5 to 3.7 m/s below the data folder, of four producers. A dash of 4.3 m/s is none: it asks for more than
the friction of shoes in water already. Nor is a toy knight's run, whose shield hangs in the water."""
STRIDES = (
    *(
        f"hello-avatar/LocomotionFlat01_000.bvh#{frames}"
        for frames in ("160-177", "337-354", "435-456", "536-560", "846-867", "1137-1156", "1237-1256", "1591-1609")
    ),
    "fairmotion/11_01.amc#343-415",
)
"""First and last frame of strides in clips in which somebody runs between other things: all that take 0.55 to 0.95 s at over
1.8 m/s, end within 16 degrees (joints in the mean) of the pose they begin with, and turn by at most 20 degrees."""
_LONG_ENOUGH = 6.0
"""Strides are repeated until they last so long [s]."""
_PEOPLE = spread(tuple(source for source in HELD_OUT if source.producer != "kaykit"), 16)
LENT = tuple(f"{RUNS[number % len(RUNS)]} on {number}" for number in range(len(_PEOPLE)))
"""Runs on the skeletons of sixteen other people of eleven producers, which none of them was captured on."""


def stride(name: str) -> Character:
    """Who runs a stride of `STRIDES` again and again."""
    file, _, frames = name.partition("#")
    first, last = (int(frame) for frame in frames.split("-"))
    clip, mesh = _read(file)
    clip = trim(clip, first, last + 1)
    return Character.from_clip(loop(clip, int(np.ceil(_LONG_ENOUGH / clip.duration))), None, mesh)


def lent(name: str) -> Character:
    """Who runs another one's run of `LENT`."""
    run, _, number = name.partition(" on ")
    target, mesh = _PEOPLE[int(number)].read()
    return Character.from_clip(retarget_onto(going(_read(run)[0])[0], target, mesh), None, mesh)


def _read(file: str) -> tuple[Clip, SkinnedMesh | None]:
    folder = data_folder()
    assert folder is not None, "none of these is asked for without it"
    return read_character(folder / file)
