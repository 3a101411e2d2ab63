"""Compiled loops: closest points on spheres, capsules and boxes, and what hides them; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import add, clip, cross, dot, length, put, scale, subtract, triple, vector

SPHERE, CAPSULE, BOX = 2, 3, 6


@njit(cache=True, error_model="numpy", forceinline=True)
def _matrix(turns, geom):
    m = turns[geom]
    return (m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])


@njit(cache=True, error_model="numpy", forceinline=True)
def _inward(turn, away):
    """A vector of the world in a frame given by its matrix, row by row."""
    return (
        turn[0] * away[0] + turn[3] * away[1] + turn[6] * away[2],
        turn[1] * away[0] + turn[4] * away[1] + turn[7] * away[2],
        turn[2] * away[0] + turn[5] * away[1] + turn[8] * away[2],
    )


@njit(cache=True, error_model="numpy", forceinline=True)
def _outward(turn, local):
    return (
        turn[0] * local[0] + turn[1] * local[1] + turn[2] * local[2],
        turn[3] * local[0] + turn[4] * local[1] + turn[5] * local[2],
        turn[6] * local[0] + turn[7] * local[1] + turn[8] * local[2],
    )


@njit(cache=True, error_model="numpy", forceinline=True)
def _box_face(local, size):
    """Way out of a box through the nearest face, and how deep inside a point is."""
    face, depth = 0, size[0] - abs(local[0])
    for i in range(1, 3):
        if size[i] - abs(local[i]) < depth:
            face, depth = i, size[i] - abs(local[i])
    side = 1.0 if local[face] >= 0.0 else -1.0
    return (side if face == 0 else 0.0, side if face == 1 else 0.0, side if face == 2 else 0.0), depth


@njit(cache=True, error_model="numpy", forceinline=True)
def _closest(kind, size, place, turn, spot):
    """Signed distance from `spot` to one shape, the closest point on it and the outward normal there."""
    local = _inward(turn, subtract(spot, place))
    radius = 0.0 if kind == BOX else size[0]
    if kind == BOX:
        core = (clip(local[0], -size[0], size[0]), clip(local[1], -size[1], size[1]), clip(local[2], -size[2], size[2]))
    else:
        half = size[1] if kind == CAPSULE else 0.0
        core = (0.0, 0.0, clip(local[2], -half, half))
    away = subtract(local, core)
    far = length(away)
    if far > 1e-9:
        normal, signed = scale(away, 1.0 / far), far - radius
    elif kind == BOX:
        normal, depth = _box_face(local, size)
        core, signed = add(core, scale(normal, depth)), -depth
    else:
        normal, signed = (1.0, 0.0, 0.0), -radius
    point = add(place, _outward(turn, add(core, scale(normal, radius))))
    return signed, point, _outward(turn, normal)


@njit(cache=True, error_model="numpy", forceinline=True)
def _one_norm(a):
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@njit(cache=True, error_model="numpy", forceinline=True)
def _around(spots, reaches, leads):
    """Middle of the spots, and how far from there anything is looked for: at rest, and per speed."""
    middle, still, moving = (0.0, 0.0, 0.0), 0.0, 0.0
    for r in range(spots.shape[0]):
        middle = add(middle, scale(vector(spots, r), 1.0 / spots.shape[0]))
    for r in range(spots.shape[0]):
        still = max(still, reaches[r] + length(subtract(vector(spots, r), middle)))
        moving = max(moving, leads[r])
    return middle, still + 1e-9, moving


@njit(cache=True, error_model="numpy")
def nearest(shapes, motion, spots, reaches, leads, out):
    """Closest points of P obstacles to R spots; obstacles out of a spot's reach keep an infinite distance.

    Args:
        shapes: Of G shapes: kind, bounding radius and size (G, 5), the world's number (G,), and obstacle (G,); then of all in
            the world, centres [m] (geoms, 3) and orientations as matrices row by row (geoms, 9).
        motion: Of each shape, its body (G,) and its body's root (G,); then of all in the world, angular and linear velocity of
            each body at its pivot (bodies, 6), and pivots of all roots (bodies, 3).
        spots: Shape (R, 3).
        reaches: How far to look from each for what stands still [m], shape (R,).
        leads: How much farther per speed of what moves [s], shape (R,).
        out: The columns of `signals.Nearest`: distance, signed (R, P), point on the surface (R, P, 3), normal there, outward
            (R, P, 3), and velocity of the surface there (R, P, 3); written.
    """
    distance, point, normal, velocity = out
    sizes, geoms, owners, places, turns = shapes
    bodies, roots, twists, pivots = motion
    distance[:] = np.inf
    middle, still, moving = _around(spots, reaches, leads)
    for g in range(geoms.shape[0]):
        geom, body, bound = geoms[g], bodies[g], sizes[g, 1]
        place, pivot = vector(places, geom), vector(pivots, roots[g])
        spin, drift = triple(twists[body], 0), triple(twists[body], 3)
        # 1-norms first, which are never less and need no root: most are far away.
        linear, away = add(drift, cross(spin, subtract(place, pivot))), subtract(place, middle)
        far = bound + still + moving * (_one_norm(linear) + _one_norm(spin) * bound)
        if dot(away, away) > far * far:
            continue
        speed = length(linear) + length(spin) * bound
        p, kind, size, turn = owners[g], int(sizes[g, 0]), triple(sizes[g], 2), _matrix(turns, geom)
        for r in range(spots.shape[0]):
            spot = vector(spots, r)
            reach = reaches[r] + leads[r] * speed
            away, far = subtract(place, spot), bound + reach
            if dot(away, away) > far * far:
                continue
            signed, there, outward = _closest(kind, size, place, turn, spot)
            if signed <= reach and signed < distance[r, p]:
                distance[r, p] = signed
                put(point[r], p, there)
                put(normal[r], p, outward)
                put(velocity[r], p, add(drift, cross(spin, subtract(there, pivot))))


@njit(cache=True, error_model="numpy", forceinline=True)
def _crosses(kind, size, place, turn, start, end):
    """Whether the way from `start` to `end` meets a shape."""
    a, b = _inward(turn, subtract(start, place)), _inward(turn, subtract(end, place))
    way = subtract(b, a)
    if kind == BOX:
        enter, leave = 0.0, 1.0
        for i in range(3):
            if abs(way[i]) < 1e-12:
                if abs(a[i]) > size[i]:
                    return False
                continue
            first, second = (-size[i] - a[i]) / way[i], (size[i] - a[i]) / way[i]
            enter, leave = max(enter, min(first, second)), min(leave, max(first, second))
        return enter <= leave
    half = size[1] if kind == CAPSULE else 0.0
    return _between(a, way, half) < size[0]


@njit(cache=True, error_model="numpy", forceinline=True)
def _between(a, way, half):
    """Distance of the way a + s way, s in 0…1, from the stretch of the z axis within `half` of the origin."""
    square = dot(way, way)
    flat = way[0] ** 2 + way[1] ** 2
    s = 0.0 if flat < 1e-18 else min(max(-(a[0] * way[0] + a[1] * way[1]) / flat, 0.0), 1.0)
    t = clip(a[2] + s * way[2], -half, half)
    if square > 1e-18:
        s = min(max((-(a[0] * way[0] + a[1] * way[1]) + (t - a[2]) * way[2]) / square, 0.0), 1.0)
        t = clip(a[2] + s * way[2], -half, half)
    return np.sqrt((a[0] + s * way[0]) ** 2 + (a[1] + s * way[1]) ** 2 + (a[2] + s * way[2] - t) ** 2)


@njit(cache=True, error_model="numpy", forceinline=True)
def _near_way(place, reach, start, way):
    """Whether a place is within `reach` of the way from `start`."""
    away = subtract(place, start)
    square = dot(way, way)
    s = min(max(dot(away, way) / square, 0.0), 1.0) if square > 1e-18 else 0.0
    off = subtract(away, scale(way, s))
    return dot(off, off) <= reach * reach


@njit(cache=True, error_model="numpy")
def hidden(shapes, thick, eye, points, which, out):
    """Whether something thick of another obstacle lies between the eye and each of n points.

    Args:
        shapes: As in `nearest`.
        thick: Whether a shape hides what is behind it, shape (G,).
        eye: Shape (3,).
        points: Shape (n, 3).
        which: Obstacle each point belongs to, shape (n,).
        out: Shape (n,); written.
    """
    sizes, geoms, owners, places, turns = shapes
    start = triple(eye, 0)
    for n in range(points.shape[0]):
        out[n] = False
        end = vector(points, n)
        way = subtract(end, start)
        for g in range(geoms.shape[0]):
            if not thick[g] or owners[g] == which[n]:
                continue
            place = vector(places, geoms[g])
            if _near_way(place, sizes[g, 1], start, way):
                kind, size, turn = int(sizes[g, 0]), triple(sizes[g], 2), _matrix(turns, geoms[g])
                if _crosses(kind, size, place, turn, start, end):
                    out[n] = True
                    break
