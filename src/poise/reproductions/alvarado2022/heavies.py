"""Seeded walks into something heavy, in one way or another; nothing was tuned on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from poise.anticipation import Bounds, Rules
from poise.behaviors.anticipation import AnticipationOptions, Expectation
from poise.reproductions.alvarado2022.played import HANDS, Played
from poise.reproductions.once import once
from poise.runtime import Character
from poise.scenes import Scene
from poise.scenes.upper_body_figures import heavy

__all__ = ["COUNT", "EXPECTED", "HEAVIEST", "Shove", "arm_bend", "shove", "thirds"]

COUNT = 100
SIDES = ("left", "right")
_PUSH = 0.5
"""How long the first push is looked at [s]."""
_SPEED = (0.85, 1.15)
"""Of the walk, as a share of the clip's."""
_AWAY, _ASIDE, _HEIGHT = (1.75, 2.05), 0.12, (1.1, 1.3)
"""Where things hang: along the way, at most so far to a side, and over the ground [m]; the scene has 1.9, 0 and 1.2 m."""
_LIGHTEST, HEAVIEST, _TICKS = 1.0, 15.0, 165
EXPECTED = 0.2
"""Share of a mass that is expected by those who are wrong about it."""


class Shove(NamedTuple):
    """What came of it.

    Args:
        mass: Of what was met [kg].
        bend: How far the arm gave way [degrees].
        stiffness: Of the stiffer shoulder at the first touch [N m/rad].
        both: Whether both hands touched it.
    """

    mass: float
    bend: float
    stiffness: float
    both: bool


def _softest(_mass: float, _heaviest: float, bounds: Bounds) -> float:
    return bounds.softest


def _one_hand(_left: float, _right: float, _mass: float, _heaviest: float) -> bool:
    return False


def _expecting(share: float, feels: bool) -> Callable[[float], AnticipationOptions]:
    """Those who expect a share of what there is."""
    return lambda mass: AnticipationOptions(expectations={"weight": Expectation(mass=share * mass)}, feels=feels)


_WAYS: Mapping[str, Callable[[float], AnticipationOptions]] = {
    "usual": lambda _: AnticipationOptions(),
    "constant": lambda _: AnticipationOptions(adapt=False),
    "softest": lambda _: AnticipationOptions(rules=Rules(tension=_softest)),
    "one hand": lambda _: AnticipationOptions(rules=Rules(both_hands=_one_hand)),
    "right": _expecting(1.0, feels=False),
    "wrong": _expecting(EXPECTED, feels=False),
    "right, feels": _expecting(1.0, feels=True),
    "wrong, feels": _expecting(EXPECTED, feels=True),
}
"""How walkers anticipate, by the mass that they meet [kg]."""


def _scene(seed: int, way: str, lightest: float) -> tuple[Scene, float]:
    rng = np.random.default_rng(seed)
    mass = float(rng.uniform(lightest, HEAVIEST))
    scene = heavy(_WAYS[way](mass), mass=mass)
    (weight,), (who,) = scene.setting.props, scene.characters.values()
    walker = Character.from_clip(replace(who.clip, rate=round(who.clip.rate * rng.uniform(*_SPEED))))
    x, y, z = float(rng.uniform(*_AWAY)), float(rng.uniform(-_ASIDE, _ASIDE)), float(rng.uniform(*_HEIGHT)) - 1.2
    moved = replace(weight, position=(x, y, weight.position[2] + z))
    return replace(scene, characters={"walker": walker}, setting=replace(scene.setting, props=(moved,))), mass


@once
def shove(seed: int, way: str = "usual", lightest: float = _LIGHTEST) -> Shove:
    """A walk at a seeded speed into a seeded mass of up to 15 kg at a seeded place.

    Args:
        seed: Of all three.
        way: "usual"; at "constant" tension, or at the "softest" that there is against anything; with "one hand" alone; or by
            who expects the "right" or a "wrong" mass, and, with ", feels" behind it, answers what is felt.
        lightest: The least there may be of it [kg].
    """
    scene, mass = _scene(seed, way, lightest)
    session = scene.session()
    played = Played(session, session.run(min(_TICKS, session.tick_count)))
    first, met = session.layouts[0].muscles.start, played.at(played.first_touch(*HANDS, prop="weight"))
    columns = [first + played.bodies(f"{side}_upper_arm")[0] - 1 for side in SIDES]
    stiffness = float(played.recording.stiffness[min(met, len(played.recording) - 1), columns].max())
    both = all(len(played.contacts(f"{side}_hand", prop="weight")) for side in SIDES)
    return Shove(mass, arm_bend(played), stiffness, both)


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
