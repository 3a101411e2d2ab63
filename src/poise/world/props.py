"""The things a scene is furnished with, as plain values; `furnish` turns them into MuJoCo bodies.

Positions are in the world [m], Z up. A plant's or fence's stiffness and damping are per hinge. Every prop has a name of
its own in the scene.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["HELD", "Ball", "Box", "Fence", "Gate", "Hanging", "Plant", "Prop", "Wall"]

Vector = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Plant:
    """A chain of links rooted in the ground or, as a branch, in a fixed trunk; two sprung hinges per link.

    Springs are set so that gravity is balanced in the shape given here. Alvarado 2022, Fig. 9: "self-balancing poles".
    """

    name: str
    position: Vector
    """Root of the lowest link [m]."""
    direction: Vector = (0.0, 0.0, 1.0)
    """Where the chain points at rest; any length."""
    length: float
    """Of the whole chain [m]."""
    links: int = 1
    mass: float
    """Of the whole plant [kg]."""
    stiffness: float
    """Of each hinge [N m/rad]."""
    damping: float
    """Of each hinge [N m s/rad]."""
    stem_radius: float = 0.012
    crown_radius: float = 0.0
    """Of a sphere at the tip [m]; 0 for none."""
    crown_share: float = 0.4
    """Share of the mass in the crown, when there is one."""
    trunk: bool = False
    """Whether a fixed trunk stands under the root (a branch of a tree)."""
    color: tuple[float, float, float] = (0.36, 0.55, 0.25)
    crown_color: tuple[float, float, float] = (0.85, 0.68, 0.2)


@dataclass(frozen=True, kw_only=True)
class Fence:
    """A panel on a sprung hinge along its foot, which gives way by leaning."""

    name: str
    position: Vector
    """Middle of the panel's foot [m]."""
    yaw: float = 0.0
    """Heading of the panel's length from x [rad]."""
    width: float = 1.2
    height: float = 1.0
    thickness: float = 0.04
    mass: float = 10.0
    stiffness: float = 100.0
    damping: float = 10.0


@dataclass(frozen=True, kw_only=True)
class Gate:
    """A fence with a door: a panel on a sprung vertical hinge at a fixed post."""

    name: str
    position: Vector
    """Foot of the hinge [m]."""
    yaw: float = 0.0
    """Heading of the closed door from its hinge [rad]."""
    width: float = 0.9
    height: float = 1.0
    thickness: float = 0.04
    mass: float = 10.0
    stiffness: float = 100.0
    damping: float = 20.0


@dataclass(frozen=True, kw_only=True)
class Hanging:
    """Something on a rope: a fruit or a bucket on one rope, or the board of a swing on two."""

    name: str
    position: Vector
    """Where the rope is tied [m]."""
    rope: float
    """Rope length [m]."""
    size: Vector
    """Sphere: radius, 0, 0. Board or bucket: half extents [m]."""
    shape: str = "sphere"
    """Either "sphere" or "box"."""
    mass: float
    damping: float = 0.02
    """Of the knot [N m s/rad]."""
    yaw: float = 0.0
    """Heading of the board's length [rad]."""
    ropes: int = 1
    """Two ropes swing about the board's length only."""
    color: tuple[float, float, float] = (0.75, 0.25, 0.2)


HELD = 1e6
"""When a ball is thrown that is not: it stays where it is, or is led about by other means [s]."""


@dataclass(frozen=True, kw_only=True)
class Ball:
    """A ball that is held in the air until it is thrown."""

    name: str
    position: Vector
    velocity: Vector
    """At the moment it is let go [m/s]."""
    time: float = 0.0
    """When it is let go [s]."""
    radius: float = 0.08
    mass: float = 0.5
    color: tuple[float, float, float] = (0.85, 0.35, 0.2)


@dataclass(frozen=True, kw_only=True)
class Box:
    """A loose box."""

    name: str
    position: Vector
    """Centre [m]."""
    size: Vector
    """Half extents [m]."""
    mass: float
    yaw: float = 0.0
    color: tuple[float, float, float] = (0.6, 0.5, 0.38)


@dataclass(frozen=True, kw_only=True)
class Wall:
    """A box fixed to the world."""

    name: str
    position: Vector
    """Centre [m]."""
    size: Vector
    """Half extents [m]."""
    yaw: float = 0.0


Prop = Plant | Fence | Gate | Hanging | Ball | Box | Wall
