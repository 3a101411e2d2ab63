"""Compiled laws of the root; plain arrays in, outputs preallocated."""

from __future__ import annotations

import numpy as np

from poise.math._compile import njit
from poise.math._kernels import difference, rotate


@njit(cache=True)
def _about(neutral, damping, axis):
    """Damping about an axis of the pelvis' own frame, given about forward, left and up of the neutral one."""
    own, turned = np.zeros(3), np.empty(3)
    own[axis] = 1.0
    rotate(neutral, own, turned)
    total = 0.0
    for k in range(3):
        total += damping[3 + k] * turned[k] ** 2
    return total


@njit(cache=True)
def root_wrench(now, intended, feed, lean, gains, out, spin):
    """See `poise.control.root.root_wrench`."""
    (place, speed), (target, velocity), (stiffness, damping, limits, neutral) = now, intended, gains
    inverse = (neutral[0], -neutral[1], -neutral[2], -neutral[3])
    error, rate, pull = np.empty(3), np.empty(3), np.empty(3)
    for axis in range(3):
        pull[axis] = stiffness[axis] * (target[axis] - place[axis]) + damping[axis] * (velocity[axis] - speed[axis])
    size = np.sqrt(pull[0] ** 2 + pull[1] ** 2)
    share = 1.0 if size <= limits[0] else limits[0] / size
    out[0], out[1] = feed[0] + share * pull[0] + lean[0], feed[1] + share * pull[1] + lean[1]
    out[2] = feed[2] + min(max(pull[2], -limits[1]), limits[1])
    difference(place[3:], target[3:], error)
    for axis in range(3):
        rate[axis] = velocity[3 + axis] - speed[3 + axis]
    rotate(neutral, error, error)
    rotate(neutral, rate, rate)
    for axis in range(3):
        pull[axis] = stiffness[3 + axis] * error[axis] + damping[3 + axis] * rate[axis]
    rotate(inverse, pull, pull)
    size = np.sqrt(pull[0] ** 2 + pull[1] ** 2 + pull[2] ** 2)
    share = 1.0 if size <= limits[2] else limits[2] / size
    for axis in range(3):
        # Of the damper, what an angular velocity about this very axis of the pelvis' frame has to overcome.
        spin[axis] = share * _about(neutral, damping, axis)
        out[3 + axis] = feed[3 + axis] + share * pull[axis] + spin[axis] * speed[3 + axis]
