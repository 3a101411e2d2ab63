"""What hands do that people notice: jerks, shaking, and how fast they meet things.

Measured on the motion that is exported, at its own frame rate, beside the source's: captured hands jerk and shake too.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise.metrics._arrays import Array, Mask, checked, checked_mask, checked_rate
from poise.metrics.smoothness import jerk

__all__ = ["QUICK_REACH", "QUICK_SPEED", "arrival_ratio", "arrival_speeds", "jerk_ratio", "reversals"]

QUICK_REACH = 200.0
"""Jerk of an ordinary quick reach [m/s³] (30 cm in 0.45 s by least jerk begins and ends with 60 d / T³ = 198): a calm clip's
own jerk is no measure of what a person may do who has to reach."""
QUICK_SPEED = 1.25
"""The most speed of the same reach [m/s]: 15/8 d / T in the middle of the bell (Flash and Hogan 1985), from where it slows down
until it arrives."""


def jerk_ratio(
    source: ArrayLike, result: ArrayLike, rate: float, *, where: ArrayLike | None = None, least: float = QUICK_REACH
) -> float:
    """95th percentile of the hands' jerk over the larger of the source's and `least`; NaN where there is none.

    Args:
        source: Hands of the source clip [m], shape (T, H, 3).
        result: Hands of the result [m], shape (T', H, 3).
        rate: Frames per second, of both.
        where: Frames of the result whose jerk counts (every jerk over four frames of which one is listed), shape (T', H); all
            without it.
        least: Jerk that counts as calm whatever the source does [m/s³].

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    own, found = jerk(source, rate), jerk(result, rate)
    if where is not None:
        mask = checked_mask("where", where, len(found) + 3, found.shape[1])
        found = found[mask[:-3] | mask[1:-2] | mask[2:-1] | mask[3:]]
    if found.size == 0 or own.size == 0:
        return float("nan")
    return float(np.percentile(found, 95.0) / max(float(np.percentile(own, 95.0)), least))


def reversals(positions: ArrayLike, rate: float, *, threshold: float = 9.81) -> Mask:
    """Whether an acceleration above `threshold` turns against the one of the frame before, shape (T - 3, H).

    The acceleration of frame k is the second difference of frames k to k + 2; it reverses where it and the next both exceed
    the threshold [m/s²] and point more than 90° apart. A hand does so at an impact; one that does it in the air shakes.

    Raises:
        InputError: The shape is wrong or the rate is not positive.
    """
    array = checked("positions", positions, None, None, 3)
    acceleration = np.diff(array, 2, axis=0) * checked_rate(rate) ** 2
    size = np.linalg.norm(acceleration, axis=2)
    apart = np.einsum("thk,thk->th", acceleration[1:], acceleration[:-1]) < 0.0
    return np.asarray(apart & (size[1:] > threshold) & (size[:-1] > threshold))


def arrival_speeds(positions: ArrayLike, rate: float, touching: ArrayLike, *, apart: float = 0.25) -> Array:
    """Speed of a hand over the frame before it first touches something [m/s], one per touch, shape (n,).

    Args:
        positions: Of one hand [m], shape (T, 3).
        rate: Frames per second.
        touching: Whether it touches something, shape (T,).
        apart: A touch is a first one when none was for so long before it [s].

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    place = checked("positions", positions, None, 3)
    mask = checked_mask("touching", touching, len(place))
    frames = np.flatnonzero(mask)
    first = frames[np.diff(frames, prepend=-(10**9)) > apart * checked_rate(rate)]
    first = first[first > 0]
    speeds: Array = np.linalg.norm(place[first] - place[first - 1], axis=1) * rate
    return speeds


def arrival_ratio(
    source: ArrayLike, result: ArrayLike, rate: float, touching: ArrayLike, *, least: float = QUICK_SPEED
) -> float:
    """The fastest hand as it first touches something over the larger of the source's hands and `least`; NaN without a touch.

    Args:
        source: Hands of the source clip [m], shape (T, H, 3); what counts is the speed that 95 % of theirs are below.
        result: Hands of the result [m], shape (T', H, 3).
        rate: Frames per second, of both.
        touching: Whether each of the result's touches something, shape (T', H).
        least: Speed that counts as slow whatever the source does [m/s].

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    own, found = checked("source", source, None, None, 3), checked("result", result, None, None, 3)
    mask = checked_mask("touching", touching, len(found), found.shape[1])
    speeds = np.concatenate([arrival_speeds(found[:, k], rate, mask[:, k]) for k in range(found.shape[1])])
    if not len(speeds) or len(own) < 2:
        return float("nan")
    usual = np.linalg.norm(np.diff(own, axis=0), axis=2) * rate
    return float(speeds.max() / max(float(np.percentile(usual, 95.0)), least))
