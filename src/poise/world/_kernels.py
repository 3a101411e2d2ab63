"""Compiled loops: forces that make joints follow a drive, what tips over, contacts of a tick. Outputs are preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._kernels import difference

FREE, BALL, SLIDE, HINGE = 0, 1, 2, 3


@njit(cache=True)
def drive_forces(joints, armature, h, positions, velocities, targets, forces):
    """Generalized forces, rows of `forces`, that make joints arrive at the rows of `targets` substep by substep.

    The force is armature times the acceleration that turns the velocity before a substep into the one that reaches its
    target. `joints` are their kinds and where their positions and velocities begin. `velocities` is scratch: it comes in with
    the present ones and leaves with the last substep's.
    """
    kinds, position_at, velocity_at = joints
    turn = np.empty(3)
    for k in range(kinds.shape[0]):
        p, d, kind = position_at[k], velocity_at[k], kinds[k]
        for row in range(targets.shape[0]):
            before = positions if row == 0 else targets[row - 1]
            if kind != BALL:
                for axis in range(3 if kind == FREE else 1):
                    speed = (targets[row, p + axis] - before[p + axis]) / h
                    forces[row, d + axis] += armature * (speed - velocities[d + axis]) / h
                    velocities[d + axis] = speed
            if kind in (FREE, BALL):
                shift = 3 if kind == FREE else 0
                q, w = p + shift, d + shift
                difference(before[q : q + 4], targets[row, q : q + 4], turn)
                for axis in range(3):
                    speed = turn[axis] / h
                    forces[row, w + axis] += armature * (speed - velocities[w + axis]) / h
                    velocities[w + axis] = speed


@njit(cache=True)
def carried(parents, first, count, driven, yields):
    """Mark bodies `yields` (N,) that a joint which is not `driven` is between and the world; parents come first."""
    for body in range(1, parents.shape[0]):
        yields[body] = yields[parents[body]]
        for joint in range(first[body], first[body] + count[body]):
            yields[body] |= not driven[joint]


@njit(cache=True)
def tipping(centers, places, weights, out):
    """See `CharacterDynamics.tipping`; of MuJoCo's bodies, the first of which is the world."""
    for body in range(out.shape[0]):
        x, y = centers[body + 1, 0] - places[body + 1, 0], centers[body + 1, 1] - places[body + 1, 1]
        z = centers[body + 1, 2] - places[body + 1, 2]
        out[body] = 0.5 * weights[body] * (z + np.sqrt((x * x + z * z) + y * y))


@njit(cache=True)
def first_bad(velocities, limit):
    """Index of the first velocity that is not a number below `limit`, or -1."""
    for i in range(velocities.shape[0]):
        if not abs(velocities[i]) < limit:
            return i
    return -1


@njit(cache=True)
def same(positions, velocities, other_positions, other_velocities):
    """Whether two states are the same to the bit."""
    different = 0
    for one, other in ((positions, other_positions), (velocities, other_velocities)):
        for i in range(one.shape[0]):
            different += one[i] != other[i]
    return different == 0


# MuJoCo's contact arrays are strided, but for a single contact they count as contiguous: without a signature of its own the
# kernel would be compiled again at the first lone contact, in the middle of a run.
@njit(
    "int64(Tuple((int32[:,:], int32[:], int32[:], float64[:,:], float64[:,:])), float64[::1], boolean, float64, float64, "
    "float64[:,::1], int64)",
    cache=True,
)
def accumulate(contacts, forces, elliptic, h, time, table, count):
    """Add one substep's contacts to the table, one row per pair of geoms; returns the number of rows.

    `contacts` are MuJoCo's columns: geoms, dimensions, addresses of forces, points and frames. Rows of `table`: geom, geom,
    impulse, peak, first time, point (3), normal (3), this substep's force, marked.
    """
    pairs, dims, addresses, points, frames = contacts
    for row in range(count):
        table[row, 11] = 0.0
    for c in range(pairs.shape[0]):
        address = addresses[c]
        if address < 0:
            continue
        normal = forces[address]
        if not elliptic and dims[c] > 1:
            for edge in range(1, 2 * (dims[c] - 1)):
                normal += forces[address + edge]
        if normal <= 0.0:
            continue
        a, b = pairs[c, 0], pairs[c, 1]
        row = 0
        while row < count and not (table[row, 0] == a and table[row, 1] == b):
            row += 1
        if row == count:
            if count == table.shape[0]:
                continue
            count += 1
            table[row, 0], table[row, 1], table[row, 2], table[row, 3] = a, b, 0.0, 0.0
            table[row, 4], table[row, 11] = time, 0.0
        table[row, 2] += normal * h
        table[row, 11] += normal
        if table[row, 11] > table[row, 3]:
            table[row, 3] = table[row, 11]
            for axis in range(3):
                table[row, 5 + axis] = points[c, axis]
                table[row, 8 + axis] = frames[c, axis]
    return count


@njit(cache=True)
def limb_motion(positions, targets, velocities, h, out):
    """Rotations, velocities and accelerations (n, 10) of ball joints that go from `positions` to `targets` (n, 4) in h.

    The acceleration is the drive's own: what turns the present velocity into the one that reaches the target.
    """
    turn = np.empty(3)
    for joint in range(positions.shape[0]):
        difference(positions[joint], targets[joint], turn)
        for k in range(4):
            out[joint, k] = positions[joint, k]
        for axis in range(3):
            out[joint, 4 + axis] = velocities[joint, axis]
            out[joint, 7 + axis] = (turn[axis] / h - velocities[joint, axis]) / h
