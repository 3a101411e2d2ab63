"""Seeded walks into something heavy, in one way or another; nothing was tuned on them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from poise.anticipation import Bounds, Rules
from poise.behaviors.anticipation import AnticipationOptions
from poise.reproductions.alvarado2022.played import HANDS, Played
from poise.runtime import Character
from poise.scenes import Scene
from poise.scenes.upper_body_figures import heavy

__all__ = ["COUNT", "Shove", "arm_bend", "shove", "thirds"]

COUNT = 100
SIDES = ("left", "right")
_PUSH = 0.5
"""How long the first push is looked at [s]."""
_SPEED = (0.85, 1.15)
"""Of the walk, as a share of the clip's."""
_AWAY, _ASIDE, _HEIGHT = (1.75, 2.05), 0.12, (1.1, 1.3)
"""Where things hang: along the way, at most so far to a side, and over the ground [m]; the scene has 1.9, 0 and 1.2 m."""
_MASSES, _TICKS = (1.0, 15.0), 165


class Shove(NamedTuple):
    """What came of it.

    Args:
        mass: Of what was met [kg].
        bend: How far the arm gave way [degrees].
        stiffness: Of the stiffer shoulder at the first touch [N m/rad].
    """

    mass: float
    bend: float
    stiffness: float


def _softest(_mass: float, _heaviest: float, bounds: Bounds) -> float:
    return bounds.softest


_WAYS: Mapping[str, AnticipationOptions] = {
    "usual": AnticipationOptions(),
    "constant": AnticipationOptions(adapt=False),
    "softest": AnticipationOptions(rules=Rules(tension=_softest)),
}
"""How walkers anticipate."""


def _scene(seed: int, way: str) -> tuple[Scene, float]:
    rng = np.random.default_rng(seed)
    mass = float(rng.uniform(*_MASSES))
    scene = heavy(_WAYS[way], mass=mass)
    (weight,), (who,) = scene.setting.props, scene.characters.values()
    walker = Character.from_clip(replace(who.clip, rate=round(who.clip.rate * rng.uniform(*_SPEED))))
    x, y, z = float(rng.uniform(*_AWAY)), float(rng.uniform(-_ASIDE, _ASIDE)), float(rng.uniform(*_HEIGHT)) - 1.2
    moved = replace(weight, position=(x, y, weight.position[2] + z))
    return replace(scene, characters={"walker": walker}, setting=replace(scene.setting, props=(moved,))), mass


@cache
def shove(seed: int, way: str = "usual") -> Shove:
    """A walk at a seeded speed into a seeded mass of 1 to 15 kg at a seeded place.

    Args:
        seed: Of all three.
        way: "usual", at "constant" tension, or at the "softest" that there is against anything.
    """
    scene, mass = _scene(seed, way)
    session = scene.session()
    played = Played(session, session.run(min(_TICKS, session.tick_count)))
    first, met = session.layouts[0].muscles.start, played.at(played.first_touch(*HANDS, prop="weight"))
    columns = [first + played.bodies(f"{side}_upper_arm")[0] - 1 for side in SIDES]
    stiffness = float(played.recording.stiffness[min(met, len(played.recording) - 1), columns].max())
    return Shove(mass, arm_bend(played), stiffness)


def arm_bend(played: Played) -> float:
    """How far a pushing arm gives way while it touches the weight [°]: shoulder and elbow, from where they should be."""
    begin = played.at(played.first_touch(*HANDS, prop="weight"))
    end, most = begin + round(_PUSH / played.recording.tick), 0.0
    for side in SIDES:
        ticks = np.unique(played.recording.contacts.tick[played.contacts(f"{side}_hand", prop="weight")])
        states = ticks[(ticks >= begin - 1) & (ticks < end)] + 1
        bend = played.bend(f"{side}_upper_arm") + played.bend(f"{side}_forearm")
        most = max(most, float(bend[states].max(initial=0.0)))
    return most


def thirds(found: list[Shove], number: str) -> float:
    """Median of a number over the heaviest third, over that of the lightest."""
    ranked = np.array([getattr(each, number) for each in sorted(found)])
    size = max(1, len(ranked) // 3)
    return float(np.median(ranked[-size:]) / np.median(ranked[:size]))
