"""A ball that is dragged into a leg and out again, whatever it meets (Hu 2024, Figs. 8, 9)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import MakeBehavior
from poise.behaviors.bounded_drive import Bounded
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.characters.character import ARMS, CharacterOptions
from poise.scenes.bounded.loose import Dragged
from poise.scenes.bounded.person import LEGS, STEADY, at_ease, body, feet_on, leg_length, settled, standing
from poise.scenes.scene import Scene
from poise.world.contact_settings import CONTACTS
from poise.world.props import HELD, Ball
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec

__all__ = ["DRAG_RADIUS", "Part", "drag", "drag_radius", "drag_way", "dragged", "triple"]

Array = NDArray[np.float64]
Part = Literal["foot", "shank", "thigh"]

_BENT = 0.04
"""How much lower than at ease the hips are, so that no leg is straight [m]."""
DRAG_RADIUS, _DRAG_IN, _DRAG_HOLD = 0.09, 1.5, 0.5
"""Of the ball that is dragged [m], how long it takes in and out, and how long it stays [s]."""
_DRAGS: dict[Part, tuple[tuple[float, float, float], tuple[float, float, float]]] = {
    "foot": ((0.02, 0.0, -0.4), (0.02, 0.0, 0.06)),
    "shank": ((0.75, 0.0, -0.2), (-0.05, 0.0, -0.2)),
    "thigh": ((-0.6, 0.0, -0.25), (0.02, 0.0, -0.25)),
}
"""Where the ball's middle goes from and how far it comes, from the joint with the role [m]."""


def drag_way(part: Part, begin: float, plan: BodyPlan | None = None) -> Callable[[Array], Array]:
    """The way of a ball that is dragged into somebody's left leg and out again, from `begin` [s] on.

    It is as long as their legs are to those of the shipped walk's person, whose it is without a plan.
    """
    plan = plan or body()
    joint = body_frames(plan, at_ease(plan)).positions[0, plan.with_role(f"left_{part}")[0]]
    start, end = (joint + leg_length(plan) / leg_length(body()) * np.array(each) for each in _DRAGS[part])
    return dragged(start, end, begin)[0]


def dragged(start: Array, end: Array, begin: float) -> tuple[Callable[[Array], Array], float]:
    """The way of a ball that is dragged from a place to another and back, from `begin` [s] on, and when it is back [s]."""
    out = begin + _DRAG_IN + _DRAG_HOLD

    def way(times: Array) -> Array:
        there = np.clip((times - begin) / _DRAG_IN, 0.0, 1.0) - np.clip((times - out) / _DRAG_IN, 0.0, 1.0)
        share: Array = 0.5 - 0.5 * np.cos(np.pi * there)
        place: Array = start + share[:, None] * (end - start)
        return place

    return way, out + _DRAG_IN


def drag_radius(plan: BodyPlan) -> float:
    """Of the ball [m]: as large to somebody's legs as that of the shipped walk's person is to theirs."""
    return DRAG_RADIUS * leg_length(plan) / leg_length(body())


def drag(*parts: Part, drive: bool = True, plan: BodyPlan | None = None) -> Scene:
    """Someone whose hips are held, into whose left leg a ball is dragged, whatever it meets (Hu 2024, Figs. 8, 9).

    Args:
        parts: Where, one after the other; foot, shank and thigh by default.
        drive: Whether the leg is driven within limits; otherwise it holds its pose and nothing moves it.
        plan: Whose leg; the shipped walk's person's without.
    """
    parts, plan = parts or ("foot", "shank", "thigh"), plan or body()
    each = 2.0 * _DRAG_IN + _DRAG_HOLD
    ways = {part: drag_way(part, 0.3 + number * each, plan) for number, part in enumerate(parts)}
    balls = [
        Ball(
            name=part,
            position=triple(way(np.zeros(1))[0]),
            velocity=(0.0, 0.0, 0.0),
            time=HELD,
            radius=drag_radius(plan),
        )
        for part, way in ways.items()
    ]
    goals, row = feet_on(TerrainGround((), 0.0), at_ease(plan), plan=plan), at_ease(plan)
    row[2] -= _BENT
    row = settled(row, goals(0.0), plan)
    options = CharacterOptions(anchors=(*ARMS, *LEGS) if drive else ARMS, tension=STEADY)
    who = standing(row, 0.3 + len(parts) * each + 1.0, options, plan)
    behaviors: list[MakeBehavior] = [partial(Dragged, part, way) for part, way in ways.items()]
    behaviors += [lambda: Bounded(goals)] if drive else []
    setting = SceneSpec(floor=None, props=balls, contact=CONTACTS["stiff"])
    return Scene("drag", {"walker": who}, setting, 0.001, {"walker": behaviors})


def triple(point: Array) -> tuple[float, float, float]:
    """A point (3,) as a tuple."""
    return float(point[0]), float(point[1]), float(point[2])
