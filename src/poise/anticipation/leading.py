"""How hands are led and how arms follow them."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters
from poise.anticipation.guiding import Approach, Calming, Clearing, Touching

__all__ = ["Leading"]


@dataclass(frozen=True, kw_only=True)
class Leading:
    """Speeds and times of hands on their ways, and what arms have to spare."""

    reach: float = parameters.number(
        0.97, 0.5, 1.0, says="farthest a wrist goes from its shoulder, as a share of the arm", live=True
    )
    ahead: float = parameters.number(
        0.02,
        -1.0,
        1.0,
        "m",
        says="how far before the shoulders a hand stays on what can be moved",
        source="what passes is let go",
        live=True,
    )
    fastest: float = parameters.number(
        4.0, 0.1, 50.0, "m/s", says="how fast a hand is meant to move at most", live=True
    )
    fastest_ball: float = parameters.number(8.0, 0.1, 50.0, "m/s", says="the same against what flies", live=True)
    follows: float = parameters.number(
        0.18, 0.01, 5.0, "s", says="in what time a hand follows its goal at least", live=True
    )
    follows_slowly: float = parameters.number(0.35, 0.01, 5.0, "s", says="and at most", live=True)
    at_once: float = parameters.number(
        0.06, 0.005, 5.0, "s", says="in what time it follows what flies or is fixed", live=True
    )
    coming: float = parameters.number(
        0.1,
        0.0,
        5.0,
        "s",
        says="in no less time a jump is made up for on the way to something",
        source="at 0.2 a hand comes late and bends before what is light too (Fig. 11)",
        live=True,
    )
    settles: float = parameters.number(
        0.2, 0.0, 5.0, "s", says="in what time an arm makes up for a jump of where it is wished, at least", live=True
    )
    settles_slowly: float = parameters.number(
        0.3,
        0.0,
        5.0,
        "s",
        says="and at most: what is left of the hand's way in between",
        source="at 0.25 for all an apple that is seen in time is missed",
        live=True,
    )
    elbows: float = parameters.number(
        0.3, 0.01, 5.0, "s", says="over what time elbows are taken over by their poles", live=True
    )
    turning: float = parameters.number(
        0.45,
        0.01,
        5.0,
        "s",
        says="how long a hand takes at least to turn to where it shall be, on what yields",
        live=True,
    )
    turning_fixed: float = parameters.number(0.12, 0.01, 5.0, "s", says="and on what is fixed, or flies", live=True)
    clear: float = parameters.number(
        0.015, 0.0, 0.2, "m", says="how far arms keep off the trunk beside their thickness"
    )
    works: float = parameters.number(
        0.15,
        0.01,
        5.0,
        "s",
        says="in what time a hand puts the muscles of a relaxed arm to work, and lets go of them again",
        live=True,
    )
    poles: float = parameters.number(
        2.0, 0.0, 10.0, "s", says="time the poles get where no elbow follows one yet", live=True
    )
    lifts: float = parameters.number(
        3.0, 0.0, 50.0, "rad/s", says="how fast an elbow is turned up off its pole", live=True
    )
    spare: float = parameters.number(
        0.06,
        0.0,
        1.0,
        "rad",
        says="how far from the ends of their ranges hands are meant to stay",
        source="the stops there are stiff",
        live=True,
    )
    twists: float = parameters.number(0.65, says="share of their twist that hands use on what yields", live=True)
    twists_ball: float = parameters.number(0.75, says="on what flies", live=True)
    twists_fixed: float = parameters.number(1.0, says="and on what is fixed", live=True)
    lands_ahead: float = parameters.number(
        0.6, 0.0, 1.0, says="how far ahead of the shoulder a hop lands, as a share of the arm", live=True
    )
    lands_below: float = parameters.number(0.3, -1.0, 1.0, says="and how far below it", live=True)
    pressed: float = parameters.number(
        0.002,
        0.0,
        0.05,
        "m",
        says="how far behind the surface of what cannot be moved a hand is meant to be",
        source="so that it rests on it",
        live=True,
    )
    approach: Approach = parameters.group(Approach, says="how the way of a hand to what it is about is laid")
    clearing: Clearing = parameters.group(Clearing, says="how a hand is kept clear of its own body")
    calming: Calming = parameters.group(Calming, says="what of an arm's motion is taken for a jump")
    touching: Touching = parameters.group(Touching, says="where palms meet things and how they are held")

    def __post_init__(self) -> None:
        parameters.check(self, "leading")
