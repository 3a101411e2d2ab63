"""Where a person holds hands against what comes, and which regions of a body are low or of its head."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Holding"]


@dataclass(frozen=True, kw_only=True)
class Holding:
    """Places before the shoulders from which obstacles are looked for, as shares of the arm; how softly those are held off."""

    before: float = parameters.number(0.45, 0.05, 1.0, says="how far before the shoulder a hand is held")
    below: float = parameters.number(0.28, 0.0, 1.0, says="how far below it, against the upper body")
    above: float = parameters.number(0.1, 0.0, 1.0, says="how far above it, before the head")
    around: float = parameters.number(1.6, 0.1, 5.0, says="how far around that place is looked")
    low: float = parameters.number(
        -0.5, -3.0, 3.0, says="a region lower over the shoulders is none of the upper body: it is met where it is"
    )
    high: float = parameters.number(0.1, -3.0, 3.0, says="a region higher over the shoulders is of the head")
    soft: float = parameters.number(0.05, 0.001, 1.0, "m", says="what is held off is slowed over about this much")
    sooner: float = parameters.number(
        1.2, 0.0, 20.0, says="a hand gets to what comes so many times that much before it is to be held"
    )
    heights: float = parameters.number(
        0.3,
        0.0,
        1.0,
        says="heights count so much less before a shoulder",
        source="what is held off there is held off below it too",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "holding")
