"""Compiled loops: a hand goes round its own body, and stays within reach, before it has to; plain arrays in."""

from __future__ import annotations

from poise.behaviors.hands.trunk._kernels import before_chest, keep_off, within
from poise.math._compile import njit
from poise.math._easing import approached
from poise.math._tuples import add, length, scale, shortened, subtract


@njit(cache=True, error_model="numpy", forceinline=True)
def clear_of_body(place, hand, body, share):
    """A place for a hand's joint within reach where hand and fingers are clear of chest, trunk and other arm.

    Args:
        place: Where it would be.
        hand: Where the clip has the joint, and where it was a tick ago; from the joint to the fingers; and where the clip has
            those, and where they were.
        body: Shoulder, middle between both, ahead, the trunk's capsules (`keep_off`), and how far the arm goes [m], led over
            to about how much before that [m], by how much at most [m].
        share: How much of the hand is its own.
    """
    (clips, before, fingers, clip_fingers, fingers_before), (root, base, faces, trunk, (reach, soft, most)) = hand, body
    there = before_chest(place, clips, root, base, faces, share, 0.0)
    there = keep_off(there, before, clips, faces, trunk, share, 0.0)
    there = subtract(keep_off(add(there, fingers), fingers_before, clip_fingers, faces, trunk, share, 0.0), fingers)
    short = subtract(within(subtract(there, root), reach, soft), subtract(there, root))
    return add(there, shortened(scale(short, share), most))


@njit(cache=True, error_model="numpy", forceinline=True)
def step_aside(aside, now, later, soon, duration, tick):
    """How far a hand is off its way, how that changes and how that does, after a tick.

    Args:
        aside: The same before the tick.
        now: How far it has to be off its way at the end of the tick.
        later: How far a while later: it goes there in time.
        soon: How far in the middle of that while.
        duration: That while [s].
        tick: [s].
    """
    wanted = now if length(now) > length(soon) else soon
    wanted = wanted if length(wanted) > length(later) else later
    left, rate, gain = approached(subtract(aside[0], wanted), aside[1], aside[2], duration, tick)
    return add(wanted, left), rate, gain
