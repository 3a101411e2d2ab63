"""What elastic poles are compared with: a pole that stays where it is, and Eqs. 1-4 of the paper alone.

The end is put on its goal, the middle joint into the plane through root, goal and pole (Eq. 2), and each bone is turned the
short way from its direction in the pose at rest (Eqs. 3, 4). No joint limits: the paper's own fail here (IV.B).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.ik import LimbSolver
from poise.math import quat

__all__ = ["reach_with_stationary_pole"]

Array = NDArray[np.float64]


def reach_with_stationary_pole(solver: LimbSolver, limb: str, rest: Array, goals: Array, pole: Array) -> Array:
    """Generalized positions (T, nq) with the end of `limb` at `goals` (T, 3) [m] and its middle joint towards `pole` (3,)."""
    plan, bodies = solver.plan, solver.bodies[solver.names.index(limb)]
    root, middle, _ = bodies
    frames = body_frames(plan, rest)
    places, turns = frames.positions[0, bodies], frames.rotations[0]
    upper, lower = places[1] - places[0], places[2] - places[1]
    first, second = float(np.linalg.norm(upper)), float(np.linalg.norm(lower))
    away = goals - places[0]
    far = np.linalg.norm(away, axis=1, keepdims=True)
    axis = away / far
    far = np.clip(far, abs(first - second) + 1e-9, first + second - 1e-9)
    along = (far**2 + first**2 - second**2) / (2.0 * far)
    to_pole = pole - places[0]
    aside = to_pole - axis * (axis @ to_pole)[:, None]
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    knee = axis * along + aside * np.sqrt(np.maximum(first**2 - along**2, 0.0))
    shin = axis * far - knee
    root_turn = quat.mul(quat.between(upper / first, knee / first), turns[root])
    middle_turn = quat.mul(quat.between(lower / second, shin / second), turns[middle])
    rows = np.tile(rest, (len(goals), 1))
    for body, above, own in ((root, turns[plan.parents[root]], root_turn), (middle, root_turn, middle_turn)):
        local = quat.mul(quat.conj(quat.mul(above, plan.bind_rotations[body])), own)
        rows[:, 3 + 4 * body : 7 + 4 * body] = local
    return rows
