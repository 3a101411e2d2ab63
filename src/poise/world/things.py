"""Things that people handle: bodies of plain shapes that float, turn and slide."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import mujoco as mj
import numpy as np

from poise.errors import InputError, unknown_name
from poise.world.masks import Surface, paint

__all__ = ["Link", "Shape", "Thing", "add_thing"]

Vector = tuple[float, float, float]
Turn = tuple[float, float, float, float]

_KINDS = {
    "box": mj.mjtGeom.mjGEOM_BOX,
    "sphere": mj.mjtGeom.mjGEOM_SPHERE,
    "capsule": mj.mjtGeom.mjGEOM_CAPSULE,
    "cylinder": mj.mjtGeom.mjGEOM_CYLINDER,
}


@dataclass(frozen=True, kw_only=True)
class Shape:
    """A shape fixed to a link.

    Args:
        kind: What it is; capsules and cylinders lie along their own z axis.
        size: Box: half extents. Sphere: radius, 0, 0. Capsule, cylinder: radius, half length, 0 [m].
        mass: [kg].
        position: Center in the link's frame [m].
        rotation: In the link's frame, wxyz.
        color: Red, green, blue.
    """

    kind: Literal["box", "sphere", "capsule", "cylinder"]
    size: Vector
    mass: float
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Turn = (1.0, 0.0, 0.0, 0.0)
    color: Vector = (0.55, 0.42, 0.28)


@dataclass(frozen=True, kw_only=True)
class Link:
    """One body of a thing.

    Args:
        name: Within the thing.
        joint: How it moves against its parent; what is fixed to it may have its mass changed on its own.
        parent: Another link; None for the world, which only a free link needs to have.
        position: Of its frame in the parent's at rest [m].
        rotation: Of its frame in the parent's at rest, wxyz.
        axis: Of a hinge or slide, in its own frame.
        shapes: What it is made of.
        range: Least and greatest coordinate [rad or m]; None for no ends.
        stiffness: Of a spring towards the coordinate 0 [N m/rad or N/m].
        damping: [N m s/rad or N s/m].
    """

    name: str
    joint: Literal["free", "hinge", "slide", "fixed"]
    parent: str | None = None
    position: Vector = (0.0, 0.0, 0.0)
    rotation: Turn = (1.0, 0.0, 0.0, 0.0)
    axis: Vector = (0.0, 0.0, 1.0)
    shapes: tuple[Shape, ...] = ()
    range: tuple[float, float] | None = None
    stiffness: float = 0.0
    damping: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Thing:
    """A tool, a piece of furniture or an articulated part of the surroundings; its bodies are `<thing>/<link>`."""

    name: str
    links: tuple[Link, ...] = field(default_factory=tuple)


def add_thing(spec: mj.MjSpec, thing: Thing) -> None:
    """Add a thing's links under the world; a shape's geom is called `<thing>/<link>/<number>`.

    Raises:
        InputError: It has no links or no mass, a number is out of range, or a parent is not a link before it.
    """
    source = f"thing {thing.name!r}"
    if not thing.links:
        raise InputError("needs at least one link", source=source)
    made: dict[str, Any] = {}
    for link in thing.links:
        _check(link, source)
        if link.parent is not None and link.parent not in made:
            raise unknown_name("link", link.parent, made)
        above = spec.worldbody if link.parent is None else made[link.parent]
        body = above.add_body(name=f"{thing.name}/{link.name}", pos=link.position, quat=link.rotation)
        _add_joint(body, link)
        for number, shape in enumerate(link.shapes):
            geom = body.add_geom(name=f"{body.name}/{number}", type=_KINDS[shape.kind], size=shape.size)
            geom.mass, geom.pos, geom.quat = shape.mass, shape.position, shape.rotation
            paint(geom, Surface.BODY)
            geom.rgba = [*shape.color, 1.0]
        made[link.name] = body


def _add_joint(body: Any, link: Link) -> None:
    if link.joint == "fixed":
        return
    if link.joint == "free":
        body.sleep = mj.mjtSleepPolicy.mjSLEEP_NEVER
        body.add_freejoint(name=body.name)
        return
    kind = mj.mjtJoint.mjJNT_HINGE if link.joint == "hinge" else mj.mjtJoint.mjJNT_SLIDE
    joint = body.add_joint(name=body.name, type=kind, axis=link.axis)
    joint.stiffness, joint.damping = [link.stiffness, 0, 0], [link.damping, 0, 0]
    if link.range is not None:
        joint.limited = mj.mjtLimited.mjLIMITED_TRUE
        joint.range = np.degrees(link.range) if link.joint == "hinge" else link.range


def _check(link: Link, source: str) -> None:
    if link.joint == "free" and link.parent is not None:
        raise InputError(f"a free link has no parent; got {link.parent!r}", source=source, place=link.name)
    numbers = [*link.position, *link.rotation, *link.axis, link.stiffness, link.damping, *(link.range or ())]
    if not np.isfinite(numbers).all() or min(link.stiffness, link.damping) < 0.0:
        raise InputError("numbers must be finite, stiffness and damping not negative", source=source, place=link.name)
    if link.range is not None and not link.range[0] < link.range[1]:
        raise InputError(f"range must rise; got {link.range}", source=source, place=link.name)
    if not link.shapes or not all(np.isfinite(s.mass) and s.mass > 0.0 and s.size[0] > 0.0 for s in link.shapes):
        raise InputError("needs shapes, each with a size and a mass above 0", source=source, place=link.name)
