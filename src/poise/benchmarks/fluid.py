"""What it costs to wade: drag on a skin beside the bare kernels, and whole ticks of a wader."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from poise.assets import clip_path
from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.body.coordinates import BodyFrames
from poise.characters.character import Character
from poise.fluid import FLUIDS, FluidVolume, drag_on
from poise.fluid._kernels import LOAD, drag
from poise.fluid.drag import DragForm, drag_law
from poise.io import read_clip
from poise.motion._kernels import blend_skin
from poise.motion.edit import loop
from poise.wading import Gait, Wader, WadingOptions, depth_against
from poise.world.query import TerrainGround

__all__ = ["wading_ticks"]

_STEP = 1.0 / 60.0
_CALLS, _TICKS = 20, 60
_MOST = 1.15
"""Drag with skinning over the two bare kernels."""
_FEWEST = 16.0
"""Waders that one core plays in real time at 60 Hz."""


def wading_ticks(repetitions: int) -> list[Result]:
    """The shipped walk in water to the knee, on the mannequin's skin."""
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    mesh = who.skin
    ground, deep = TerrainGround((), who.floor), depth_against(who, "knee")
    volume = FluidVolume(fluid=FLUIDS["water"], level=who.floor + deep, depth=deep)
    wader = Wader(Gait.of(who, ground), mesh, ground, WadingOptions(volumes=(volume,)), _STEP)
    ratio = _over_bare(wader, repetitions)
    tick, step = beside_bare_steps(lambda: _tick(wader))
    return [
        at_most(f"drag and skinning of {len(mesh.triangles)} triangles over the bare kernels", ratio, "", _MOST),
        at_most("tick of a wader", tick / step, "bare steps", asked(_STEP / _FEWEST)),
        noted("waders in real time on one core at 60 Hz", _STEP / tick, ""),
    ]


def _tick(wader: Wader) -> float:
    """Median time of a tick [s]."""
    ticks = []
    for _ in range(_TICKS):
        begin = perf_counter()
        wader.advance()
        ticks.append(perf_counter() - begin)
    return float(np.median(ticks))


def _over_bare(wader: Wader, repetitions: int) -> float:
    """Median of drag with skinning over the bare kernels, all under water."""
    skin, frames = wader.skin, wader.frames
    now = skin.vertices(frames)
    before, depth, out = now - np.array([0.02, 0.0, 0.0]), np.ones(len(now)), np.empty(LOAD)
    volume = FluidVolume(fluid=FLUIDS["water"], level=100.0)
    law, current = drag_law(volume, DragForm.YIELD, _STEP, 0.0), np.zeros(3)
    carried = BodyFrames(*(np.ascontiguousarray(part[:1][:, skin.carriers]) for part in frames))
    mesh, placed = skin.mesh, np.empty((1, len(now), 3))

    def bare() -> None:
        blend_skin(carried[1], carried[0], mesh.inverse_bind, mesh.vertices, mesh.joints, mesh.weights, placed)
        drag(now, before, skin.triangles, depth, law, current, volume.modes, out)

    def whole() -> None:
        drag_on(skin.vertices(frames), before, skin.triangles, volume, _STEP)

    return float(np.median([_best(whole) / _best(bare) for _ in range(4 * repetitions)]))


def _best(work: Callable[[], None]) -> float:
    times = []
    for _ in range(_CALLS):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)
