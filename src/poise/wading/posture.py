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
from poise.wading.entering import FootCorrection
from poise.wading.gait import Gait

__all__ = ["Posed", "Posture"]

Array = NDArray[np.float64]

_PELVIS_SHARE = 0.5
"""Of the lean; the spine takes the rest."""
_GAZE = 0.6
"""How much of the lean neck and head take back, so that the eyes stay on the way."""
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
    """

    def __init__(self, gait: Gait) -> None:
        self.gait = gait
        plan = gait.character.plan
        self.plan = plan
        self._solver = LimbSolver(with_deep_knees(plan), LimbOptions(softness=_SOFTNESS, limits=False))
        legs = [self._solver.names.index(name) for name in ("left_foot", "right_foot")]
        self._spine, self._neck = self._bent(*plan.with_role("spine")), self._bent(*plan.with_role("neck", "head"))
        self._balls = [sole.points(np.array([BALL]), np.zeros(1))[0] for sole in gait.soles]
        self._thighs, self._feet = ([int(self._solver.bodies[leg][part]) for leg in legs] for part in (0, 2))
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
    ) -> tuple[Array, Array, Array]:
        """Of each foot how much higher the ground is under its goal than under the clip's, and how high the clip has it.

        Returns:
            The first; the second over the ground and in the world [m], shape (2,) each.
        """
        there = np.array([foot.place for foot in feet])
        here = np.array(
            [
                own.frames.positions[0, sole.body] + _kernels.rotate(own.frames.rotations[0, sole.body], ball)
                for sole, ball in zip(self.gait.soles, self._balls, strict=True)
            ]
        )
        below = ground.height(here[:, :2], time)
        return _over_ground(ground.height(there, time) - below), _over_ground(here[:, 2] - below), here[:, 2]

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
        rest = (1.0 - _PELVIS_SHARE) if len(self._spine) else 0.0
        about_it = np.array([x, y, placement.yaw, float(body.angles[1]), _PELVIS_SHARE, rest, -_GAZE])
        hips = self.hips(own.frames) - own.frames.positions[0, 0]
        _kernels.carry(row[0], about_it, ahead, hips, self._spine, self._neck)
        return row

    def standing(
        self,
        row: Array,
        own: Posed,
        feet: tuple[FootGoal, FootGoal],
        heights: Array,
        beside: Sequence[FootCorrection | None],
    ) -> tuple[Array, float]:
        """Set a pose onto its footholds.

        Args:
            row: Generalized positions (1, nq), changed in place.
            own: The clip's pose.
            feet: Where the feet shall be.
            heights: How high their balls are [m], shape (2,).
            beside: Where else each foot still is than all that says, from before it waded.

        Returns:
            The same rows, and by how much the pelvis sank for the legs to reach [m].
        """
        places, turns = own.frames.positions[0], own.frames.rotations[0]
        goals, shifts = np.empty((2, 6)), np.zeros((2, 7))
        for number, (foot, height, foothold) in enumerate(zip(feet, heights, beside, strict=True)):
            far = _length(places[self._feet[number]] - places[self._thighs[number]])
            goals[number] = *foot.place, height, foot.yaw, foot.share, far
            if foothold is not None:
                shifts[number] = *foothold.shift, *foothold.turn, foothold.left
        sunk = _kernels.stand(row, goals, turns[self._feet], shifts, self._shapes, self._ik)
        return row, float(sunk)


def _over_ground(heights: Array) -> Array:
    """Heights over the ground, 0 over a hole; `np.nan_to_num` takes twenty times as long."""
    return np.where(np.isnan(heights), 0.0, heights)


def _length(vector: Array) -> float:
    """As `np.linalg.norm` has it, in a third of the time."""
    return float(np.sqrt(vector @ vector))
