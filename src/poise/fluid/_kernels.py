"""Compiled loops over points and triangles in a fluid."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math._compile import njit

Array = NDArray[np.float64]

_BESIDE = -1e9
LOAD = 25
"""How many numbers `drag` writes."""


@njit(cache=True, error_model="numpy")
def _rise(x: float, y: float, modes: Array, time: float) -> float:
    """How far waves lift the surface over its level at a place [m]."""
    rise = 0.0
    for mode in modes:
        if mode[8] > 0.0:
            amplitude = np.sqrt(mode[5] * mode[5] + mode[6] * mode[6]) / mode[3]
            rise += amplitude * np.cos(mode[0] * x + mode[1] * y - mode[3] * time + mode[4])
    return rise


@njit(cache=True, error_model="numpy")
def _flow(x: float, y: float, z: float, level: float, current: Array, modes: Array, time: float):  # type: ignore[no-untyped-def]
    """Velocity of the fluid at a point [m/s]."""
    u, v, w = current[0], current[1], current[2]
    for mode in modes:
        angle = mode[0] * x + mode[1] * y + mode[2] * z - mode[3] * time + mode[4]
        if mode[8] > 0.0:
            number, depth = mode[8], mode[9]
            up = number * min(max(z - level + depth, 0.0), 1.2 * depth)
            bottom = np.sinh(number * depth)
            level_part = np.cosh(up) / bottom * np.cos(angle)
            u += mode[5] * level_part
            v += mode[6] * level_part
            w += np.sqrt(mode[5] * mode[5] + mode[6] * mode[6]) * np.sinh(up) / bottom * np.sin(angle)
        else:
            wave = np.cos(angle)
            u += mode[5] * wave
            v += mode[6] * wave
            w += mode[7] * wave
    return u, v, w


@njit(cache=True, error_model="numpy")
def depths(points: Array, extent: Array, modes: Array, time: float, out: Array) -> None:
    """How far points (N, 3) are below the surface [m], shape (N,); `_BESIDE` outside the extent."""
    # Read once: numba has to allow for `out` being part of them.
    across_it, along_it, cosine, sine = extent[1], extent[0], extent[2], extent[3]
    long, wide, level, waves = extent[4], extent[5], extent[6], len(modes) > 0
    for i in range(len(points)):
        x, y = points[i, 0] - along_it, points[i, 1] - across_it
        along, across = cosine * x + sine * y, cosine * y - sine * x
        if abs(along) > long or abs(across) > wide:
            out[i] = _BESIDE
        else:
            out[i] = level - points[i, 2]
            if waves:
                out[i] += _rise(points[i, 0], points[i, 1], modes, time)


@njit(cache=True, error_model="numpy")
def flows(points: Array, level: float, current: Array, modes: Array, time: float, out: Array) -> None:
    """Velocity of the fluid at points (N, 3) [m/s], shape (N, 3)."""
    for i in range(len(points)):
        out[i, 0], out[i, 1], out[i, 2] = _flow(points[i, 0], points[i, 1], points[i, 2], level, current, modes, time)


@njit(cache=True, error_model="numpy")
def _under(a: float, b: float, c: float):  # type: ignore[no-untyped-def]
    """Share of a triangle's area under the surface, and the weights of its corners in the middle of that part.

    Depths of the corners are a, b, c, some positive and some not.
    """
    if (a > 0.0) + (b > 0.0) + (c > 0.0) == 1:
        # One corner wet: a small triangle at it.
        if a > 0.0:
            s, t = a / (a - b), a / (a - c)
            return s * t, (3.0 - s - t) / 3.0, s / 3.0, t / 3.0
        if b > 0.0:
            s, t = b / (b - c), b / (b - a)
            return s * t, t / 3.0, (3.0 - s - t) / 3.0, s / 3.0
        s, t = c / (c - a), c / (c - b)
        return s * t, s / 3.0, t / 3.0, (3.0 - s - t) / 3.0
    # One corner dry: the whole less a small triangle at it.
    if a <= 0.0:
        s, t = a / (a - b), a / (a - c)
        dry = s * t
        p, q, r = (3.0 - s - t) / 3.0, s / 3.0, t / 3.0
    elif b <= 0.0:
        s, t = b / (b - c), b / (b - a)
        dry = s * t
        p, q, r = t / 3.0, (3.0 - s - t) / 3.0, s / 3.0
    else:
        s, t = c / (c - a), c / (c - b)
        dry = s * t
        p, q, r = s / 3.0, t / 3.0, (3.0 - s - t) / 3.0
    wet = max(1.0 - dry, 1e-12)
    third = 1.0 / 3.0
    return 1.0 - dry, (third - dry * p) / wet, (third - dry * q) / wet, (third - dry * r) / wet


@njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}, forceinline=True)
def _falls(out, scales, flow, normal, place):
    """Add how a triangle's force falls as the body speeds up: -dF/dv = scale I + u dscale/du; of that -n is the fluid's."""
    scale, factor, flux = scales
    u, v, w = flow
    nx, ny, nz = normal
    x, y, z = place
    out[11] += scale - factor * u * nx
    out[12] -= factor * u * ny
    out[13] -= factor * u * nz
    out[14] -= factor * v * nx
    out[15] += scale - factor * v * ny
    out[16] -= factor * v * nz
    out[17] -= factor * w * nx
    out[18] -= factor * w * ny
    out[19] += scale - factor * w * nz
    fall = scale + factor * flux / 3.0
    out[20] += fall * x
    out[21] += fall * y
    out[22] += fall * z
    out[23] += fall * (x * x + y * y)
    out[24] += fall * z * z


@njit(cache=True, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})
def drag(
    vertices: Array,
    before: Array,
    triangles: NDArray[np.int64],
    depth: Array,
    law: Array,
    current: Array,
    modes: Array,
    out: Array,
) -> None:
    """Drag of all triangles (Eq. 6 with Eq. 8), summed.

    Args:
        vertices: Where they are [m], shape (V, 3).
        before: Where they were a step ago [m], shape (V, 3).
        triangles: Shape (F, 3).
        depth: Of each vertex under the surface [m], shape (V,).
        law: Factor of area times speed squared [kg/m³], offset per area [N/m²], offset per triangle [N], speed below which
            offsets fade [m/s], 1 to count a triangle by its middle, one over the step [1/s], level [m], time [s], factor of
            area times speed [N s/m³].
        current: Of the fluid [m/s], shape (3,).
        modes: Its waves and eddies.
        out: Written: force (3), moment about the origin (3), sum of force times place (3) and of force, area, and the rate at
            which the force falls with velocity (9), a third of its trace for each triangle, times place (3), times
            x² + y² and times z², shape (LOAD,).
    """
    factor, per_area, per_triangle, slow, by_middle = law[0], law[1], law[2], law[3], law[4] != 0.0
    inverse, level, time, per_speed = law[5], law[6], law[7], law[8]
    out[:] = 0.0
    for f in range(len(triangles)):
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        a, b, c = depth[i], depth[j], depth[k]
        if a <= 0.0 and b <= 0.0 and c <= 0.0:
            continue
        third = 1.0 / 3.0
        share, p, q, r = 1.0, third, third, third
        if by_middle:
            if a + b + c <= 0.0:
                continue
        elif a <= 0.0 or b <= 0.0 or c <= 0.0:
            share, p, q, r = _under(max(a, -1e3), max(b, -1e3), max(c, -1e3))
        x = p * vertices[i, 0] + q * vertices[j, 0] + r * vertices[k, 0]
        y = p * vertices[i, 1] + q * vertices[j, 1] + r * vertices[k, 1]
        z = p * vertices[i, 2] + q * vertices[j, 2] + r * vertices[k, 2]
        u = current[0] - (x - p * before[i, 0] - q * before[j, 0] - r * before[k, 0]) * inverse
        v = current[1] - (y - p * before[i, 1] - q * before[j, 1] - r * before[k, 1]) * inverse
        w = current[2] - (z - p * before[i, 2] - q * before[j, 2] - r * before[k, 2]) * inverse
        if len(modes):
            eu, ev, ew = _flow(x, y, z, level, np.zeros(3), modes, time)
            u, v, w = u + eu, v + ev, w + ew
        ax, ay, az = vertices[j, 0] - vertices[i, 0], vertices[j, 1] - vertices[i, 1], vertices[j, 2] - vertices[i, 2]
        bx, by, bz = vertices[k, 0] - vertices[i, 0], vertices[k, 1] - vertices[i, 1], vertices[k, 2] - vertices[i, 2]
        half = 0.5 * share
        nx, ny, nz = half * (ay * bz - az * by), half * (az * bx - ax * bz), half * (ax * by - ay * bx)
        # Area times how fast it is run into; positive where the triangle faces upstream.
        flux = -(nx * u + ny * v + nz * w)
        if flux <= 0.0:
            continue
        square = u * u + v * v + w * w
        blurred = square + slow * slow
        slowly = 1.0 / np.sqrt(blurred)
        scale = factor * flux + slowly * (flux * (per_area * slowly + per_speed) + per_triangle)
        fx, fy, fz = scale * u, scale * v, scale * w
        size = scale * np.sqrt(square)
        out[0] += fx
        out[1] += fy
        out[2] += fz
        out[3] += y * fz - z * fy
        out[4] += z * fx - x * fz
        out[5] += x * fy - y * fx
        out[6] += size * x
        out[7] += size * y
        out[8] += size * z
        out[9] += size
        out[10] += flux / np.sqrt(max(square, 1e-18))
        _falls(out, (scale, factor, flux), (u, v, w), (nx, ny, nz), (x, y, z))


@njit(cache=True, error_model="numpy")
def submerged(vertices: Array, triangles: NDArray[np.int64], depth: Array, out: Array) -> None:
    """Volume under the surface, and volume times its middle, of a closed mesh: out (4,).

    Triangles are cut at the surface; the lid needs no triangles, since seen from a point in its plane it has no volume.
    """
    out[:] = 0.0
    # All depths count from one plane where the surface is level; waves are taken as they stand at each vertex.
    x, y, level, count = 0.0, 0.0, 0.0, 0
    for i in range(len(vertices)):
        if depth[i] > 0.0:
            x += vertices[i, 0]
            y += vertices[i, 1]
            level += depth[i] + vertices[i, 2]
            count += 1
    if count == 0:
        return
    lid = np.array((x / count, y / count, level / count))
    volume, mx, my, mz = 0.0, 0.0, 0.0, 0.0
    corners = np.empty((4, 3))
    for f in range(len(triangles)):
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        if depth[i] <= 0.0 and depth[j] <= 0.0 and depth[k] <= 0.0:
            continue
        if depth[i] > 0.0 and depth[j] > 0.0 and depth[k] > 0.0:
            ax, ay, az = vertices[i, 0] - lid[0], vertices[i, 1] - lid[1], vertices[i, 2] - lid[2]
            bx, by, bz = vertices[j, 0] - lid[0], vertices[j, 1] - lid[1], vertices[j, 2] - lid[2]
            cx, cy, cz = vertices[k, 0] - lid[0], vertices[k, 1] - lid[1], vertices[k, 2] - lid[2]
            part = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6.0
            volume += part
            mx += part * (0.25 * (ax + bx + cx) + lid[0])
            my += part * (0.25 * (ay + by + cy) + lid[1])
            mz += part * (0.25 * (az + bz + cz) + lid[2])
            continue
        n = 0
        for side in range(3):
            i, j = triangles[f, side], triangles[f, (side + 1) % 3]
            if depth[i] > 0.0:
                for m in range(3):
                    corners[n, m] = vertices[i, m] - lid[m]
                n += 1
            if (depth[i] > 0.0) != (depth[j] > 0.0):
                s = depth[i] / (depth[i] - depth[j])
                for m in range(3):
                    corners[n, m] = vertices[i, m] + s * (vertices[j, m] - vertices[i, m]) - lid[m]
                n += 1
        ax, ay, az = corners[0, 0], corners[0, 1], corners[0, 2]
        for m in range(1, n - 1):
            bx, by, bz = corners[m, 0], corners[m, 1], corners[m, 2]
            cx, cy, cz = corners[m + 1, 0], corners[m + 1, 1], corners[m + 1, 2]
            part = (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6.0
            volume += part
            mx += part * (0.25 * (ax + bx + cx) + lid[0])
            my += part * (0.25 * (ay + by + cy) + lid[1])
            mz += part * (0.25 * (az + bz + cz) + lid[2])
    out[0], out[1], out[2], out[3] = volume, mx, my, mz


@njit(cache=True, error_model="numpy")
def columns(
    vertices: Array, triangles: NDArray[np.int64], level: float, reach: float, origin: Array, cell: float, out: Array
) -> None:
    """Add what a closed mesh takes up below a level, down to a reach, to the columns (ny, nx) of a grid [m].

    Each triangle's shadow on the surface, times how deep it lies, is given to the four nodes around its middle: triangles that
    look down take up what lies over them, those that look up give it back.
    """
    rows, count = out.shape
    for f in range(len(triangles)):
        i, j, k = triangles[f, 0], triangles[f, 1], triangles[f, 2]
        a, b, c = level - vertices[i, 2], level - vertices[j, 2], level - vertices[k, 2]
        if a <= 0.0 and b <= 0.0 and c <= 0.0:
            continue
        third = 1.0 / 3.0
        share, p, q, r = 1.0, third, third, third
        if a <= 0.0 or b <= 0.0 or c <= 0.0:
            share, p, q, r = _under(a, b, c)
        up = 0.5 * (
            (vertices[j, 0] - vertices[i, 0]) * (vertices[k, 1] - vertices[i, 1])
            - (vertices[j, 1] - vertices[i, 1]) * (vertices[k, 0] - vertices[i, 0])
        )
        amount = -share * up * min(p * a + q * b + r * c, reach) / (cell * cell)
        x = (p * vertices[i, 0] + q * vertices[j, 0] + r * vertices[k, 0] - origin[0]) / cell
        y = (p * vertices[i, 1] + q * vertices[j, 1] + r * vertices[k, 1] - origin[1]) / cell
        column, row = int(np.floor(x)), int(np.floor(y))
        if column < 0 or row < 0 or column + 1 >= count or row + 1 >= rows:
            continue
        u, v = x - column, y - row
        out[row, column] += amount * (1.0 - u) * (1.0 - v)
        out[row, column + 1] += amount * u * (1.0 - v)
        out[row + 1, column] += amount * (1.0 - u) * v
        out[row + 1, column + 1] += amount * u * v
