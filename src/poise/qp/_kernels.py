"""Compiled loops of contacts, pairs and of forming the quadratic program."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.qp._features import turned_error


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
def contact_error(positions, rotations, bodies, point, reference, error):
    """How far (6,) a contact's middle and the second body's turn are from the reference seen from the first body."""
    first, second = bodies
    place, facing = reference
    for r in range(3):
        above = rotations[first, r]
        carried = above[0] * place[0] + above[1] * place[1] + above[2] * place[2]
        error[r] = point[r] - positions[first, r] - carried
    turned_error(rotations[second], facing, rotations[first], error[3:])


@njit(cache=True)
def no_slip(error, twist, drift, share, most, step, out):
    """Acceleration (6,) after which a contact's velocity only takes back a share of its error, at most so fast."""
    for c in range(6):
        correction = min(max(-share * error[c] / step, -most), most)
        out[c] = (correction - twist[c]) / step - drift[c]


@njit(cache=True)
def equation_rows(mass, mapped, dofs, rows):
    """Rows M qdd - J^T W lambda of some degrees of freedom, shape (len(dofs), n + K)."""
    size = mass.shape[0]
    for r in range(len(dofs)):
        for column in range(size):
            rows[r, column] = mass[dofs[r], column]
        for column in range(mapped.shape[1]):
            rows[r, size + column] = -mapped[dofs[r], column]


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
def pair_row(near, direction, known, points, zone, step, gain, row):
    """The row of a distance and the least value of row qdd (Vaillant 2017, Eq. 24).

    Args:
        near: Distance, closest point of the first and of the second.
        direction: Of the distance a step ago, shape (3,); written.
        known: Whether there was one.
        points: Of the first's and of the second's closest point: Jacobian (6, n), twist and drift (6,).
        zone: Influence distance, security distance, xi added to the automatic one, hardest braking, jump that is none.
        step: Of time [s].
        gain: See `damper`.
        row: Written, shape (n,).
    """
    (distance, first, second), (one, two) = near, points
    influence, security, offset, hardest, jump = zone
    before = direction.copy()
    x, y, z = first[0] - second[0], first[1] - second[1], first[2] - second[2]
    length = np.sqrt(x * x + y * y + z * z)
    # With a signed distance the direction keeps pointing outward when they are in one another.
    if length > 1e-9:
        sign = 1.0 if distance > 0.0 else -1.0
        direction[0], direction[1], direction[2] = sign * x / length, sign * y / length, sign * z / length
    elif not known:
        direction[0], direction[1], direction[2] = 0.0, 0.0, 1.0
    rate, drift, swing, turned = 0.0, 0.0, 0.0, 0.0
    for c in range(3):
        rate += direction[c] * (one[1][c] - two[1][c])
        drift += direction[c] * (one[2][c] - two[2][c])
        swing += (direction[c] - before[c]) * (one[1][c] - two[1][c])
        turned += (direction[c] - before[c]) ** 2
    if known and np.sqrt(turned) < jump:
        drift += swing / step
    for i in range(len(row)):
        row[i] = 0.0
        for c in range(3):
            row[i] += direction[c] * (one[0][c, i] - two[0][c, i])
    asked = damper(distance, rate, step, (influence, security, offset), gain)
    return min(asked, hardest) - drift


@njit(cache=True)
def joint_torques(mass, mapped, dofs, bias, pushes, unknowns):
    """Torque of driven degrees of freedom in a solution, shape (len(dofs),)."""
    size, count = mass.shape[0], mapped.shape[1]
    out = np.empty(len(dofs))
    for r in range(len(dofs)):
        dof = dofs[r]
        total = bias[dof] - pushes[dof]
        for i in range(size):
            total += mass[dof, i] * unknowns[i]
        for k in range(count):
            total -= mapped[dof, k] * unknowns[size + k]
        out[r] = total
    return out


@njit(cache=True)
def limits(dofs, bias, pushes, torques, low, high):
    """Bounds of the rows M qdd - J^T W lambda of some degrees of freedom."""
    for r in range(len(dofs)):
        outside = pushes[dofs[r]] - bias[dofs[r]]
        low[r], high[r] = outside - torques[r], outside + torques[r]


@njit(cache=True)
def joint_bounds(positions, velocities, joints, step, gains, fastest, bounds):
    """Bounds on accelerations: dampers at the ends of joints' ranges (Eq. 31) and speed limits (Eq. 29).

    Args:
        positions: Coordinates, shape (k,).
        velocities: Of the whole system, shape (n,).
        joints: Their degrees of freedom (k,), least and greatest coordinates (k, 2), largest speeds (k,), and how far from
            the ends of their ranges they keep, as a share of those (k,).
        step: Of time [s].
        gains: Damper gains, shape (k, 2); written.
        fastest: Bound on what nothing else bounds.
        bounds: Least and greatest accelerations of the whole system, shape (n,) both; written.
    """
    (dofs, ranges, speeds, kept), (low, high) = joints, bounds
    for i in range(len(velocities)):
        low[i], high[i] = -fastest, fastest
    for j in range(len(positions)):
        speed = velocities[dofs[j]]
        least, most = (-speeds[j] - speed) / step, (speeds[j] - speed) / step
        width = ranges[j, 1] - ranges[j, 0]
        if width < np.inf:
            zone = (0.1 * width, kept[j] * width, 0.5)
            least = max(least, damper(positions[j] - ranges[j, 0], speed, step, zone, gains[j, :1]))
            most = min(most, -damper(ranges[j, 1] - positions[j], -speed, step, zone, gains[j, 1:]))
        if least > most:
            least = most = 0.5 * (least + most)
        low[dofs[j]], high[dofs[j]] = max(least, -fastest), min(most, fastest)
