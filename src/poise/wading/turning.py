"""How wide a wader turns: no tighter than the feet can push sideways, with the weight that the fluid leaves on them.

Who goes round a bend is pushed sideways, by mass times speed times rate of turning, and gets that from feet that stand to the
outside of its way: with feet planted as in the clip the push is the weight on them times how far outside they are. Fluid takes
from both ends. It bears, so that less weight stands on the same feet; it is carried along, so that more mass has to be turned;
and what its drag asks of the friction of shoes is not there for the turn. That it slows the body down makes the turn easier,
so that nobody turns wide in shallow water.
"""

from __future__ import annotations

from math import exp, hypot, sqrt
from typing import NamedTuple

import numpy as np

from poise.fluid import GRAVITY
from poise.locomotion.travel import Travel

__all__ = ["Footing", "Turning", "turned"]

_LEAST = 0.10
"""A body turns as hard as its clip does where it turns hardest; every walker turns so hard [gravities]."""
_PINCH = 0.25
"""Beyond that feet go out a little farther: the more is asked, up to this share."""
_OFTEN = 60.0
"""The clip is looked at so often for that [Hz]."""
_HOME = 1.5
"""Way over which a heading that fell behind in a turn is made good behind it: about a stride [m]."""
_SIDEWAYS = 0.5
"""Of the friction of the shoes so much is for the turn, whatever drag takes: who turns pushes on less."""


class Footing(NamedTuple):
    """What feet have to push with in a tick.

    Args:
        weight: That stands on them [N].
        friction: With which they push along the ground at most [N].
        taken: Of that by what else pushes the body [N].
        mass: To be turned, with what of the fluid moves along [kg].
    """

    weight: float
    friction: float
    taken: float
    mass: float


class Turning:
    """How somebody turns.

    Args:
        travel: The clip's way.
    """

    def __init__(self, travel: Travel) -> None:
        self.travel = travel
        times = np.linspace(0.0, travel.duration, max(2, int(_OFTEN * travel.duration)))
        self.hard = max(_LEAST * GRAVITY, *(self._sideways(time) for time in times.tolist()))
        """The greatest acceleration sideways that it comes to on dry ground [m/s²]."""

    def behind(self, behind: float, time: float, pace: float, footing: Footing, step: float) -> float:
        """How far the heading is behind the clip's a step later [rad], to the right of it where above 0.

        Args:
            behind: How far it is.
            time: Of the clip [s].
            pace: How fast that runs.
            footing: What there is to turn with.
            step: [s].
        """
        # A body that is still faster than its clip for a moment turns as that does.
        slow, rate, speed = min(pace, 1.0), self.travel.turning(time), self._speed(time)
        wanted = rate + behind * speed / _HOME
        needed = footing.mass * slow**2 * speed * abs(wanted)
        if needed <= 0.0:
            return behind
        free = sqrt(max(footing.friction**2 - footing.taken**2, (_SIDEWAYS * footing.friction) ** 2))
        there = min(footing.weight / GRAVITY * self.hard, free)
        return behind + step * pace * (rate - wanted * (turned(needed, there) / needed))

    def _speed(self, time: float) -> float:
        return hypot(*self.travel.velocity(time).tolist())

    def _sideways(self, time: float) -> float:
        return abs(self.travel.turning(time)) * self._speed(time)


def turned(needed: float, there: float) -> float:
    """What of a push is given: all of it up to what there is, and from there on ever less of more, without a kink [N]."""
    beyond = needed / max(there, 1e-9) - 1.0
    return needed if beyond <= 0.0 else there * (1.0 + _PINCH * (1.0 - exp(-beyond / _PINCH)))
