"""Ways out of the way of what comes: bends of trunk and neck, a duck on the knees, a step aside."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.evasion import Evasion, tilt

__all__ = ["Candidates", "candidates", "on_chosen_way"]

Array = NDArray[np.float64]

_STEPS = 8
"""How many of each kind are tried."""


class Candidates(NamedTuple):
    """What a body may do; the first is nothing.

    Args:
        bends: Of trunk and neck, about forward, left and up [rad], shape (C, 3).
        shifts: Of the pelvis, level and up, beside its motion [m], shape (C, 3).
    """

    bends: Array
    shifts: Array

    def efforts(self, trouble: float) -> Array:
        """How much trouble each is [rad], shape (C,); a displacement of `trouble` [m] as much as a bend of 1 rad."""
        effort: Array = np.linalg.norm(self.bends, axis=1) + np.linalg.norm(self.shifts, axis=1) / trouble
        return effort


def candidates(across: Array, faces: Array, evasion: Evasion, size: float, soon: float) -> Candidates:
    """Bends to either side of the way of what comes and forward, and where legs carry it ducks and steps aside.

    Args:
        across: Level, across the way of what comes, any length, shape (3,).
        faces: Where the body faces, level, shape (3,).
        evasion: How far each goes at most.
        size: Of the body, in statures of 1.75 m; 0 where its legs do not carry it anywhere.
        soon: When what comes is there [s].
    """
    dodging = evasion.dodging
    shares = np.linspace(0.0, 1.0, _STEPS + 1)[1:, None]
    still, wide = np.zeros((_STEPS, 3)), across / max(float(np.linalg.norm(across)), 1e-9)
    sides = (wide, -wide)
    bends = [shares * tilt(side, faces, evasion.bend) for side in (*sides, faces)]
    shifts = [still] * 3
    farthest = (
        dodging.falls * max(soon - dodging.starts, 0.0) ** 2 / 5.77
    )  # of least jerk: most acceleration 5.77 D / T²
    deep, far = (min(size * most, farthest) for most in (evasion.duck, evasion.sidestep))
    if deep > 0.0:
        bends.append(shares * tilt(faces, faces, min(evasion.bend, dodging.curls)))
        shifts.append(shares * np.array([0.0, 0.0, -deep]))
    if far > 0.0:
        bends += [shares * tilt(side, faces, min(evasion.bend, dodging.tilts)) for side in sides]
        shifts += [shares * far * side for side in sides]
    nothing = np.zeros((1, 3))
    return Candidates(np.concatenate([nothing, *bends]), np.concatenate([nothing, *shifts]))


def on_chosen_way(bend: Array, shift: Array, evasion: Evasion, size: float) -> Candidates:
    """Nothing, and less or more of what a body already does, as far as it goes at all."""
    most = np.inf
    for value, limit in (
        (float(np.linalg.norm(bend)), evasion.bend),
        (-float(shift[2]), size * evasion.duck),
        (float(np.hypot(*shift[:2])), size * evasion.sidestep),
    ):
        most = min(most, limit / value) if value > 1e-9 else most
    shares = np.append(0.0, np.linspace(0.0, max(most, 1.0), _STEPS + 1)[1:])[:, None]
    return Candidates(shares * bend, shares * shift)
