"""Drag of a moving mesh, triangle by triangle (Bermudez 2018, Sec. 5).

Of each triangle that faces upstream, what is under the surface is pushed along the flow relative to it with
½ ρ C_D A |u| u, A its area seen along the flow (Eq. 6 with the textbook's half, which the paper leaves out). Body parts do not
shield one another, so two legs one behind the other are given a little too much.

Eq. 8 adds to C_D what makes the force B whatever the speed. Taken triangle by triangle as published, B is per triangle, and a
mesh twice as fine has twice the force. Here it is per area, B on `REFERENCE_AREA`: a yield stress, and, for the share of it
that is viscous, a resistance in proportion to the speed, since pastes not only have to be cut but to be moved (Bingham). The
published form is `DragForm.PUBLISHED`: no half, B per triangle and constant, triangles counted by their middles.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.fluid import _kernels
from poise.fluid.volume import FluidVolume

__all__ = [
    "REFERENCE_AREA",
    "Drag",
    "DragForm",
    "drag_law",
    "drag_on",
    "drag_torque",
    "polygon_coefficients",
    "turning_damping",
]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

REFERENCE_AREA = 0.1
"""Area on which a fluid's offset acts [m²]: about what two shanks show the water."""
SLOW = 0.05
"""Relative speed below which the offset fades, since the flow then has no direction [m/s]."""


class DragForm(Enum):
    """How Eqs. 6 and 8 are taken."""

    YIELD = "yield"
    """With the textbook's half, the offset per area and in part viscous, triangles cut at the surface."""
    PUBLISHED = "published"
    """As the paper prints it: no half, the offset per triangle, a triangle under water when its middle is."""


class Drag(NamedTuple):
    """Drag on a mesh.

    Args:
        force: [N], in the world, shape (3,).
        moment: Of all triangles' forces about the world's origin [N m], shape (3,).
        center: Center of pressure, the mean place weighted by force [m], shape (3,); NaN where there is no drag.
        total: Sum of the sizes of the triangles' forces [N].
        area: Seen along the flow [m²].
        damping: By how much the force falls per velocity of the whole mesh, -dF/dv [kg/s], shape (3, 3).
        moments: Of a third of its trace over the triangles: times x, y, z, x² + y² and z², shape (5,); see `turning_damping`.
    """

    force: Array
    moment: Array
    center: Array
    total: float
    area: float
    damping: Array
    moments: Array


def drag_on(
    vertices: Array,
    before: Array,
    triangles: Indices,
    volume: FluidVolume,
    step: float,
    *,
    time: float = 0.0,
    form: DragForm = DragForm.YIELD,
    under: Array | None = None,
) -> Drag:
    """Drag on a mesh that was elsewhere a step ago.

    Args:
        vertices: Where its vertices are [m], shape (V, 3).
        before: Where they were, shape (V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        volume: The fluid.
        step: Time since then [s].
        time: Of the fluid's waves and eddies [s].
        form: How the equations are taken.
        under: How far below the surface the vertices are [m], shape (V,), where that is known.

    Raises:
        InputError: The step is not positive.
    """
    if not step > 0.0:
        raise InputError(f"the step must be positive; got {step} s")
    depth, out = volume.depths(vertices, time) if under is None else under, np.empty(_kernels.LOAD)
    law = drag_law(volume, form, step, time)
    _kernels.drag(vertices, before, triangles, depth, law, np.array(volume.current), volume.modes, out)
    total = float(out[9])
    center = out[6:9] / total if total > 0.0 else np.full(3, np.nan)
    return Drag(out[:3], out[3:6], center, total, float(out[10]), out[11:20].reshape(3, 3), out[20:])


def drag_law(volume: FluidVolume, form: DragForm, step: float, time: float) -> Array:
    """What the kernel is told; see there."""
    fluid = volume.fluid
    published = form is DragForm.PUBLISHED
    factor = (1.0 if published else 0.5) * fluid.coefficient * fluid.density
    pressure = 0.0 if published else fluid.offset / REFERENCE_AREA
    per_area, per_speed = (1.0 - fluid.viscous) * pressure, fluid.viscous * pressure
    per_triangle = fluid.offset if published else 0.0
    return np.array([factor, per_area, per_triangle, SLOW, float(published), 1.0 / step, volume.level, time, per_speed])


def drag_torque(drag: Drag, about: Array) -> Array:
    """Torque of the whole force at the center of pressure about a point [N m] (Eq. 7); zero without drag."""
    if drag.total == 0.0:
        return np.zeros(3)
    x, y, z = drag.center - about
    u, v, w = drag.force
    return np.array([y * w - z * v, z * u - x * w, x * v - y * u])


def turning_damping(drag: Drag, about: Array) -> tuple[float, float]:
    """By how much the torque falls per rate of turning of the whole mesh, about the vertical and any level axis [N m s].

    The axes go through a point; triangles are taken to be spread over the ground alike in all directions.
    """
    (a, _, _), (_, b, _), (_, _, c) = drag.damping.tolist()
    whole = (a + b + c) / 3.0
    (x, y, z), (sx, sy, sz, level, up) = about.tolist(), drag.moments.tolist()
    vertical = level - 2.0 * (x * sx + y * sy) + whole * (x * x + y * y)
    return vertical, 0.5 * vertical + up - 2.0 * z * sz + whole * z * z


def polygon_coefficients(vertices: Array, before: Array, triangles: Indices, volume: FluidVolume, step: float) -> Array:
    """C_D of Eq. 8 of every triangle that is under water by its middle and faces upstream, as published, shape (k,)."""
    corners = vertices[triangles]
    middles = corners.mean(axis=1)
    flow = volume.flow(middles) - (middles - before[triangles].mean(axis=1)) / step
    normals = 0.5 * np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    flux = -np.sum(normals * flow, axis=1)
    speed = np.linalg.norm(flow, axis=1)
    exposed = (volume.depths(middles) > 0.0) & (flux > 1e-12)
    fluid = volume.fluid
    force = fluid.density * flux[exposed] * speed[exposed]
    return np.asarray(fluid.coefficient + fluid.offset / force)
