"""Compiled loops: what a moving limb does to what it hangs on, by recursive Newton-Euler. Outputs are preallocated.

Rows of a limb's `table`, one per body: parent (-1 for the connector), joint position in the parent (3), bind rotation (4),
mass, centre of mass (3), inertia about it (9), all in the frames of `poise.hybrid.reaction.Limb`.
"""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._kernels import product


@njit(cache=True)
def matrix(q, out):
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = q[0], q[1], q[2], q[3]
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit(cache=True)
def turned(m, v, out):
    """Matrix times vector."""
    x, y, z = v[0], v[1], v[2]
    for i in range(3):
        out[i] = m[i, 0] * x + m[i, 1] * y + m[i, 2] * z


@njit(cache=True)
def turned_back(m, v, out):
    """Transposed matrix times vector."""
    x, y, z = v[0], v[1], v[2]
    for i in range(3):
        out[i] = m[0, i] * x + m[1, i] * y + m[2, i] * z


@njit(cache=True)
def add_cross(a, b, out):
    """Add the vector product of a and b to `out`."""
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@njit(cache=True)
def add_carried(spin, turning, arm, out):
    """Add the acceleration of a point at `arm` due to angular velocity and acceleration to `out`."""
    add_cross(turning, arm, out)
    along = spin[0] * arm[0] + spin[1] * arm[1] + spin[2] * arm[2]
    square = spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]
    for i in range(3):
        out[i] += along * spin[i] - square * arm[i]


@njit(cache=True)
def _outward(table, start, rotations, velocities, accelerations, frames, state, arms):
    """World rotation matrices (n+1, 3, 3); angular velocity, angular and linear acceleration (n+1, 3, 3); joint arms.

    Row 0 is the connector. `start` holds its angular velocity and acceleration in its own frame and its acceleration.
    """
    local, relative, own = np.empty(4), np.empty((3, 3)), np.empty(3)
    turned(frames[0], start[0], state[0, 0])
    turned(frames[0], start[1], state[0, 1])
    for i in range(3):
        state[0, 2, i] = start[2, i]
    for body in range(table.shape[0]):
        row = table[body]
        p, b = int(row[0]) + 1, body + 1
        product(row[4:8], rotations[body], local)
        matrix(local, relative)
        for i in range(3):
            for j in range(3):
                frames[b, i, j] = (
                    frames[p, i, 0] * relative[0, j]
                    + frames[p, i, 1] * relative[1, j]
                    + frames[p, i, 2] * relative[2, j]
                )
        turned(frames[b], velocities[body], own)
        turned(frames[b], accelerations[body], state[b, 1])
        for i in range(3):
            state[b, 0, i] = state[p, 0, i] + own[i]
            state[b, 1, i] += state[p, 1, i]
            state[b, 2, i] = state[p, 2, i]
        add_cross(state[p, 0], own, state[b, 1])
        turned(frames[p], row[1:4], arms[body])
        add_carried(state[p, 0], state[p, 1], arms[body], state[b, 2])


@njit(cache=True)
def _net(row, frame, state, gravity, static, dynamic):
    """Force and moment about the joint that one body needs: to be held (`static`) and to move as it does (`dynamic`)."""
    mass = row[8]
    centre, spin, turning, own = np.empty(3), np.empty(3), np.empty(3), np.zeros(3)
    turned(frame, row[9:12], centre)
    for i in range(3):
        dynamic[0, i] = state[2, i]
    add_carried(state[0], state[1], centre, dynamic[0])
    for i in range(3):
        static[0, i] = -mass * gravity[i]
        dynamic[0, i] *= mass
    turned_back(frame, state[0], spin)
    turned_back(frame, state[1], turning)
    momentum = np.empty(3)
    for i in range(3):
        own[i] = row[12 + 3 * i] * turning[0] + row[13 + 3 * i] * turning[1] + row[14 + 3 * i] * turning[2]
        momentum[i] = row[12 + 3 * i] * spin[0] + row[13 + 3 * i] * spin[1] + row[14 + 3 * i] * spin[2]
    add_cross(spin, momentum, own)
    turned(frame, own, dynamic[1])
    static[1, 0], static[1, 1], static[1, 2] = 0.0, 0.0, 0.0
    add_cross(centre, static[0], static[1])
    add_cross(centre, dynamic[0], dynamic[1])


@njit(cache=True)
def newton_euler(table, rotation, start, motion, gravity, wrench, torques):
    """Recursive Newton-Euler over a limb.

    Args:
        table: The limb, (n, 21).
        rotation: Of the connector in the world, (4,).
        start: The connector's angular velocity and acceleration in its frame and its acceleration in the world, (3, 3).
        motion: Joint rotations (n, 4), velocities and accelerations (n, 3) side by side, (n, 10).
        gravity: In the world, (3,).
        wrench: On the connector, static and dynamic, force and moment about the limb's first joint, (2, 2, 3); written.
        torques: Of the joints in their own frames, static and dynamic, (2, n, 3); written.
    """
    count = table.shape[0]
    frames, state, arms = np.empty((count + 1, 3, 3)), np.empty((count + 1, 3, 3)), np.empty((count, 3))
    forces = np.empty((count, 2, 2, 3))
    matrix(rotation, frames[0])
    _outward(table, start, motion[:, :4], motion[:, 4:7], motion[:, 7:], frames, state, arms)
    for body in range(count):
        _net(table[body], frames[body + 1], state[body + 1], gravity, forces[body, 0], forces[body, 1])
    for body in range(count - 1, -1, -1):
        parent = int(table[body, 0])
        for part in range(2):
            turned_back(frames[body + 1], forces[body, part, 1], torques[part, body])
            if parent >= 0:
                for i in range(3):
                    forces[parent, part, 0, i] += forces[body, part, 0, i]
                    forces[parent, part, 1, i] += forces[body, part, 1, i]
                add_cross(arms[body], forces[body, part, 0], forces[parent, part, 1])
    for part in range(2):
        for i in range(3):
            wrench[part, 0, i] = -forces[0, part, 0, i]
            wrench[part, 1, i] = -forces[0, part, 1, i]


@njit(cache=True)
def central_differences(before, now, after, h, out):
    """Joint rotations, velocities and accelerations in the child frame from three keys (n, 4), into (n, 10)."""
    first, second, v, a = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    for joint in range(now.shape[0]):
        back, ahead, square = 0.0, 0.0, 0.0
        for k in range(4):
            back += before[joint, k] * now[joint, k]
            ahead += after[joint, k] * now[joint, k]
            square += now[joint, k] * now[joint, k]
        back, ahead = (1.0 if back >= 0.0 else -1.0), (1.0 if ahead >= 0.0 else -1.0)
        for k in range(4):
            first[k] = (ahead * after[joint, k] - back * before[joint, k]) / (2.0 * h)
            second[k] = (ahead * after[joint, k] - 2.0 * now[joint, k] + back * before[joint, k]) / (h * h)
            out[joint, k] = now[joint, k]
        inverse = (now[joint, 0], -now[joint, 1], -now[joint, 2], -now[joint, 3])
        product(inverse, first, v)
        product(inverse, second, a)
        for k in range(3):
            out[joint, 4 + k] = 2.0 * v[1 + k] / square
            out[joint, 7 + k] = 2.0 * a[1 + k] / square
