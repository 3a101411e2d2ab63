"""The values that travel through a tick, from room to room.

Arrays are in the world's order of generalized positions (nq) and velocities (nv) unless a docstring says they belong to
one character. n is the number of substeps in a tick, nu the number of controls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, NoReturn, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError, shown

__all__ = [
    "Coat",
    "Contacts",
    "Drive",
    "Dynamics",
    "Effort",
    "Event",
    "FluidSheet",
    "Ground",
    "Joints",
    "Mechanism",
    "Mode",
    "Nearest",
    "State",
    "Surroundings",
    "Target",
    "Witnesses",
]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Mode(IntEnum):
    """Who moves a joint."""

    PASSIVE = 0
    """Nobody: springs, dampers, gravity and contacts alone."""
    TORQUE = 1
    """Its muscles, against everything else."""
    MOTION = 2
    """Its drive, whatever the forces; the rest of the body feels the reaction."""

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise InputError(f"a joint is in one of the modes {', '.join(map(str, cls.__members__))}; got {shown(value)}")


class Event(NamedTuple):
    """Something worth telling: when it began [s], what kind, and about whom."""

    time: float
    kind: str
    subject: str


class Drive(NamedTuple):
    """Where `MOTION` joints shall be at the end of each substep: generalized positions, shape (n, nq).

    Columns of other joints are not read.
    """

    positions: Array


class Target(NamedTuple):
    """What one character's muscles aim at, for its bodies below the pelvis.

    Args:
        rotations: Joint coordinate to hold at the end of each substep, wxyz, shape (n, B-1, 4).
        velocity: Angular velocity to have, in the body's frame [rad/s], shape (B-1, 3).
        stiffness: [N m/rad], shape (B-1,).
        damping: [N m s/rad], shape (B-1,).
        load: Torque that carries the expected load at the target [N m], body frame, shape (B-1, 3).
        limit: Largest torque of spring and load together [N m], shape (B-1,).
    """

    rotations: Array
    velocity: Array
    stiffness: Array
    damping: Array
    load: Array
    limit: Array


class Effort(NamedTuple):
    """What the muscles do during a tick, in the world's arrays.

    Args:
        stiffness: Of each muscle [N m/rad], shape (muscles,).
        damping: Of each muscle [N m s/rad], shape (muscles,).
        controls: Target quaternion of each muscle at each substep, shape (n, nu).
        applied: Generalized force held over the tick [N m or N], shape (nv,).
    """

    stiffness: Array
    damping: Array
    controls: Array
    applied: Array


class State(NamedTuple):
    """The world at the end of a tick: time [s], generalized positions (nq,) and velocities (nv,)."""

    time: float
    positions: Array
    velocities: Array


class Contacts(NamedTuple):
    """Contacts over one tick, accumulated over its substeps, one row per pair of geoms.

    Args:
        pairs: The two geoms, shape (c, 2).
        impulse: Normal impulse [N s], shape (c,).
        peak: Largest normal force of any substep [N], shape (c,).
        start: Time of the first touch within the tick [s], shape (c,).
        point: Point of the largest force in the world [m], shape (c, 3).
        normal: Direction of the force on the second geom there, shape (c, 3).
    """

    pairs: Indices
    impulse: Array
    peak: Array
    start: Array
    point: Array
    normal: Array


class Nearest(NamedTuple):
    """The closest point of each of P obstacles to each of R spots.

    Args:
        distance: From the spot to the surface [m], negative inside, infinite where out of reach, shape (R, P).
        point: On the surface, in the world [m], shape (R, P, 3).
        normal: Of the surface there, outward, shape (R, P, 3).
        velocity: Of the obstacle there [m/s], shape (R, P, 3).
    """

    distance: Array
    point: Array
    normal: Array
    velocity: Array


class Dynamics(Protocol):
    """What-if questions about one character, answered without touching the world."""

    def load(self, positions: Array) -> Array:
        """Generalized force that balances gravity at rest at `positions` (nq,), shape (nv,)."""
        ...

    def inverse(self, positions: Array, velocities: Array, accelerations: Array) -> Array:
        """Generalized force of a motion (nq,), (nv,), (nv,) in free flight, shape (nv,)."""
        ...

    def tipping(self, positions: Array) -> Array:
        """What gravity takes from the stiffness about each joint at `positions` (nq,) [N m/rad], shape (B,)."""
        ...

    def mass_matrix(self, positions: Array) -> Array:
        """Mass matrix at `positions` (nq,), shape (nv, nv)."""
        ...


class Ground(Protocol):
    """What there is to stand on, asked for by place and time without touching the world."""

    def height(self, places: Array, time: ArrayLike = 0.0) -> Array:
        """Height of the ground [m] under `places` (..., 2) at `time` [s], shape (...); NaN over a hole."""
        ...

    def normal(self, places: Array, time: ArrayLike) -> Array:
        """Unit normal of the ground under `places` (..., 2), shape (..., 3); straight up over a hole."""
        ...


class Surroundings(Protocol):
    """What stands around, asked for by place."""

    names: tuple[str, ...]
    """Of the obstacles."""
    kinds: tuple[str, ...]
    """What each is, such as "plant"."""
    masses: Array
    """Of each [kg]; infinite for what is fixed, shape (P,)."""

    def refresh(self) -> None:
        """Take note of where everything is now."""
        ...

    def nearest(self, spots: Array, reaches: Array, leads: Array | None = None) -> Nearest:
        """Closest points to `spots` (R, 3) in the world.

        Args:
            spots: Where to look from [m], shape (R, 3).
            reaches: How far to look for what stands still [m], shape (R,).
            leads: How much farther per speed of what moves [s], shape (R,); None for none.
        """
        ...

    def hidden(self, eye: Array, points: Array, which: Indices) -> NDArray[np.bool_]:
        """Whether each of `points` (n, 3) on the obstacles `which` (n,) is hidden from `eye` (3,) by another, shape (n,)."""
        ...


class Joints(NamedTuple):
    """Hinges and slides of a mechanism, one row each, shape (k,); of balls three, one for each axis of the body they turn.

    Args:
        names: `<character>/<body>/<axis>` or `<thing>/<link>`.
        dofs: Degree of freedom of each.
        lower: Least coordinate [rad or m]; -inf for none.
        upper: Greatest coordinate; inf for none.
        torque: Largest torque of the muscles that turn it [N m]; 0 where there are none, inf for any.
        speed: Largest velocity [rad/s or m/s]; inf for any.
        balls: Which belong to balls: they have a velocity and a torque, and no coordinate of their own.
    """

    names: tuple[str, ...]
    dofs: Indices
    lower: Array
    upper: Array
    torque: Array
    speed: Array
    balls: NDArray[np.bool_]


class Witnesses(NamedTuple):
    """How far two shapes are apart.

    Args:
        distance: Between their surfaces, negative in one another [m].
        first: Closest point of the first [m], shape (3,).
        second: Closest point of the second [m], shape (3,).
        bodies: What they belong to.
    """

    distance: float
    first: Array
    second: Array
    bodies: tuple[int, int]


class Mechanism(Protocol):
    """Everything in a scene as one mechanical system: M qdd + N = S tau + J^T f.

    Bodies are told by number; 0 is the world. Jacobians have rows linear x, y, z, then angular x, y, z, in world axes.
    """

    size: int
    """Degrees of freedom n."""
    velocities: Array
    """Generalized velocities, shape (n,)."""
    mass_matrix: Array
    """M, shape (n, n)."""
    bias: Array
    """N: gravity, centrifugal and Coriolis forces, less those of springs and dampers, shape (n,)."""
    positions: Array
    """Where bodies are [m], shape (bodies, 3)."""
    rotations: Array
    """How they are turned, matrices, shape (bodies, 3, 3)."""
    joints: Joints
    """Hinges, slides and balls."""
    joint_positions: Array
    """Their coordinates [rad or m], 0 for a ball's, shape (k,)."""
    gravity: float
    """Downward [m/s²]."""

    def body(self, name: str) -> int:
        """Number of a body; "world" is 0. Raises `InputError` with the known names otherwise."""
        ...

    def shape(self, name: str) -> int:
        """Number of a shape; raises `InputError` where there is none of that name."""
        ...

    def dofs_of(self, owner: str) -> Indices:
        """Degrees of freedom of a character or a thing."""
        ...

    def turns(self, owner: str) -> tuple[Array, Indices]:
        """How the pelvis and the balls of a character are turned, wxyz (B, 4), and their degrees of freedom (B, 3)."""
        ...

    def mass_of(self, owner: str) -> float:
        """Of a character or a thing [kg]."""
        ...

    def roots(self, owners: Sequence[str]) -> NDArray[np.bool_]:
        """Marks the trees of characters and things, for `centroid`, shape (bodies,)."""
        ...

    def relative(self, first: int, second: int, point: Array, jacobian: Array, twist: Array, drift: Array) -> None:
        """How the second body moves against the first at a point of the world.

        Args:
            first: A body.
            second: Another body.
            point: [m], shape (3,).
            jacobian: Written, shape (6, n).
            twist: Written: velocity [m/s, rad/s], shape (6,).
            drift: Written: acceleration when all generalized accelerations are 0 (J-dot v), shape (6,).
        """
        ...

    def centroid(
        self, inside: NDArray[np.bool_], jacobian: Array, position: Array, velocity: Array, drift: Array
    ) -> None:
        """Center of mass of marked trees: writes Jacobian (3, n), position [m], velocity and drift (3,)."""
        ...

    def angular_momentum(
        self, inside: NDArray[np.bool_], center: Array, jacobian: Array, momentum: Array, drift: Array
    ) -> None:
        """Of marked trees about their common center of mass [m].

        Args:
            inside: Which, from `roots`.
            center: Of mass [m], shape (3,).
            jacobian: Written, shape (3, n).
            momentum: Written [kg m²/s], shape (3,).
            drift: Written: its rate when all generalized accelerations are 0 [N m], shape (3,).
        """
        ...

    def nearest(self, first: int, second: int, within: float) -> Witnesses:
        """Distance of two shapes, as far as `within` [m]."""
        ...

    def advance(self, accelerations: Array, step: float) -> None:
        """Integrate accelerations (n,) over a step [s]: the new velocities move the positions."""
        ...


@dataclass(frozen=True, eq=False)
class FluidSheet:
    """The moving surface of a fluid, to be looked at.

    Args:
        name: What it is called.
        color: Red, green, blue from 0 to 1, linear.
        opacity: 0…1.
        origin: Its first node; z is the level from which heights are measured [m].
        cell: Distance of nodes along x and y [m].
        heights: Over the level [m], rows along y and columns along x, shape (T, ny, nx).
        rate: Surfaces per second [Hz].
    """

    name: str
    color: tuple[float, float, float]
    opacity: float
    origin: tuple[float, float, float]
    cell: float
    heights: NDArray[np.float32]
    rate: float

    def at(self, time: float) -> Array:
        """Heights over the level at a time [s], between two surfaces [m], shape (ny, nx)."""
        place = min(max(time * self.rate, 0.0), len(self.heights) - 1.0)
        first = min(int(place), max(len(self.heights) - 2, 0))
        second = min(first + 1, len(self.heights) - 1)
        before, after = self.heights[first].astype(np.float64), self.heights[second].astype(np.float64)
        return np.asarray(before + (place - first) * (after - before))

    def vertices(self, time: float) -> Array:
        """All nodes at a time [m], row by row, shape (ny nx, 3)."""
        rows, columns = self.heights.shape[1:]
        y, x = np.meshgrid(np.arange(rows) * self.cell, np.arange(columns) * self.cell, indexing="ij")
        return np.asarray(np.stack([x, y, self.at(time)], axis=-1).reshape(-1, 3) + np.array(self.origin))

    def triangles(self) -> NDArray[np.int64]:
        """Two per cell, counter-clockwise seen from above, shape (F, 3)."""
        rows, columns = self.heights.shape[1:]
        first = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
        right, over = first + 1, first + columns
        return np.concatenate([np.stack([first, right, over + 1], 1), np.stack([first, over + 1, over], 1)])


class Coat(NamedTuple):
    """What fluid has left on a skin, to be looked at.

    Args:
        depths: How far under a surface each vertex was at most [m], shape (V,): the skin is wet where that is above 0.
        color: Red, green, blue from 0 to 1, linear.
        opacity: 0…1.
    """

    depths: Array
    color: tuple[float, float, float]
    opacity: float
