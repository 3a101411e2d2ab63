"""The pose of a wader: the clip's at some time of it, leaning, on its footholds, with its hands out of the fluid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, body_frames, turn_joint
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.knees import with_deep_knees
from poise.locomotion.soles import BALL
from poise.locomotion.steps import FootGoal, Placement
from poise.math import quat
from poise.math.easing import smoothstep
from poise.signals import Ground
from poise.wading._kernels import about, product, rotate
from poise.wading.entering import Footing
from poise.wading.gait import Gait

__all__ = ["Posed", "Posture"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_PELVIS_SHARE = 0.5
"""Of the lean; the spine takes the rest."""
_GAZE = 0.6
"""How much of the lean neck and head take back, so that the eyes stay on the way."""
_SOFTNESS = 0.002
_REACH = 0.9975
"""A leg is stretched to this share of its length, or as far as in the clip; limbs reach exactly up to 1 - softness."""
_DEEPEST = 0.15
"""The pelvis sinks by at most this share of a leg's length; beyond, the foot does not reach."""
_OVER_SURFACE = 0.22
"""A wrist is kept this high over the surface [m]; hands hang below it."""
_SOFT = 0.10
"""Within this of the surface a wrist begins to be lifted [m]."""
_HIGHEST = 0.10
"""Where the surface is this far over the shoulder lifting the hands is no use [m]."""
_OUT, _ON = 0.22, 0.32
"""How far aside and ahead lifted hands are carried, for every metre they are lifted."""
_ASIDE, _AHEAD = 0.42, 0.42
"""Where hands are held that are lifted far, beside and before the shoulder, in lengths of the arm: wide, for balance."""
_STILL, _FAR = 0.6, 0.4
"""Hands lifted this far [m] swing with the walk by the first share less."""
_ELBOW = 0.25
"""Where the surface is this far below the shoulder an elbow may hang down [m]."""
_FARTHEST, _FOLDED = 0.8, 0.62
"""Share of an arm's length within which a lifted hand stays, where elbows may hang and where they may not."""
_BEGINS = 0.15
"""Hands lifted less than this are not yet held as lifted ones are [m]."""
_OVER_ELBOW = 0.04
"""Where elbows may not hang, forearms point up: hands are lifted this much more [m]."""


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
        self._legs = [self._solver.names.index(name) for name in ("left_foot", "right_foot")]
        self._arms = [self._solver.names.index(name) for name in ("left_hand", "right_hand")]
        self._spine, self._neck = plan.with_role("spine"), plan.with_role("neck", "head")
        self._balls = [sole.points(np.array([BALL]), np.zeros(1))[0] for sole in gait.soles]
        self._thighs = [int(self._solver.bodies[leg][0]) for leg in self._legs]
        self._lengths = [self._length(limb) for limb in range(len(self._solver.names))]
        self.leg = float(np.mean([self._lengths[leg] for leg in self._legs]))
        """Mean length of the legs [m]."""
        self._row = np.empty((1, plan.position_count))

    def _length(self, limb: int) -> float:
        root, mid, _ = self._solver.bodies[limb]
        upper, at = 0.0, int(mid)
        while at != root:
            upper += float(np.linalg.norm(self.plan.offsets[at]))
            at = int(self.plan.parents[at])
        return upper + float(self._solver.lower_lengths[limb])

    def clip(self, time: float) -> Posed:
        """The clip's own pose."""
        self.gait.trajectory.rows(np.array([time]), self._row)
        row = self._row.copy()
        return Posed(row[0], self.frames(row))

    def frames(self, row: Array) -> BodyFrames:
        """Body frames of generalized positions (1, nq)."""
        return body_frames(self.plan, row)

    def rise(self, own: Posed, feet: tuple[FootGoal, FootGoal], ground: Ground, time: float) -> tuple[Array, Array]:
        """How much higher the ground is under the feet's goals than where the clip has them, and how high it has them [m]."""
        there = np.array([foot.place for foot in feet])
        here = np.array(
            [
                own.frames.positions[0, sole.body] + rotate(own.frames.rotations[0, sole.body], ball)
                for sole, ball in zip(self.gait.soles, self._balls, strict=True)
            ]
        )
        below = ground.height(here[:, :2], time)
        return _over_ground(ground.height(there, time) - below), _over_ground(here[:, 2] - below)

    def ball(self, foot: int, place: Array, turn: Array) -> tuple[Array, Array]:
        """Where the ball of a foot is [m], shape (3,), whose joint is at a place and turned so, and its orientation."""
        return place + rotate(turn, self._balls[foot]), turn

    def hips(self, frames: BodyFrames) -> Array:
        """Middle between the hip joints [m], shape (3,): the paper's center of mass."""
        left, right = self._thighs
        return np.asarray(0.5 * (frames.positions[0, left] + frames.positions[0, right]))

    def carried(self, own: Posed, body: AbstractBody, placement: Placement, ahead: Array) -> Array:
        """Generalized positions (1, nq): the clip's, carried along with the body, turned and leaning."""
        row = own.row[None].copy()
        row[0, :2] = placement.laid(row[0, :2])
        yaw, pitch = body.angles
        row[0, 3:7] = product(about(_UP, yaw), row[0, 3:7])
        left = np.array([-ahead[1], ahead[0], 0.0])
        lean = about(left, _PELVIS_SHARE * pitch)
        hips = self.hips(own.frames) - own.frames.positions[0, 0]
        hips = rotate(about(_UP, yaw), hips)
        row[0, :3] += hips - rotate(lean, hips)
        row[0, 3:7] = product(lean, row[0, 3:7])
        forward = np.array([[0.0, 1.0, 0.0]])
        rest = pitch * ((1.0 - _PELVIS_SHARE) if self._spine else 0.0)
        for part in self._spine:
            turn_joint(self.plan, row, part, rest / len(self._spine) * forward)
        for part in self._neck:
            turn_joint(self.plan, row, part, -_GAZE * pitch / len(self._neck) * forward)
        return row

    def standing(
        self,
        row: Array,
        own: Posed,
        feet: tuple[FootGoal, FootGoal],
        rise: Array,
        lifts: Array,
        beside: Sequence[Footing | None],
    ) -> tuple[Array, float]:
        """Set a pose onto its footholds.

        Args:
            row: Generalized positions (1, nq), changed in place.
            own: The clip's pose.
            feet: Where the feet shall be.
            rise: How much higher the ground is than in the clip under each foot [m], shape (2,).
            lifts: How much higher each foot is held than in the clip [m], shape (2,).
            beside: Where else each foot still is than all that says, from before it waded.

        Returns:
            The same rows, and by how much the pelvis sank for the legs to reach [m].
        """
        goals = LimbGoals.none(1, len(self._solver.names))
        for number, (foot, sole, ball) in enumerate(zip(feet, self.gait.soles, self._balls, strict=True)):
            turn = own.frames.rotations[0, sole.body]
            height = own.frames.positions[0, sole.body, 2] + rotate(turn, ball)[2] + rise[number] + lifts[number]
            turn, place = product(about(_UP, foot.yaw), turn), np.array([*foot.place, height])
            foothold = beside[number]
            if foothold is not None:
                turn, place = quat.mul(quat.exp(foothold.turn), turn), place + foothold.shift
            goals.positions[0, self._legs[number]] = place - rotate(turn, ball)
            goals.rotations[0, self._legs[number]] = turn
            goals.weights[0, self._legs[number], :2] = 1.0
        sunk = self._sink(row, own, goals)
        row[0, 2] -= sunk
        self._solver.solve(row, goals)
        return row, sunk

    def _sink(self, row: Array, own: Posed, goals: LimbGoals) -> float:
        """By how much the pelvis has to be lower for both legs to reach [m]."""
        frames = body_frames(self.plan, row)
        needed = 0.0
        for leg, thigh in zip(self._legs, self._thighs, strict=True):
            end = int(self._solver.bodies[leg][2])
            own_reach = _length(own.frames.positions[0, end] - own.frames.positions[0, thigh])
            reach = max(_REACH * self._lengths[leg], min(own_reach, 0.9995 * self._lengths[leg]))
            away = goals.positions[0, leg] - frames.positions[0, thigh]
            aside = float(np.hypot(away[0], away[1]))
            needed = max(needed, -float(away[2]) - np.sqrt(max(reach**2 - aside**2, 0.04 * reach**2)))
        return min(needed, _DEEPEST * self.leg)

    def lift_hands(self, row: Array, level: float, ahead: Array) -> None:
        """Bring both hands over the surface, smoothly, where the clip has them lower; in place.

        Args:
            row: Generalized positions (1, nq).
            level: Height of the surface [m].
            ahead: Direction of the way, shape (2,).
        """
        frames = body_frames(self.plan, row)
        goals = LimbGoals.none(1, len(self._solver.names))
        left = np.array([-ahead[1], ahead[0], 0.0])
        asked = False
        for side, limb in zip((1.0, -1.0), self._arms, strict=True):
            root, _, end = self._solver.bodies[limb]
            shoulder = frames.positions[0, root]
            if end < 0 or level > shoulder[2] + _HIGHEST:
                continue
            hand = frames.positions[0, end]
            # The elbow hangs as low as the surface lets it.
            drop = min(max((float(shoulder[2]) - level - _OVER_SURFACE) / _ELBOW, 0.0), 1.0)
            high = level + _OVER_SURFACE + (1.0 - drop) * _OVER_ELBOW
            short = high - float(hand[2])
            if short <= -_SOFT:
                continue
            lift = short if short >= _SOFT else (short + _SOFT) ** 2 / (4.0 * _SOFT)
            goal = hand + lift * (_UP + side * _OUT * left + _ON * np.array([*ahead, 0.0]))
            held = shoulder + self._lengths[limb] * (side * _ASIDE * left + _AHEAD * np.array([*ahead, 0.0]))
            held[2] = high
            goal += _STILL * min(1.0, lift / _FAR) * (held - goal)
            way = goal - shoulder
            far, own = _length(way), _length(hand - shoulder)
            # A hand that is hardly lifted is as far out as in the clip: it would jump where its lift begins.
            begun = min(1.0, lift / _BEGINS)
            farthest = (_FOLDED + drop * (_FARTHEST - _FOLDED)) * self._lengths[limb]
            farthest += (1.0 - smoothstep(begun)) * max(own - farthest, 0.0)
            goal = shoulder + way * min(1.0, farthest / max(far, 1e-9))
            goal[2] = max(goal[2], min(high, shoulder[2] + 0.5 * farthest))
            goals.positions[0, limb] = goal
            goals.poles[0, limb] = (
                shoulder + (0.6 - 0.3 * drop) * side * left - drop * _UP - np.array([*(0.5 * ahead), 0.0])
            )
            goals.weights[0, limb] = (1.0, 0.0, begun)
            asked = True
        if asked:
            self._solver.solve(row, goals)


def _over_ground(heights: Array) -> Array:
    """Heights over the ground, 0 over a hole; `np.nan_to_num` takes twenty times as long."""
    return np.where(np.isnan(heights), 0.0, heights)


def _length(vector: Array) -> float:
    """As `np.linalg.norm` has it, in a third of the time."""
    return float(np.sqrt(vector @ vector))
