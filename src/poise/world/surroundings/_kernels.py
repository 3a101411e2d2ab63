"""Compiled loops: closest points on spheres, capsules and boxes, and what hides them; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np
from numba import njit

SPHERE, CAPSULE, BOX = 2, 3, 6


@njit(cache=True)
def _closest(kind, size, place, turn, spot, point, normal):
    """Signed distance from `spot` to one shape; the closest point on it and the outward normal there are written."""
    local, nearest = np.empty(3), np.empty(3)
    for i in range(3):
        local[i] = 0.0
        for j in range(3):
            local[i] += turn[3 * j + i] * (spot[j] - place[j])
    radius, inside = 0.0, False
    if kind == BOX:
        inside = True
        for i in range(3):
            nearest[i] = min(max(local[i], -size[i]), size[i])
            inside = inside and nearest[i] == local[i]
    else:
        radius = size[0]
        half = size[1] if kind == CAPSULE else 0.0
        nearest[0], nearest[1], nearest[2] = 0.0, 0.0, min(max(local[2], -half), half)
    if inside:
        face, depth = 0, size[0] - abs(local[0])
        for i in range(1, 3):
            if size[i] - abs(local[i]) < depth:
                face, depth = i, size[i] - abs(local[i])
        side = 1.0 if local[face] >= 0.0 else -1.0
        nearest[face] = side * size[face]
        away = np.zeros(3)
        away[face] = side
        length, signed = 1.0, -depth
    else:
        away = local - nearest
        length = np.sqrt(away[0] ** 2 + away[1] ** 2 + away[2] ** 2)
        if length < 1e-9:
            away[0], away[1], away[2], length = 1.0, 0.0, 0.0, 1.0
            signed = -radius
        else:
            signed = length - radius
    for i in range(3):
        away[i] /= length
        nearest[i] += radius * away[i]
    for i in range(3):
        point[i], normal[i] = place[i], 0.0
        for j in range(3):
            point[i] += turn[3 * i + j] * nearest[j]
            normal[i] += turn[3 * i + j] * away[j]
    return signed


@njit(cache=True)
def nearest(shapes, places, turns, owners, twists, pivots, spots, reaches, distance, point, normal, velocity):
    """Closest points of P obstacles to R spots; obstacles out of a spot's reach keep an infinite distance.

    Args:
        shapes: Kind, bounding radius and size of each shape, shape (G, 5).
        places: Centres in the world [m], shape (G, 3).
        turns: Orientations as matrices row by row, shape (G, 9).
        owners: Obstacle of each shape, shape (G,).
        twists: Angular and linear velocity of each shape's body at its pivot, shape (G, 6).
        pivots: Where that is, shape (G, 3).
        spots: Shape (R, 3).
        reaches: How far to look from each [m], shape (R,).
        distance: Signed, shape (R, P); written.
        point: On the surface, shape (R, P, 3); written.
        normal: There, outward, shape (R, P, 3); written.
        velocity: Of the surface there, shape (R, P, 3); written.
    """
    distance[:] = np.inf
    there, outward = np.empty(3), np.empty(3)
    for r in range(spots.shape[0]):
        spot = spots[r]
        for g in range(shapes.shape[0]):
            far = shapes[g, 1] + reaches[r]
            square = 0.0
            for i in range(3):
                square += (places[g, i] - spot[i]) ** 2
            if square > far * far:
                continue
            signed = _closest(int(shapes[g, 0]), shapes[g, 2:], places[g], turns[g], spot, there, outward)
            p = owners[g]
            if signed <= reaches[r] and signed < distance[r, p]:
                distance[r, p] = signed
                arm = there - pivots[g]
                for i in range(3):
                    point[r, p, i], normal[r, p, i] = there[i], outward[i]
                velocity[r, p, 0] = twists[g, 3] + twists[g, 1] * arm[2] - twists[g, 2] * arm[1]
                velocity[r, p, 1] = twists[g, 4] + twists[g, 2] * arm[0] - twists[g, 0] * arm[2]
                velocity[r, p, 2] = twists[g, 5] + twists[g, 0] * arm[1] - twists[g, 1] * arm[0]


@njit(cache=True)
def _crosses(kind, size, place, turn, start, end):
    """Whether the way from `start` to `end` meets a shape."""
    a, b = np.empty(3), np.empty(3)
    for i in range(3):
        a[i], b[i] = 0.0, 0.0
        for j in range(3):
            a[i] += turn[3 * j + i] * (start[j] - place[j])
            b[i] += turn[3 * j + i] * (end[j] - place[j])
    way = b - a
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


@njit(cache=True)
def _between(a, way, half):
    """Distance of the way a + s way, s in 0…1, from the stretch of the z axis within `half` of the origin."""
    square = way[0] ** 2 + way[1] ** 2 + way[2] ** 2
    flat = way[0] ** 2 + way[1] ** 2
    s = 0.0 if flat < 1e-18 else min(max(-(a[0] * way[0] + a[1] * way[1]) / flat, 0.0), 1.0)
    t = min(max(a[2] + s * way[2], -half), half)
    if square > 1e-18:
        s = min(max((-(a[0] * way[0] + a[1] * way[1]) + (t - a[2]) * way[2]) / square, 0.0), 1.0)
        t = min(max(a[2] + s * way[2], -half), half)
    return np.sqrt((a[0] + s * way[0]) ** 2 + (a[1] + s * way[1]) ** 2 + (a[2] + s * way[2] - t) ** 2)


@njit(cache=True)
def hidden(shapes, places, turns, owners, thick, eye, points, which, out):
    """Whether something thick of another obstacle lies between the eye and each of n points.

    Args:
        shapes: As in `nearest`, as are the next three.
        places: See there.
        turns: See there.
        owners: See there.
        thick: Whether a shape hides what is behind it, shape (G,).
        eye: Shape (3,).
        points: Shape (n, 3).
        which: Obstacle each point belongs to, shape (n,).
        out: Shape (n,); written.
    """
    for n in range(points.shape[0]):
        out[n] = False
        for g in range(shapes.shape[0]):
            if not thick[g] or owners[g] == which[n]:
                continue
            if _crosses(int(shapes[g, 0]), shapes[g, 2:], places[g], turns[g], eye, points[n]):
                out[n] = True
                break
