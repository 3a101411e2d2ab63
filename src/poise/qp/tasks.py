"""What a motion is to do, as features that are brought to targets (Vaillant 2017, section 3.5).

Every task is a feature x(q) with a Jacobian; what is wanted of it is the acceleration of a damped spring (Eq. 33),
xdd = -k (x - x_ref) - d (xd - xd_ref) + xdd_ref, and the square of what is missed costs its weight (Eq. 32). Features
of length are in metres, of turning in radians, so a weight is in s⁴/m² or s⁴/rad².
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.qp import _features
from poise.signals import Mechanism

__all__ = ["CenterOfMassTask", "Feature", "FrameTask", "GazeTask", "JointTask", "Task", "posture"]

Array = NDArray[np.float64]
Numbers = Array | Sequence[float] | float


def _array(numbers: Numbers) -> Array:
    return np.asarray(numbers, dtype=np.float64)


def _as_arrays(task: Task, *names: str) -> None:
    """Turn what was said as lists and tuples into arrays once: a step is too short to do it each time."""
    for name in names:
        value = getattr(task, name)
        if isinstance(value, list | tuple):
            setattr(task, name, _array(value))


def _numbers(numbers: Numbers, zeros: Array) -> Array:
    """As many numbers as there are zeros."""
    if isinstance(numbers, float) and numbers == 0.0:
        return zeros
    values = np.asarray(numbers, dtype=np.float64)
    return values if values.shape == zeros.shape else zeros + values


def _kept(numbers: Numbers, kept: Numbers, zeros: Array) -> Array:
    """As many numbers as there are zeros, each as much as it counts."""
    values = _numbers(numbers, zeros)
    return values if values is zeros else _array(kept) * values


_TURNING = 4.0
"""How fast a body turns while it goes somewhere at 1 m/s [rad/m]: as a hand does at the end of a forearm."""


class Feature(NamedTuple):
    """A feature as it is: x - x_ref (r,), its rate (r,), its acceleration at zero qdd (r,) and its Jacobian (r, n)."""

    error: Array
    rate: Array
    drift: Array
    jacobian: Array


@dataclass(kw_only=True, eq=False)
class Task(ABC):
    """A feature, where it is to go, and how much that matters; all of it may be changed while a scene runs.

    Args:
        weight: Of its square error.
        stiffness: k [1/s²]. Stable below 0.69 / dt², smooth below 0.1 / dt².
        damping: d [1/s]; None for critical, 2 sqrt(k).
        speed: Greatest speed towards the target [m/s or rad/s]: what is farther away pulls no harder than what gives
            this speed.
    """

    weight: float = 1.0
    stiffness: float = 10.0
    damping: float | None = None
    speed: float = np.inf
    parts: ClassVar[Array] = np.array([[0.0, 1e9, 1.0]])
    """First row and end of rows that have a speed together, and how many times `speed` it may be."""

    @abstractmethod
    def begin(self, system: Mechanism) -> None:
        """Find what it is about; raises `InputError` where that does not exist."""

    @abstractmethod
    def feature(self, system: Mechanism) -> Feature:
        """The feature now; arrays are overwritten by the next call."""

    @abstractmethod
    def reference(self) -> tuple[Array, Array]:
        """Velocity and acceleration of the target, shape (r,) each."""

    def add_to(self, system: Mechanism, hessian: Array, gradient: Array) -> None:
        """Add its cost to a quadratic objective in the accelerations."""
        damping = 2.0 * sqrt(self.stiffness) if self.damping is None else float(self.damping)
        gains = (float(self.weight), float(self.stiffness), damping, float(self.speed))
        # A plain tuple: a named one takes compiled loops longer to take apart than what they do with it.
        feature = tuple(self.feature(system))
        _features.add_task(feature, self.reference(), gains, self.parts, (hessian, gradient))


@dataclass(kw_only=True, eq=False)
class JointTask(Task):
    """Coordinates of hinges and slides.

    Args:
        joints: Their names.
        target: Where to [rad or m], shape (k,).
        velocity: Of the target, shape (k,).
        acceleration: Of the target, shape (k,).
    """

    joints: Sequence[str]
    target: Numbers = 0.0
    velocity: Numbers = 0.0
    acceleration: Numbers = 0.0

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        table = system.joints
        for name in self.joints:
            if name not in table.names:
                raise unknown_name("joint", name, table.names)
            if table.balls[table.names.index(name)]:
                raise InputError(f"joint {name!r} is a ball's, which a PoseTask turns")
        _as_arrays(self, "target", "velocity", "acceleration")
        self._which = np.array([table.names.index(name) for name in self.joints], dtype=np.int64)
        self._dofs = table.dofs[self._which]
        self._jacobian = np.zeros((len(self._dofs), system.size))
        self._jacobian[np.arange(len(self._dofs)), self._dofs] = 1.0
        self._none, self._error, self._rate = (np.zeros(len(self._dofs)) for _ in range(3))

    def feature(self, system: Mechanism) -> Feature:
        """See `Task.feature`."""
        target = _numbers(self.target, self._none)
        places, rates = system.joint_positions, system.velocities
        _features.joint_feature(places, rates, self._which, self._dofs, target, self._error, self._rate)
        return Feature(self._error, self._rate, self._none, self._jacobian)

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return _numbers(self.velocity, self._none), _numbers(self.acceleration, self._none)


def posture(system: Mechanism, owner: str, **options: float) -> JointTask:
    """A task that keeps all joints of a character as they are now: the background of every motion."""
    names = [name for name in system.joints.names if name.split("/")[0] == owner]
    which = [system.joints.names.index(name) for name in names]
    return JointTask(joints=names, target=system.joint_positions[which].copy(), **options)


@dataclass(kw_only=True, eq=False)
class FrameTask(Task):
    """Where a point of a body is and how the body is turned, in the world or against another body.

    Args:
        body: Whose.
        point: Of the body, in its frame [m], shape (3,).
        target: Where to [m], in the frame of `against`, shape (3,); None leaves the place free.
        rotation: How turned, wxyz, in the frame of `against`; None leaves it free.
        against: The body whose frame that is.
        axes: Which of the six (x, y, z, then turning about them, in world axes) count, shape (6,).
        velocity: Of the target in world axes [m/s, rad/s], shape (6,).
        acceleration: Of the target in world axes, shape (6,).
    """

    body: str
    point: Numbers = (0.0, 0.0, 0.0)
    target: Numbers | None = None
    rotation: Numbers | None = None
    against: str = "world"
    axes: Numbers = (1.0, 1.0, 1.0, 1.0, 1.0, 1.0)
    velocity: Numbers = 0.0
    acceleration: Numbers = 0.0
    parts: ClassVar[Array] = np.array([[0.0, 3.0, 1.0], [3.0, 6.0, _TURNING]])

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        _as_arrays(self, "point", "target", "axes", "velocity", "acceleration")
        self._bodies = system.body(self.against), system.body(self.body)
        if self.target is None and self.rotation is None:
            raise InputError("a frame task needs a target, a rotation or both", source=self.body)
        self._own, self._others = ((np.zeros((6, system.size)), np.zeros(6), np.zeros(6)) for _ in range(2))
        self._error, self._kept, self._none = np.zeros(6), np.zeros(6), np.zeros(6)
        self._found = np.zeros((2, 3))
        self._rotation_seen: Numbers | None = None
        self._matrix = np.eye(3)

    def feature(self, system: Mechanism) -> Feature:
        """See `Task.feature`."""
        first, second = self._bodies
        places, turns, found = system.positions, system.rotations, self._found
        place = _array(self.point)
        target = place if self.target is None else _array(self.target)
        _features.frame_places(places, turns, self._bodies, place, target, found)
        self._kept[:] = self.axes
        if self.target is None:
            self._kept[:3] = 0.0
        if self.rotation is None:
            self._kept[3:] = 0.0
        elif self.rotation is not self._rotation_seen:
            self._rotation_seen = self.rotation
            _features.turn_matrix(_array(self.rotation), self._matrix)
        system.relative(0, second, found[0], *self._own)
        if first:
            # The target rides on its body: it moves as the body does there, not where the point is by now.
            system.relative(0, first, found[1], *self._others)
        held = (self._own, self._others)
        _features.frame_feature(turns, self._bodies, found, self._matrix, self._kept, *held, self._error)
        jacobian, rate, drift = self._own
        return Feature(self._error, rate, drift, jacobian)

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return _kept(self.velocity, self._kept, self._none), _kept(self.acceleration, self._kept, self._none)


@dataclass(kw_only=True, eq=False)
class CenterOfMassTask(Task):
    """Center of mass of one or several characters and things.

    Args:
        owners: Whose.
        target: Where to [m], shape (3,).
        axes: Which of x, y, z count, shape (3,).
        velocity: Of the target [m/s], shape (3,).
        acceleration: Of the target [m/s²], shape (3,).
    """

    owners: Sequence[str]
    target: Numbers
    axes: Numbers = (1.0, 1.0, 1.0)
    velocity: Numbers = 0.0
    acceleration: Numbers = 0.0

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        _as_arrays(self, "target", "axes", "velocity", "acceleration")
        self._inside = system.roots(self.owners)
        self._jacobian = np.zeros((3, system.size))
        self._place, self._rate, self._drift, self._none = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
        self._error = np.zeros(3)

    def feature(self, system: Mechanism) -> Feature:
        """See `Task.feature`."""
        system.centroid(self._inside, self._jacobian, self._place, self._rate, self._drift)
        feature = Feature(self._error, self._rate, self._drift, self._jacobian)
        _features.place_feature(self._place, _array(self.target), _array(self.axes), *feature)
        return feature

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return _kept(self.velocity, self.axes, self._none), _kept(self.acceleration, self.axes, self._none)


@dataclass(kw_only=True, eq=False)
class GazeTask(Task):
    """A direction of a body is to point at a place: a head that looks at something.

    Args:
        body: Whose.
        place: What to look at [m], shape (3,), in the frame of `at`.
        at: The body that carries the place.
        eye: Where the look starts, in the body's frame [m], shape (3,).
        direction: Of the look, in the body's frame, unit, shape (3,).
        eyes: How far the look may be off [rad]: what the eyes do by themselves.
    """

    body: str
    place: Numbers
    at: str = "world"
    eye: Numbers = (0.0, 0.0, 0.0)
    direction: Numbers = (1.0, 0.0, 0.0)
    eyes: float = 0.0

    def begin(self, system: Mechanism) -> None:
        """See `Task.begin`."""
        _as_arrays(self, "eye", "place", "direction")
        self._body, self._at = system.body(self.body), system.body(self.at)
        self._own, self._others = ((np.zeros((6, system.size)), np.zeros(6), np.zeros(6)) for _ in range(2))
        self._feature = Feature(np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((3, system.size)))
        # A plain tuple: see `Task.add_to`.
        self._plain = tuple(self._feature)
        self._eye, self._place, self._none = np.zeros(3), np.zeros(3), np.zeros(3)

    def feature(self, system: Mechanism) -> Feature:
        """The shortest turn that brings the look onto the place; turning about the look itself is free."""
        places, turns = system.positions, system.rotations
        _features.place_of(places, turns, self._body, _array(self.eye), self._eye)
        _features.place_of(places, turns, self._at, _array(self.place), self._place)
        system.relative(0, self._body, self._eye, *self._own)
        if self._at:
            system.relative(0, self._at, self._place, *self._others)
        look, seen = (turns[self._body], _array(self.direction)), (self._eye, self._place)
        _features.gaze(*look, float(self.eyes), seen, self._own, self._others, self._plain)
        return self._feature

    def reference(self) -> tuple[Array, Array]:
        """See `Task.reference`."""
        return self._none, self._none
