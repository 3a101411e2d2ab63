"""Compiled loops of the crowd; one serial pass per step (a parallel one would fight with the physics for the cores)."""

from __future__ import annotations

import numpy as np
from numba import types

from poise.math._compile import njit
from poise.math._kernels import difference, exponential, product

LOST = 0.3
"""Where a centre of mass is this far from the middle of the ankles no ankle brings it back [m]."""

_LOOP = "Tuple((int64[::1], int64[::1], float64[:,::1], float64[:,:,:,::1], float64[::1], float64[::1], float64[::1], float64))"

# The batch's arrays are strided, but those of a lone member count as contiguous: without signatures of their own the kernels
# would be compiled once more for it.


@njit(f"void({_LOOP}, float64, float64[:,:], float64[:,:], float64[:,:])", cache=True)
def conduct(loop, armature, positions, velocities, applied):
    """Forces that bring every member's driven joints where its gesture has them at the end of the step.

    Args:
        loop: Where each driven joint's rotation begins in (nq,), (K,); where its velocity begins in (nv,), (K,); middle
            rotation of each, (K, 4); cubic pieces of the rotation vector from the middle over a cycle, (4, P, K, 3), highest
            power first; of each member its phase in cycles, which goes on by a step, cycles per second, and factor on the
            gesture, (N,); and the length of a step.
        armature: Rotor inertia of driven joints.
        positions: (N, nq).
        velocities: (N, nv).
        applied: (N, nv); written for driven joints.
    """
    place_at, turn_at, means, curves, phases, rates, sizes, h = loop
    pieces = curves.shape[1]
    vector, turn, target, away = np.empty(3), np.empty(4), np.empty(4), np.empty(3)
    for member in range(positions.shape[0]):
        phase = phases[member] + rates[member] * h
        phase -= np.floor(phase)
        phases[member] = phase
        place = phase * pieces
        piece = min(int(place), pieces - 1)
        x = place - piece
        for k in range(place_at.shape[0]):
            for axis in range(3):
                c = curves[:, piece, k, axis]
                vector[axis] = sizes[member] * (((c[0] * x + c[1]) * x + c[2]) * x + c[3])
            exponential(vector, turn)
            product(means[k], turn, target)
            p, d = place_at[k], turn_at[k]
            difference(positions[member, p : p + 4], target, away)
            for axis in range(3):
                applied[member, d + axis] = armature * (away[axis] / h - velocities[member, d + axis]) / h


_SEEN = types.Array(types.float64, 3, "A", readonly=True)
_LAW = types.Tuple(
    (
        types.int64[::1],
        types.float64[:, ::1],
        types.int64[::1],
        types.float64[:, ::1],
        types.float64[::1],
        types.float64,
        types.float64,
    )
)


@njit(
    types.void(
        _LAW,
        _SEEN,
        _SEEN,
        _SEEN,
        types.float64[:, ::1],
        types.boolean[::1],
        types.float64[:, :],
    ),
    cache=True,
)
def balance(law, centres, places, frames, last, lost, applied):
    """Torques of the paper's balance law on hips and ankles of every member.

    Args:
        law: Velocities that get a torque, (D,); of each, its torque per sideways and per forward pull, (D, 2); rows of the left
            and the right foot, (2,); forward in each foot's own frame, (2, 3); spring [N m/m] and damper [N m s/m] of the pull
            on the centre of mass; how much in front of the middle of the ankles it is held; and the length of a step.
        centres: Centres of mass, (N, 1 + B, 3); row 1 is the whole body's.
        places: Of body frames, (N, 1 + B, 3).
        frames: Of bodies, (N, 1 + B, 9).
        last: Centre of mass at the last call, (N, 2); written.
        lost: Who is beyond help, for good: the law lets go, since its pull would grow with the distance fallen, (N,); written.
        applied: (N, nv); written for the velocities that get a torque.
    """
    freedoms, shares, feet, toes, gains, ahead, h = law
    for member in range(centres.shape[0]):
        ahead_x, ahead_y, middle_x, middle_y = 0.0, 0.0, 0.0, 0.0
        for foot in range(2):
            frame, toe = frames[member, feet[foot]], toes[foot]
            ahead_x += frame[0] * toe[0] + frame[1] * toe[1] + frame[2] * toe[2]
            ahead_y += frame[3] * toe[0] + frame[4] * toe[1] + frame[5] * toe[2]
            middle_x += 0.5 * places[member, feet[foot], 0]
            middle_y += 0.5 * places[member, feet[foot], 1]
        length = np.sqrt(ahead_x * ahead_x + ahead_y * ahead_y) + 1e-12
        ahead_x, ahead_y = ahead_x / length, ahead_y / length
        x, y = centres[member, 1, 0], centres[member, 1, 1]
        error_x, error_y = middle_x - x, middle_y - y
        speed_x, speed_y = (x - last[member, 0]) / h, (y - last[member, 1]) / h
        last[member, 0], last[member, 1] = x, y
        lost[member] = lost[member] or error_x * error_x + error_y * error_y > LOST * LOST
        forward = gains[0] * (error_x * ahead_x + error_y * ahead_y + ahead)
        forward -= gains[1] * (speed_x * ahead_x + speed_y * ahead_y)
        left = gains[0] * (error_y * ahead_x - error_x * ahead_y) - gains[1] * (speed_y * ahead_x - speed_x * ahead_y)
        held = 0.0 if lost[member] else 1.0
        for j in range(freedoms.shape[0]):
            applied[member, freedoms[j]] = held * (shares[j, 0] * left + shares[j, 1] * forward)


@njit(f"void({_LOOP}, float64[:,:], float64[:,:])", cache=True)
def take_up(loop, positions, velocities):
    """Put every member's driven joints where its gesture has them now, moving as they will in the next step."""
    place_at, turn_at, means, curves, phases, rates, sizes, h = loop
    pieces = curves.shape[1]
    vector, turn, now, then, away = np.empty(3), np.empty(4), np.empty(4), np.empty(4), np.empty(3)
    for member in range(positions.shape[0]):
        for k in range(place_at.shape[0]):
            for moment in range(2):
                phase = phases[member] + moment * rates[member] * h
                place = (phase - np.floor(phase)) * pieces
                piece = min(int(place), pieces - 1)
                x = place - piece
                for axis in range(3):
                    c = curves[:, piece, k, axis]
                    vector[axis] = sizes[member] * (((c[0] * x + c[1]) * x + c[2]) * x + c[3])
                exponential(vector, turn)
                product(means[k], turn, now if moment == 0 else then)
            difference(now, then, away)
            for k4 in range(4):
                positions[member, place_at[k] + k4] = now[k4]
            for axis in range(3):
                velocities[member, turn_at[k] + axis] = away[axis] / h
