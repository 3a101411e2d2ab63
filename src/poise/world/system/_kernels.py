"""Compiled loops of `system.py`: Jacobians from MuJoCo's motion axes, which lie at the center of mass of each tree.

Jacobians have rows linear x, y, z, then angular x, y, z, in world axes.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


@njit(cache=True)
def chain_accelerations(axes_rate, velocities, parents, first_dofs, dof_counts, out):
    """Spatial acceleration of every body (nb, 6; angular first) when all coordinates' accelerations are 0."""
    out[0] = 0.0
    for body in range(1, len(parents)):
        for c in range(6):
            out[body, c] = out[parents[body], c]
        for k in range(dof_counts[body]):
            dof = first_dofs[body] + k
            for c in range(6):
                out[body, c] += axes_rate[dof, c] * velocities[dof]


@njit(cache=True)
def _add_body(sign, body, point, moving, tree, jacobian):
    """Add `sign` times the Jacobian of a body's point."""
    axes, _, _, centers = moving
    roots, parents, first_dofs, dof_counts = tree
    ox = point[0] - centers[roots[body], 0]
    oy = point[1] - centers[roots[body], 1]
    oz = point[2] - centers[roots[body], 2]
    while body > 0:
        for k in range(dof_counts[body]):
            dof = first_dofs[body] + k
            wx, wy, wz = axes[dof, 0], axes[dof, 1], axes[dof, 2]
            jacobian[0, dof] += sign * (axes[dof, 3] + wy * oz - wz * oy)
            jacobian[1, dof] += sign * (axes[dof, 4] + wz * ox - wx * oz)
            jacobian[2, dof] += sign * (axes[dof, 5] + wx * oy - wy * ox)
            jacobian[3, dof] += sign * wx
            jacobian[4, dof] += sign * wy
            jacobian[5, dof] += sign * wz
        body = parents[body]


@njit(cache=True)
def _add_drift(sign, body, point, moving, roots, twist, drift):
    """Add `sign` times the velocity of a body's point and its acceleration at zero coordinate acceleration."""
    if body == 0:
        return
    _, twists, drifts, centers = moving
    root = roots[body]
    ox, oy, oz = point[0] - centers[root, 0], point[1] - centers[root, 1], point[2] - centers[root, 2]
    wx, wy, wz = twists[body, 0], twists[body, 1], twists[body, 2]
    ax, ay, az = drifts[body, 0], drifts[body, 1], drifts[body, 2]
    vx = twists[body, 3] + wy * oz - wz * oy
    vy = twists[body, 4] + wz * ox - wx * oz
    vz = twists[body, 5] + wx * oy - wy * ox
    twist[0] += sign * vx
    twist[1] += sign * vy
    twist[2] += sign * vz
    twist[3] += sign * wx
    twist[4] += sign * wy
    twist[5] += sign * wz
    # From spatial to classical acceleration: the point moves on, w x v.
    drift[0] += sign * (drifts[body, 3] + ay * oz - az * oy + wy * vz - wz * vy)
    drift[1] += sign * (drifts[body, 4] + az * ox - ax * oz + wz * vx - wx * vz)
    drift[2] += sign * (drifts[body, 5] + ax * oy - ay * ox + wx * vy - wy * vx)
    drift[3] += sign * ax
    drift[4] += sign * ay
    drift[5] += sign * az


@njit(cache=True)
def relative(first, second, point, moving, tree, jacobian, twist, drift):
    """Jacobian (6, n), twist (6,) and drift (6,) of the second body against the first, at one point of the world."""
    jacobian[:] = 0.0
    twist[:] = 0.0
    drift[:] = 0.0
    _add_body(1.0, second, point, moving, tree, jacobian)
    _add_body(-1.0, first, point, moving, tree, jacobian)
    _add_drift(1.0, second, point, moving, tree[0], twist, drift)
    _add_drift(-1.0, first, point, moving, tree[0], twist, drift)


@njit(cache=True)
def centroid(inside, moving, tree, weights, places, out):
    """Center of mass of all bodies below the given roots; `out` takes Jacobian (3, n), position, velocity and drift (3,).

    A coordinate moves the bodies below its own: their common center is MuJoCo's subtree center.
    """
    axes, _, _, centers = moving
    roots, parents, first_dofs, dof_counts = tree
    (masses, subtree_masses), (jacobian, position, velocity, drift) = weights, out
    jacobian[:] = 0.0
    position[:] = 0.0
    velocity[:] = 0.0
    drift[:] = 0.0
    total = 0.0
    twist, accel = np.zeros(6), np.zeros(6)
    for body in range(1, len(parents)):
        if not inside[roots[body]]:
            continue
        total += masses[body]
        twist[:] = 0.0
        accel[:] = 0.0
        _add_drift(1.0, body, places[body], moving, roots, twist, accel)
        for c in range(3):
            position[c] += masses[body] * places[body, c]
            velocity[c] += masses[body] * twist[c]
            drift[c] += masses[body] * accel[c]
        root = roots[body]
        ox = centers[body, 0] - centers[root, 0]
        oy = centers[body, 1] - centers[root, 1]
        oz = centers[body, 2] - centers[root, 2]
        for k in range(dof_counts[body]):
            dof = first_dofs[body] + k
            wx, wy, wz, m = axes[dof, 0], axes[dof, 1], axes[dof, 2], subtree_masses[body]
            jacobian[0, dof] = m * (axes[dof, 3] + wy * oz - wz * oy)
            jacobian[1, dof] = m * (axes[dof, 4] + wz * ox - wx * oz)
            jacobian[2, dof] = m * (axes[dof, 5] + wx * oy - wy * ox)
    for c in range(3):
        position[c] /= total
        velocity[c] /= total
        drift[c] /= total
        for dof in range(jacobian.shape[1]):
            jacobian[c, dof] /= total
    return total


@njit(cache=True)
def angular_momentum(inside, center, moving, tree, masses, inner, out):
    """Angular momentum of all bodies below the given roots about a point, their common center of mass.

    Args:
        inside: Marks the roots.
        center: [m], shape (3,).
        moving: Motion axes, twists and drifts of bodies, centers of trees.
        tree: Roots, parents, first degrees of freedom and how many.
        masses: Of bodies.
        inner: Their centers, principal axes and moments.
        out: Jacobian (3, n), momentum and its rate at zero acceleration (3,); written.
    """
    axes, _, _, centers = moving
    roots, parents, first_dofs, dof_counts = tree
    (places, frames, moments), (jacobian, momentum, drift) = inner, out
    jacobian[:] = 0.0
    momentum[:] = 0.0
    drift[:] = 0.0
    twist, accel = np.zeros(6), np.zeros(6)
    for body in range(1, len(parents)):
        if not inside[roots[body]]:
            continue
        twist[:] = 0.0
        accel[:] = 0.0
        _add_drift(1.0, body, places[body], moving, roots, twist, accel)
        frame, moment, mass = frames[body], moments[body], masses[body]
        root = roots[body]
        rx, ry, rz = places[body, 0] - center[0], places[body, 1] - center[1], places[body, 2] - center[2]
        ox = places[body, 0] - centers[root, 0]
        oy = places[body, 1] - centers[root, 1]
        oz = places[body, 2] - centers[root, 2]
        sx, sy, sz = turned(frame, moment, twist[3], twist[4], twist[5])
        momentum[0] += sx + mass * (ry * twist[2] - rz * twist[1])
        momentum[1] += sy + mass * (rz * twist[0] - rx * twist[2])
        momentum[2] += sz + mass * (rx * twist[1] - ry * twist[0])
        ax, ay, az = turned(frame, moment, accel[3], accel[4], accel[5])
        drift[0] += ax + twist[4] * sz - twist[5] * sy + mass * (ry * accel[2] - rz * accel[1])
        drift[1] += ay + twist[5] * sx - twist[3] * sz + mass * (rz * accel[0] - rx * accel[2])
        drift[2] += az + twist[3] * sy - twist[4] * sx + mass * (rx * accel[1] - ry * accel[0])
        above = body
        while above > 0:
            for k in range(dof_counts[above]):
                dof = first_dofs[above] + k
                wx, wy, wz = axes[dof, 0], axes[dof, 1], axes[dof, 2]
                vx = axes[dof, 3] + wy * oz - wz * oy
                vy = axes[dof, 4] + wz * ox - wx * oz
                vz = axes[dof, 5] + wx * oy - wy * ox
                ix, iy, iz = turned(frame, moment, wx, wy, wz)
                jacobian[0, dof] += ix + mass * (ry * vz - rz * vy)
                jacobian[1, dof] += iy + mass * (rz * vx - rx * vz)
                jacobian[2, dof] += iz + mass * (rx * vy - ry * vx)
            above = parents[above]


@njit(cache=True)
def turned(frame, moment, x, y, z):
    """An inertia, by principal axes (columns) and moments, times a vector."""
    a, b, c = 0.0, 0.0, 0.0
    for k in range(3):
        along = moment[k] * (frame[0, k] * x + frame[1, k] * y + frame[2, k] * z)
        a += frame[0, k] * along
        b += frame[1, k] * along
        c += frame[2, k] * along
    return a, b, c


@njit(cache=True)
def far(centers, radii, first, second, within):
    """Whether the spheres round two shapes are farther apart than `within` [m]; never for what has no sphere."""
    total = 0.0
    for c in range(3):
        total += (centers[first, c] - centers[second, c]) ** 2
    if radii[first] == 0.0 or radii[second] == 0.0:
        return False
    return np.sqrt(total) > radii[first] + radii[second] + within
