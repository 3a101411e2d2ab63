"""The pose of a wader: the clip's at some time of it, leaning, on its footholds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, body_frames
from poise.ik.limbs import LimbOptions, LimbSolver
from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.knees import with_deep_knees
from poise.locomotion.soles import BALL
from poise.locomotion.steps import FootGoal, Placement
from poise.math import quat
from poise.signals import Ground
from poise.wading import _kernels
from poise.wading.balance import BalanceOptions
from poise.wading.entering import FootCorrection
from poise.wading.gait import Gait
from poise.wading.reaching import ReachOptions

__all__ = ["Posed", "Posture"]

Array = NDArray[np.float64]

_SOFTNESS = 0.002
"""Limbs reach exactly up to this share less than their length."""


class Posed(NamedTuple):
    """A pose: generalized positions (nq,) and its body frames, of one moment."""

    row: Array
    frames: BodyFrames


class Posture:
    """Poses one character.

    Args:
        gait: Its clip.
        balance: How it leans.
        reach: How its legs reach.
    """

    def __init__(self, gait: Gait, balance: BalanceOptions | None = None, reach: ReachOptions | None = None) -> None:
        self.gait, self.balance = gait, balance or BalanceOptions()
        self._reach = (reach or ReachOptions()).numbers
        plan = gait.character.plan
        self.plan = plan
        self._solver = LimbSolver(with_deep_knees(plan), LimbOptions(softness=_SOFTNESS, limits=False))
        legs = [self._solver.names.index(name) for name in ("left_foot", "right_foot")]
        self._spine, self._neck = self._bent(*plan.with_role("spine")), self._bent(*plan.with_role("neck", "head"))
        self._balls = [sole.points(np.array([BALL]), np.zeros(1))[0] for sole in gait.soles]
        self._soles, self._points = np.array([sole.body for sole in gait.soles]), np.array(self._balls)
        self._thighs, self._feet = (np.array([self._solver.bodies[leg][part] for leg in legs]) for part in (0, 2))
        lengths = [self._solver.lengths[leg] for leg in legs]
        self.leg = float(np.mean(lengths))
        """Mean length of the legs [m]."""
        parents, offsets, order, model = self._solver.compiled
        limbs = (*model[:4], np.ascontiguousarray(model[4][legs]), np.ascontiguousarray(model[5][legs]))
        memory = np.zeros((1, len(legs), self._solver.memory(1).shape[2]))
        self._ik = (parents, offsets, order, limbs), self._solver.settings(np.inf), memory, np.zeros((1, len(legs)))
        self._shapes = np.array([[length, *ball] for length, ball in zip(lengths, self._balls, strict=True)])
        self._row = np.empty((1, plan.position_count))

    def _bent(self, *bodies: int) -> Array:
        """What `carry` is told of joints that bend: where their coordinate begins, and their neutral orientation, (n, 5)."""
        return np.array([[3 + 4 * body, *self.plan.neutral[body]] for body in bodies]).reshape(-1, 5)

    def clip(self, time: float) -> Posed:
        """The clip's own pose."""
        self.gait.trajectory.rows(np.array([time]), self._row)
        row = self._row.copy()
        return Posed(row[0], self.frames(row))

    def frames(self, row: Array) -> BodyFrames:
        """Body frames of generalized positions (1, nq)."""
        return body_frames(self.plan, row)

    def rise(
        self, own: Posed, feet: tuple[FootGoal, FootGoal], ground: Ground, time: float
    ) -> tuple[list[float], list[float], list[float]]:
        """Of each foot how much higher the ground is under its goal than under the clip's, and how high the clip has it.

        Returns:
            The first; the second over the ground and in the world [m], two numbers each.
        """
        here = _kernels.spots(own.frames.positions[0], own.frames.rotations[0], self._soles, self._points)
        under = np.empty((4, 2))
        under[0], under[1], under[2:] = feet[0].place, feet[1].place, here[:, :2]
        left, right, own_left, own_right = ground.height(under, time).tolist()
        heights = here[:, 2].tolist()
        rise = [_over_ground(left - own_left), _over_ground(right - own_right)]
        return rise, [_over_ground(heights[0] - own_left), _over_ground(heights[1] - own_right)], heights

    def meant(self, own: Posed, foot: int, goal: FootGoal, height: float) -> tuple[Array, Array]:
        """Where the ball of a foot shall be [m], shape (3,), and its orientation, whether its leg reaches there or not."""
        turn = quat.mul(
            [np.cos(0.5 * goal.yaw), 0.0, 0.0, np.sin(0.5 * goal.yaw)], own.frames.rotations[0, self._feet[foot]]
        )
        return np.array([*goal.place, height]), turn

    def ball(self, foot: int, place: Array, turn: Array) -> tuple[Array, Array]:
        """Where the ball of a foot is [m], shape (3,), whose joint is at a place and turned so, and its orientation."""
        return place + _kernels.rotate(turn, self._balls[foot]), turn

    def hips(self, frames: BodyFrames) -> Array:
        """Middle between the hip joints [m], shape (3,): the paper's center of mass."""
        left, right = self._thighs
        return np.asarray(0.5 * (frames.positions[0, left] + frames.positions[0, right]))

    def carried(self, own: Posed, body: AbstractBody, placement: Placement, ahead: Array) -> Array:
        """Generalized positions (1, nq): the clip's, carried along with the body, turned and leaning."""
        row = own.row[None].copy()
        x, y = placement.shift
        pelvis, gaze = self.balance.pelvis, self.balance.gaze
        rest = (1.0 - pelvis) if len(self._spine) else 0.0
        about_it = np.array([x, y, placement.yaw, float(body.angles[1]), pelvis, rest, -gaze])
        _kernels.carry(row[0], about_it, ahead, own.frames.positions[0], self._thighs, self._spine, self._neck)
        return row

    def standing(
        self,
        row: Array,
        own: Posed,
        feet: tuple[FootGoal, FootGoal],
        heights: Sequence[float],
        beside: Sequence[FootCorrection | None],
    ) -> tuple[Array, float]:
        """Set a pose onto its footholds.

        Args:
            row: Generalized positions (1, nq), changed in place.
            own: The clip's pose.
            feet: Where the feet shall be.
            heights: How high their balls are [m].
            beside: Where else each foot still is than all that says, from before it waded.

        Returns:
            The same rows, and by how much the pelvis sank for the legs to reach [m].
        """
        goals, shifts = [], np.zeros((2, 7))
        for number, (foot, height, foothold) in enumerate(zip(feet, heights, beside, strict=True)):
            goals.append([*foot.place.tolist(), height, foot.yaw, foot.share])
            if foothold is not None:
                shifts[number] = *foothold.shift, *foothold.turn, foothold.left
        clip = own.frames.positions[0], own.frames.rotations[0]
        sunk = _kernels.stand(row, np.array(goals), clip, shifts, self._shapes, self._ik, self._reach)
        return row, float(sunk)


def _over_ground(height: float) -> float:
    """A height over the ground, 0 over a hole."""
    return height if height == height else 0.0
