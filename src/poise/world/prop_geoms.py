"""Props as MuJoCo bodies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco as mj
import numpy as np

from poise.errors import InputError
from poise.math import quat
from poise.world.masks import Surface, paint
from poise.world.props import Ball, Box, Fence, Gate, Hanging, Plant, Prop, Wall

__all__ = ["add_prop", "land_firmly"]

_UP = np.array([0.0, 0.0, 1.0])
_WOOD = (0.55, 0.42, 0.28)
_STONE = (0.6, 0.6, 0.62)
_ROPE = (0.75, 0.7, 0.6)
_TRUNK_RADIUS = 0.06
_PLANT_FRICTION = (0.3, 0.005, 0.0001)
_PLANT_TIME, _HANGING_TIME, _SOFT = 0.06, 0.05, (0.01, 0.95, 0.015, 0.5, 2.0)
"""What grows or hangs gives way where it is touched, whatever touches it: over this time [s], and the more firmly the deeper,
up to 15 mm (MuJoCo's `solimp`)."""

_LANDS = 0.006
"""How long a ball sinks into the floor [s], a third of MuJoCo's own: at 5 m/s it went in by half its radius."""
_ABOVE = 0.01
"""A ball that begins no higher above the floor lies there, held, and touches as everything does [m]."""


def land_firmly(spec: mj.MjSpec, ball: Ball, floor: float) -> None:
    """Let a ball that was added land on a floor of that height [m] as on something hard, however soft all else is."""
    if ball.position[2] - ball.radius > floor + _ABOVE:
        spec.add_pair(geomname1="ground", geomname2=ball.name, solref=[_LANDS, 1.0])


def add_prop(spec: mj.MjSpec, prop: Prop) -> None:
    """Add a prop under the world.

    Raises:
        InputError: A size, mass or stiffness of the prop is not positive, or a number is not finite.
    """
    _check(prop)
    _ADDERS[type(prop)](spec, prop)


def _check(prop: Prop) -> None:
    source = f"prop {prop.name!r}"
    for field in ("mass", "length", "width", "height", "thickness", "rope", "radius", "stem_radius"):
        value = getattr(prop, field, 1.0)
        if not (np.isfinite(value) and value > 0.0):
            raise InputError(f"{field} must be positive; got {value}", source=source)
    for field in ("stiffness", "damping", "crown_radius", "time"):
        value = getattr(prop, field, 0.0)
        if not (np.isfinite(value) and value >= 0.0):
            raise InputError(f"{field} must not be negative; got {value}", source=source)
    for field in ("position", "velocity", "direction", "yaw"):
        if not np.isfinite(getattr(prop, field, 0.0)).all():
            raise InputError(f"{field} must be finite; got {getattr(prop, field)}", source=source)
    _check_shape(prop, source)


def _check_shape(prop: Prop, source: str) -> None:
    if isinstance(prop, Plant | Fence) and prop.stiffness == 0.0:
        raise InputError("stiffness must be positive, or it would fall over", source=source)
    if isinstance(prop, Plant) and not 1 <= prop.links <= 20:
        raise InputError(f"links must lie between 1 and 20; got {prop.links}", source=source)
    if isinstance(prop, Plant) and not np.linalg.norm(prop.direction) > 0.0:
        raise InputError("direction must not be zero", source=source)
    if isinstance(prop, Plant) and not 0.0 <= prop.crown_share <= 1.0:
        raise InputError(f"crown_share must lie between 0 and 1; got {prop.crown_share}", source=source)
    if isinstance(prop, Box | Wall | Hanging):
        needed = prop.size[:1] if isinstance(prop, Hanging) and prop.shape == "sphere" else prop.size
        if not (np.isfinite(needed).all() and min(needed) > 0.0):
            raise InputError(f"size must be positive; got {prop.size}", source=source)
    if isinstance(prop, Hanging) and (prop.shape not in ("sphere", "box") or prop.ropes not in (1, 2)):
        raise InputError(
            f"a hanging thing is a 'sphere' or a 'box' on 1 or 2 ropes; got {prop.shape!r} on {prop.ropes}",
            source=source,
        )


def _finish(geom: Any, surface: Surface, color: tuple[float, float, float]) -> Any:
    """Whom a geom touches, and its color."""
    paint(geom, surface)
    geom.rgba = [*color, 1.0]
    return geom


def _soften(geom: Any, time: float) -> None:
    geom.solref, geom.solimp, geom.priority = [time, 1.0], _SOFT, 1


def _capsule(
    body: Any, start: Any, end: Any, radius: float, mass: float, surface: Surface, color: tuple[float, float, float]
) -> Any:
    geom = body.add_geom(type=mj.mjtGeom.mjGEOM_CAPSULE, fromto=[*start, *end], size=[radius, 0, 0], mass=mass)
    return _finish(geom, surface, color)


def _box(body: Any, centre: Any, half: Any, mass: float, surface: Surface, color: tuple[float, float, float]) -> Any:
    geom = body.add_geom(type=mj.mjtGeom.mjGEOM_BOX, pos=centre, size=half, mass=mass)
    return _finish(geom, surface, color)


def _hinge(body: Any, name: str, axis: Any, stiffness: float, damping: float) -> None:
    body.add_joint(
        name=name,
        type=mj.mjtJoint.mjJNT_HINGE,
        axis=axis,
        stiffness=[stiffness, 0, 0],
        damping=[damping, 0, 0],
        armature=1e-4,
    )


def _plant(spec: mj.MjSpec, plant: Plant) -> None:
    step = plant.length / plant.links
    stem_mass = plant.mass * (1.0 - plant.crown_share if plant.crown_radius else 1.0) / plant.links
    if plant.trunk:
        foot = np.array([plant.position[0], plant.position[1], 0.0])
        trunk = _capsule(spec.worldbody, foot, plant.position, _TRUNK_RADIUS, 0.0, Surface.FIXED, _WOOD)
        trunk.name = f"{plant.name}/trunk"
    parent, place = spec.worldbody, np.array(plant.position)
    turn = quat.between(_UP, plant.direction)
    for link in range(plant.links):
        body = parent.add_body(name=f"{plant.name}/{link}", pos=place, quat=turn)
        for axis, direction in (("x", [1, 0, 0]), ("y", [0, 1, 0])):
            _hinge(body, f"{plant.name}/{link}{axis}", direction, plant.stiffness, plant.damping)
        # Clear of what it grows from.
        start = min(_TRUNK_RADIUS + 2.0 * plant.stem_radius, 0.5 * step) if plant.trunk and link == 0 else 0.0
        radius = plant.stem_radius * (1.0 - 0.5 * link / plant.links)
        geom = _capsule(body, [0, 0, start], [0, 0, step], radius, stem_mass, Surface.PLANT, plant.color)
        geom.friction = _PLANT_FRICTION
        _soften(geom, _PLANT_TIME)
        parent, place, turn = body, np.array([0.0, 0.0, step]), quat.IDENTITY
    if plant.crown_radius:
        crown = parent.add_geom(
            type=mj.mjtGeom.mjGEOM_SPHERE,
            pos=[0, 0, step],
            size=[plant.crown_radius, 0, 0],
            mass=plant.mass * plant.crown_share,
            friction=_PLANT_FRICTION,
        )
        _soften(_finish(crown, Surface.PLANT, plant.crown_color), _PLANT_TIME)


def _yawed(yaw: float) -> Any:
    return quat.exp(yaw * _UP)


def _fence(spec: mj.MjSpec, fence: Fence) -> None:
    body = spec.worldbody.add_body(name=fence.name, pos=fence.position, quat=_yawed(fence.yaw))
    _hinge(body, fence.name, [1, 0, 0], fence.stiffness, fence.damping)
    _slats(body, 0.0, fence.width, fence.height, fence.thickness, fence.mass)


def _gate(spec: mj.MjSpec, gate: Gate) -> None:
    post = np.array(gate.position)
    top = post + np.array([0.0, 0.0, gate.height + 0.15])
    _capsule(spec.worldbody, post, top, 0.05, 0.0, Surface.FIXED, _WOOD).name = f"{gate.name}/post"
    body = spec.worldbody.add_body(name=gate.name, pos=gate.position, quat=_yawed(gate.yaw))
    _hinge(body, gate.name, [0, 0, 1], gate.stiffness, gate.damping)
    _slats(body, 0.5 * gate.width + 0.06, gate.width, gate.height, gate.thickness, gate.mass)


def _slats(body: Any, middle: float, width: float, height: float, thickness: float, mass: float) -> None:
    """A panel as two rails and three boards, whose masses add up; boards end a fifth above the ground and in the top rail."""
    half = 0.5 * thickness
    for level in (0.35, 0.94):
        _box(
            body,
            [middle, 0, level * height],
            [0.5 * width, half, 0.06 * height],
            0.2 * mass,
            Surface.PLANT,
            _WOOD,
        )
    for place in (-0.42, 0.0, 0.42):
        centre = [middle + place * width, 0, 0.595 * height]
        _box(body, centre, [0.07 * width, 0.96 * half, 0.395 * height], 0.2 * mass, Surface.PLANT, _WOOD)


def _hanging(spec: mj.MjSpec, thing: Hanging) -> None:
    body = spec.worldbody.add_body(name=thing.name, pos=thing.position, quat=_yawed(thing.yaw))
    if thing.ropes == 2:
        _hinge(body, thing.name, [1, 0, 0], 0.0, thing.damping)
    else:
        body.add_joint(name=thing.name, type=mj.mjtJoint.mjJNT_BALL, damping=[thing.damping, 0, 0], armature=1e-4)
    spread = thing.size[0] * 0.9 if thing.ropes == 2 else 0.0
    top = thing.size[0] if thing.shape == "sphere" else thing.size[2]
    for place in ({-spread, spread}) if spread else {0.0}:
        rope = _capsule(body, [place, 0, 0], [place, 0, -thing.rope], 0.006, 0.005, Surface.PLANT, _ROPE)
        _soften(rope, _HANGING_TIME)
    centre = [0, 0, -thing.rope - top]
    if thing.shape == "sphere":
        geom = body.add_geom(type=mj.mjtGeom.mjGEOM_SPHERE, pos=centre, size=thing.size, mass=thing.mass)
        _finish(geom, Surface.PLANT, thing.color)
    else:
        geom = _box(body, centre, thing.size, thing.mass, Surface.PLANT, thing.color)
    _soften(geom, _HANGING_TIME)


def _ball(spec: mj.MjSpec, ball: Ball) -> None:
    body = spec.worldbody.add_body(name=ball.name, pos=ball.position)
    body.sleep = mj.mjtSleepPolicy.mjSLEEP_NEVER
    body.add_freejoint(name=ball.name)
    geom = body.add_geom(name=ball.name, type=mj.mjtGeom.mjGEOM_SPHERE, size=[ball.radius, 0, 0], mass=ball.mass)
    _finish(geom, Surface.BODY, ball.color)


def _loose_box(spec: mj.MjSpec, box: Box) -> None:
    body = spec.worldbody.add_body(name=box.name, pos=box.position, quat=_yawed(box.yaw))
    body.add_freejoint(name=box.name)
    _box(body, [0, 0, 0], box.size, box.mass, Surface.BODY, box.color)


def _wall(spec: mj.MjSpec, wall: Wall) -> None:
    geom = _box(spec.worldbody, wall.position, wall.size, 0.0, Surface.FIXED, _STONE)
    geom.quat = _yawed(wall.yaw)
    geom.name = wall.name


_ADDERS: dict[type, Callable[..., None]] = {
    Plant: _plant,
    Fence: _fence,
    Gate: _gate,
    Hanging: _hanging,
    Ball: _ball,
    Box: _loose_box,
    Wall: _wall,
}
