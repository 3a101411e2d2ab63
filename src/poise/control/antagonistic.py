"""Antagonistic control of one angle: two springs pulling towards the ends of its range (Alvarado 2022, Sec. 4).

    torque = kL (low - angle) + kH (high - angle) - kd velocity

At the target the two must balance the torque `load` of the surroundings, which fixes one gain by the other (Eq. 3, the
"isoline"). With K = kL + kH the law is exactly K (target - angle) - load - kd velocity: a spring whose stiffness is the
tension, plus the load. The paper fixes kL, which makes K depend on the pose; fixing K instead has no singularity and treats
mirrored poses alike, so that is what the product uses. Signs: `load` is the torque the surroundings exert (gravity's, say),
as the paper's Algorithm 1 and Eq. 3 need it; its Eq. 2 lacks a minus.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError

__all__ = ["Antagonist", "antagonist_from_low_gain", "antagonist_from_stiffness", "antagonist_torque"]

Array = NDArray[np.float64]


class Antagonist(NamedTuple):
    """The two gains [N m/rad] of each angle, and whether the tension had to be raised so that neither muscle pushes."""

    low: Array
    high: Array
    raised: NDArray[np.bool_]


def _arrays(*values: ArrayLike) -> list[Array]:
    return [np.asarray(value, dtype=np.float64) for value in values]


def antagonist_from_stiffness(
    stiffness: ArrayLike, low: ArrayLike, high: ArrayLike, target: ArrayLike, load: ArrayLike
) -> Antagonist:
    """Gains of total stiffness K that balance `load` at `target`.

    kL = (K (high - target) + load) / (high - low) and kH = (K (target - low) - load) / (high - low). A muscle cannot push,
    so K is raised to the least value that leaves both gains at zero or above.

    Args:
        stiffness: K [N m/rad].
        low: Lower end of the range [rad].
        high: Upper end of the range [rad].
        target: Angle to hold [rad], strictly inside the range.
        load: Torque of the surroundings at the target [N m].

    Raises:
        InputError: A target lies outside its range.
    """
    k, lower, upper, at, torque = _arrays(stiffness, low, high, target, load)
    if np.any(at <= lower) or np.any(at >= upper):
        raise InputError("the target angle must lie strictly between the ends of its range")
    least = np.maximum(torque / (at - lower), -torque / (upper - at))
    raised = k < least
    k = np.maximum(k, least)
    width = upper - lower
    return Antagonist((k * (upper - at) + torque) / width, (k * (at - lower) - torque) / width, raised)


def antagonist_from_low_gain(
    low_gain: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    target: ArrayLike,
    load: ArrayLike,
    *,
    published: bool = False,
) -> Antagonist:
    """The paper's own form: kL is given and kH follows from Eq. 3, which is singular where the target nears `high`.

    kH = kL (target - low) / (high - target) - load / (high - target). A negative kH is reported as it is; `raised` is never
    set. Arguments and errors as `antagonist_from_stiffness`, with kL [N m/rad] in place of K. With `published` the load has the
    sign that Eq. 2 gives it, which contradicts Eq. 3 and carries the load the wrong way: for comparison only.
    """
    gain, lower, upper, at, torque = _arrays(low_gain, low, high, target, load)
    if np.any(at <= lower) or np.any(at >= upper):
        raise InputError("the target angle must lie strictly between the ends of its range")
    high_gain = (gain * (at - lower) + (torque if published else -torque)) / (upper - at)
    return Antagonist(gain, high_gain, np.zeros(np.shape(high_gain), dtype=bool))


def antagonist_torque(
    gains: Antagonist, low: ArrayLike, high: ArrayLike, angle: ArrayLike, damping: ArrayLike, velocity: ArrayLike
) -> Array:
    """Eq. 1: the torque [N m] of both muscles and the damper (damping [N m s/rad], velocity [rad/s])."""
    lower, upper, at, kd, speed = _arrays(low, high, angle, damping, velocity)
    torque: Array = gains.low * (lower - at) + gains.high * (upper - at) - kd * speed
    return torque
