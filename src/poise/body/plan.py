"""What a character weighs and where it collides: the plan from which a physical body is built."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.body.layout import JointLayout, plan_layout
from poise.errors import unknown_name
from poise.motion.roles import Roles
from poise.motion.skeleton import Skeleton

__all__ = ["BodyPlan", "Collider", "JointLimits"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Collider:
    """A shape fixed to a body.

    Args:
        kind: A capsule along its own z axis, a box, or a sphere.
        size: Capsule: radius, half length, 0. Box: half extents. Sphere: radius, 0, 0. [m], shape (3,).
        position: Centre in the body's frame [m], shape (3,).
        rotation: Orientation in the body's frame, wxyz, shape (4,).
    """

    kind: Literal["capsule", "box", "sphere"]
    size: Array
    position: Array
    rotation: Array

    @property
    def volume(self) -> float:
        """Volume [m³]."""
        a, b, c = (float(value) for value in self.size)
        if self.kind == "box":
            return 8.0 * a * b * c
        sphere = 4.0 / 3.0 * np.pi * a**3
        return sphere if self.kind == "sphere" else sphere + 2.0 * np.pi * a**2 * b


USUAL_STATURE = 1.75
"""Of the person for whom lengths are said that grow with a body [m]: a man of the mean height."""


@dataclass(frozen=True, eq=False)
class JointLimits:
    """Range of a joint in its anatomical frame, relative to the neutral pose.

    The joint's rotation is split as swing * twist; the twist is about the neutral bone axis (up, z), and the swing is a
    rotation vector with components about forward (x, abduction) and left (y, flexion).

    Args:
        lower: Least swing about x, swing about y and twist about z [rad], shape (3,).
        upper: Greatest of the same [rad], shape (3,).
    """

    lower: Array
    upper: Array


@dataclass(frozen=True, eq=False)
class BodyPlan:
    """The physical bodies of a character; body 0 is the pelvis and carries the free joint.

    Joints that are not bodies (fingers, toes, twist and zero-length bones) ride on the body above them. Each body's frame
    is its joint's frame. Body arrays have the bodies on axis 0, parents before children.

    Args:
        skeleton: The joints of the clip.
        roles: Their anatomical roles.
        joints: Joint of each body, shape (B,).
        parents: Parent body of each body, shape (B,); -1 for the pelvis.
        offsets: Joint position in the parent body's frame [m], shape (B, 3); zero for the pelvis.
        bind_rotations: Neutral rotation of each body in its parent body, wxyz, shape (B, 4). A ball joint's coordinate is
            relative to it, so that coordinate identity is the neutral pose and limits are measured from there.
        neutral: World orientation of each body in the neutral pose (standing, facing x, arms hanging), shape (B, 4); how a
            bone is turned about itself there is `poise.body.anatomical_axes.joint_axes`.
        axes: World orientation of each body in the neutral pose as motion and anatomy have it, shape (B, 4): what a person's
            range is measured from (`poise.body.anatomical_axes`).
        axes_from: Per body, what told how it is turned about its bone in the neutral pose (`poise.body.anatomical_axes`).
        masses: [kg], shape (B,).
        centres: Centre of mass in the body's frame [m], shape (B, 3).
        inertias: Inertia tensor about the centre of mass in the body's axes [kg m²], shape (B, 3, 3).
        colliders: Per body, its shapes.
        limits: Per body, the limits of its joint; the pelvis' are unused.
        strengths: Largest torque of each joint's muscles [N m], shape (B,).
        stature: Standing height [m] used for the tables.
    """

    skeleton: Skeleton
    roles: Roles
    joints: NDArray[np.int64]
    parents: NDArray[np.int64]
    offsets: Array
    bind_rotations: Array
    neutral: Array
    axes: Array
    axes_from: tuple[str, ...]
    masses: Array
    centres: Array
    inertias: Array
    colliders: tuple[tuple[Collider, ...], ...]
    limits: tuple[JointLimits, ...]
    strengths: Array
    stature: float

    def __repr__(self) -> str:
        return f"<BodyPlan of {len(self.joints)} bodies, {self.total_mass:.1f} kg, {self.stature:.2f} m>"

    def __len__(self) -> int:
        return len(self.joints)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Name of each body: its joint's."""
        return tuple(self.skeleton.names[j] for j in self.joints)

    @cached_property
    def body_roles(self) -> tuple[str | None, ...]:
        """Anatomical role of each body."""
        return tuple(self.roles.by_joint[j] for j in self.joints)

    @property
    def size(self) -> float:
        """Its stature over that of a person of 1.75 m, for whom lengths of the product are said."""
        return self.stature / USUAL_STATURE

    @property
    def total_mass(self) -> float:
        """[kg]."""
        return float(self.masses.sum())

    @cached_property
    def layout(self) -> JointLayout:
        """Where the numbers of its joints are: a free pelvis with balls below."""
        return plan_layout(len(self))

    @property
    def position_count(self) -> int:
        """Number of generalized positions: 7 for the pelvis and 4 for every other body."""
        return self.layout.position_count

    @property
    def velocity_count(self) -> int:
        """Number of generalized velocities: 6 for the pelvis and 3 for every other body."""
        return self.layout.velocity_count

    def index(self, name: str) -> int:
        """Index of the body called `name`; raises `InputError` with the known names otherwise."""
        if name not in self.names:
            raise unknown_name("body", name, self.names)
        return self.names.index(name)

    def with_role(self, *roles: str) -> tuple[int, ...]:
        """Bodies whose role is one of `roles`, in body order."""
        return tuple(index for index, role in enumerate(self.body_roles) if role in roles)

    def subtree(self, body: int) -> tuple[int, ...]:
        """`body` and every body below it."""
        inside = np.zeros(len(self), dtype=bool)
        inside[body] = True
        for child in range(body + 1, len(self)):
            inside[child] = inside[self.parents[child]]
        return tuple(int(b) for b in np.flatnonzero(inside))

    def joints_between(self, first: int, second: int) -> tuple[int, int]:
        """Joints from each of two bodies up to the body they both hang on; a zero means that it is this one itself."""
        up = [0, 0]
        bodies = [first, second]
        while bodies[0] != bodies[1]:
            later = int(bodies[1] > bodies[0])
            bodies[later] = int(self.parents[bodies[later]])
            up[later] += 1
        return up[0], up[1]
