"""Elastic poles (Hu 2024, III.C): each elbow and knee points to a point that hangs on two springs.

One spring leads to the middle joint, one to a natural point fixed to the body. Deviations from the paper, whose published
form is in `as_published`: its speed is that of the distance from the origin (Eq. 7), its rest lengths those of the frame before
(Eqs. 8, 9), so that nothing pulls back, and its sum throws the sideways part away (Eq. 15). Here forces are vectors, rest
lengths come from the bind (neutral) pose, and the pole lives in the frame of the body part that carries the limb, so that
walking does not drag it. The springs pull along their lines only; a share of the damping acts across them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.ik.limbs.solver import LimbSolver
from poise.ik.poles import _kernels
from poise.math import quat

__all__ = ["ElasticPole", "ElasticPoles"]

Array = NDArray[np.float64]

_AWAY = {"hand": (-1.317, 1.013, -1.114), "foot": (4.4, 0.3, 0.0)}
"""From elbow and knee to the natural point in the neutral pose (left side), in lengths of the upper bone: behind, out and down;
in front.

Farther behind, a raised arm would have to twist beyond its limits; farther out, hanging elbows would stick out. A point
learned on eleven clips, mostly of walking, is worse for elbows on 22 of 27 others. The knee's is learned on them: nearer to
the captured knee on 21 of 27 others than one at two lengths.
"""


@dataclass(frozen=True, kw_only=True)
class ElasticPole:
    """How poles hang."""

    frequency: float = parameters.number(2.0, 0.01, 100.0, "Hz", says="of both springs together, per unit mass")
    damping_ratio: float = parameters.number(0.9, 0.0, 10.0, says="of both dampers together, along the springs")
    natural_share: float = parameters.number(
        2.0 / 3.0, says="share of stiffness and damping that leads to the natural point; the rest leads to the joint"
    )
    tangential: float = parameters.number(
        0.2, says="share of the damping that also acts across the springs; at 0 a pole could circle for ever"
    )
    rest: float = parameters.number(0.5, says="rest lengths as a share of the bind pose's distances")
    """At 1 the springs go slack, and the pole swings aside, wherever the joint comes nearer to its natural point than in the
    bind pose; the default keeps them taut."""

    def __post_init__(self) -> None:
        parameters.check(self, "pole")

    @property
    def springs(self) -> Array:
        """Stiffness and damping to the joint, the same to the natural point [1/s², 1/s], tangential share; shape (5,)."""
        stiffness = (2.0 * np.pi * self.frequency) ** 2
        damping = 2.0 * self.damping_ratio * np.sqrt(stiffness)
        near = 1.0 - self.natural_share
        return np.array(
            [
                near * stiffness,
                near * damping,
                self.natural_share * stiffness,
                self.natural_share * damping,
                self.tangential,
            ]
        )


class ElasticPoles:
    """The poles of N bodies of one character, with their velocities.

    Args:
        solver: The limbs they point.
        parameters: How they hang.
        bodies: N.
    """

    def __init__(self, solver: LimbSolver, parameters: ElasticPole | None = None, bodies: int = 1) -> None:
        self.parameters = parameters or ElasticPole()
        self._plan, self._mids = solver.plan, solver.bodies[:, 1]
        self.anchors = np.array([_anchor(solver.plan, int(root)) for root in solver.bodies[:, 0]])
        """Bodies that carry the limbs, shape (L,)."""
        row = np.zeros((1, solver.plan.position_count))
        row[:, 3::4] = 1.0
        row[0, 3:7] = solver.plan.neutral[0]
        places = body_frames(solver.plan, row).positions[0]
        size = np.linalg.norm(places[self._mids] - places[solver.bodies[:, 0]], axis=1)
        mids, away = self.middles(row)[0], np.array([_away(name) for name in solver.names])
        turn = quat.conj(body_frames(solver.plan, row).rotations[0, self.anchors])
        self.natural: Array = mids + quat.rotate(turn, away) * size[:, None]
        """Natural points in the frames of the bodies that carry the limbs [m], shape (L, 3)."""
        start = 0.5 * (mids + self.natural)
        lengths = np.stack([np.linalg.norm(start - mids, axis=1), np.linalg.norm(start - self.natural, axis=1)], axis=1)
        self.rests: Array = self.parameters.rest * lengths
        """Rest lengths of the springs to the joint and to the natural point [m], shape (L, 2)."""
        self.state: Array = np.tile(np.concatenate([start, np.zeros_like(start)], axis=1), (bodies, 1, 1))
        """Pole points [m] and velocities [m/s] in the same frames, shape (N, L, 6)."""

    def advance(self, rows: Array, time: float) -> None:
        """Move the poles on by `time` [s] with the middle joints where they are at generalized positions (N, nq)."""
        _kernels.step_poles(
            self.state, self.middles(rows), self.natural, self.parameters.springs, self.rests, float(time)
        )

    def world(self, rows: Array) -> Array:
        """The pole points in the world with the body at generalized positions (N, nq) [m], shape (N, L, 3)."""
        frames, points = body_frames(self._plan, rows), np.empty((*self.state.shape[:2], 3))
        _kernels.out_of_frames(frames.rotations, frames.positions, self.anchors, self.state, points)
        return points

    def middles(self, rows: Array) -> Array:
        """The middle joints in the frames of the bodies that carry the limbs [m], shape (N, L, 3)."""
        frames, points = body_frames(self._plan, rows), np.empty((len(rows), len(self._mids), 3))
        _kernels.into_frames(frames.rotations, frames.positions, self.anchors, self._mids, points)
        return points


def _anchor(plan: BodyPlan, root: int) -> int:
    """The body that carries a limb: the one above its root, above the clavicle for an arm."""
    above = int(plan.parents[root])
    clavicle = (plan.body_roles[above] or "").endswith("clavicle")
    return int(plan.parents[above]) if clavicle else above


def _away(name: str) -> Array:
    """From a limb's middle joint to its natural point, in lengths of its upper bone, shape (3,)."""
    side, end = name.split("_")
    return np.array(_AWAY[end]) * [1.0, 1.0 if side == "left" else -1.0, 1.0]
