"""Compiled loops: where bodies are in a pose, joints that are turned, a clip between its keys. Outputs are preallocated."""

from __future__ import annotations

import numpy as np

from poise.body._layout import spin_at, turn_at
from poise.math._compile import njit
from poise.math._kernels import difference, exponential, product, rotate


@njit(cache=True)
def body_frames(parents, offsets, bind, positions, rotations_out, positions_out):
    """World frames of the bodies for T rows of generalized positions (T, 7 + 4 (B - 1))."""
    local = np.empty(4)
    shift = np.empty(3)
    for t in range(positions.shape[0]):
        for axis in range(3):
            positions_out[t, 0, axis] = positions[t, axis]
        product(positions[t, 3:7], bind[0], rotations_out[t, 0])
        for body in range(1, parents.shape[0]):
            parent = parents[body]
            coordinate = positions[t, turn_at(body) : turn_at(body) + 4]
            product(bind[body], coordinate, local)
            product(rotations_out[t, parent], local, rotations_out[t, body])
            rotate(rotations_out[t, parent], offsets[body], shift)
            for axis in range(3):
                positions_out[t, body, axis] = positions_out[t, parent, axis] + shift[axis]


@njit(cache=True)
def turn_joint(rows, at, neutral, vectors):
    """Rotate coordinate `at`…`at` + 4 of rows (T, nq) by vectors (T, 3) in neutral axes, before all else it does."""
    own, turn, result = np.empty(3), np.empty(4), np.empty(4)
    back = np.array((neutral[0], -neutral[1], -neutral[2], -neutral[3]))
    for t in range(rows.shape[0]):
        rotate(back, vectors[t], own)
        exponential(own, turn)
        product(turn, rows[t, at : at + 4], result)
        for k in range(4):
            rows[t, at + k] = result[k]


@njit(cache=True)
def _segment(knots, time):
    """Index of the polynomial piece that holds `time`."""
    low, high = 0, knots.shape[0] - 2
    while low < high:
        middle = (low + high + 1) // 2
        if knots[middle] <= time:
            low = middle
        else:
            high = middle - 1
    return low


@njit(cache=True)
def sample_rows(knots, turns, turn_knots, places, times, rows):
    """Generalized positions at `times`, rows of (T, nq), from cubic pieces of quaternions and pelvis positions."""
    bodies = turns.shape[2]
    for t in range(times.shape[0]):
        time = min(max(times[t], knots[0]), knots[-1])
        s = _segment(knots, time)
        x = time - knots[s]
        for axis in range(3):
            c = places[:, s, axis]
            rows[t, axis] = ((c[0] * x + c[1]) * x + c[2]) * x + c[3]
        s = _segment(turn_knots, time)
        x = time - turn_knots[s]
        for body in range(bodies):
            square = 0.0
            for k in range(4):
                value = ((turns[0, s, body, k] * x + turns[1, s, body, k]) * x + turns[2, s, body, k]) * x
                value += turns[3, s, body, k]
                rows[t, turn_at(body) + k] = value
                square += value * value
            scale = 1.0 / np.sqrt(square)
            for k in range(4):
                rows[t, turn_at(body) + k] *= scale


@njit(cache=True)
def sample_motion(knots, turns, turn_knots, places, time, positions, velocities, accelerations):
    """Generalized positions (nq), velocities (nv) and accelerations (nv) at one time."""
    r, dr, ddr, v, a = np.empty(4), np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    s = _segment(knots, time)
    x = time - knots[s]
    for axis in range(3):
        c = places[:, s, axis]
        positions[axis] = ((c[0] * x + c[1]) * x + c[2]) * x + c[3]
        velocities[axis] = (3.0 * c[0] * x + 2.0 * c[1]) * x + c[2]
        accelerations[axis] = 6.0 * c[0] * x + 2.0 * c[1]
    s = _segment(turn_knots, time)
    x = time - turn_knots[s]
    for body in range(turns.shape[2]):
        square, mixed = 0.0, 0.0
        for k in range(4):
            c3, c2, c1, c0 = turns[0, s, body, k], turns[1, s, body, k], turns[2, s, body, k], turns[3, s, body, k]
            r[k] = ((c3 * x + c2) * x + c1) * x + c0
            dr[k] = (3.0 * c3 * x + 2.0 * c2) * x + c1
            ddr[k] = 6.0 * c3 * x + 2.0 * c2
            square += r[k] * r[k]
            mixed += r[k] * dr[k]
        inverse = (r[0], -r[1], -r[2], -r[3])
        product(inverse, dr, v)
        product(inverse, ddr, a)
        scale = 1.0 / np.sqrt(square)
        for k in range(4):
            positions[turn_at(body) + k] = r[k] * scale
        for axis in range(3):
            omega = 2.0 * v[1 + axis] / square
            velocities[spin_at(body) + axis] = omega
            accelerations[spin_at(body) + axis] = 2.0 * a[1 + axis] / square - 2.0 * mixed / square * omega


@njit(cache=True)
def mean_velocities(before, after, duration, out):
    """Generalized velocities (nv) that lead from one set of positions (nq) to another in `duration`."""
    for axis in range(3):
        out[axis] = (after[axis] - before[axis]) / duration
    for body in range((before.shape[0] - 3) // 4):
        at = turn_at(body)
        turn = out[spin_at(body) : spin_at(body) + 3]
        difference(before[at : at + 4], after[at : at + 4], turn)
        for axis in range(3):
            turn[axis] /= duration


@njit(cache=True)
def note_motion(rows, before, duration, last, velocities, rates):
    """See `trajectory.note_motion`."""
    for k in range(velocities.shape[0]):
        last[k] = velocities[k]
    mean_velocities(before, rows[-1], duration, velocities)
    for k in range(velocities.shape[0]):
        rates[k] = (velocities[k] - last[k]) / duration
