"""Muscles as pairs: the paper's own form, in which the gain of one muscle of each pair is given (Alvarado 2022, Eqs. 1 to 3).

Every joint has three angles, its swings and its twist, and for each a pair of springs that pull towards the ends of its range,
which lie 10° beyond what the joint can do:

    torque = kL (low - angle) + kH (high - angle) - kd velocity

Tension gives kL, Eq. 3 gives kH: the two balance the load at the target. So the pose held does not depend on tension, but the
stiffness kL + kH depends on the pose: a joint is stiff near the upper end of its range and soft near the lower one, and a left
arm differs from the right one. The usual form gives kL + kH instead; how the two go together: `poise.control.antagonistic`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.control.muscles import joint_ranges
from poise.control.pairs import _kernels
from poise.signals import Target

__all__ = ["PairState", "pull_in_pairs"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PairState:
    """What the pairs of one character do, for its bodies below the pelvis; rewritten every tick.

    Args:
        low: kL of each joint's two swings and twist [N m/rad], 0 where none works, shape (B-1, 3).
        high: kH of them, shape (B-1, 3).
        raised: Whether kL had to be raised, since the other muscle would have had to push, shape (B-1,).
    """

    low: Array
    high: Array
    raised: NDArray[np.bool_]
    _ranges: tuple[Array, Array, Array]

    @classmethod
    def of(cls, plan: BodyPlan) -> PairState:
        """Of a body plan, all slack."""
        count = len(plan) - 1
        return cls(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count, dtype=bool), joint_ranges(plan))


def pull_in_pairs(
    pairs: PairState,
    active: NDArray[np.bool_],
    coordinates: Array,
    target: Target,
    before: Array,
    least: Array,
) -> Target:
    """What pairs of muscles aim at, as springs that act alike about all axes: for `limit_muscles`.

    Args:
        pairs: What they do; written.
        active: Which joints have muscles at work, shape (B-1,).
        coordinates: Joint coordinates now, shape (B-1, 4).
        target: What to aim at; kL is half its stiffness, which a pair has in the middle of its range without a load. Its
            rotations are rewritten.
        before: Joint coordinates that were meant for now, shape (B-1, 4): the target's motion over the tick is felt in full.
        least: Stiffness that a joint must have [N m/rad], shape (B-1,): kL is raised where the pose leaves less.

    Returns:
        A target that exerts what the pairs do, and is as stiff as the stiffest of a joint's.
    """
    seen = target._replace(stiffness=target.stiffness.copy(), damping=target.damping.copy())
    out = (pairs.low, pairs.high, pairs.raised)
    _kernels.pull_in_pairs(active, coordinates, tuple(seen), (before, least), pairs._ranges, out)
    return seen
