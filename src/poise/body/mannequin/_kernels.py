"""Compiled loops of the mannequin: the distance field of its parts, its surface's upkeep, distances to bones.

A part is a sweep along a straight axis with elliptic cross-sections. Its row of `frames` holds start (0:3), unit axis
(3:6), unit across (6:9), unit depth (9:12), length, cap height at the start, cap height at the end, blend width,
greatest reach from the axis and the distance up to which it can matter to the surface; its rows of `profiles` (3, K)
hold half width, half depth and shift along depth.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit

_FAR = 1e9


@njit(cache=True)
def _smooth_minimum(a, b, width):
    """Polynomial smooth minimum; differs from the minimum only where |a - b| < width."""
    h = max(width - abs(a - b), 0.0)
    return min(a, b) - h * h / (4.0 * width)


@njit(cache=True)
def _part_distance(frame, profile, cut, x, y, z):
    """Signed distance to one part, first order in the section (Quilez's ellipsoid bound); `_FAR` where it cannot matter."""
    margin = frame[17]
    px, py, pz = x - frame[0], y - frame[1], z - frame[2]
    along = px * frame[3] + py * frame[4] + pz * frame[5]
    length, reach = frame[12], frame[16]
    below = max(-along, along - length, 0.0)
    cap = frame[13] if along < 0.0 else frame[14]
    if below > cap + margin:
        return _FAR
    if px * px + py * py + pz * pz - along * along > (reach + margin) ** 2:
        return _FAR
    samples = profile.shape[1]
    u = min(max(along / length, 0.0), 1.0) * (samples - 1)
    k = min(int(u), samples - 2)
    s = u - k
    width = profile[0, k] * (1.0 - s) + profile[0, k + 1] * s
    depth = profile[1, k] * (1.0 - s) + profile[1, k + 1] * s
    shift = profile[2, k] * (1.0 - s) + profile[2, k + 1] * s
    a = (px * frame[6] + py * frame[7] + pz * frame[8]) / width
    b = (px * frame[9] + py * frame[10] + pz * frame[11] - shift) / depth
    c = below / cap
    inside = np.sqrt(a * a + b * b + c * c)
    if (inside - 1.0) * min(width, depth, cap) > margin:
        return _FAR
    slope = np.sqrt((a / width) ** 2 + (b / depth) ** 2 + (c / cap) ** 2)
    distance = -min(width, depth) if slope < 1e-9 else max(inside * (inside - 1.0) / slope, -min(width, depth))
    plane = x * cut[0] + y * cut[1] + z * cut[2] - cut[3]
    return -_smooth_minimum(-distance, -plane, 0.4 * frame[15])


@njit(cache=True)
def fill_field(frames, profiles, cuts, boxes, xs, ys, zs, out):
    """Signed distance at the grid points (X, Y, Z); `boxes` (P, 6) are the index ranges each part can reach."""
    for part in range(frames.shape[0]):
        box, blend, margin = boxes[part], frames[part, 15], frames[part, 17]
        for i in range(box[0], box[1]):
            for j in range(box[2], box[3]):
                for k in range(box[4], box[5]):
                    if out[i, j, k] < -margin:
                        continue
                    d = _part_distance(frames[part], profiles[part], cuts[part], xs[i], ys[j], zs[k])
                    if d < margin:
                        out[i, j, k] = _smooth_minimum(out[i, j, k], d, blend)


@njit(cache=True)
def _field(frames, profiles, cuts, near, x, y, z):
    value = _FAR
    for part in near:
        if part < 0:
            break
        d = _part_distance(frames[part], profiles[part], cuts[part], x, y, z)
        if d < frames[part, 17]:
            value = _smooth_minimum(value, d, frames[part, 15])
    return value


@njit(cache=True)
def _nearby(frames, boxes, vertices, near):
    """Parts that can matter to each vertex in the order they merge, into (V, P); -1 ends each row."""
    for v in range(vertices.shape[0]):
        x, y, z = vertices[v]
        count = 0
        for part in range(frames.shape[0]):
            low, high, margin = boxes[part, 0], boxes[part, 1], frames[part, 17]
            if x < low[0] - margin or y < low[1] - margin or z < low[2] - margin:
                continue
            if x > high[0] + margin or y > high[1] + margin or z > high[2] + margin:
                continue
            near[v, count] = part
            count += 1
        if count < near.shape[1]:
            near[v, count] = -1


@njit(cache=True)
def settle(parts, step, reach, triangles, rounds, vertices):
    """Even out the vertices along the surface and put them on it, `rounds` times.

    `parts` are their frames, profiles, cuts and boxes (`PartArrays`). A vertex moves at most `reach` towards the surface per
    round, so that no triangle turns over.
    """
    frames, profiles, cuts, boxes = parts
    count = vertices.shape[0]
    sums = np.empty((count, 3))
    degrees = np.empty(count)
    near = np.empty((count, frames.shape[0]), np.int64)
    _nearby(frames, boxes, vertices, near)
    for _ in range(rounds):
        for v in range(count):
            sums[v, 0], sums[v, 1], sums[v, 2], degrees[v] = 0.0, 0.0, 0.0, 0.0
        for t in range(triangles.shape[0]):
            for corner in range(3):
                v, w = triangles[t, corner], triangles[t, (corner + 1) % 3]
                for axis in range(3):
                    sums[v, axis] += vertices[w, axis]
                degrees[v] += 1.0
        for v in range(count):
            x, y, z = vertices[v]
            value = _field(frames, profiles, cuts, near[v], x, y, z)
            gx = (_field(frames, profiles, cuts, near[v], x + step, y, z) - value) / step
            gy = (_field(frames, profiles, cuts, near[v], x, y + step, z) - value) / step
            gz = (_field(frames, profiles, cuts, near[v], x, y, z + step) - value) / step
            size = max(np.sqrt(gx * gx + gy * gy + gz * gz), 1e-9)
            normal = (gx / size, gy / size, gz / size)
            sink = 0.0
            for axis in range(3):
                sink += 0.5 * (sums[v, axis] / degrees[v] - vertices[v, axis]) * normal[axis]
            rise = min(max(-value / max(size, 0.3), -reach), reach)
            for axis in range(3):
                pull = 0.5 * (sums[v, axis] / degrees[v] - vertices[v, axis])
                sums[v, axis] = vertices[v, axis] + pull + (rise - sink) * normal[axis]
        for v in range(count):
            vertices[v, 0], vertices[v, 1], vertices[v, 2] = sums[v, 0], sums[v, 1], sums[v, 2]


@njit(cache=True)
def bone_distances(starts, ends, points, out):
    """Squared distance of each point (V, 3) to each bone segment (S, 3), into (V, S)."""
    for s in range(starts.shape[0]):
        ax, ay, az = ends[s, 0] - starts[s, 0], ends[s, 1] - starts[s, 1], ends[s, 2] - starts[s, 2]
        square = max(ax * ax + ay * ay + az * az, 1e-18)
        for v in range(points.shape[0]):
            px, py, pz = points[v, 0] - starts[s, 0], points[v, 1] - starts[s, 1], points[v, 2] - starts[s, 2]
            u = min(max((px * ax + py * ay + pz * az) / square, 0.0), 1.0)
            out[v, s] = (px - u * ax) ** 2 + (py - u * ay) ** 2 + (pz - u * az) ** 2


@njit(cache=True)
def crowding(points, radii, related, out):
    """How much the bones of each pose (T, S, M, 3) overlap bones that are not their neighbors, into (T,)."""
    poses, bones, samples = points.shape[0], points.shape[1], points.shape[2]
    for t in range(poses):
        total = 0.0
        for a in range(bones):
            for b in range(a):
                if related[a, b]:
                    continue
                nearest = _FAR
                for m in range(samples):
                    for n in range(samples):
                        square = 0.0
                        for axis in range(3):
                            square += (points[t, a, m, axis] - points[t, b, n, axis]) ** 2
                        nearest = min(nearest, square)
                total += max(1.0 - np.sqrt(nearest) / (radii[a] + radii[b]), 0.0)
        out[t] = total
