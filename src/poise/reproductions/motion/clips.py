"""Which clips motion quality is measured on: files that nothing was tuned on, of many producers and kinds."""

from __future__ import annotations

import zlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

import poise
from poise.assets import clip_path
from poise.io import read_character
from poise.motion.clip import Clip
from poise.motion.edit import trim
from poise.motion.skin import SkinnedMesh

__all__ = ["HELD_OUT", "SHIPPED", "Source", "data_folder", "drawn", "sources", "spread"]

_LONGEST = 6.0
"""So much of a clip is played [s]."""


class Source(NamedTuple):
    """A clip: the file below the data folder, what it is of, the animation in it where there are several."""

    file: str
    kind: str
    animation: str | None = None

    @property
    def name(self) -> str:
        """Short, for people."""
        stem = Path(self.file).stem
        return stem if self.animation is None else f"{stem}_{self.animation}"

    @property
    def producer(self) -> str:
        """Folder of the file: who made it."""
        return self.file.split("/")[0]

    def read(self) -> tuple[Clip, SkinnedMesh | None]:
        """The first seconds of the clip, and its skin where the file has one."""
        folder = data_folder()
        path = clip_path(self.file) if self in SHIPPED or folder is None else folder / self.file
        clip, mesh = read_character(path, animation=self.animation)
        return trim(clip, 0, min(len(clip), round(_LONGEST * clip.rate) + 1)), mesh


SHIPPED = (Source("walk", "walk"), Source("run", "run"))
"""The clips that come with Poise; scenes, gains and thresholds were tuned on these."""

HELD_OUT = (
    Source("bandai-namco/dataset-1_walk_old_001.bvh", "walk"),
    Source("bandai-namco/dataset-2_run_normal_001.bvh", "run"),
    Source("bandai-namco/dataset-1_kick_normal_001.bvh", "kick"),
    Source("bandai-namco/dataset-1_punch_normal_001.bvh", "punch"),
    Source("bandai-namco/dataset-1_bow_normal_001.bvh", "bow"),
    Source("bandai-namco/dataset-2_wave-both-hands_normal_001.bvh", "wave"),
    Source("animated-drawings/rokoko_jesse_dance.bvh", "dance"),
    Source("animated-drawings/jumping_jacks.bvh", "jump"),
    Source("animated-drawings/dab.bvh", "gesture"),
    Source("3dmodelfiletest/Die.bvh", "fall"),
    Source("3dmodelfiletest/WalkForward.bvh", "walk"),
    Source("bvh-toolbox/test_mocapbank.bvh", "crouch"),
    Source("bvh-toolbox/test_freebvh.bvh", "idle"),
    Source("hello-avatar/Shove_Reaction.bvh", "stagger"),
    Source("hello-avatar/jump_lsw.bvh", "jump"),
    Source("hello-avatar/walk_hurt_rl.bvh", "limp"),
    Source("hello-avatar/s_001_1_1.bvh", "grapple"),
    Source("deep-motion-editing/angry_13_000.bvh", "walk"),
    Source("deep-motion-editing/neutral_16_000.bvh", "jump"),
    Source("motion-viewer/walk.bvh", "walk"),
    Source("motion-viewer/0005_2FeetJump001.bvh", "jump"),
    Source("pose-animation/pirouette.bvh", "pirouette"),
    Source("mocapnet/rightkick.bvh", "kick"),
    Source("kinect-motion-capture/kinect_1860.bvh", "noisy capture"),
    Source("kaykit/Knight.glb", "run, skinned", "Running_A"),
    Source("kaykit/Knight.glb", "sit, skinned", "Sit_Floor_Down"),
    Source("mjolnir-zig/CesiumMan.glb", "walk, skinned"),
)
"""Clips of `../shared/data` that nothing is tuned on. What is changed for their sake is judged on others first."""


def data_folder() -> Path | None:
    """The folder of real clips beside the project, or beside the folder one is in; None where there is none."""
    for beside in (Path(poise.__file__).resolve().parents[2], Path.cwd()):
        folder = beside.parent / "shared" / "data"
        if folder.is_dir():
            return folder
    return None


def sources(*, quick: bool) -> tuple[Source, ...]:
    """The held-out clips, or the shipped ones where a sample will do or there are no others."""
    return SHIPPED if quick or data_folder() is None else HELD_OUT


def spread(found: tuple[Source, ...], count: int) -> tuple[Source, ...]:
    """So many of the clips, one producer after the other: as many producers as there are before any has a second one."""
    seen = Counter[str]()
    turns = []
    for source in found:
        turns.append(seen[source.producer])
        seen[source.producer] += 1
    return tuple(found[k] for k in sorted(range(len(found)), key=lambda k: (turns[k], k))[:count])


def drawn(source: Source) -> np.random.Generator:
    """What is drawn for somebody: always the same."""
    return np.random.default_rng(zlib.crc32(f"{source.file}:{source.animation}".encode()))
