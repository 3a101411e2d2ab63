"""Compiled ways from one motion to another; vectors are tuples as in `_tuples`. See there before editing."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._tuples import add, clip, scale, subtract


@njit(cache=True, error_model="numpy", forceinline=True)
def minimum_jerk(s):
    """See `easing.minimum_jerk`; of a number between 0 and 1."""
    return s**3 * (10.0 + s * (6.0 * s - 15.0))


@njit(cache=True, error_model="numpy", forceinline=True)
def approached(error, rate, gain, duration, time):
    """What is left of an error that shall be gone in `duration` [s], after a `time`; how it changes, and how that does.

    The way of least jerk from the error's own velocity and acceleration to rest (Flash and Hogan 1985; Hoff and Arbib 1993 for
    goals that move). Asked anew every tick for the time that is left it is the same way, unless something came in between;
    asked for the same time again and again it is a follower of third order, whose acceleration does not jump.

    Args:
        error: At the beginning.
        rate: How fast it changes then.
        gain: How fast that changes then.
        duration: [s].
        time: [s].
    """
    s = clip(time / duration, 0.0, 1.0)
    run, swing = scale(rate, duration), scale(gain, 0.5 * duration * duration)
    left = add(
        scale(error, 1.0 - minimum_jerk(s)),
        add(scale(run, s + s**3 * (-6.0 + s * (8.0 - 3.0 * s))), scale(swing, s**2 * (1.0 - s) ** 3)),
    )
    first = add(
        scale(error, -30.0 * (s * (1.0 - s)) ** 2),
        add(
            scale(run, 1.0 + s**2 * (-18.0 + s * (32.0 - 15.0 * s))),
            scale(swing, s * (2.0 + s * (-9.0 + s * (12.0 - 5.0 * s)))),
        ),
    )
    second = add(
        scale(error, s * (-60.0 + s * (180.0 - 120.0 * s))),
        add(
            scale(run, s * (-36.0 + s * (96.0 - 60.0 * s))),
            scale(swing, 2.0 + s * (-18.0 + s * (36.0 - 20.0 * s))),
        ),
    )
    return left, scale(first, 1.0 / duration), scale(second, 1.0 / (duration * duration))


@njit(cache=True, error_model="numpy", forceinline=True)
def settled(error, rate, quickness, time):
    """An error that a critically damped spring of a natural frequency [rad/s] has drawn in for a while [s], and its rate."""
    fade = np.exp(-quickness * time)
    push = add(rate, scale(error, quickness))
    left = scale(add(error, scale(push, time)), fade)
    return left, scale(subtract(rate, scale(push, quickness * time)), fade)
