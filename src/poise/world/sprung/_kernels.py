"""Compiled loops between a plan's ball joints and a model with hinges, rows of members at a time.

`joints` are, per body of the plan: how many hinges its joint is made of (0 for a ball or the pelvis), shape (B,); their axes in
the body's frame, (B, 2, 3); and where its positions and its velocities begin in the model, (B,) each.
"""

from __future__ import annotations

import numpy as np

from poise.body._layout import spin_at, turn_at
from poise.math._compile import njit
from poise.math._kernels import exponential, product
from poise.world._kernels import drive_forces


@njit(cache=True)
def _seen(axes, count, angle, out):
    """Axes of a body's hinges in its own frame as it is turned: the second carries the first round by `angle`."""
    a, b = axes[0], axes[1]
    cosine, sine = np.cos(angle), np.sin(angle)
    if count == 1:
        cosine, sine = 1.0, 0.0
    out[0, 0] = cosine * a[0] - sine * (b[1] * a[2] - b[2] * a[1])
    out[0, 1] = cosine * a[1] - sine * (b[2] * a[0] - b[0] * a[2])
    out[0, 2] = cosine * a[2] - sine * (b[0] * a[1] - b[1] * a[0])
    out[1, 0], out[1, 1], out[1, 2] = b[0], b[1], b[2]


@njit(cache=True)
def to_plan(joints, positions, velocities, places, speeds):
    """A model's positions (N, nq) and velocities (N, nv) as the plan's, which are written: `places` and `speeds`."""
    counts, axes, position_at, velocity_at = joints
    vector, one, other, seen = np.empty(3), np.empty(4), np.empty(4), np.empty((2, 3))
    for row in range(positions.shape[0]):
        for k in range(7):
            places[row, k] = positions[row, k]
        for k in range(6):
            speeds[row, k] = velocities[row, k]
        for body in range(1, counts.shape[0]):
            q, w, p, d = turn_at(body), spin_at(body), position_at[body], velocity_at[body]
            count = counts[body]
            if count == 0:
                for k in range(4):
                    places[row, q + k] = positions[row, p + k]
                for k in range(3):
                    speeds[row, w + k] = velocities[row, d + k]
                continue
            for k in range(3):
                vector[k] = positions[row, p] * axes[body, 0, k]
            exponential(vector, one)
            if count == 2:
                for k in range(3):
                    vector[k] = positions[row, p + 1] * axes[body, 1, k]
                exponential(vector, other)
                product(one, other, places[row, q : q + 4])
                _seen(axes[body], count, positions[row, p + 1], seen)
            else:
                for k in range(4):
                    places[row, q + k] = one[k]
                _seen(axes[body], count, 0.0, seen)
            for k in range(3):
                speeds[row, w + k] = velocities[row, d] * seen[0, k]
                if count == 2:
                    speeds[row, w + k] += velocities[row, d + 1] * seen[1, k]


@njit(cache=True)
def add_torques(joints, bodies, torques, positions, forces):
    """Add torques of joints, in the frames of the bodies below them, to a model's forces.

    Args:
        joints: See the module.
        bodies: Whose joints, (M,).
        torques: [N m], (N, M, 3).
        positions: Of the model, (N, nq).
        forces: Of the model, (N, nv); added to.
    """
    counts, axes, position_at, velocity_at = joints
    seen = np.empty((2, 3))
    for row in range(torques.shape[0]):
        for m in range(bodies.shape[0]):
            body = bodies[m]
            p, d, count = position_at[body], velocity_at[body], counts[body]
            if count == 0:
                for k in range(3):
                    forces[row, d + k] += torques[row, m, k]
                continue
            _seen(axes[body], count, positions[row, p + 1] if count == 2 else 0.0, seen)
            for hinge in range(count):
                for k in range(3):
                    forces[row, d + hinge] += seen[hinge, k] * torques[row, m, k]


@njit(cache=True)
def drive_rows(drives, armature, h, positions, velocities, targets, forces):
    """`drive_forces` of the cut for one step of many members: positions and targets (N, nq), velocities and forces (N, nv).

    `velocities` is scratch: it comes in with the present ones.
    """
    for row in range(positions.shape[0]):
        drive_forces(
            drives, armature, h, positions[row], velocities[row], targets[row : row + 1], forces[row : row + 1]
        )
