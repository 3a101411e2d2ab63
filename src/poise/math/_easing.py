"""Compiled ways from one motion to another; vectors are tuples as in `_tuples`. See there before editing."""

from __future__ import annotations

import numpy as np
from numba import njit

from poise.math._tuples import add, clip, scale, subtract


@njit(cache=True, error_model="numpy", forceinline=True)
def minimum_jerk(s):
    """See `easing.minimum_jerk`; of a number between 0 and 1."""
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def glide(offset, rate, gain, duration, time):
    """What is left of a difference that is eased out, `time` after the beginning.

    Eq. 4 of Alvarado 2022 eases from where the hand was to where it shall be, from rest and to a place that stands still. Here
    the difference to the goal is eased out by a quintic that starts with the hand's own velocity and acceleration, so that a
    change of mind in mid-reach does not jerk, and the goal may move. At the end it is at rest.

    Args:
        offset: The difference at the beginning.
        rate: How fast it changes then.
        gain: How fast that changes.
        duration: [s].
        time: [s].
    """
    s = clip(time / duration, 0.0, 1.0)
    run = (s + s**3 * (-6.0 + s * (8.0 - 3.0 * s))) * duration
    swing = 0.5 * s**2 * (1.0 - s) ** 3 * duration**2
    return add(add(scale(offset, 1.0 - minimum_jerk(s)), scale(rate, run)), scale(gain, swing))


@njit(cache=True, error_model="numpy", forceinline=True)
def settled(error, rate, quickness, time):
    """An error that a critically damped spring of a natural frequency [rad/s] has drawn in for a while [s], and its rate."""
    fade = np.exp(-quickness * time)
    push = add(rate, scale(error, quickness))
    left = scale(add(error, scale(push, time)), fade)
    return left, scale(subtract(rate, scale(push, quickness * time)), fade)
