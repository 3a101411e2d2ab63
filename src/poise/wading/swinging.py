"""How high a swinging foot is carried: out of shallow fluid, and low through deep."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, sin, sqrt

from poise import parameters
from poise.errors import InputError
from poise.math.easing import eased

__all__ = ["SwingOptions", "swing_lift"]


@dataclass(frozen=True, kw_only=True)
class SwingOptions:
    """How feet swing through a fluid."""

    over: float = parameters.number(
        0.25, 0.0, 2.0, says="fluid up to this share of a leg's length is stepped over", source="about to the knee"
    )
    through: float = parameters.number(
        0.35, 0.0, 2.0, says="and beyond this is waded through", source="a foot is hardly lifted higher"
    )
    clear: float = parameters.number(
        0.07,
        0.0,
        0.5,
        "m",
        says="how far over the surface the ball of a foot is that is lifted out",
        source="chosen by eye",
    )
    rises: float = parameters.number(
        0.45,
        0.05,
        0.5,
        says="over which share of its step it comes up, and goes down",
        source="a knee keeps up with it",
    )
    brief: float = parameters.number(
        0.1, 0.0, 2.0, "s", says="a step that takes no longer has no time to lift a foot so high", source="chosen"
    )
    long: float = parameters.number(
        0.45, 0.01, 5.0, "s", says="one that takes as long has", source="of an ordinary walk"
    )
    soft: float = parameters.number(
        0.03,
        0.001,
        0.5,
        "m",
        says="within this of where it is clear a foot begins to be lifted",
        source="without a jump",
    )
    film: float = parameters.number(
        0.05,
        0.001,
        0.5,
        "m",
        says="fluid that is shallower is stepped over by as much less",
        source="else a foot would jump where it begins",
    )
    drags: float = parameters.number(
        0.6,
        0.0,
        1.0,
        says="share of what its clip lifts it by which a foot is carried lower in deep fluid",
        source="thighs are not raised against a fluid that the foot does not come out of anyway",
    )
    deep: float = parameters.number(
        0.75,
        0.05,
        2.0,
        says="how deep that is, as a share of a leg's length",
        source="from half a leg on, more and more",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "swing")
        for less, more in (("over", "through"), ("through", "deep"), ("brief", "long")):
            if not getattr(self, less) < getattr(self, more):
                raise InputError(f"{less} must be less than {more}; got {self}", place="swing")


def swing_lift(share: float, period: float, own: float, depth: float, leg: float, options: SwingOptions) -> float:
    """How much higher than in the clip a swinging foot is held [m]; below zero where it drags.

    Args:
        share: Of its step that is done, 0…1; 1 while it stands.
        period: How long that takes in the clip [s].
        own: How high over the ground the clip has it [m].
        depth: Of the fluid [m].
        leg: Length of a leg [m].
        options: How.
    """
    if share >= 1.0 or depth <= 0.0:
        return 0.0
    over = min(max((options.through - depth / leg) / (options.through - options.over), 0.0), depth / options.film, 1.0)
    # Up early and down late, so that the foot is out of the fluid for most of its way; a knee has to keep up with it.
    shape = eased(share / options.rises) * eased((1.0 - share) / options.rises)
    short = depth + options.clear - max(own, 0.0)
    lifted = 0.5 * (short + sqrt(short * short + 4.0 * options.soft**2))
    drags = min(max((depth / leg - options.through) / (options.deep - options.through), 0.0), 1.0)
    lowered = options.drags * drags * max(own, 0.0) * sin(pi * share) ** 2
    brief = eased((period - options.brief) / (options.long - options.brief))
    return brief * over * shape * lifted - lowered
