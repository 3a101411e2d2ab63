"""Where a tree's joints have their numbers: the one place that counts generalized coordinates.

A free joint has seven positions (place, orientation) and six velocities (linear, angular), a ball four and three, a slide and a
hinge one each; they follow one another in the order of the joints, as in MuJoCo. A character's plan (`poise.body.plan`) is a
free pelvis with balls below; `turn_at` and `spin_at` say where the numbers of its bodies begin, and `poise.body._layout` says
it to compiled loops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "JointKind",
    "JointLayout",
    "joint_layout",
    "plan_layout",
    "spin_at",
    "spin_columns",
    "spin_slice",
    "turn_at",
    "turn_columns",
    "turn_slice",
]

Indices = NDArray[np.int64]
N = TypeVar("N", int, Indices)


class JointKind(IntEnum):
    """How a joint moves; MuJoCo's numbers."""

    FREE = 0
    """A place and an orientation."""
    BALL = 1
    """An orientation."""
    SLIDE = 2
    """A way along an axis."""
    HINGE = 3
    """An angle about one."""


_POSITIONS, _VELOCITIES = np.array([7, 4, 1, 1]), np.array([6, 3, 1, 1])


@dataclass(frozen=True, eq=False)
class JointLayout:
    """Where the numbers of J joints are.

    Args:
        kinds: Of each, `JointKind`, shape (J,).
        position_at: Where its positions begin, shape (J,).
        velocity_at: Where its velocities begin, shape (J,).
        position_count: Of all, nq.
        velocity_count: Of all, nv.
    """

    kinds: Indices
    position_at: Indices
    velocity_at: Indices
    position_count: int
    velocity_count: int

    def positions(self, joint: int) -> slice:
        """Where a joint's positions are in (nq,)."""
        first = int(self.position_at[joint])
        return slice(first, first + int(_POSITIONS[self.kinds[joint]]))

    def velocities(self, joint: int) -> slice:
        """Where a joint's velocities are in (nv,)."""
        first = int(self.velocity_at[joint])
        return slice(first, first + int(_VELOCITIES[self.kinds[joint]]))

    def joint_of_position(self, number: int) -> int:
        """Whose a generalized position is."""
        return int(np.searchsorted(self.position_at, number, side="right")) - 1

    def joint_of_velocity(self, number: int) -> int:
        """Whose a generalized velocity is."""
        return int(np.searchsorted(self.velocity_at, number, side="right")) - 1


def joint_layout(kinds: Sequence[int] | Indices) -> JointLayout:
    """The layout of joints of these kinds (`JointKind`), one after the other."""
    each = np.array(kinds, dtype=np.int64)
    ends = [np.cumsum(widths[each], dtype=np.int64) for widths in (_POSITIONS, _VELOCITIES)]
    starts = [np.append(0, end)[:-1] for end in ends]
    counts = [int(end[-1]) if len(end) else 0 for end in ends]
    return JointLayout(each, starts[0], starts[1], counts[0], counts[1])


def plan_layout(bodies: int) -> JointLayout:
    """The layout of a plan of so many bodies: a free pelvis with balls below."""
    return joint_layout([JointKind.FREE] + [JointKind.BALL] * (bodies - 1))


def turn_at(body: N) -> N:
    """Where the quaternion of a plan's body, or of each of several, begins in its positions; the pelvis' follows its place."""
    return 3 + 4 * body


def spin_at(body: N) -> N:
    """Where the angular velocity of a plan's body, or of each of several, begins in its velocities."""
    return 3 + 3 * body


def turn_slice(body: int) -> slice:
    """Where the quaternion of a plan's body is in its positions."""
    return slice(turn_at(body), turn_at(body) + 4)


def spin_slice(body: int) -> slice:
    """Where the angular velocity of a plan's body is in its velocities."""
    return slice(spin_at(body), spin_at(body) + 3)


def turn_columns(bodies: Sequence[int] | Indices) -> Indices:
    """Where the quaternions of K bodies are in a plan's positions, one after the other, shape (4 K,)."""
    return (turn_at(np.array(bodies, dtype=np.int64))[:, None] + np.arange(4)).ravel()


def spin_columns(bodies: Sequence[int] | Indices) -> Indices:
    """Where the angular velocities of K bodies are in a plan's velocities, one after the other, shape (3 K,)."""
    return (spin_at(np.array(bodies, dtype=np.int64))[:, None] + np.arange(3)).ravel()
