"""Compiled loops: how an elbow swivels about the way from shoulder to hand; plain arrays in.

A hand's place says nothing about the elbow: poles, joint ranges and the trunk do, and what they ask for may flip from tick
to tick. The elbow goes there without jumps, and the hand stays where it is led meanwhile.
"""

from __future__ import annotations

import numpy as np

from poise.behaviors.hands.columns import ELBOW, SWIVEL_GAIN, SWIVEL_LEFT, SWIVEL_RATE, SWIVEL_SPEED
from poise.behaviors.hands.trunk._kernels import into_body, out_of_body
from poise.body._layout import turn_at
from poise.ik.limbs._kernels import bend_axis
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._tuples import (
    about,
    add,
    clip,
    cross,
    dot,
    length,
    product,
    quadruple,
    quaternion,
    scale,
    subtract,
    triple,
    turned,
    unit,
    vector,
    write,
)


@njit(cache=True, error_model="numpy", forceinline=True)
def bend_of(plan, model, limb, row, above):
    """Where an arm's elbow is off the way from shoulder to wrist in a row, as a unit vector, and that way's.

    Args:
        plan: Parents and offsets.
        model: Of the limbs (`ik.limbs`).
        limb: Which.
        row: Generalized positions (nq,).
        above: How the body above the arm is turned in the world.
    """
    _, offsets = plan
    bind, limbs, shape = model[0], model[4], model[5][limb]
    root, mid, end = limbs[limb, 0], limbs[limb, 1], limbs[limb, 2]
    upper = product(above, product(quaternion(bind, root), quadruple(row, turn_at(root))))
    a = turned(upper, vector(offsets, mid))
    lower = product(upper, product(quaternion(bind, mid), quadruple(row, turn_at(mid))))
    b = turned(lower, vector(offsets, end))
    axis = unit(add(a, b), unit(a, (0.0, 0.0, -1.0)))
    normal = bend_axis(unit(a, axis), unit(b, axis), turned(upper, (shape[0], shape[1], shape[2])))
    return unit(scale(cross(normal, axis), -1.0), normal), axis


@njit(cache=True, error_model="numpy", forceinline=True)
def swivel_elbow(track, wanted, clips, axis, faces, calm, tick):
    """Where the elbow shall be off the way from shoulder to wrist, as a unit vector; the track takes note of it.

    Args:
        track: Of the hand; written.
        wanted: Where poles, ranges and trunk want it.
        clips: Where the clip has it, off its own way: from there it sets out.
        axis: Unit vector from shoulder to wrist.
        faces: Ahead.
        calm: How fast its swivel changes without a jump [rad/s²], and in what time it makes up for one [s].
        tick: [s].
    """
    quick, settles = calm
    before = out_of_body(faces, triple(track, ELBOW))
    if length(before) == 0.0:
        before = clips
        track[SWIVEL_LEFT], track[SWIVEL_RATE], track[SWIVEL_GAIN], track[SWIVEL_SPEED] = 0.0, 0.0, 0.0, 0.0
    before = unit(subtract(before, scale(axis, dot(before, axis))), wanted)
    # What was left of the last jumps is part of how far it is now.
    moved = np.arctan2(dot(cross(before, wanted), axis), dot(before, wanted)) + track[SWIVEL_LEFT]
    moved -= 2.0 * np.pi * np.rint((moved - track[SWIVEL_SPEED] * tick) / (2.0 * np.pi))
    surprise = moved - track[SWIVEL_SPEED] * tick
    most = quick * tick * tick
    jump = surprise - clip(surprise, -most, most)
    track[SWIVEL_SPEED] += clip(moved / tick - track[SWIVEL_SPEED], -quick * tick, quick * tick)
    error = (track[SWIVEL_LEFT] - jump, 0.0, 0.0)
    left, rate, gain = approached(error, (track[SWIVEL_RATE], 0.0, 0.0), (track[SWIVEL_GAIN], 0.0, 0.0), settles, tick)
    track[SWIVEL_LEFT], track[SWIVEL_RATE], track[SWIVEL_GAIN] = left[0], rate[0], gain[0]
    bend = turned(about(axis, left[0]), wanted)
    write(track, ELBOW, into_body(faces, bend))
    return bend
