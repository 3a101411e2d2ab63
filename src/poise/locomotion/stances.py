"""Stances: stretches of time in which one foot stays where it is, and the footprint it leaves on flat ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.contacts import ContactPhases, runs
from poise.locomotion.soles import BALL, HEEL, Sole
from poise.math import quat

__all__ = ["Stance", "find_stances"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Stance:
    """One foot on the ground, from landing to leaving.

    Args:
        first: First frame.
        last: Last frame.
        heel: Frames in which the heel stands, shape (n,) over the stance.
        ball: Frames in which the ball stands, likewise.
        place: Middle of the footprint on the clip's flat ground [m], shape (2,).
        yaw: Heading of the footprint from x [rad].
    """

    first: int
    last: int
    heel: Mask
    ball: Mask
    place: Array
    yaw: float

    @property
    def frames(self) -> slice:
        """Its frames."""
        return slice(self.first, self.last + 1)

    @property
    def flat(self) -> Mask:
        """Frames in which heel and ball both stand, shape (n,)."""
        return self.heel & self.ball


def find_stances(
    phases: ContactPhases, foot: int, sole: Sole, positions: Array, rotations: Array
) -> tuple[Stance, ...]:
    """The stances of one foot.

    Args:
        phases: Its contacts.
        foot: 0 for the left, 1 for the right.
        sole: Its sole.
        positions: Of the foot's joint over the clip [m], shape (T, 3).
        rotations: Of the foot over the clip, shape (T, 4).
    """
    heel, ball = phases.mask[:, 2 * foot], phases.mask[:, 2 * foot + 1]
    found = []
    for first, last in runs(heel | ball):
        span = slice(first, last + 1)
        on_heel, on_ball = _rolled(heel[span].copy(), ball[span].copy())
        place, yaw = _footprint(sole, on_heel, on_ball, positions[span], rotations[span])
        found.append(Stance(first, last, on_heel, on_ball, place, yaw))
    return tuple(found)


def _rolled(heel: Mask, ball: Mask) -> tuple[Mask, Mask]:
    """Where a foot goes from heel to ball at once it lies flat for the frames on both sides."""
    for switch in np.flatnonzero((heel[:-1] & ~ball[:-1] & ~heel[1:]) | (ball[:-1] & ~heel[:-1] & ~ball[1:])):
        heel[switch : switch + 2] = ball[switch : switch + 2] = True
    return heel, ball


def _footprint(sole: Sole, heel: Mask, ball: Mask, positions: Array, rotations: Array) -> tuple[Array, float]:
    """Middle and heading of the sole on the ground, the mean over the frames that say most about it."""
    flat = heel & ball
    chosen = flat if flat.any() else heel | ball
    places, turns = positions[chosen], rotations[chosen]
    ends = sole.points(np.array([HEEL, BALL]), np.zeros(2))
    ends = places[:, None] + quat.rotate(turns[:, None], ends)
    ahead = (ends[:, 1, :2] - ends[:, 0, :2]).mean(axis=0)
    yaw = float(np.arctan2(ahead[1], ahead[0]))
    direction = np.array([np.cos(yaw), np.sin(yaw)])
    if flat.any():
        return ends[..., :2].mean(axis=(0, 1)) - 0.5 * (HEEL + BALL) * sole.half[0] * direction, yaw
    end, along = (0, HEEL) if heel.any() else (1, BALL)
    return ends[:, end, :2].mean(axis=0) - along * sole.half[0] * direction, yaw
