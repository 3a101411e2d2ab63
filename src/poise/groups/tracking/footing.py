"""When each foot bears weight in a clip, on its whole sole, its heel or its ball, and where."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.locomotion.contacts import ContactPhases, runs
from poise.locomotion.soles import BALL, HEEL, Sole
from poise.locomotion.walk import GroundGoals
from poise.math import quat

__all__ = ["Bearing", "Footing", "bearing_points", "footings", "handed_over", "supports"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_END = 0.2
"""Half the length of what bears weight when a foot stands on its heel or ball, in half lengths of the sole."""


class Bearing(IntEnum):
    """What of a foot bears weight."""

    NOTHING = 0
    SOLE = 1
    HEEL = 2
    BALL = 3


_PARTS = {Bearing.SOLE: (0.0, 1.0), Bearing.HEEL: (HEEL, _END), Bearing.BALL: (BALL, _END)}
"""Middle and half length of each, in half lengths of the sole."""


@dataclass(frozen=True, eq=False)
class Footing:
    """One foot over a clip.

    Args:
        sole: Its sole.
        kinds: What bears weight, `Bearing`, shape (T,).
        places: Middle of the sole where it lies flat [m], shape (T, 3); 0 where nothing bears.
        turns: How the sole's axes are turned there, wxyz, shape (T, 4).
    """

    sole: Sole
    kinds: NDArray[np.int64]
    places: Array
    turns: Array


def bearing_points(sole: Sole, kind: int, share: float) -> Array:
    """Corners of what bears weight, in the sole's axes from its middle [m], shape (4, 3).

    Args:
        sole: The sole.
        kind: What bears.
        share: Of its length and width that counts.
    """
    middle, half = _PARTS[Bearing(kind)]
    along = [middle + end * share * half for end in (-1.0, 1.0)]
    return np.array([[a * sole.half[0], b * share * sole.half[1], 0.0] for a in along for b in (-1.0, 1.0)])


def footings(goals: GroundGoals, soles: Sequence[Sole], count: int) -> tuple[Footing, ...]:
    """Both feet over a clip of `count` frames, as they were planned."""
    found = []
    for sole, stances, holds in zip(soles, goals.stances, goals.footholds, strict=True):
        kinds, places, turns = np.zeros(count, np.int64), np.zeros((count, 3)), np.zeros((count, 4))
        for stance, hold in zip(stances, holds, strict=True):
            end = np.where(stance.heel, Bearing.HEEL, Bearing.BALL)
            kinds[stance.frames] = np.where(stance.flat, Bearing.SOLE, end)
            places[stance.frames], turns[stance.frames] = hold.position, hold.rotation
        found.append(Footing(sole, kinds, places, turns))
    return tuple(found)


def supports(feet: Sequence[Footing], share: float) -> list[Array]:
    """Frame by frame the corners of what bears weight on the ground [m], shape (k, 2)."""
    result = []
    for frame in range(len(feet[0].kinds)):
        corners = [np.zeros((0, 2))]
        for foot in feet:
            if foot.kinds[frame] != Bearing.NOTHING:
                points = bearing_points(foot.sole, int(foot.kinds[frame]), share)
                corners.append((foot.places[frame] + quat.rotate(foot.turns[frame], points))[:, :2])
        result.append(np.concatenate(corners))
    return result


def handed_over(phases: ContactPhases, overlap: float, flight: float, source: object = None) -> ContactPhases:
    """Contacts in which one foot leaves the ground only when the other has come.

    Feet that are told by height and speed land late, since they still slow down, and leave early. So who leaves stays on the
    ball and who comes is there on the heel, until both stand together for a while.

    Args:
        phases: When heels and balls stand.
        overlap: How long both feet stand at least [s].
        flight: How long no foot may seem to stand [s].
        source: Whose clip it is.

    Raises:
        InputError: Nothing stands for longer; the message names the frame.
    """
    mask, rate = phases.mask.copy(), phases.rate
    _check_flight(mask, flight * rate, source)
    _reach_ends(mask)
    least = max(1, round(overlap * rate))
    stands = np.stack([mask[:, :2].any(axis=1), mask[:, 2:].any(axis=1)], axis=1)
    alone = np.flatnonzero(stands.sum(axis=1) == 1)
    for before, after in itertools.pairwise(alone):
        leaves, comes = int(stands[before].argmax()), int(stands[after].argmax())
        between = stands[before + 1 : after]
        free = np.flatnonzero(~between.any(axis=1)) + before + 1
        if leaves == comes:
            mask[free, 2 * leaves + 1] = True
        elif int(between.all(axis=1).sum()) < least:
            first, end = (int(free[0]), int(free[-1]) + 1) if len(free) else (int(before) + 1, int(before) + 1)
            mask[first : end + least - least // 2, 2 * leaves + 1] = True
            mask[max(first - least // 2, 0) : end, 2 * comes] = True
    return ContactPhases(rate, mask)


def _check_flight(mask: Mask, longest: float, source: object) -> None:
    air = np.asarray(~mask.any(axis=1))
    for first, last in runs(air):
        if last - first + 1 > longest or air.all():
            raise InputError(
                f"no foot stands from frame {first} to {last}: a body that is to stand on its feet cannot follow that",
                source=source,
                place=f"frame {first}",
            )


def _reach_ends(mask: Mask) -> None:
    """What begins or ends the clip in the air stands as the next step does; in place."""
    told = np.flatnonzero(mask.any(axis=1))
    for frame, span, point in ((told[0], slice(0, told[0]), 0), (told[-1], slice(told[-1] + 1, None), 1)):
        foot = 0 if mask[frame, :2].any() else 1
        mask[span, 2 * foot + point] = True
