"""How a body falls: knees and hips give, the head is kept off the ground, hands go where it will hit."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, turn_joint
from poise.body.heading import facing
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.control.falling import Falling, Posture
from poise.ik import LimbGoals, LimbSolver, relaxed_positions
from poise.math import quat

__all__ = ["FallingPose"]

Array = NDArray[np.float64]


class FallingPose:
    """The poses of one plan on its way down.

    Args:
        plan: The character.
        falling: How it falls.
    """

    def __init__(self, plan: BodyPlan, falling: Falling) -> None:
        self._plan, self._falling, self._solver = plan, falling, LimbSolver(plan)
        self._limbs = [self._solver.names.index(f"{side}_hand") for side in ("left", "right")]
        self._shoulders = self._solver.bodies[self._limbs, 0]
        uppers = np.linalg.norm(plan.offsets[self._solver.bodies[self._limbs, 1]], axis=1)
        self.lengths = uppers + self._solver.lower_lengths[self._limbs]
        self.arms = np.array(sorted(b for arm in self._shoulders for b in plan.subtree(int(arm))))
        self._chest, self.rest = max(plan.with_role("spine"), default=0), relaxed_positions(plan)
        self._bent = {True: self._bend(falling.forward), False: self._bend(falling.backward)}

    def _bend(self, posture: Posture) -> Array:
        plan, row = self._plan, relaxed_positions(self._plan)[None]
        for part, angle in asdict(posture).items():
            sides = [f"{side}_{part}" for side in ("left", "right")] if part in ("thigh", "shank") else [part]
            found = plan.with_role(*sides)
            for body in found:
                share = 1.0 if part in ("thigh", "shank") else 1.0 / len(found)
                turn_joint(plan, row, body, np.array([[0.0, angle * share, 0.0]]))
        return np.asarray(row[0])

    def at(self, real: Array, course: Array, floor: float) -> Array:
        """Where joints go, generalized positions (nq,).

        Args:
            real: Where the body is, generalized positions (nq,).
            course: Where it falls, level, of length 1, shape (2,).
            floor: Height of the ground there [m].
        """
        heading = facing(self._plan, real)
        ahead = np.array([np.cos(heading), np.sin(heading)])
        row = self._bent[float(ahead @ course) > -0.3].copy()
        row[:7] = real[:7]
        self._turn_neck(row, real)
        self._reach(row, real, course, ahead, floor)
        return row

    def _turn_neck(self, row: Array, real: Array) -> None:
        """The head is turned away from the ground only as far as the trunk is over."""
        plan, chest = self._plan, self._chest
        turn = quat.mul(body_frames(plan, real[None]).rotations[0, chest], quat.conj(plan.neutral[chest]))
        over = 1.0 - float(quat.rotate(turn, np.array([0.0, 0.0, 1.0]))[2])
        for body in plan.with_role("neck"):
            at = turn_slice(body)
            row[at] = quat.slerp(self.rest[at], row[at], min(over, 1.0))

    def _reach(self, row: Array, real: Array, course: Array, ahead: Array, floor: float) -> None:
        """Turn the arms so that hands get where the body will hit the ground, from how the trunk really is."""
        falling, posed = self._falling, real[None].copy()
        places = body_frames(self._plan, posed).positions[0]
        goals = LimbGoals.none(1, len(self._solver.names))
        goals.positions[:] = np.nan
        left = np.array([-ahead[1], ahead[0]])
        for limb, shoulder, length, side in zip(self._limbs, self._shoulders, self.lengths, (1.0, -1.0), strict=True):
            start = places[int(shoulder)]
            # The arm of the far side does not cross the body: it goes before it.
            far = -side * float(left @ course) > 0.5
            level = falling.ahead * (0.5 * course + 0.5 * ahead if far else course) + falling.beside * side * left
            way = np.append(level, -1.0)
            way /= np.linalg.norm(way)
            down = max(start[2] - floor - falling.thick, 0.1) / -way[2]
            goals.positions[0, limb] = start + min(falling.reach * length, down) * way
            goals.poles[0, limb] = start + length * np.array([*(0.8 * side * left - 0.3 * ahead), -0.2])
            goals.weights[0, limb] = 1.0, 0.0, 0.5
        self._solver.solve(posed, goals)
        for body in self.arms:
            row[turn_slice(body)] = posed[0, turn_slice(body)]
