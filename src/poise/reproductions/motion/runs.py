"""The runs that motion quality is measured on: held-out clips in their surroundings, and every named scene."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Behavior
from poise.control.tension import Tension
from poise.errors import InputError
from poise.reproductions.motion.clips import SHIPPED, Source, sources
from poise.reproductions.motion.numbers import Measured, Numbers, measure
from poise.runtime import CharacterOptions, Session
from poise.scenes import SCENES, Scene, anticipating, clip_scene, named_scene, rooted
from poise.world.world import Divergence

__all__ = ["TENSIONS", "Group", "Run", "played", "runs"]

TENSIONS = (1.0, 3.0, 8.0)
"""Relaxed, usual and tense [Hz]."""
Group = str
"""What runs are of: "clips", "clips-anticipate" or "scenes"."""
_QUICK_SCENES = ("forest", "apple", "wall_stick", "shoved", "conductor", "arm_swing", "drag", "stop")


@dataclass(frozen=True)
class Run:
    """One run and what was measured of each character; `numbers` is empty where it diverged."""

    group: Group
    name: str
    kind: str
    tension: float
    numbers: Mapping[str, Numbers]
    error: str = ""

    @property
    def label(self) -> str:
        """For people."""
        return f"{self.name} at {self.tension:g} Hz"


def clip_run(source: Source, tension: float, *, anticipate: bool) -> Scene:
    """A clip in the surroundings that `poise run` makes for it."""
    clip, mesh = source.read()
    options = CharacterOptions(tension=Tension(frequency=tension))
    scene = clip_scene(replace(clip, name=source.name), options, mesh=mesh)
    return anticipating(scene) if anticipate else scene


def scene_run(name: str, tension: float) -> Scene:
    """A named scene with everybody's tension set."""
    scene = named_scene(name)
    characters = {
        label: replace(who, options=replace(who.options, tension=replace(who.options.tension, frequency=tension)))
        for label, who in scene.characters.items()
    }
    return replace(scene, characters=characters)


def play(scene: Scene, *extra: Behavior[Any]) -> tuple[Session, dict[str, Measured]]:
    """Run a scene to its end, with the overlaps of every character watched at each substep.

    Args:
        scene: What to run.
        extra: Behaviors of the first character, after its own.

    Raises:
        Divergence: Numbers ran away.
    """
    if extra:
        first = next(iter(scene.characters))
        own = scene.behaviors.get(first, ())
        scene = replace(scene, behaviors={**scene.behaviors, first: [*own, *((lambda b=each: b) for each in extra)]})
    session = scene.session()
    watches = {name: _Watch(session, name) for name in scene.characters}
    session.world.before_substep.extend(watches.values())
    session.run()
    return session, {name: Measured(session, name, np.array(watch.depths)) for name, watch in watches.items()}


class _Watch:
    """Notes the deepest overlap of a character with what it is not, feet on the ground excepted, of the substep before."""

    def __init__(self, session: Session, name: str) -> None:
        self.depths, self._world = list[float](), session.world
        labels = session.world.geom_names
        ground = {"ground", *(piece.name for piece in session.setting.terrain)}
        self._own = np.array([label.startswith(f"{name}/") for label in labels])
        self._ground = np.array([label.split("/")[0] in ground for label in labels])

    def __call__(self, _: NDArray[np.float64]) -> None:
        pairs, distance = self._world.touching()
        deepest = 0.0
        if len(distance) and float(distance.min()) < 0.0:
            mine = self._own[pairs]
            counts = (mine[:, 0] != mine[:, 1]) & ~self._ground[pairs].any(axis=1)
            deepest = -float(distance[counts].min(initial=0.0))
        self.depths.append(deepest)


def _as_run(scene: Scene) -> Scene:
    """With the root that `poise run` gives; a wader's and a group's are led by what moves them."""
    return scene if scene.wading or scene.groups else rooted(scene)


def _measured(group: Group, name: str, kind: str, tension: float, make: Callable[[], Scene]) -> Run:
    try:
        _, found = play(_as_run(make()))
    except (Divergence, InputError) as error:
        return Run(group, name, kind, tension, {}, str(error))
    return Run(group, name, kind, tension, {who: measure(each) for who, each in found.items()})


def _all(quick: bool) -> Iterator[Run]:
    tensions = TENSIONS[1:2] if quick else TENSIONS
    for tension in tensions:
        for source in sources(quick=quick):
            for anticipate in (False, True):
                group = "clips-anticipate" if anticipate else "clips"
                make = partial(clip_run, source, tension, anticipate=anticipate)
                yield _measured(group, source.name, source.kind, tension, make)
        for name in _QUICK_SCENES if quick else SCENES:
            yield _measured("scenes", name, "scene", tension, partial(scene_run, name, tension))


@cache
def runs(quick: bool = False) -> tuple[Run, ...]:
    """Every run: clips with defaults and anticipating, and named scenes, at three tensions (one in a sample)."""
    return tuple(_all(quick))


def played(source: Source = SHIPPED[0]) -> Scene:
    """The run that breakages are tried on."""
    return clip_run(source, 3.0, anticipate=True)
