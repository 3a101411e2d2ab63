"""Compiled loops of forming the quadratic program."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def rotation_vector(matrix, out):
    """Rotation vector of a rotation matrix (3, 3) [rad], shape (3,)."""
    x, y, z = matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]
    cosine = 0.5 * (matrix[0, 0] + matrix[1, 1] + matrix[2, 2] - 1.0)
    sine = 0.5 * np.sqrt(x * x + y * y + z * z)
    angle = np.arctan2(sine, cosine)
    if sine > 1e-9:
        scale = 0.5 * angle / sine
        out[0], out[1], out[2] = scale * x, scale * y, scale * z
    elif cosine > 0.0:
        out[0], out[1], out[2] = 0.5 * x, 0.5 * y, 0.5 * z
    else:
        # Half a turn: the axis is the largest column of R + 1.
        best = 0
        for c in range(1, 3):
            if matrix[c, c] > matrix[best, best]:
                best = c
        length = 0.0
        for c in range(3):
            out[c] = matrix[c, best] + (1.0 if c == best else 0.0)
            length += out[c] ** 2
        for c in range(3):
            out[c] *= np.pi / np.sqrt(length)


@njit(cache=True)
def turned_error(second, reference, first, out):
    """Rotation vector, in world axes, of `second` against `first` times `reference` (rotation matrices)."""
    rotation_vector(second @ (first @ reference).T, out)


@njit(cache=True)
def add_objective(jacobian, weight, wanted, hessian, gradient):
    """Add w |J x - a|^2 / 2 to a quadratic objective; only columns that are not 0 cost time."""
    rows, size = jacobian.shape
    support = np.empty(size, np.int64)
    for r in range(rows):
        count = 0
        for i in range(size):
            if jacobian[r, i] != 0.0:
                support[count] = i
                count += 1
        for a in range(count):
            i = support[a]
            scaled = weight * jacobian[r, i]
            gradient[i] -= scaled * wanted[r]
            for b in range(count):
                j = support[b]
                hessian[i, j] += scaled * jacobian[r, j]


@njit(cache=True)
def contact_forces(rotation, arms, edges, jacobian, mapped, wrenches):
    """Wrench of each pyramid edge about the contact's middle (6, K), and the generalized force of each (n, K).

    Args:
        rotation: Of the second body, shape (3, 3).
        arms: From the middle to the point of each edge, in its frame [m], shape (K, 3).
        edges: Unit force of each, in its frame, shape (K, 3).
        jacobian: Of the second body against the first at the middle, shape (6, n).
        mapped: Written, shape (n, K).
        wrenches: Written, shape (6, K).
    """
    for k in range(len(edges)):
        for c in range(3):
            wrenches[c, k] = rotation[c, 0] * edges[k, 0] + rotation[c, 1] * edges[k, 1] + rotation[c, 2] * edges[k, 2]
            wrenches[3 + c, k] = rotation[c, 0] * arms[k, 0] + rotation[c, 1] * arms[k, 1] + rotation[c, 2] * arms[k, 2]
        ax, ay, az = wrenches[3, k], wrenches[4, k], wrenches[5, k]
        fx, fy, fz = wrenches[0, k], wrenches[1, k], wrenches[2, k]
        wrenches[3, k], wrenches[4, k], wrenches[5, k] = ay * fz - az * fy, az * fx - ax * fz, ax * fy - ay * fx
    for i in range(jacobian.shape[1]):
        moved = False
        for c in range(6):
            moved = moved or jacobian[c, i] != 0.0
        if not moved:
            mapped[i, :] = 0.0
            continue
        for k in range(len(edges)):
            total = 0.0
            for c in range(6):
                total += jacobian[c, i] * wrenches[c, k]
            mapped[i, k] = total


@njit(cache=True)
def equation_rows(mass, mapped, dofs, rows):
    """Rows M qdd - J^T W lambda of some degrees of freedom, shape (len(dofs), n + K)."""
    size = mass.shape[0]
    for r in range(len(dofs)):
        rows[r, :size] = mass[dofs[r]]
        rows[r, size:] = -mapped[dofs[r]]


@njit(cache=True)
def damper(distance, rate, step, zone, gain):
    """Least acceleration of a distance that is not to fall below the security distance (Vaillant 2017, Eqs. 22, 23).

    Args:
        distance: Now.
        rate: Its rate.
        step: Of time [s].
        zone: Influence distance, security distance, xi added to the automatic one.
        gain: xi, frozen from the entry into the zone on; 0 before it, shape (1,); written.
    """
    influence, security, offset = zone
    if distance >= influence:
        gain[0] = 0.0
        return -np.inf
    width = influence - security
    if gain[0] == 0.0:
        inside = distance - security
        if inside <= 0.0:
            inside = 0.2 * width
        gain[0] = width / inside * abs(rate) + offset
    return (-gain[0] * (distance - security) / width - rate) / step


@njit(cache=True)
def joint_bounds(positions, velocities, ranges, speeds, step, gains, low, high):
    """Bounds on joints' accelerations: dampers at the ends of their range (Eq. 31) and speed limits (Eq. 29).

    Args:
        positions: Coordinates, shape (k,).
        velocities: Of them, shape (k,).
        ranges: Least and greatest coordinate, shape (k, 2).
        speeds: Largest speed, shape (k,).
        step: Of time [s].
        gains: Damper gains, shape (k, 2); written.
        low: Least accelerations, shape (k,); written.
        high: Greatest accelerations, shape (k,); written.
    """
    for j in range(len(positions)):
        low[j] = (-speeds[j] - velocities[j]) / step
        high[j] = (speeds[j] - velocities[j]) / step
        width = ranges[j, 1] - ranges[j, 0]
        if width < np.inf:
            zone = (0.1 * width, 0.01 * width, 0.5)
            low[j] = max(low[j], damper(positions[j] - ranges[j, 0], velocities[j], step, zone, gains[j, :1]))
            above = damper(ranges[j, 1] - positions[j], -velocities[j], step, zone, gains[j, 1:])
            high[j] = min(high[j], -above)
        if low[j] > high[j]:
            low[j] = high[j] = 0.5 * (low[j] + high[j])
