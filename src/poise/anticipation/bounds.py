"""How quickly and how firmly a hand may answer: the bounds of Alvarado 2022, Eqs. 5 and 6, which a user sets per obstacle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise import parameters
from poise.errors import InputError

__all__ = ["KINDS", "Bounds"]


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Bounds of reaction time and tension, and where a body begins.

    Raises:
        InputError: A bound is not positive, or a pair is the wrong way round.
    """

    quickest: float = parameters.number(
        0.2, 0.001, 50.0, "s", says="least time a hand takes to where it is needed", source="Eq. 5: 0.5 s", live=True
    )
    slowest: float = parameters.number(
        0.8,
        0.001,
        50.0,
        "s",
        says="most time it takes, and how long before it is needed it starts",
        source="Eq. 5: 2 s",
        live=True,
    )
    early: float = parameters.number(
        0.8,
        0.1,
        1.0,
        says="a hand is there this share of the time before it is needed",
        source="the alpha of Eq. 5, which the paper gives no value for",
        live=True,
    )
    skin: float = parameters.number(
        0.15,
        0.0,
        1.0,
        "m",
        says="from the middle of what is protected to the surface of the body, where what is near arrives",
        source="half the depth of a chest",
        live=True,
    )
    softest: float = parameters.number(2.0, 0.001, 50.0, "Hz", says="tension against something of no weight", live=True)
    firmest: float = parameters.number(
        8.0, 0.001, 50.0, "Hz", says="tension against the heaviest thing it handles", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "bounds")
        for low, high in (("quickest", "slowest"), ("softest", "firmest")):
            if getattr(self, low) > getattr(self, high):
                raise InputError(
                    f"{low} must not exceed {high}; got {getattr(self, low):g} and {getattr(self, high):g}"
                )


KINDS: Mapping[str, Bounds] = {
    "plant": Bounds(quickest=0.3, slowest=0.8, softest=1.5, firmest=6.0),
    "hanging": Bounds(quickest=0.3, slowest=0.8, softest=2.0, firmest=9.0),
    "ball": Bounds(quickest=0.15, slowest=0.6, softest=5.0, firmest=9.0),
    "fence": Bounds(quickest=0.25, slowest=0.7, softest=3.0, firmest=9.0),
    "gate": Bounds(quickest=0.25, slowest=0.7, softest=3.0, firmest=9.0),
}
"""Bounds per kind of obstacle (section 5.2): slow and soft with what grows, quick and firm with fences and what flies."""
