"""Where a stance goes on uneven ground: a place near its footprint where the whole sole finds support.

A foothold is a plane through the ground under the sole, or under its front where the heel sticks out over an edge, raised
until it all but touches. Places are tried around the footprint
and the cheapest is taken; a cost of 1 is a shift by `_SHIFT_COST`, a bump of `_BUMP_COST` under the sole, or `_TILT_COST`
beyond an easy slope. An edge close to the toes or the heel costs as a stumble does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.soles import Sole
from poise.locomotion.stances import Stance
from poise.math import quat
from poise.signals import Ground

__all__ = ["Foothold", "find_footholds"]

Array = NDArray[np.float64]

_AHEAD, _ASIDE = np.linspace(-0.24, 0.24, 25), np.linspace(-0.04, 0.04, 3)
"""Shifts that are tried, along and across the footprint [m]."""
_SHIFT_COST, _BUMP_COST = 0.12, 0.008
_EASY, _TILT_COST = np.radians(22.0), np.radians(6.0)
_STEEPEST = np.radians(30.0)
"""A sole is never tilted more than this [rad]."""
_EDGE, _EDGE_COST = 0.03, 3.0
"""What lies this much above the sole's plane before its toes, or behind its heel, is an edge [m]."""
_FRONT, _OVERHANG_COST = -0.4, 4.0
"""A foot may stand on what lies before this point of its sole (in half lengths), its heel over an edge."""
_MARGINS = np.array([-1.25, 1.25, 1.6])
"""Where edges are looked for along the sole, in half lengths; its own toes and heel are at 1 and -1."""
_SINKS = 0.002
"""How deep the highest ground is in a sole that stands on it [m]."""
_HOLE_COST = 1e3


@dataclass(frozen=True, eq=False)
class Foothold:
    """Where a sole stands.

    Args:
        position: Middle of the sole [m], shape (3,).
        rotation: Orientation of the sole's axes in the world, wxyz, shape (4,).
        tilt: The part of it that follows the ground's slope, wxyz, shape (4,).
        solid: Whether there is ground; over a hole the height is not meant.
    """

    position: Array
    rotation: Array
    tilt: Array
    solid: bool


class _Fits(NamedTuple):
    """Planes a + b u + c v under soles (u along, v across), shape (..., 3), largest distance from them [m], any hole."""

    planes: Array
    bumps: Array
    holes: NDArray[np.bool_]


def find_footholds(ground: Ground, sole: Sole, stances: Sequence[Stance], rate: float) -> tuple[Foothold, ...]:
    """One foothold per stance of a foot.

    Args:
        ground: What to stand on.
        sole: The foot's sole.
        stances: Its stances, whose footprints lie on flat ground.
        rate: Frames per second, for ground that moves: it is taken as it is in the middle of the stance.
    """
    if not stances:
        return ()
    yaws = np.array([stance.yaw for stance in stances])
    times = np.array([0.5 * (stance.first + stance.last) / rate for stance in stances])
    ahead, aside = np.meshgrid(_AHEAD, _ASIDE, indexing="ij")
    shifts = np.stack([ahead.ravel(), aside.ravel()], axis=-1)
    centres = np.array([stance.place for stance in stances])[:, None] + _turned(yaws[:, None], shifts)
    u, v = _sole_grid(sole)
    whole = _fit(ground, centres, yaws[:, None], times[:, None], u, v, np.ones(len(u), dtype=bool))
    front = _fit(ground, centres, yaws[:, None], times[:, None], u, v, u >= _FRONT * sole.half[0])
    far = np.sum((shifts / [_SHIFT_COST, 0.5 * _SHIFT_COST]) ** 2, axis=-1)
    costs = [far + _cost(ground, sole, centres, yaws, times, fits) for fits in (whole, front)]
    cost = np.concatenate([costs[0], costs[1] + _OVERHANG_COST], axis=1)
    centres = np.concatenate([centres, centres], axis=1)
    planes, holes = np.concatenate([whole.planes, front.planes], axis=1), np.concatenate([whole.holes] * 2, axis=1)
    best = np.argmin(cost, axis=1)
    return tuple(
        _stand(ground, sole, centres[s, b], yaws[s], times[s], planes[s, b], not holes[s, b])
        for s, b in enumerate(best)
    )


def _cost(ground: Ground, sole: Sole, centres: Array, yaws: Array, times: Array, fits: _Fits) -> Array:
    """What it costs to stand on planes, but for the shift there, shape (stances, places)."""
    tilts = np.arctan(np.hypot(fits.planes[..., 1], fits.planes[..., 2]))
    cost = (fits.bumps / _BUMP_COST) ** 2 + (np.maximum(tilts - _EASY, 0.0) / _TILT_COST) ** 2
    edges = _edge_cost(ground, centres, yaws[:, None], times[:, None], sole, fits.planes)
    return np.asarray(cost + edges + _HOLE_COST * fits.holes)


def _turned(yaw: Array, shifts: Array) -> Array:
    """Shifts (..., 2) along and across a heading, in the world."""
    c, s = np.cos(yaw), np.sin(yaw)
    return np.stack([c * shifts[..., 0] - s * shifts[..., 1], s * shifts[..., 0] + c * shifts[..., 1]], axis=-1)


def _sole_grid(sole: Sole) -> tuple[Array, Array]:
    u, v = np.meshgrid(np.linspace(-1.0, 1.0, 7), np.linspace(-0.9, 0.9, 3), indexing="ij")
    return sole.half[0] * u.ravel(), sole.half[1] * v.ravel()


def _heights(ground: Ground, centres: Array, yaws: Array, times: Array, u: Array, v: Array) -> Array:
    """Ground under points (u, v) of soles at `centres` (..., 2), shape (..., k)."""
    places = centres[..., None, :] + _turned(yaws[..., None], np.stack([u, v], axis=-1))
    return ground.height(places, np.broadcast_to(times[..., None], places.shape[:-1]))


def _fit(
    ground: Ground, centres: Array, yaws: Array, times: Array, u: Array, v: Array, held: NDArray[np.bool_]
) -> _Fits:
    """Planes through the ground under the held part of the sole; under the rest it may be lower."""
    heights = _heights(ground, centres, yaws, times, u, v)
    holes = np.asarray(np.isnan(heights).any(axis=-1))
    heights = np.where(np.isnan(heights), 0.0, heights)
    design = np.stack([np.ones_like(u), u, v], axis=-1)
    planes = heights[..., held] @ np.linalg.pinv(design[held]).T
    above = heights - planes @ design.T
    bumps = np.where(held, np.abs(above), np.maximum(above, 0.0)).max(axis=-1)
    return _Fits(planes, bumps, holes)


def _edge_cost(ground: Ground, centres: Array, yaws: Array, times: Array, sole: Sole, planes: Array) -> Array:
    u = np.repeat(_MARGINS * sole.half[0], 2)
    v = np.tile(np.array([-0.8, 0.8]) * sole.half[1], len(_MARGINS))
    heights = _heights(ground, centres, yaws, times, u, v)
    above = heights - planes @ np.stack([np.ones_like(u), u, v])
    before, behind = u > 0.0, u < 0.0
    stumble = (above[..., before] > _EDGE).mean(axis=-1)
    slip = (np.abs(above[..., behind]) > _EDGE).mean(axis=-1)
    return np.asarray(_EDGE_COST * (stumble + 0.3 * slip))


def _stand(ground: Ground, sole: Sole, place: Array, yaw: float, time: float, plane: Array, solid: bool) -> Foothold:
    heading = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), yaw)
    steep = float(np.hypot(plane[1], plane[2]))
    slope = plane[1:] * min(1.0, np.tan(_STEEPEST) / max(steep, 1e-12)) if solid else np.zeros(2)
    normal = quat.rotate(heading, np.array([-slope[0], -slope[1], 1.0]))
    tilt = quat.between(np.array([0.0, 0.0, 1.0]), normal)
    rotation = quat.mul(tilt, heading)
    u, v = _sole_grid(sole)
    under = quat.rotate(rotation, np.stack([u, v, np.zeros_like(u)], axis=-1))
    if not solid:
        return Foothold(np.array([*place, 0.0]), np.asarray(rotation), np.asarray(tilt), False)
    heights = ground.height(place + under[:, :2], np.full(len(u), time))
    level = float(np.nanmax(heights - under[:, 2])) - _SINKS
    return Foothold(np.array([*place, level]), np.asarray(rotation), np.asarray(tilt), bool(np.isfinite(level)))
