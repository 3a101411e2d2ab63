"""Trunk, arms and head of a walker who was stopped: they go on as they moved, and come to rest hanging at ease."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance.at_ease import at_ease
from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.body.layout import turn_columns, turn_slice
from poise.body.plan import BodyPlan
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
        limbs: Which arm each is of, 0 for none, shape (n,).
        modes: In which modes they were then, shape (n,).
        begin: When they set out [s].
        duration: How long it takes [s].
        rest: Generalized positions at ease, shape (nq,).
        curves: Rotation vector from there to each joint, as a polynomial of time, shape (n, 6, 3).
    """

    bodies: NDArray[np.int64]
    limbs: NDArray[np.int64]
    modes: NDArray[np.int64]
    begin: float
    duration: float
    rest: Array
    curves: Array

    @classmethod
    def of(cls, reference: Reference, bodies: NDArray[np.int64], duration: float) -> Resting:
        """From where and how fast the clip has them at the beginning of a tick."""
        rest = at_ease(reference.plan)
        clip = reference.clip_rows(reference.time + _STEP * np.array([-1.0, 0.0, 1.0]))
        curves = np.zeros((len(bodies), 6, 3))
        for number, body in enumerate(bodies):
            at = turn_slice(body)
            curves[number] = rest_curve(quat.log(quat.mul(quat.conj(rest[at]), clip[:, at])), _STEP, duration)
        limbs, modes = _limbs(reference.plan, bodies), reference.modes[bodies].copy()
        return cls(bodies, limbs, modes, reference.time, duration, rest, curves)

    def from_now(self, modes: NDArray[np.int64]) -> Resting:
        """The same with the modes in which the body was taken over."""
        return replace(self, modes=modes[self.bodies].copy())

    def without_switched(self, modes: NDArray[np.int64]) -> Resting:
        """The way of those whose mode is still the one in which they set out: what somebody switches follows its clip again."""
        same = modes[self.bodies] == self.modes
        if same.all():
            return self
        kept = {name: getattr(self, name)[same] for name in ("bodies", "limbs", "modes", "curves")}
        return replace(self, **kept)

    def pose(self, wanted: Contribution) -> None:
        """Write them into a tick's poses; what behaviors before this one add to the clip is added to them."""
        rows, times = wanted.edit_pose(), wanted.reference.times
        columns = turn_columns(self.bodies)
        clip = wanted.reference.clip_rows(times)[:, columns].reshape(len(times), -1, 4)
        own = rows[:, columns].reshape(clip.shape)
        powers = np.minimum(times - self.begin, self.duration)[:, None] ** np.arange(6)
        there = quat.mul(self.rest[columns].reshape(-1, 4), quat.exp(np.einsum("tp,kpx->tkx", powers, self.curves)))
        edits = quat.mul(quat.conj(clip), own)
        edited = np.linalg.norm(quat.log(edits), axis=2)
        if edited.max(initial=0.0) > _NOTHING:
            # An arm that was half at ease, joint by joint, would be neither here nor there.
            for limb in np.unique(self.limbs):
                edited[:, self.limbs == limb] = edited[:, self.limbs == limb].max(axis=1, keepdims=True)
            ours = 1.0 - smoothstep(np.minimum(edited / _THEIRS, 1.0))[..., None]
            there = quat.mul(there, edits)
            there = quat.mul(own, quat.exp(ours * quat.log(quat.mul(quat.conj(own), there))))
        rows[:, columns] = there.reshape(len(times), -1)


def _limbs(plan: BodyPlan, bodies: NDArray[np.int64]) -> NDArray[np.int64]:
    """Which arm each of some bodies is of, 0 for none."""
    limbs = np.zeros(len(bodies), dtype=np.int64)
    for number, root in enumerate(plan.with_role("left_upper_arm", "right_upper_arm")):
        limbs[np.isin(bodies, plan.subtree(root))] = 1 + number
    return limbs
