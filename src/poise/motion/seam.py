"""Joining two pieces of motion without a jump in pose or velocity."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.math.easing import minimum_jerk

__all__ = ["Motion", "join"]

Array = NDArray[np.float64]

Motion = tuple[Array, Array]
"""Rotations wxyz, shape (T, J, 4), and positions [m], shape (T, J, 3), of joints each in its own fixed frame."""


_USUAL = 0.9
"""Share of the frames inside the pieces whose own kink is at most what is called usual."""


def join(before: Motion, after: Motion, frames: int) -> tuple[Motion, Motion]:
    """Adjust the end of `before` and the beginning of `after` so that they meet.

    The last frame of `before` and the first of `after` are the same instant. They meet half-way in pose, and in
    velocity as far as the jump is greater than what the same one-sided differences show inside the pieces. The
    adjustment fades to nothing with no velocity or acceleration over `frames` frames on each side, at most half of
    each piece.
    """
    rotations = _join_rotations(before[0], after[0], frames)
    positions = _join_positions(before[1], after[1], frames)
    return (rotations[0], positions[0]), (rotations[1], positions[1])


def _join_positions(before: Array, after: Array, frames: int) -> tuple[Array, Array]:
    gap = after[0] - before[-1]
    steps = np.diff(before, axis=0), np.diff(after, axis=0)
    change = 0.5 * _unusual(_first_rate(steps[1]) - _last_rate(steps[0]), *steps)
    end = _adjustment(len(before), frames, 0.5 * gap, -change)[::-1]
    start = _adjustment(len(after), frames, -0.5 * gap, -change)
    return before + end, after + start


def _join_rotations(before: Array, after: Array, frames: int) -> tuple[Array, Array]:
    """As for positions, with the adjustment a rotation vector applied in each joint's own frame."""
    half = 0.5 * quat.log(quat.mul(quat.conj(before[-1]), after[0]))
    steps = _turns(before), _turns(after)
    # Both angular velocities, carried over into the frame half-way.
    end_rate = quat.rotate(quat.exp(-half), _last_rate(steps[0]))
    start_rate = quat.rotate(quat.exp(half), _first_rate(steps[1]))
    change = 0.5 * _unusual(start_rate - end_rate, *steps)
    end = _adjustment(len(before), frames, half, -_vector_rate(half, change))[::-1]
    start = _adjustment(len(after), frames, -half, _vector_rate(-half, -change))
    return quat.mul(before, quat.exp(end)), quat.mul(after, quat.exp(start))


def _turns(rotations: Array) -> Array:
    return quat.log(quat.mul(quat.conj(rotations[:-1]), rotations[1:]))


def _first_rate(steps: Array) -> Array:
    """Rate per frame at the first frame from the steps between frames, to second order."""
    rate: Array = steps[0] if len(steps) == 1 else 1.5 * steps[0] - 0.5 * steps[1]
    return rate


def _last_rate(steps: Array) -> Array:
    return _first_rate(steps[::-1])


def _unusual(jump: Array, *pieces: Array) -> Array:
    """What a jump in rate, (J, 3), has beyond the jumps that the same estimate finds inside the pieces, (T-1, J, 3)."""
    inside = [1.5 * (s[2:-1] - s[1:-2]) - 0.5 * (s[3:] - s[:-3]) for s in pieces if len(s) > 3]
    if not inside:
        return jump
    usual = np.quantile(np.linalg.norm(np.concatenate(inside), axis=-1), _USUAL, axis=0)
    size = np.linalg.norm(jump, axis=-1)
    beyond: Array = jump * np.maximum(0.0, 1.0 - usual / np.maximum(size, 1e-300))[:, None]
    return beyond


def _vector_rate(vector: Array, omega: Array) -> Array:
    """Rate of a rotation vector whose rotation turns with `omega` in its own frame, to third order in the vector."""
    turned = np.cross(vector, omega)
    rate: Array = omega + 0.5 * turned + np.cross(vector, turned) / 12.0
    return rate


def _adjustment(length: int, frames: int, value: Array, rate: Array) -> Array:
    """A quintic per component from `value` and `rate` (per frame, no acceleration) at frame 0 down to nothing."""
    width = max(1.0, min(float(frames), (length - 1) / 2.0))
    u = np.minimum(np.arange(length) / width, 1.0)[:, None, None]
    fade = 1.0 - minimum_jerk(u)
    slope = u - u**3 * (6.0 - 8.0 * u + 3.0 * u**2)
    return np.asarray(fade * value + width * slope * rate)
