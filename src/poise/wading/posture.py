"""The pose of a wader: the clip's at some time of it, leaning, on its footholds, with its hands out of the fluid."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames, body_frames
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.locomotion.abstract_body import AbstractBody
from poise.locomotion.knees import with_deep_knees
from poise.locomotion.soles import BALL
from poise.locomotion.steps import FootGoal, Placement
from poise.math import quat
from poise.math.easing import smoothstep
from poise.signals import Ground
from poise.wading import _kernels
from poise.wading.entering import FootCorrection
from poise.wading.gait import Gait

__all__ = ["MEETS", "Posed", "Posture"]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])
_PELVIS_SHARE = 0.5
"""Of the lean; the spine takes the rest."""
_GAZE = 0.6
"""How much of the lean neck and head take back, so that the eyes stay on the way."""
_SOFTNESS = 0.002
"""Limbs reach exactly up to this share less than their length."""
_OVER_SURFACE = 0.22
"""A wrist is kept this high over the surface [m]; hands hang below it."""
_SOFT = 0.10
"""Within this of the surface a wrist begins to be lifted [m]."""
_HIGHEST = 0.10
"""Where the surface is this far over the shoulder lifting the hands is no use [m]: by and by above the shoulder, or hands would
be thrown down and up as it bobs."""
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
_FAR_OVER = _OVER_SURFACE + _OVER_ELBOW + _SOFT
"""Hands hang clear of a surface that is farther below the shoulder than an arm is long and this [m]."""
_OWN_BEND = 0.4
"""How much of an elbow's own direction is in the one wanted."""
MEETS = 0.3
"""Time in which a surface that comes or goes is taken in by hands and feet [s]: about a reaction and half a step."""


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
        self._arms = [self._solver.names.index(name) for name in ("left_hand", "right_hand")]
        self._spine, self._neck = self._bent(*plan.with_role("spine")), self._bent(*plan.with_role("neck", "head"))
        self._balls = [sole.points(np.array([BALL]), np.zeros(1))[0] for sole in gait.soles]
        self._thighs, self._feet = ([int(self._solver.bodies[leg][part]) for leg in legs] for part in (0, 2))
        self._lengths = [self._length(limb) for limb in range(len(self._solver.names))]
        self.leg = float(np.mean([self._lengths[leg] for leg in legs]))
        """Mean length of the legs [m]."""
        parents, offsets, order, model = self._solver.compiled
        limbs = (*model[:4], np.ascontiguousarray(model[4][legs]), np.ascontiguousarray(model[5][legs]))
        memory = np.zeros((1, len(legs), self._solver.memory(1).shape[2]))
        self._ik = (parents, offsets, order, limbs), self._solver.settings(np.inf), memory, np.zeros((1, len(legs)))
        self._shapes = np.array([[self._lengths[leg], *ball] for leg, ball in zip(legs, self._balls, strict=True)])
        self._row = np.empty((1, plan.position_count))

    def _bent(self, *bodies: int) -> Array:
        """What `carry` is told of joints that bend: where their coordinate begins, and their neutral orientation, (n, 5)."""
        return np.array([[3 + 4 * body, *self.plan.neutral[body]] for body in bodies]).reshape(-1, 5)

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

    def lift_hands(self, row: Array, level: float, ahead: Array, felt: Array | None, step: float) -> Array:
        """Bring both hands over the surface, smoothly, where the clip has them lower; in place.

        Where the surface is to a shoulder is taken in by and by: hands that followed every nod of the trunk at once would throw
        it to and fro by the drag they make.

        Args:
            row: Generalized positions (1, nq).
            level: Height of the surface [m]; very low where there is none.
            ahead: Direction of the way, shape (2,).
            felt: How far each shoulder is over the surface as it was felt last [m], and how fast that changes [m/s], (2, 2).
            step: Since then [s].

        Returns:
            `felt` now.
        """
        frames = body_frames(self.plan, row)
        shoulders = [frames.positions[0, self._solver.bodies[limb][0]] for limb in self._arms]
        over = [
            min(max(float(shoulder[2]) - level, -_HIGHEST), self._lengths[limb] + _FAR_OVER)
            for shoulder, limb in zip(shoulders, self._arms, strict=True)
        ]
        felt = np.array([over, [0.0, 0.0]]) if felt is None else _followed(felt, np.array(over), step)
        goals = LimbGoals.none(1, len(self._solver.names))
        left = np.array([-ahead[1], ahead[0], 0.0])
        asked = False
        for side, limb, shoulder, above in zip((1.0, -1.0), self._arms, shoulders, felt[0].tolist(), strict=True):
            end = self._solver.bodies[limb][2]
            of_use = 1.0 - smoothstep(min(max(-above / _HIGHEST, 0.0), 1.0))
            if end < 0 or of_use <= 0.0:
                continue
            hand = frames.positions[0, end]
            # The elbow hangs as low as the surface lets it.
            drop = min(max((above - _OVER_SURFACE) / _ELBOW, 0.0), 1.0)
            high = float(shoulder[2]) - above + _OVER_SURFACE + (1.0 - drop) * _OVER_ELBOW
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
            goals.positions[0, limb] = hand + of_use * (goal - hand)
            low = (0.6 - 0.3 * drop) * side * left - drop * _UP - np.array([*(0.5 * ahead), 0.0])
            elbow = frames.positions[0, self._solver.bodies[limb][1]] - shoulder
            goals.poles[0, limb] = shoulder + _elbow_way(
                low, goals.positions[0, limb] - shoulder, elbow, hand - shoulder
            )
            goals.weights[0, limb] = (1.0, 0.0, of_use * begun)
            asked = True
        if asked:
            self._solver.solve(row, goals)
        return felt


def _elbow_way(wanted: Array, way: Array, elbow: Array, hand: Array) -> Array:
    """Where an elbow points to from the shoulder: as wanted, less so the nearer that is to the way to the hand.

    There the way it was bent before, turned along with the hand, has the say: an elbow that minded a direction along its arm
    would be thrown round it.

    Args:
        wanted: Shape (3,).
        way: From the shoulder to where the hand goes [m], shape (3,).
        elbow: From the shoulder to where it was [m], shape (3,).
        hand: From there to where the hand was [m], shape (3,).
    """
    axis = way / max(_length(way), 1e-9)
    bent = quat.rotate(quat.between(hand, way), elbow)
    bent -= (bent @ axis) * axis
    return np.asarray(wanted - (wanted @ axis) * axis + _OWN_BEND * bent / max(_length(bent), 1e-9))


def _followed(felt: Array, target: Array, step: float) -> Array:
    """Values and their rates (2, n) a step later, on their way to others (n,), critically damped, stable at any step."""
    fast = 1.0 / MEETS
    rate = (felt[1] + step * fast**2 * (target - felt[0])) / (1.0 + fast * step) ** 2
    return np.stack([felt[0] + step * rate, rate])


def _over_ground(heights: Array) -> Array:
    """Heights over the ground, 0 over a hole; `np.nan_to_num` takes twenty times as long."""
    return np.where(np.isnan(heights), 0.0, heights)


def _length(vector: Array) -> float:
    """As `np.linalg.norm` has it, in a third of the time."""
    return float(np.sqrt(vector @ vector))
