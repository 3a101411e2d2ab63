"""How many wade in real time on two cores, and what a wader costs beside a walker that yields."""

from __future__ import annotations

import multiprocessing as mp
from collections.abc import Callable, Sequence
from dataclasses import replace
from time import perf_counter, process_time
from typing import Any

import numpy as np

from poise.assets import clip_path
from poise.behaviors.push import Push
from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted
from poise.characters.character import Character
from poise.fluid import FLUIDS, FluidVolume, drag_on
from poise.io import read_clip
from poise.motion.coarse_skin import coarse_skin
from poise.motion.edit import loop
from poise.motion.skin import SkinnedMesh
from poise.runtime.session import Session
from poise.wading import Fluids, Gait, Wader, WadingOptions, depth_against, wade
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec

__all__ = ["many_waders"]

_CORES = 2
_STEP = 1.0 / 30.0
"""Waders are stable at thirty ticks a second in any fluid."""
_COUNT = 25
_WARM, _TICKS = 5, 15
_MANY, _COARSELY = 50.0, 100.0
_CELL = 0.05
"""Of the coarser mesh [m]."""
_MOST = 1.15
_SECONDS = 2.0
_SETTLED = 0.6
"""Who begins to wade is led into step for a while [s]."""


def many_waders(repetitions: int) -> list[Result]:
    """The shipped walk in water to the knee: as many as two cores play, on the mannequin's skin and on a coarser one."""
    name = "waders on two cores"
    coarsely = f"{name}, on a mesh of {len(_mesh(_walker(), _CELL).triangles)} triangles"
    return [
        *_on_two_cores(name, 0.0, _MANY, repetitions),
        *_on_two_cores(coarsely, _CELL, _COARSELY, repetitions),
        *_beside_a_walker(repetitions),
    ]


def _on_two_cores(name: str, cell: float, least: float, repetitions: int) -> list[Result]:
    """What a tick of one of them takes of a core, and how many play in real time; `least` of them are asked for."""
    tick, step = beside_bare_steps(lambda: _tick_of_many(cell, repetitions))
    return [
        at_most(f"{name}, a tick of each", tick / step, "bare steps", asked(_CORES * _STEP / least)),
        noted(f"{name}, in real time at 30 Hz", _CORES * _STEP / tick, ""),
    ]


def _walker() -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), 4))


def _mesh(who: Character, cell: float) -> SkinnedMesh:
    mesh = who.skin
    return coarse_skin(mesh, cell) if cell else mesh


def _water(who: Character) -> FluidVolume:
    deep = depth_against(who, "knee")
    return FluidVolume(fluid=FLUIDS["water"], level=who.floor + deep, depth=deep)


def _waders(count: int, cell: float, step: float) -> list[Wader]:
    who = _walker()
    ground = TerrainGround((), who.floor)
    gait, mesh, options = Gait.of(who, ground), _mesh(who, cell), WadingOptions(volumes=(_water(who),))
    return [Wader(gait, mesh, ground, options, step) for _ in range(count)]


def _tick_of_many(cell: float, repetitions: int) -> float:
    """Time of a tick of one wader [s] while two processes play half of them each."""
    context = mp.get_context("spawn")
    start, results = context.Barrier(_CORES), context.Queue()
    workers = [context.Process(target=_play, args=(cell, repetitions, start, results)) for _ in range(_CORES)]
    for worker in workers:
        worker.start()
    times = [results.get() for _ in workers]
    for worker in workers:
        worker.join()
    return float(max(times) / _COUNT)


def _play(cell: float, repetitions: int, start: Any, results: Any) -> None:
    """Processor time of a tick of one process' waders [s], the least of some windows, while the other process plays as well."""
    waders = _waders(_COUNT, cell, _STEP)
    windows = []
    for wader in waders:
        for _ in range(_WARM):
            wader.advance()
    start.wait()
    for _ in range(repetitions):
        begin = process_time()
        for _ in range(_TICKS):
            for wader in waders:
                wader.advance()
        windows.append((process_time() - begin) / _TICKS)
    results.put(min(windows))


def _beside_a_walker(repetitions: int) -> list[Result]:
    """A wader's tick and the session's that plays it, over a yielding walker's with drag on its skin."""
    who = _walker()
    volume = _water(who)
    yielding = replace(who, options=replace(who.options, root="compliant"))
    held = Session(
        {"walker": yielding}, SceneSpec(floor=who.floor), behaviors={"walker": [Push((4.0, 0.0, 0.0), 0.0, 1e3)]}
    )
    wader = _waders(1, 0.0, held.clock.tick)[0]
    waded = wade(who, WadingOptions(volumes=(volume,)), longest=_SECONDS)
    plays = Session({"wader": waded.character}, SceneSpec(floor=who.floor))
    now = wader.skin.vertices(wader.frames)
    before = now - np.array([0.02, 0.0, 0.0])

    def drag() -> None:
        drag_on(wader.skin.vertices(wader.frames), before, wader.skin.triangles, volume, held.clock.tick)

    live = Session({"wader": yielding}, SceneSpec(floor=who.floor), fluids=Fluids(volume))
    live.run(round(_SETTLED / live.clock.tick))
    count = 10 * repetitions
    walker, played, alone, water, lively = _ticks((held.tick, plays.tick, wader.advance, drag, live.tick), count)
    return [
        at_most(
            "a wader with the session that plays it over a yielding walker and drag",
            (alone + played) / (walker + water),
            "",
            _MOST,
        ),
        noted("a wader, each tick", 1e3 * alone, "ms"),
        at_most("who wades in a running session over a yielding walker and drag", lively / (walker + water), "", _MOST),
        noted("a yielding walker, each tick", 1e3 * walker, "ms"),
    ]


def _ticks(works: Sequence[Callable[[], object]], count: int) -> list[float]:
    """Median time of a call of each, made by turns so that a busy machine slows all of them, the first few left out [s]."""
    times = np.empty((_WARM + count, len(works)))
    for row in times:
        for number, work in enumerate(works):
            begin = perf_counter()
            work()
            row[number] = perf_counter() - begin
    return [float(each) for each in np.median(times[_WARM:], axis=0)]
