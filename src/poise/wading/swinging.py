"""How high a swinging foot is carried: out of shallow fluid, and low through deep."""

from __future__ import annotations

from math import pi, sin, sqrt

from poise.math.easing import eased

__all__ = ["swing_lift"]

_STEP_OVER, _TOO_DEEP = 0.25, 0.35
"""Fluid up to the first share of a leg's length is stepped over, beyond the second it is waded through."""
_CLEAR = 0.07
"""A foot that is lifted out has its ball this far over the surface [m]."""
_RISES = 0.45
"""It comes up, and goes down, over this share of its step."""
_BRIEF = 0.1, 0.45
"""A step that takes no longer than this [s], as the rest of one with which a clip begins, has no time to lift a foot so high;
one that takes as long as the second has."""
_SOFT = 0.03
"""Within this of where it is clear it begins to be lifted [m]."""
_FILM = 0.05
"""Fluid that is shallower than this is stepped over by as much less [m]: else a foot would jump where it begins."""
_DRAGS, _DEEP = 0.6, 0.75
"""In fluid as deep as the second share of a leg a foot is carried lower by the first share of what its clip lifts it: thighs
are not raised against the fluid where the foot does not come out of it anyway."""


def swing_lift(share: float, period: float, own: float, depth: float, leg: float) -> float:
    """How much higher than in the clip a swinging foot is held [m]; below zero where it drags.

    Args:
        share: Of its step that is done, 0…1; 1 while it stands.
        period: How long that takes in the clip [s].
        own: How high over the ground the clip has it [m].
        depth: Of the fluid [m].
        leg: Length of a leg [m].
    """
    if share >= 1.0 or depth <= 0.0:
        return 0.0
    over = min(max((_TOO_DEEP - depth / leg) / (_TOO_DEEP - _STEP_OVER), 0.0), depth / _FILM, 1.0)
    # Up early and down late, so that the foot is out of the fluid for most of its way; a knee has to keep up with it.
    shape = eased(share / _RISES) * eased((1.0 - share) / _RISES)
    short = depth + _CLEAR - max(own, 0.0)
    lifted = 0.5 * (short + sqrt(short * short + 4.0 * _SOFT**2))
    drags = min(max((depth / leg - _TOO_DEEP) / (_DEEP - _TOO_DEEP), 0.0), 1.0)
    lowered = _DRAGS * drags * max(own, 0.0) * sin(pi * share) ** 2
    brief = eased((period - _BRIEF[0]) / (_BRIEF[1] - _BRIEF[0]))
    return brief * over * shape * lifted - lowered
