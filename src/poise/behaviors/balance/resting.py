"""Trunk, arms and head of a walker who was stopped: they go on as they moved, and come to rest hanging at ease."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.body.layout import turn_slice
from poise.body.plan import BodyPlan
from poise.ik import relaxed_positions
from poise.math import quat
from poise.math.easing import rest_curve, smoothstep

__all__ = ["Resting"]

Array = NDArray[np.float64]

_STEP = 1e-3
"""Between instants of the clip whose differences give velocity and acceleration [s]."""
_NOTHING = 1e-6
"""What is turned by less off the clip is rounding [rad]."""
_THEIRS = 0.5
"""An arm with a joint that other behaviors turn by as much off the clip is theirs [rad]; one that they turn less, by and by."""


@dataclass(frozen=True, eq=False)
class Resting:
    """The way of some joints to rest.

    Args:
        bodies: Whose joints, shape (n,).
        modes: In which modes they were then, shape (n,).
        begin: When they set out [s].
        duration: How long it takes [s].
        rest: Generalized positions at ease, shape (nq,).
        curves: Rotation vector from there to each joint, as a polynomial of time, shape (n, 6, 3).
    """

    bodies: NDArray[np.int64]
    modes: NDArray[np.int64]
    begin: float
    duration: float
    rest: Array
    curves: Array

    @classmethod
    def of(cls, reference: Reference, bodies: NDArray[np.int64], duration: float) -> Resting:
        """From where and how fast the clip has them at the beginning of a tick."""
        rest = relaxed_positions(reference.plan)
        clip = reference.clip_rows(reference.time + _STEP * np.array([-1.0, 0.0, 1.0]))
        curves = np.zeros((len(bodies), 6, 3))
        for number, body in enumerate(bodies):
            at = turn_slice(body)
            curves[number] = rest_curve(quat.log(quat.mul(quat.conj(rest[at]), clip[:, at])), _STEP, duration)
        return cls(bodies, reference.modes[bodies].copy(), reference.time, duration, rest, curves)

    def from_now(self, modes: NDArray[np.int64]) -> Resting:
        """The same with the modes in which the body was taken over."""
        return replace(self, modes=modes[self.bodies].copy())

    def without_switched(self, modes: NDArray[np.int64]) -> Resting:
        """The way of those whose mode is still the one in which they set out: what somebody switches follows its clip again."""
        same = modes[self.bodies] == self.modes
        if same.all():
            return self
        return replace(self, bodies=self.bodies[same], modes=self.modes[same], curves=self.curves[same])

    def pose(self, wanted: Contribution) -> None:
        """Write them into a tick's poses; what behaviors before this one add to the clip is added to them."""
        plan, times = wanted.reference.plan, wanted.reference.times
        rows, clip = wanted.edit_pose(), wanted.reference.clip_rows(times)
        powers = np.minimum(times - self.begin, self.duration)[:, None] ** np.arange(6)
        own = {int(body): rows[:, turn_slice(body)].copy() for body in self.bodies}
        edits = {body: quat.mul(quat.conj(clip[:, turn_slice(body)]), each) for body, each in own.items()}
        for limb in _limbs(plan, own):
            edited = np.max([np.linalg.norm(quat.log(edits[body]), axis=1) for body in limb], axis=0)
            # An arm that was half at ease, joint by joint, would be neither here nor there.
            ours = np.array([1.0 - smoothstep(min(float(each) / _THEIRS, 1.0)) for each in edited])[:, None]
            for body in limb:
                at = turn_slice(body)
                curve = self.curves[int(np.flatnonzero(self.bodies == body)[0])]
                there = quat.mul(self.rest[at], quat.exp(powers @ curve))
                if edited.max() > _NOTHING:
                    there = quat.mul(there, edits[body])
                    there = quat.mul(own[body], quat.exp(ours * quat.log(quat.mul(quat.conj(own[body]), there))))
                rows[:, at] = there


def _limbs(plan: BodyPlan, bodies: Iterable[int]) -> list[list[int]]:
    """Some bodies of a plan, arm by arm, and what is left."""
    arms = [set(plan.subtree(root)) for root in plan.with_role("left_upper_arm", "right_upper_arm")]
    parts = [[body for body in bodies if body in arm] for arm in arms]
    return [part for part in (*parts, [body for body in bodies if not any(body in arm for arm in arms)]) if part]
