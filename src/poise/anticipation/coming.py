"""What counts as coming, as flying and as let go, of what is near a character."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Coming"]


@dataclass(frozen=True, kw_only=True)
class Coming:
    """Speeds between which an obstacle threatens."""

    closing: float = parameters.number(0.05, 0.0, 10.0, "m/s", says="what comes no faster does not come", live=True)
    stays: float = parameters.number(
        0.3,
        0.0,
        10.0,
        "m/s",
        says="what can give way and moves more slowly past the body is let be",
        source="who stands sways and shifts their weight at 0.1 to 0.3 m/s, and walks slowly at 0.4",
        live=True,
    )
    rests: float = parameters.number(
        0.15,
        0.0,
        10.0,
        "m/s",
        says="what can give way and moves more slowly past the body a hand lets be that was about it",
        live=True,
    )
    passes: bool = parameters.switch(
        True, says="whether what can give way is let be while its course leads past a region", live=True
    )
    light: float = parameters.number(
        0.1,
        0.0,
        100.0,
        "kg",
        says="what can give way and seems no heavier is brushed past, but where its course leads to the head",
        source="a tall blade of grass weighs 0.06 kg and a small bush 0.2 kg",
        live=True,
    )
    flying: float = parameters.number(
        0.1, 0.0, 10.0, "m/s", says="what can fly is in flight where it is faster", live=True
    )
    falls_short: float = parameters.number(
        1.0,
        0.0,
        50.0,
        "m/s",
        says="what flies and comes no faster does not come",
        source="it falls half a metre on its way over a third of one",
        live=True,
    )
    behind: float = parameters.number(
        0.3,
        says="what is in a region and farther behind the chest, as a share of its way, is let go where it does not come",
        live=True,
    )
    slowest: float = parameters.number(
        0.2, 0.001, 10.0, "m/s", says="how urgent something is, is reckoned as if it came no slower", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "coming")

    @property
    def numbers(self) -> tuple[float, float, float, float, float, float, float, bool]:
        """For compiled loops."""
        return (
            self.closing,
            self.flying,
            self.falls_short,
            self.behind,
            self.slowest,
            self.stays,
            self.rests,
            self.passes,
        )
