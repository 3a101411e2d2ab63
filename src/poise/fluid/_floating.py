"""Compiled loop of a rigid body in a fluid; arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.fluid._kernels import LOAD, _flow, depths, drag, submerged
from poise.math._compile import njit
from poise.math._tuples import add, conj, cross, quadruple, scale, subtract, triple, turned, vector, write

Array = NDArray[np.float64]

_GRAVITY = 9.81
_RADIATION = 0.3
"""Damping of a body that bobs half under, over displaced mass times the root of gravity over its radius: of a sphere by the
waves it sends away (Havelock 1955)."""


@njit(cache=True, error_model="numpy")
def float_rigid(
    points: Array,
    triangles: NDArray[np.int64],
    state: Array,
    body: Array,
    law: Array,
    volume: tuple[Array, Array, Array],
    out: Array,
) -> None:
    """What a fluid does to a closed rigid mesh.

    Args:
        points: Vertices in the body's frame [m], shape (V, 3).
        triangles: Shape (F, 3).
        state: Place [m] (3), orientation (4), linear velocity in the world [m/s] (3), angular in its own frame [rad/s] (3).
        body: Its volume [m³] and the fluid's density [kg/m³], shape (2,).
        law: See `drag`.
        volume: Extent, current and modes of the fluid.
        out: Written: force in the world [N] (3), torque about the body's origin in its own frame [N m] (3), volume under the
            surface [m³], and by how much drag falls per velocity [kg/s], shape (8,).
    """
    extent, current, modes = volume
    place, turn, linear = triple(state, 0), quadruple(state, 3), triple(state, 7)
    spin = turned(turn, triple(state, 10))
    count, step = points.shape[0], 1.0 / law[5]
    now, before, depth = np.empty((count, 3)), np.empty((count, 3)), np.empty(count)
    for i in range(count):
        arm = turned(turn, vector(points, i))
        speed = add(linear, cross(spin, arm))
        for k in range(3):
            now[i, k] = place[k] + arm[k]
            before[i, k] = now[i, k] - step * speed[k]
    out[:] = 0.0
    depths(now, extent, modes, law[7], depth)
    under = np.empty(4)
    submerged(now, triangles, depth, under)
    size = max(under[0], 0.0)
    if size <= 0.0:
        return
    load = np.empty(LOAD)
    drag(now, before, triangles, depth, law, current, modes, load)
    density = body[1]
    center = scale((under[1], under[2], under[3]), 1.0 / under[0])
    lift = density * _GRAVITY * size
    share, radius = min(size / body[0], 1.0), (0.75 * body[0] / np.pi) ** (1.0 / 3.0)
    waves = 4.0 * share * (1.0 - share) * _RADIATION * density * size * np.sqrt(_GRAVITY / radius)
    _, _, rises = _flow(center[0], center[1], center[2], law[6], current, modes, law[7])
    up = lift - waves * (linear[2] - rises)
    force = add((load[0], load[1], load[2]), (0.0, 0.0, up))
    torque = subtract((load[3], load[4], load[5]), cross(place, (load[0], load[1], load[2])))
    torque = add(torque, cross(subtract(center, place), (0.0, 0.0, up)))
    write(out, 0, force)
    write(out, 3, turned(conj(turn), torque))
    out[6], out[7] = size, load[11] + load[15] + load[19] + waves
