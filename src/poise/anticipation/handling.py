"""How long and how firmly hands deal with what they took on, and what they feel of it."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Feeling", "Handling"]


@dataclass(frozen=True, kw_only=True)
class Feeling:
    """When what is pushed answers, and when it surprises."""

    delay: float = parameters.number(
        0.15, 0.0, 2.0, "s", says="time from the first touch until what is felt is answered", live=True
    )
    surprise: float = parameters.number(
        3.0, 1.0, 100.0, says="what is felt to be so many times heavier than expected surprises", live=True
    )
    heavier: float = parameters.number(1.5, 0.0, 100.0, "kg", says="if it is heavier by more than this, too", live=True)
    slight: float = parameters.number(
        0.05, 1e-4, 10.0, "m/s", says="a smaller change of velocity is felt as this", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "feeling")


@dataclass(frozen=True, kw_only=True)
class Handling:
    """When a hand takes something on, stays with it, hops, guards the face and goes back."""

    stays: float = parameters.number(
        0.4, 0.0, 10.0, "s", says="how long a hand stays with what it touched last", live=True
    )
    least: float = parameters.number(0.25, 0.0, 10.0, "s", says="an obstacle is not let go of sooner", live=True)
    hurry: float = parameters.number(
        0.3,
        0.0,
        5.0,
        "s",
        says="what flies and is there sooner is met by one hand",
        source="two in a hurry get into each other's way",
        live=True,
    )
    returns: float = parameters.number(0.6, 0.05, 10.0, "s", says="how long a hand takes back to the clip", live=True)
    hop: float = parameters.number(0.4, 0.05, 10.0, "s", says="least time from hold to hold", live=True)
    grasp: float = parameters.number(
        0.95,
        0.1,
        1.0,
        says="a hand holds on while its wrist is nearer to the shoulder, as a share of the arm",
        live=True,
    )
    behind: float = parameters.number(
        0.38, 0.0, 1.0, says="and no farther behind it, as a share of that way", live=True
    )
    slides: float = parameters.number(
        2.5, 0.01, 50.0, "Hz", says="tension against what cannot be moved, of a hand that slides along it", live=True
    )
    sticks: float = parameters.number(
        5.0, 0.01, 50.0, "Hz", says="tension against what cannot be moved, of a hand that holds on to it", live=True
    )
    guards: float = parameters.number(0.25, 0.01, 5.0, "s", says="how long a hand takes before the face", live=True)
    firm: float = parameters.number(6.0, 0.01, 50.0, "Hz", says="tension of a hand before the face", live=True)
    feeling: Feeling = parameters.group(Feeling, says="what it feels of what it pushes")

    def __post_init__(self) -> None:
        parameters.check(self, "handling")
