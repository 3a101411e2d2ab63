"""What a body shall reach: goals for hands, feet, head and pelvis, and where to look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.ik.limbs.solver import LIMBS
from poise.math import quat

__all__ = ["ENDS", "Goal", "Goals", "near", "steady"]

Array = NDArray[np.float64]

ENDS: tuple[str, ...] = (*LIMBS, "head")
"""Roles of the bodies that can have goals of their own."""
_FAR = 1e4


@dataclass(frozen=True, eq=False)
class Goal:
    """Where one body's joint shall be.

    Numbers that are not finite are allowed: they stand for a goal that is not known at the moment (a tracker that lost
    sight), and the last good ones hold.

    Args:
        position: In the world [m], shape (3,).
        rotation: Orientation of the body in the world, wxyz, shape (4,), or None to let it ride along.
        pole: Point in the world that the limb's middle joint points to [m], shape (3,), or None for the limb's own.
        weight: 0…1, between the pose there is and the goal; where goals contradict one another, their priority.
    """

    position: Array
    rotation: Array | None = None
    pole: Array | None = None
    weight: float = 1.0

    def __post_init__(self) -> None:
        for name, size in (("position", 3), ("rotation", 4), ("pole", 3)):
            value = getattr(self, name)
            if value is not None:
                array = np.array(value, dtype=np.float64)
                if array.shape != (size,):
                    raise InputError(f"a goal's {name} needs {size} numbers; got shape {array.shape}")
                object.__setattr__(self, name, array)
        if not 0.0 <= self.weight <= 1.0:
            raise InputError(f"a goal's weight must lie between 0 and 1; got {self.weight}")


@dataclass(frozen=True, eq=False)
class Goals:
    """What a body shall reach at one instant; what is not mentioned stays as the pose has it.

    Args:
        ends: Goals by role: left_hand, right_hand, left_foot, right_foot (wrist and ankle joints), head.
        pelvis: Where the pelvis shall be; met exactly. Its weight is not used.
        look_at: Point in the world the head looks at [m], shape (3,).
    """

    ends: Mapping[str, Goal] = field(default_factory=dict)
    pelvis: Goal | None = None
    look_at: Array | None = None

    def __post_init__(self) -> None:
        for name in self.ends:
            if name not in ENDS:
                raise unknown_name("goal", name, ENDS)
        if self.look_at is not None and np.shape(self.look_at) != (3,):
            raise InputError(f"look_at needs 3 numbers; got shape {np.shape(self.look_at)}")


def steady(goal: Goal, last: Goal | None, origin: Array) -> Goal | None:
    """A goal with only finite numbers, or None where there never was any.

    What is not finite (or an orientation of zeros) is taken from `last`; points farther than 10 km from `origin` keep
    their direction and come that near.
    """
    position = _finite(goal.position, None if last is None else last.position)
    if position is None:
        return None
    rotation = None if goal.rotation is None else _unit(goal.rotation, None if last is None else last.rotation)
    pole = _finite(goal.pole, None if last is None else last.pole)
    return Goal(near(position, origin), rotation, None if pole is None else near(pole, origin), goal.weight)


def near(point: Array, origin: Array) -> Array:
    """A point at most 10 km (along any axis) from `origin`, in the same direction."""
    far = float(np.abs(point - origin).max())
    return point if far <= _FAR else np.asarray(origin + (point - origin) / far * _FAR)


def _finite(value: Array | None, last: Array | None) -> Array | None:
    return value if value is None or np.isfinite(value).all() else last


def _unit(rotation: Array, last: Array | None) -> Array | None:
    size = float(np.abs(rotation).max())
    return quat.normalize(rotation / size) if np.isfinite(size) and size > 0.0 else last
