"""Compiled loops of tasks: features, and what they add to the objective."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit


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
def turn_matrix(turn, out):
    """Rotation matrix (3, 3) of a unit quaternion wxyz."""
    w, x, y, z = turn[0], turn[1], turn[2], turn[3]
    out[0, 0], out[0, 1], out[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)
    out[1, 0], out[1, 1], out[1, 2] = 2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)
    out[2, 0], out[2, 1], out[2, 2] = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)


@njit(cache=True)
def turned_error(second, reference, first, out):
    """Rotation vector, in world axes, of `second` against `first` times `reference` (rotation matrices)."""
    aim, error = np.empty((3, 3)), np.empty((3, 3))
    for r in range(3):
        for c in range(3):
            aim[r, c] = first[r, 0] * reference[0, c] + first[r, 1] * reference[1, c] + first[r, 2] * reference[2, c]
    for r in range(3):
        for c in range(3):
            error[r, c] = second[r, 0] * aim[c, 0] + second[r, 1] * aim[c, 1] + second[r, 2] * aim[c, 2]
    rotation_vector(error, out)


@njit(cache=True)
def place_of(positions, rotations, body, place, out):
    """Where a place of a body is in the world (3,)."""
    for r in range(3):
        turn = rotations[body, r]
        out[r] = positions[body, r] + turn[0] * place[0] + turn[1] * place[1] + turn[2] * place[2]


@njit(cache=True)
def frame_places(positions, rotations, bodies, place, target, found):
    """Where a place of the second body and a target of the first one are in the world, shape (2, 3)."""
    place_of(positions, rotations, bodies[1], place, found[0])
    place_of(positions, rotations, bodies[0], target, found[1])


@njit(cache=True)
def frame_feature(rotations, bodies, found, reference, kept, own, others, error):
    """Error (6,) of a frame, of its place against its aim and of its turn against a reference; 0 where none is kept.

    Args:
        rotations: Of all bodies.
        bodies: Whose frame it is relative to, and whose it is.
        found: See `frame_places`.
        reference: How turned, in the first body's frame, a rotation matrix.
        kept: How much each row counts, shape (6,).
        own: Of the place: Jacobian (6, n), twist and drift (6,); what does not count is taken out.
        others: Of the aim, where it rides on a body.
        error: Written.
    """
    if bodies[0] > 0:
        subtract(own, others)
    for c in range(3):
        error[c] = found[0, c] - found[1, c]
        error[3 + c] = 0.0
    if kept[3] != 0.0 or kept[4] != 0.0 or kept[5] != 0.0:
        turned_error(rotations[bodies[1]], reference, rotations[bodies[0]], error[3:])
    for c in range(6):
        error[c] *= kept[c]
    keep(kept, own[1], own[2], own[0])


@njit(cache=True)
def place_feature(place, target, kept, error, rate, drift, jacobian):
    """How far a place is from a target, (3,) each, along what counts; what does not is taken out of the others."""
    for c in range(3):
        error[c] = kept[c] * (place[c] - target[c])
    keep(kept, rate, drift, jacobian)


@njit(cache=True)
def keep(kept, rate, drift, jacobian):
    """Multiply each row of a feature by how much it counts."""
    for r in range(len(kept)):
        if kept[r] != 1.0:
            rate[r] *= kept[r]
            drift[r] *= kept[r]
            for i in range(jacobian.shape[1]):
                jacobian[r, i] *= kept[r]


@njit(cache=True)
def subtract(own, others):
    """Take another body's Jacobian, twist and drift from one's own."""
    for r in range(6):
        own[1][r] -= others[1][r]
        own[2][r] -= others[2][r]
        for i in range(own[0].shape[1]):
            own[0][r, i] -= others[0][r, i]


@njit(cache=True)
def gaze(turn, direction, eyes, places, own, others, feature):
    """The turn that brings a look onto a place, less what eyes do, with its rate, drift and Jacobian.

    Args:
        turn: Of the head, a rotation matrix.
        direction: Of the look in its frame, shape (3,).
        eyes: How far the look may be off [rad].
        places: Of the eye and what is looked at [m], shape (3,) each.
        own: Of the eye: Jacobian (6, n), twist and drift (6,).
        others: Of the place.
        feature: Written: error (3,), rate (3,), drift (3,), Jacobian (3, n).
    """
    error, rate, drift, jacobian = feature
    eye, place = places
    x, y, z = place[0] - eye[0], place[1] - eye[1], place[2] - eye[2]
    length = max(np.sqrt(x**2 + y**2 + z**2), 1e-3)
    x, y, z = x / length, y / length, z / length
    look = np.empty(3)
    for i in range(3):
        look[i] = turn[i, 0] * direction[0] + turn[i, 1] * direction[1] + turn[i, 2] * direction[2]
    a, b, c = look[0], look[1], look[2]
    error[0], error[1], error[2] = y * c - z * b, z * a - x * c, x * b - y * a
    sine = np.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2)
    angle = np.arctan2(sine, x * a + y * b + z * c)
    scale = max(angle - eyes, 0.0) / sine if sine > 1e-9 else 0.0
    # A look is turned by the head, and turned away from its place by what the eye and the place do across it.
    flat, aside = np.zeros((3, 3)), np.zeros((3, 3))
    for i in range(3):
        error[i] *= scale
        for j in range(3):
            flat[i, j] = (1.0 if i == j else 0.0) - look[i] * look[j]
    aside[0, 1], aside[0, 2], aside[1, 2] = -c / length, b / length, -a / length
    aside[1, 0], aside[2, 0], aside[2, 1] = c / length, -b / length, a / length
    for i in range(3):
        rate[i] = drift[i] = 0.0
        for j in range(3):
            rate[i] += flat[i, j] * own[1][3 + j] + aside[i, j] * (own[1][j] - others[1][j])
            drift[i] += flat[i, j] * own[2][3 + j] + aside[i, j] * (own[2][j] - others[2][j])
        for k in range(jacobian.shape[1]):
            total = 0.0
            for j in range(3):
                total += flat[i, j] * own[0][3 + j, k] + aside[i, j] * (own[0][j, k] - others[0][j, k])
            jacobian[i, k] = total


@njit(cache=True)
def plain_objective(hessian, gradient, size, costs):
    """Nothing wanted but small accelerations, the first `size` unknowns, and small forces; at these costs."""
    gradient[:] = 0.0
    hessian[:size, :size] = 0.0
    for i in range(len(gradient)):
        hessian[i, i] = costs[0] if i < size else costs[1]


@njit(cache=True)
def add_task(feature, target, gains, parts, objective):
    """Add w |J qdd + drift - xdd|^2 / 2 to a quadratic objective, xdd being what a damped spring wants (Vaillant 2017, Eq. 33).

    Only columns that are not 0 cost time.

    Args:
        feature: Error (r,), rate (r,), drift (r,), Jacobian (r, n).
        target: Velocity and acceleration of the target, shape (r,) each.
        gains: Weight, stiffness, damping, greatest speed.
        parts: First row, end and share of the speed of each group of rows that has a speed together, shape (p, 3).
        objective: Hessian (N, N) and gradient (N,); written.
    """
    error, rate, drift, jacobian = feature
    velocity, acceleration = target
    weight, stiffness, damping, speed = gains
    hessian, gradient = objective
    rows, size = jacobian.shape
    wanted = np.empty(rows)
    for r in range(rows):
        wanted[r] = stiffness * error[r]
    if speed < np.inf:
        for p in range(len(parts)):
            first, end = int(parts[p, 0]), min(int(parts[p, 1]), rows)
            length = 0.0
            for r in range(first, end):
                length += wanted[r] ** 2
            length, most = np.sqrt(length), damping * speed * parts[p, 2]
            if length > most:
                for r in range(first, end):
                    wanted[r] *= most / length
    support = np.empty(size, np.int64)
    for r in range(rows):
        wish = -wanted[r] - damping * (rate[r] - velocity[r]) + acceleration[r] - drift[r]
        count = 0
        for i in range(size):
            if jacobian[r, i] != 0.0:
                support[count] = i
                count += 1
        for a in range(count):
            i = support[a]
            scaled = weight * jacobian[r, i]
            gradient[i] -= scaled * wish
            for b in range(count):
                j = support[b]
                hessian[i, j] += scaled * jacobian[r, j]


@njit(cache=True)
def joint_feature(positions, velocities, which, dofs, target, error, rate):
    """Error and rate of some joints' coordinates."""
    for k in range(len(which)):
        error[k] = positions[which[k]] - target[k]
        rate[k] = velocities[dofs[k]]
