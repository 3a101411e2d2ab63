"""Contacts: where bodies hold on to one another, and the forces they may pass.

A contact is between two bodies (or the world and one) and has one force variable per edge of its friction pyramids, so
that action and reaction are the same number with two signs (Vaillant 2017, Eq. 12). Six no-slip rows hold it (Eqs. 18,
20): the paper's three rows per point are rank deficient, since four points of a rigid body have twelve rows of rank
six.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.math import quat
from poise.qp import _features, _kernels
from poise.signals import Mechanism

__all__ = ["Contact", "Touch", "grasp", "planar"]

Array = NDArray[np.float64]

FRICTION = 0.7
"""Of hands and soles (the first author's own tests)."""
FORCE_UNIT = 100.0
"""Of the program's force coefficients [N]: they are then of the size of its accelerations, and ProxQP starts ten times
quicker."""
_NEXT_TO_NONE = 2.0
"""A force that may as well be broken off [N]; bounds that are closer to 0 are hard to tell from it."""
DRIFT_SHARE = 0.2
"""Share of the drift that is taken back per step. The paper takes all of it in one (Eq. 20): 1 mm at 5 ms then asks for
40 m/s²."""
DRIFT_SPEED = 0.1
"""Fastest drift correction [m/s, rad/s], so that a contact that was forced open closes gently."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Contact:
    """Points at which one body holds another.

    Args:
        name: Within the scene.
        first: Body that acts; "world" for the surroundings.
        second: Body that is acted on, in whose frame the points are.
        points: Where [m], shape (p, 3).
        normals: Direction in which the first can push the second there, unit, shape (p, 3).
        friction: Coefficient.
        edges: Of each friction pyramid, at least 4; pyramids lie inside their cones.
        slides: Whether the bodies may move along the plane that is common to all normals and turn in it; the contact
            then has no friction, and three rows.
        radius: Of the bar that is held [m]; inf for what is flat.
        rolls: Axis in the second body's frame about which the bodies may turn on their points, as a foot does on its ball
            or heel, shape (3,); the contact then has five rows. None for none.
    """

    name: str
    first: str
    second: str
    points: Array
    normals: Array
    friction: float = FRICTION
    edges: int = 4
    slides: bool = False
    radius: float = np.inf
    rolls: Array | None = None

    def __post_init__(self) -> None:
        points, normals = np.atleast_2d(self.points), np.atleast_2d(self.normals)
        source = f"contact {self.name!r}"
        if points.shape != normals.shape or points.shape[1] != 3 or not np.isfinite([points, normals]).all():
            raise InputError(
                f"points and normals must be finite, (p, 3) each; got {points.shape}, {normals.shape}", source=source
            )
        if not (self.friction > 0.0 and self.edges >= 4):
            raise InputError(
                f"friction must be above 0 and edges at least 4; got {self.friction:g}, {self.edges}", source=source
            )
        if self.rolls is not None:
            axis = np.asarray(self.rolls, dtype=float)
            if axis.shape != (3,) or not np.isfinite(axis).all() or not axis.any() or self.slides:
                raise InputError(
                    f"rolls is an axis of three numbers, not all 0, of what does not slide; got {self.rolls}",
                    source=source,
                )
        if self.first == self.second:
            raise InputError(f"needs two bodies; got {self.first!r} twice", source=source)

    @property
    def middle(self) -> Array:
        """Mean of the points, shape (3,)."""
        return np.asarray(np.mean(self.points, axis=0))

    def pyramids(self) -> tuple[Array, Array]:
        """Arms from the middle [m] and unit forces of all edges, in the second body's frame, shape (p * edges, 3)."""
        arms, forces = [], []
        for point, normal in zip(np.atleast_2d(self.points), np.atleast_2d(self.normals), strict=True):
            if self.slides:
                arms.append(point - self.middle)
                forces.append(normal)
                continue
            turn = quat.between(np.array([0.0, 0.0, 1.0]), normal)
            for edge in range(self.edges):
                angle = 2.0 * np.pi * (edge + 0.5) / self.edges
                slanted = np.array([self.friction * np.cos(angle), self.friction * np.sin(angle), 1.0])
                arms.append(point - self.middle)
                forces.append(quat.rotate(turn, slanted / np.linalg.norm(slanted)))
        return np.ascontiguousarray(arms), np.ascontiguousarray(forces)


def planar(
    name: str,
    first: str,
    second: str,
    *,
    center: ArrayLike,
    normal: ArrayLike,
    half: tuple[float, float],
    along: ArrayLike,
) -> Contact:
    """Four corners of a rectangle, such as a sole's.

    Args:
        name: Within the scene.
        first: Body that pushes.
        second: Body that is pushed, in whose frame the rest is.
        center: Of the rectangle [m], shape (3,).
        normal: Direction of the push, shape (3,).
        half: Half its length and half its width [m].
        along: Direction of its length, shape (3,).
    """
    middle, up = np.asarray(center, dtype=float), np.asarray(normal, dtype=float)
    up = up / np.linalg.norm(up)
    length = np.asarray(along, dtype=float) - np.dot(along, up) * up
    length /= np.linalg.norm(length)
    across = np.cross(up, length)
    points = [middle + a * half[0] * length + b * half[1] * across for a in (1, -1) for b in (1, -1)]
    return Contact(name=name, first=first, second=second, points=np.array(points), normals=np.tile(up, (4, 1)))


def grasp(
    name: str, first: str, second: str, *, center: ArrayLike, axis: ArrayLike, radius: float, half_length: float
) -> Contact:
    """Four points round a cylinder that is held: two at each end, facing one another across it.

    Args:
        name: Within the scene.
        first: Body with the cylinder.
        second: The hand, in whose frame the rest is.
        center: Of the cylinder [m], shape (3,).
        axis: Along it, shape (3,).
        radius: Of the cylinder [m].
        half_length: Half the length of the part that is held [m].
    """
    middle, way = np.asarray(center, dtype=float), np.asarray(axis, dtype=float)
    turn = quat.between(np.array([0.0, 0.0, 1.0]), way / np.linalg.norm(way))
    points, normals = [], []
    for number, along in enumerate((half_length, half_length, -half_length, -half_length)):
        angle = 0.5 * np.pi * (2 * number + number // 2)
        outward = quat.rotate(turn, np.array([np.cos(angle), np.sin(angle), 0.0]))
        points.append(middle + along * quat.rotate(turn, np.array([0.0, 0.0, 1.0])) + radius * outward)
        normals.append(outward)
    places, directions = np.array(points), np.array(normals)
    return Contact(name=name, first=first, second=second, points=places, normals=directions, radius=radius)


@dataclass(eq=False)
class Touch:
    """A contact that holds, from the moment it was made.

    Attributes:
        contact: What holds.
        ceiling: Greatest force per edge, and of all edges together [N].
        release: When it ends [s], and how fast both come down until then [N/s]; None while it is not let go.
        wrench: What the first did to the second in the last step, at `point` in world axes [N, N m], shape (6,).
        point: The contact's middle in the world [m], shape (3,).
        error: How far it has drifted [m, rad], shape (6,).
        felt: Whether what moves stops at once; else it is known that the bodies hold on, but not how they move just now.
    """

    contact: Contact
    bodies: tuple[int, int]
    arms: Array
    edges: Array
    basis: Array | None
    reference: tuple[Array, Array]
    size: int
    ceiling: tuple[float, float] = (np.inf, np.inf)
    release: tuple[float, float, float] | None = None
    felt: bool = True
    wrench: Array = field(default_factory=lambda: np.zeros(6))
    point: Array = field(default_factory=lambda: np.zeros(3))
    error: Array = field(default_factory=lambda: np.zeros(6))

    @classmethod
    def made(cls, contact: Contact, system: Mechanism, where: tuple[Array, Array] | None = None) -> Touch:
        """The contact made as the bodies are now; raises `InputError` where it names a body that does not exist.

        Args:
            contact: What holds.
            system: Its bodies.
            where: Its middle [m] (3,) and how the second body is turned (3, 3), seen from the first, where that is known
                better: what is missing is taken back as drift is. None for as they are.
        """
        first, second = system.body(contact.first), system.body(contact.second)
        arms, edges = contact.pyramids()
        edges *= FORCE_UNIT
        back = system.rotations[first].T
        at = system.positions[second] + system.rotations[second] @ contact.middle
        reference = where or (back @ (at - system.positions[first]), back @ system.rotations[second])
        return cls(contact, (first, second), arms, edges, _kept_rows(contact), reference, system.size)

    def __post_init__(self) -> None:
        edges = len(self.edges)
        self.jacobian, self.twist, self.drift = np.zeros((6, self.size)), np.zeros(6), np.zeros(6)
        self.mapped, self.wrenches = np.zeros((self.size, edges)), np.zeros((6, edges))
        self.middle = self.contact.middle

    @property
    def rows(self) -> int:
        """No-slip rows."""
        return 6 if self.basis is None else len(self.basis)

    def refresh(self, system: Mechanism) -> None:
        """Bring Jacobian, drift and the forces' map up to the system's state."""
        first, second = self.bodies
        places, turns = system.positions, system.rotations
        self.point = np.empty(3)
        _features.place_of(places, turns, second, self.middle, self.point)
        system.relative(first, second, self.point, self.jacobian, self.twist, self.drift)
        # What rolls is pressed where it would lie flat: an edge that gives way, as toes do, and not one that tilts.
        flat = turns[second] if self.contact.rolls is None else turns[first] @ self.reference[1]
        _kernels.contact_forces(flat, self.arms, self.edges, self.jacobian, self.mapped, self.wrenches)
        _kernels.contact_error(places, turns, self.bodies, self.point, self.reference, self.error)

    def wanted(self, step: float) -> Array:
        """Acceleration J qdd after which the contact's velocity only takes back drift, shape (6,)."""
        if not self.felt:
            return -self.drift
        wanted = np.empty(6)
        _kernels.no_slip(self.error, self.twist, self.drift, DRIFT_SHARE, DRIFT_SPEED, step, wanted)
        return wanted

    def no_slip(self, system: Mechanism, step: float) -> tuple[Array, Array]:
        """Rows (r, n) and right side (r,) that keep the bodies together over a step [s]."""
        wanted = self.wanted(step)
        if self.basis is None:
            return self.jacobian, wanted
        turn = system.rotations[self.bodies[1]]
        world = np.zeros((len(self.basis), 6))
        world[:, :3], world[:, 3:] = self.basis[:, :3] @ turn.T, self.basis[:, 3:] @ turn.T
        return world @ self.jacobian, world @ wanted

    def ramp(self, time: float) -> bool:
        """Lower the ceilings of a contact that is being released; whether it still holds."""
        if self.release is None:
            return True
        end, edge, whole = self.release
        self.ceiling = max((end - time) * edge, _NEXT_TO_NONE), max((end - time) * whole, _NEXT_TO_NONE)
        return time < end - 1e-9

    def copy(self) -> Touch:
        """The same contact in new arrays."""
        return replace(self, wrench=self.wrench.copy(), point=self.point.copy(), error=self.error.copy())


def _kept_rows(contact: Contact) -> Array | None:
    """Which of six motions a contact holds that slides or rolls, in the second body's frame, shape (r, 6); None for all."""
    if contact.rolls is not None:
        axis = np.asarray(contact.rolls, dtype=float)
        turn = quat.to_matrix(quat.between(np.array([0.0, 0.0, 1.0]), axis / np.linalg.norm(axis)))
        kept = np.zeros((5, 6))
        kept[:3, :3], kept[3:, 3:] = np.eye(3), turn[:, :2].T
        return kept
    if not contact.slides:
        return None
    normal = np.mean(np.atleast_2d(contact.normals), axis=0)
    turn = quat.to_matrix(quat.between(np.array([0.0, 0.0, 1.0]), normal))
    rows = np.zeros((3, 6))
    rows[0, :3], rows[1, 3:], rows[2, 3:] = turn[:, 2], turn[:, 0], turn[:, 1]
    return rows
