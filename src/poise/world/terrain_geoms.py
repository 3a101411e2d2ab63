"""Terrain as MuJoCo geoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.world.masks import Surface, paint
from poise.world.terrain import Block, HeightField, Platform, Slope, Steps, Terrain, check_terrain
from poise.world.visuals import GROUND_MATERIAL

__all__ = ["add_terrain"]

Array = NDArray[np.float64]

_DEPTH = 0.3
"""How far pieces reach below their lowest point [m], so that nothing slips under them."""
_FRICTION = (1.0, 0.005, 0.0001)
_SHADES = {"steps": (0.72, 0.70, 0.66), "slope": (0.70, 0.72, 0.66), "block": (0.66, 0.66, 0.68)}
_PLATFORM_COLOR = (0.55, 0.60, 0.68)


def add_terrain(spec: mj.MjSpec, piece: Terrain) -> None:
    """Add a piece of ground under the world.

    Raises:
        InputError: A size is not positive, a height is not a number, or a step or slope is too steep to walk on.
    """
    check_terrain(piece)
    _ADDERS[type(piece)](spec, piece)


def _finish(geom: Any, color: tuple[float, float, float] | None) -> None:
    paint(geom, Surface.GROUND)
    geom.friction = _FRICTION
    if color is None:
        geom.material = GROUND_MATERIAL
    else:
        geom.rgba = [*color, 1.0]


def _yawed(yaw: float) -> Array:
    return quat.exp(np.array([0.0, 0.0, yaw]))


def _height_field(spec: mj.MjSpec, field: HeightField) -> None:
    low, high = float(field.heights.min()), float(field.heights.max())
    span = max(high - low, 1e-6)
    rows, columns = field.heights.shape
    spec.add_hfield(
        name=field.name,
        nrow=rows,
        ncol=columns,
        size=[0.5 * field.size[0], 0.5 * field.size[1], span, _DEPTH],
        userdata=((field.heights - low) / span).ravel(),
    )
    geom = spec.worldbody.add_geom(name=field.name, type=mj.mjtGeom.mjGEOM_HFIELD, hfieldname=field.name)
    x, y, z = field.position
    geom.pos = [x, y, z + low]
    _finish(geom, None)


def _box(
    spec: mj.MjSpec, name: str, top: Array, yaw: float, length: float, width: float, depth: float, shade: str
) -> None:
    geom = spec.worldbody.add_geom(
        name=name,
        type=mj.mjtGeom.mjGEOM_BOX,
        pos=top - [0.0, 0.0, 0.5 * depth],
        size=[0.5 * length, 0.5 * width, 0.5 * depth],
        quat=_yawed(yaw),
    )
    _finish(geom, _SHADES[shade])


def _steps(spec: mj.MjSpec, steps: Steps) -> None:
    lowest = min(0.0, *steps.tops) - _DEPTH
    for number, top in enumerate(steps.tops):
        ahead = (number + 0.5) * steps.depth
        middle = np.add(steps.position, [ahead * np.cos(steps.yaw), ahead * np.sin(steps.yaw), top])
        _box(spec, f"{steps.name}/{number}", middle, steps.yaw, steps.depth, steps.width, top - lowest, "steps")


def _slope(spec: mj.MjSpec, slope: Slope) -> None:
    half = 0.5 * slope.width
    corners = [
        (x, y, z)
        for y in (-half, half)
        for x, z in ((0.0, 0.0), (slope.length, slope.rise), (0.0, -_DEPTH), (slope.length, -_DEPTH))
    ]
    spec.add_mesh(name=slope.name, uservert=np.ravel(corners))
    geom = spec.worldbody.add_geom(
        name=slope.name, type=mj.mjtGeom.mjGEOM_MESH, meshname=slope.name, pos=slope.position, quat=_yawed(slope.yaw)
    )
    _finish(geom, _SHADES["slope"])


def _block(spec: mj.MjSpec, block: Block) -> None:
    top = np.array(block.position)
    _box(spec, block.name, top, block.yaw, *block.size, max(top[2], 0.0) + _DEPTH, "block")


def _platform(spec: mj.MjSpec, platform: Platform) -> None:
    half = 0.5 * platform.thickness
    body = spec.worldbody.add_body(name=platform.name, pos=platform.position, quat=_yawed(platform.yaw))
    body.sleep = mj.mjtSleepPolicy.mjSLEEP_NEVER
    body.add_joint(name=platform.name, type=mj.mjtJoint.mjJNT_SLIDE, axis=[0, 0, 1])
    size = [0.5 * platform.size[0], 0.5 * platform.size[1], half]
    geom = body.add_geom(name=platform.name, type=mj.mjtGeom.mjGEOM_BOX, pos=[0, 0, -half], size=size)
    paint(geom, Surface.BODY)
    geom.friction = _FRICTION
    geom.rgba = [*_PLATFORM_COLOR, 1.0]


_ADDERS: dict[type, Callable[..., None]] = {
    HeightField: _height_field,
    Steps: _steps,
    Slope: _slope,
    Block: _block,
    Platform: _platform,
}
