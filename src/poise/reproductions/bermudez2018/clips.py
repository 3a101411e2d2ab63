"""Who wades in the checks: walks and runs of many producers that nothing was tuned on, and the shipped walk that was."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.characters.character import Character
from poise.fluid import Fluid, FluidVolume, named_fluid
from poise.io import read_character
from poise.motion.edit import loop
from poise.reproductions.bermudez2018.runners import LENT, RUNS, STRIDES, lent, stride
from poise.reproductions.check import Trial
from poise.reproductions.motion.clips import data_folder
from poise.reproductions.once import once
from poise.wading import Waded, WadingOptions, WadingRecord, depth_against, going, wade

__all__ = [
    "CALIBRATED",
    "DEPTHS",
    "FLUID_NAMES",
    "LONG",
    "RUNNERS",
    "RUNS",
    "SHIPPED_RUN",
    "TARGETS",
    "WALKS",
    "fluid_around",
    "joggers",
    "late",
    "long_ones",
    "mean_force",
    "runners",
    "waded",
    "walker",
    "walks",
]

Array = NDArray[np.float64]

CALIBRATED = "walk"
"""The shipped walk: k and the offsets of mud and goo were set on it, so what it gives is no check."""
WALKS = (
    "bvh-toolbox/walk01.bvh",
    "deep-motion-editing/neutral_01_000.bvh",
    "deep-motion-editing/example_crlf.bvh",
    "deep-motion-editing/old_13_000.bvh",
    "motion-viewer/walk.bvh",
    "bandai-namco/dataset-1_walk_normal_002.bvh",
    "pybvh/cmu_12_01_walk.bvh",
    "3dmodelfiletest/WalkForward.bvh",
    "mjolnir-zig/CesiumMan.glb",
    "dcl-emotes/walk.glb",
    "deepmimic/humanoid3d_walk.txt",
    "unity-antagonistic/ybot@Walking.fbx",
    "bandai-namco/dataset-1_walk_normal_001.bvh",
    "bandai-namco/dataset-1_walk_happy_001.bvh",
    "bandai-namco/dataset-1_walk_old_001.bvh",
    "bandai-namco/dataset-2_walk_active_001.bvh",
)
"""Walks of 0.6 to 1.7 m/s below the data folder, of ten producers; some walk in place, one comes with its own skin; none is
shorter than a second and a half, in which nothing settles."""
SHIPPED_RUN = "run"
"""It lifts its feet out of water to the knee, and so loses less than a fourth."""
DEPTHS = ("ankle", "knee", "waist", "chest")
FLUID_NAMES = ("water", "mud", "goo")
TARGETS = (0.72, 0.60, 0.38)
"""Shares of the speed that are left (Table 1, whose last column is what is left and not what is lost)."""
_SECONDS = 5.0
_LONG = 3.5
LONG = 17
"""How many of them go on for longer than that [s], of ten producers."""
_CYCLES = 6
RUNNERS = (*RUNS, *STRIDES, *LENT)
"""Everybody who runs."""
_FASTER = 1.6
"""Takes the shipped walk to 1.56 m/s, near the fastest of the held-out ones."""


@cache
def walker(file: str) -> Character:
    """Who is in a file of the data folder, or in a shipped clip, after an @ how many times as fast; see also `RUNNERS`."""
    folder = data_folder()
    if file in STRIDES:
        return stride(file)
    if file in LENT:
        return lent(file)
    if "/" in file and folder is not None:
        clip, mesh = read_character(folder / file)
        return Character.from_clip(going(clip)[0], None, mesh)
    name, _, pace = file.partition("@")
    clip, mesh = read_character(clip_path(name))
    clip = loop(clip, _CYCLES)
    return Character.from_clip(replace(clip, rate=clip.rate * float(pace or 1.0)), None, mesh)


def walks(trial: Trial) -> tuple[str, ...]:
    """The walks of a trial: the shipped one alone where a sample will do or there are no others."""
    return (CALIBRATED,) if trial.quick or data_folder() is None else WALKS


def other_walks(trial: Trial) -> tuple[str, ...]:
    """Walks of a trial that nothing was set on; where there is only one, that one faster than it was."""
    files = walks(trial)
    return (f"{CALIBRATED}@{_FASTER}",) if files == (CALIBRATED,) else files


def joggers(trial: Trial) -> tuple[str, ...]:
    """The runs of a trial: the shipped one alone where a sample will do or there are no others."""
    return (SHIPPED_RUN,) if trial.quick or data_folder() is None else RUNS


def runners(trial: Trial) -> tuple[str, ...]:
    """Those, strides of running in longer clips and other people who are lent a run; the shipped run alone for a sample."""
    files = joggers(trial)
    return RUNNERS if files == RUNS else files


def long_ones(trial: Trial) -> tuple[str, ...]:
    """Walks and runs that go on for a while after a shove; for a sample the shipped walk."""
    if trial.quick or data_folder() is None:
        return (CALIBRATED,)
    return tuple(file for file in (*WALKS, *RUNS) if walker(file).clip.duration > _LONG)


def waded(
    file: str,
    fluid: str | Fluid | None = "water",
    depth: str | float = "knee",
    seconds: float = _SECONDS,
    **options: object,
) -> Waded:
    """The first seconds of somebody's wading, the same play whether an option is left out or given as it is by default."""
    what = named_fluid(fluid) if isinstance(fluid, str) else fluid
    return _waded(file, what, depth if what is not None else "", seconds, WadingOptions(**options))  # type: ignore[arg-type]


@once
def _waded(file: str, fluid: Fluid | None, depth: str | float, seconds: float, options: WadingOptions) -> Waded:
    who = walker(file)
    volumes = (fluid_around(who, fluid, depth),) if fluid is not None else ()
    return wade(who, replace(options, volumes=volumes), longest=seconds)


def fluid_around(who: Character, fluid: str | Fluid, depth: str | float) -> FluidVolume:
    """A fluid that reaches up to somebody everywhere."""
    deep = depth_against(who, depth)
    what = named_fluid(fluid) if isinstance(fluid, str) else fluid
    return FluidVolume(fluid=what, level=who.floor + deep, depth=deep)


def late(record: WadingRecord) -> slice:
    """The second half of a way, when it has settled."""
    return slice(len(record) // 2, None)


def mean_force(record: WadingRecord) -> float:
    """Mean drag against the way, when it has settled [N]."""
    half = late(record)
    ahead = record.intended[half] / np.linalg.norm(record.intended[half], axis=1, keepdims=True)
    return -float(np.mean(np.sum(record.force[half, :2] * ahead, axis=1)))
