"""How a body hunches that something hit before any hand was there, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Flinching"]


@dataclass(frozen=True, kw_only=True)
class Flinching:
    """When a flinch sets in, how long it lasts and how far head, shoulders, trunk and arms go."""

    wholly: float = parameters.number(
        1.5,
        0.01,
        1e3,
        "kg m/s",
        says="a hit with so much momentum makes one flinch wholly, a smaller one less, and half as much who saw it come",
    )
    sudden: float = parameters.number(
        2.0, 0.0, 50.0, "m/s", says="what moves more slowly startles nobody: one walked into it"
    )
    latency: float = parameters.number(
        0.08,
        0.0,
        1.0,
        "s",
        says="from the hit to the first movement",
        source="who is suddenly dropped tenses the neck after 0.054 s, the shoulder after 0.08 s (JNNP 66, 1999, PMC1736307)",
    )
    lasts: float = parameters.number(0.3, 0.0, 10.0, "s", says="how long it is held")
    quick: float = parameters.number(2.5, 0.1, 10.0, "Hz", says="how quickly a body hunches")
    returns: float = parameters.number(1.1, 0.1, 10.0, "Hz", says="how quickly it lets go of that")
    head: float = parameters.angle(22.0, 0.0, 60.0, says="how far neck and head bend forward")
    shoulders: float = parameters.angle(14.0, 0.0, 40.0, says="how far shoulders go up")
    trunk: float = parameters.angle(8.0, 0.0, 40.0, says="how far the trunk bends forward")
    ahead: float = parameters.angle(16.0, 0.0, 90.0, says="how far arms that hang come forward")
    elbows: float = parameters.angle(50.0, 0.0, 120.0, says="how far their elbows bend")
    palms: float = parameters.angle(30.0, 0.0, 90.0, says="how far their palms turn down")

    def __post_init__(self) -> None:
        parameters.check(self, "flinching")
