"""A contact sequence planned from a goal: take hold of a thing, and step to where that can be done where it is too far.

For the simple case: level ground with nothing in the way, a thing that stays where it is meanwhile, and somebody who goes there
as they are turned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise import parameters
from poise.errors import InputError
from poise.groups.group import Group
from poise.groups.preview import stride
from poise.groups.steps import Footstep, heading_of, settled
from poise.math import quat
from poise.qp import FrameTask, Phase, lasting, reached

__all__ = ["TakingOptions", "steps_to", "take"]

Array = NDArray[np.float64]

_SIDES = ("left", "right")


@dataclass(frozen=True, kw_only=True)
class TakingOptions:
    """How somebody goes to a thing and takes hold of it. Shares are of stature.

    Raises:
        InputError: A number is out of range.
    """

    reach: float = parameters.number(
        0.33,
        0.1,
        0.5,
        says="how far from the shoulder an arm reaches without a step",
        source="an arm is 0.36, its elbow bent",
    )
    ahead: float = parameters.number(
        0.2, 0.05, 0.4, says="how far before the feet a thing is when it is at hand", source="elbows are half bent then"
    )
    aside: float = parameters.number(
        0.13, 0.0, 0.3, says="how far beside the middle", source="half the width of shoulders"
    )
    longest: float = parameters.number(
        0.35, 0.05, 0.4, "m", says="how long a step is", source="longer quick ones go wrong when it comes to stopping"
    )
    sideways: float = parameters.number(
        0.08, 0.01, 0.15, "m", says="how long it is sideways", source="feet do not cross"
    )
    back: float = parameters.number(
        0.06, 0.0, 0.3, "m", says="from how far before a thing a hand comes to it", source="fingers have room to open"
    )
    speed: float = parameters.number(0.5, 0.05, 3.0, "m/s", says="how fast it goes there")

    def __post_init__(self) -> None:
        parameters.check(self, "taking")


def steps_to(group: Group, name: str, place: ArrayLike, options: TakingOptions | None = None) -> list[list[Footstep]]:
    """Steps with one foot and the other that bring the middle between somebody's feet to a place, turned as they are.

    Args:
        group: Whose.
        name: Who.
        place: Where to, on their ground [m], x and y.
        options: How long steps are.

    Returns:
        For `stride`; none where the place is within a centimetre.
    """
    options = options or TakingOptions()
    soles = {side: group.sole(name, side) for side in _SIDES}
    starts = {side: group.point(sole.second, sole.middle) for side, sole in soles.items()}
    way = np.asarray(place, dtype=float)[:2] - np.mean(list(starts.values()), axis=0)[:2]
    heading = heading_of(group, name)
    forward, left = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    if np.linalg.norm(way) < 0.01:
        return []
    # Every foot lands one length beyond the other, the last but one half of it, and the last one beside it.
    needed = max(abs(way @ forward) / options.longest, abs(way @ left) / options.sideways)
    count = int(np.ceil(needed + 0.5))
    shares = [min(number + 1.0, count - 0.5) / (count - 0.5) for number in range(count)]
    first = "left" if way @ left > 1e-6 else "right"
    sides = [first, *(side for side in _SIDES if side != first)]
    steps = []
    for number, share in enumerate([*shares, 1.0]):
        side = sides[number % 2]
        goal = starts[side] + np.array([*(share * way), 0.0])
        steps.append([Footstep(name, side, goal.tolist(), heading=heading, via=(0.0, 0.0, 0.06))])
    return steps


def take(
    group: Group,
    hand: str,
    thing: str,
    place: Sequence[float],
    *,
    rotation: Sequence[float] | Array | None = None,
    radius: float = 0.02,
    stepping: bool = True,
    options: TakingOptions | None = None,
) -> list[Phase]:
    """Phases in which somebody takes hold of a thing: steps if it is too far, a hand that comes to it, a grasp.

    Args:
        group: As it is before.
        hand: With which, such as "anna/right_hand".
        thing: The body that is held.
        place: Where, in its frame [m].
        rotation: How the hand is turned there, in its frame; None leaves it free.
        radius: Of the bar that is held [m].
        stepping: Whether they may step.
        options: How.

    Raises:
        InputError: There is no such hand.
    """
    options = options or TakingOptions()
    name, _, body = hand.partition("/")
    side = body.removesuffix("_hand")
    if name not in group.people or body not in (f"{each}_hand" for each in _SIDES):
        raise InputError(f"a hand is somebody's left_hand or right_hand, such as 'anna/left_hand'; got {hand!r}")
    target = group.point(thing, place)
    phases: list[Phase] = []
    at_it = {f"{name} gaze": group.look(name, place, thing)}
    steps = steps_to(group, name, _stand(group, name, side, target, options), options) if stepping else []
    if steps and not _at_hand(group, name, side, target, options):
        phases += stride(group, f"{name} to {thing}", steps, [name])
        arrived = Phase(name=f"{name} arrives at {thing}", tasks=settled(group, [name]), until=lasting(0.2))
        phases.append(arrived)
        for phase in phases:
            phase.tasks = {**phase.tasks, **at_it}

    heading = heading_of(group, name)
    back = options.back * np.array([-np.cos(heading), -np.sin(heading), 0.5])

    def brought(away: Array) -> FrameTask:
        there = group.place_in(thing, target + away)
        return group.hand(name, side, there, rotation, against=thing, speed=options.speed)

    label = f"{name} {side} hand"
    return [
        *phases,
        Phase(
            name=f"{name} reaches for {thing}",
            tasks={label: brought(back), **at_it},
            until=reached(label, 0.03, 0.15),
        ),
        Phase(
            name=f"{name} takes {thing}",
            tasks={label: brought(np.zeros(3)), **at_it},
            until=reached(label, 0.004, 0.02),
        ),
        Phase(
            name=f"{name} holds {thing}",
            touch=[group.grip(name, side, thing, radius=radius)],
            tasks=at_it,
            until=lasting(0.2),
        ),
    ]


def _stand(group: Group, name: str, side: str, target: Array, options: TakingOptions) -> Array:
    """Where to stand so that a place is at hand, on the ground [m], shape (2,)."""
    heading, stature, sign = heading_of(group, name), group.people[name].stature, 1.0 if side == "left" else -1.0
    offset = stature * np.array([options.ahead, sign * options.aside, 0.0])
    return np.asarray((target - quat.rotate(quat.exp(np.array([0.0, 0.0, heading])), offset))[:2])


def _at_hand(group: Group, name: str, side: str, target: Array, options: TakingOptions) -> bool:
    shoulder = group.point(f"{name}/{side}_upper_arm", (0.0, 0.0, 0.0))
    return bool(np.linalg.norm(target - shoulder) < options.reach * group.people[name].stature)
