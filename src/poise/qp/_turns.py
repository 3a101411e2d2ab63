"""Compiled loops of `ranges.py`: a ball's turn as swing and twist, and what keeps those in their ranges."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import conj, product, quaternion
from poise.qp._kernels import damper

_SOON = 1e-6
"""After how long a ball is looked at again, for how its rates change [s]."""


@njit(cache=True)
def swung(turn, neutral, angles, rates):
    """Swing about x, swing about y and twist about z of a ball, and how they change with its angular velocity.

    With a = n q n* as swing times twist, and r the swing's rotation vector, its velocity is z φ' + R(twist)^T J(r) r'. J is
    the right Jacobian of rotations (Chirikjian 2012, section 10.8.6), and r has no z.

    Args:
        turn: The ball's coordinate q, wxyz.
        neutral: How the body is turned in the neutral pose n, wxyz.
        angles: Written [rad], shape (3,).
        rates: Written: their rates for each unit of angular velocity in the body's frame, shape (3, 3).

    Returns:
        The length of the swing [rad].
    """
    w, x, y, z = product(product(neutral, turn), conj(neutral))
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    length = np.sqrt(w * w + z * z)
    c, s = (w / length, z / length) if length > 1e-9 else (1.0, 0.0)
    # The swing is a times the twist's inverse; it has no z.
    half = np.arctan2(np.sqrt(x * x + y * y), length)
    scale = 2.0 * half / np.sin(half) if half > 1e-6 else 2.0
    sx, sy = scale * (x * c - y * s), scale * (y * c + x * s)
    swing = 2.0 * half
    angles[0], angles[1], angles[2] = sx, sy, 2.0 * np.arctan2(s, c)
    # Inverse of J: 1 + [r] / 2 + bend [r]².
    bend = 1.0 / 12.0
    if swing > 1e-4:
        bend = 1.0 / swing**2 - (1.0 + np.cos(swing)) / (2.0 * swing * np.sin(swing))
    inverse = np.empty((3, 3))
    inverse[0, 0], inverse[0, 1], inverse[0, 2] = 1.0 - bend * sy * sy, bend * sx * sy, 0.5 * sy
    inverse[1, 0], inverse[1, 1], inverse[1, 2] = bend * sx * sy, 1.0 - bend * sx * sx, -0.5 * sx
    inverse[2, 0], inverse[2, 1], inverse[2, 2] = -0.5 * sy, 0.5 * sx, 1.0 - bend * swing * swing
    # From the body's frame into that between swing and twist: R(twist) R(n).
    into = np.empty((3, 3))
    _matrix(product((c, 0.0, 0.0, s), neutral), into)
    for i in range(3):
        turned = inverse[2, 0] * into[0, i] + inverse[2, 1] * into[1, i] + inverse[2, 2] * into[2, i]
        rates[2, i] = turned / inverse[2, 2]
        for r in range(2):
            moved = inverse[r, 0] * into[0, i] + inverse[r, 1] * into[1, i] + inverse[r, 2] * into[2, i]
            rates[r, i] = moved - inverse[r, 2] * rates[2, i]
    return swing


@njit(cache=True)
def _matrix(turn, out):
    w, x, y, z = turn
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit(cache=True)
def range_rows(turns, neutrals, ends, dofs, velocities, zone, gains, out):
    """Rows x qdd between low and high that keep the turns of balls in their ranges, by a velocity damper at each end.

    Args:
        turns: Coordinates of the balls, wxyz, shape (b, 4).
        neutrals: How their bodies are turned in the neutral pose, shape (b, 4).
        ends: Least and greatest angles, shape (b, 3) both.
        dofs: Their degrees of freedom, shape (b, 3).
        velocities: Of the whole system, shape (n,).
        zone: Step [s], how far before an end braking begins and what is kept of it [rad], ξ added to the automatic one
            [rad/s], hardest braking [rad/s²], longest swing of which angles mean anything [rad].
        gains: Damper gains, shape (b, 3, 2); written.
        out: Angles (b, 3), rows (3 b, n), low and high (3 b,); written.
    """
    (lower, upper), (angles, rows, low, high) = ends, out
    step, influence, kept, offset, hardest, longest = zone
    rates, later, after, spin = np.empty((3, 3)), np.empty((3, 3)), np.empty(3), np.empty(3)
    edge = (influence, kept, offset)
    for b in range(len(turns)):
        for i in range(3):
            spin[i] = velocities[dofs[b, i]]
        turn, neutral = quaternion(turns, b), quaternion(neutrals, b)
        swing = swung(turn, neutral, angles[b], rates)
        soon = product(turn, (1.0, 0.5 * _SOON * spin[0], 0.5 * _SOON * spin[1], 0.5 * _SOON * spin[2]))
        swung(soon, neutral, after, later)
        for c in range(3):
            at = 3 * b + c
            rate, drift = 0.0, 0.0
            for i in range(3):
                rows[at, dofs[b, i]] = rates[c, i]
                rate += rates[c, i] * spin[i]
                drift += (later[c, i] - rates[c, i]) * spin[i] / _SOON
            low[at], high[at] = -np.inf, np.inf
            if swing < longest:
                low[at] = min(damper(angles[b, c] - lower[b, c], rate, step, edge, gains[b, c, :1]), hardest) - drift
                high[at] = (
                    max(-damper(upper[b, c] - angles[b, c], -rate, step, edge, gains[b, c, 1:]), -hardest) - drift
                )
                if low[at] > high[at]:
                    low[at] = high[at] = 0.5 * (low[at] + high[at])
            else:
                gains[b, c, 0] = gains[b, c, 1] = 0.0
