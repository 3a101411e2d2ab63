"""Someone who stands with both hands held out before the chest, as if they carried a tray; nothing else is held."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import MakeBehavior
from poise.behaviors.bounded_drive import Bounded
from poise.body.coordinates import body_frames
from poise.characters.character import Character, CharacterOptions
from poise.control.tension import Tension
from poise.ik import Goal, Goals
from poise.scenes.bounded.drag import dragged, triple
from poise.scenes.bounded.loose import Dragged
from poise.scenes.bounded.person import at_ease, body, settled, standing
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.world.props import HELD, Ball
from poise.world.scene import SceneSpec

__all__ = ["hand_dragged", "hands_hit"]

Array = NDArray[np.float64]

_HANDS = {"left_hand": (0.38, 0.16, 0.08), "right_hand": (0.38, -0.16, 0.08)}
"""Where the wrists are held, from the chest [m]."""
_TENSION = Tension(frequency=2.0, load="gravity")
_RADIUS, _MASS, _SPEED, _FLIGHT = 0.1, 3.0, 5.0, 0.4
"""Of the balls [m, kg, m/s, s]."""
_FIRST, _APART, _AFTER = 0.8, 2.0, 2.0
"""When the first ball hits, the time between two, and how long it goes on after the last [s]."""
_AIMS: dict[str, tuple[float, float]] = {"left_hand": (-1.0, 0.0), "right_hand": (-0.5, 0.87), "spine": (-1.0, 0.0)}
"""What is hit, and in what direction the ball flies, level."""
_DRAG_FROM, _DRAG_TO = (0.05, 0.42, 0.0), (0.05, -0.06, 0.0)
"""Where a ball that is dragged comes from, and where it takes the hand, from the wrist: from the side across the body [m]."""


@cache
def _pose() -> tuple[Array, Goals]:
    plan, row = body(), at_ease()
    chest = body_frames(plan, row).positions[0, max(plan.with_role("spine"))]
    goals = Goals({name: Goal(chest + np.array(away)) for name, away in _HANDS.items()})
    return settled(row, goals), goals


def _person(seconds: float) -> Character:
    """The trunk and all that hangs on it is physical; the legs stand."""
    return standing(_pose()[0], seconds, CharacterOptions(anchors=("spine",), tension=_TENSION))


def _drive() -> Callable[[], Bounded]:
    goals = _pose()[1]
    return lambda: Bounded(lambda time: goals)


def hands_hit() -> Scene:
    """Balls of 3 kg hit one hand, the other and the chest: each gives way as far as its muscles let it, and comes back."""
    plan, frames, balls = body(), body_frames(body(), _pose()[0]), []
    for number, (role, course) in enumerate(_AIMS.items()):
        target, hits = frames.positions[0, max(plan.with_role(role))], _FIRST + number * _APART
        way = _SPEED * np.array([*course, 0.0])
        balls.append(
            thrown(f"ball_{number + 1}", target, way, _FLIGHT, time=hits - _FLIGHT, mass=_MASS, radius=_RADIUS)
        )
    who = _person(_FIRST + (len(_AIMS) - 1) * _APART + _AFTER)
    return Scene("balls", {"person": who}, SceneSpec(props=balls, floor=who.floor), behaviors={"person": [_drive()]})


def hand_dragged() -> Scene:
    """A ball is dragged against a hand that is held out, takes it along, and goes away again."""
    plan, frames = body(), body_frames(body(), _pose()[0])
    hand = frames.positions[0, plan.with_role("left_hand")[0]]
    way, last = dragged(hand + _DRAG_FROM, hand + _DRAG_TO, 0.8)
    who, start = _person(last + 1.5), triple(hand + _DRAG_FROM)
    ball = Ball(name="ball", position=start, velocity=(0.0, 0.0, 0.0), time=HELD, radius=0.09)
    acting: list[MakeBehavior] = [lambda: Dragged("ball", way), _drive()]
    return Scene("drag", {"person": who}, SceneSpec(props=[ball], floor=who.floor), behaviors={"person": acting})
