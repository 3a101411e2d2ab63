"""How wide a wader turns: no tighter than the feet can push sideways, with the weight that the fluid leaves on them.

Who goes round a bend is pushed sideways, by mass times speed times rate of turning, and gets that from feet that stand to the
outside of its way: with feet planted as in the clip the push is the weight on them times how far outside they are. Fluid takes
from both ends. It bears, so that less weight stands on the same feet; it is carried along, so that more mass has to be turned;
and what its drag asks of the friction of shoes is not there for the turn. That it slows the body down makes the turn easier,
so that nobody turns wide in shallow water.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, sqrt
from typing import NamedTuple

import numpy as np

from poise import parameters
from poise.fluid import GRAVITY
from poise.locomotion.travel import Travel

__all__ = ["Footing", "Turning", "TurningOptions", "turned"]

_OFTEN = 60.0
"""The clip is looked at so often for that [Hz]."""


@dataclass(frozen=True, kw_only=True)
class TurningOptions:
    """How hard a wader turns."""

    least: float = parameters.number(
        0.10,
        0.01,
        1.0,
        "g",
        says="how hard everybody turns on dry ground, whatever the clip shows",
        source="every walker turns so hard: a bend of 1.5 m at 1.2 m/s",
    )
    pinch: float = parameters.number(
        0.25,
        0.01,
        2.0,
        says="share by which feet go out farther, and give more, the more is asked beyond what they give",
        source="chosen: without it the turn is cut off with a kink",
    )
    home: float = parameters.number(
        1.5, 0.2, 20.0, "m", says="way over which a heading that fell behind in a turn is made good", source="a stride"
    )
    sideways: float = parameters.number(
        0.5,
        0.0,
        1.0,
        says="share of the friction of the shoes that is for the turn, whatever drag takes",
        source="chosen: who turns pushes on less",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "turning")


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
        options: How hard.
    """

    def __init__(self, travel: Travel, options: TurningOptions | None = None) -> None:
        self.travel, self.options = travel, options or TurningOptions()
        times = np.linspace(0.0, travel.duration, max(2, int(_OFTEN * travel.duration)))
        self.hard = max(self.options.least * GRAVITY, *(self._sideways(time) for time in times.tolist()))
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
        slow, (rate, speed) = min(pace, 1.0), self.travel.bend(time)
        wanted = rate + behind * speed / self.options.home
        needed = footing.mass * slow**2 * speed * abs(wanted)
        if needed <= 0.0:
            return behind
        free = sqrt(max(footing.friction**2 - footing.taken**2, (self.options.sideways * footing.friction) ** 2))
        there = min(footing.weight / GRAVITY * self.hard, free)
        return behind + step * pace * (rate - wanted * (turned(needed, there, self.options.pinch) / needed))

    def _sideways(self, time: float) -> float:
        rate, speed = self.travel.bend(time)
        return abs(rate) * speed


def turned(needed: float, there: float, pinch: float) -> float:
    """What of a push is given: all of it up to what there is, and from there on ever less of more, without a kink [N].

    Args:
        needed: What is asked [N].
        there: What there is [N].
        pinch: Share of that by which at most more is given.
    """
    beyond = needed / max(there, 1e-9) - 1.0
    return needed if beyond <= 0.0 else there * (1.0 + pinch * (1.0 - exp(-beyond / pinch)))
