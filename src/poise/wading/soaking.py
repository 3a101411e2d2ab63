"""Clothes of a wader: they take fluid up, come out heavy, and drip."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["SoakingOptions", "soaked"]


@dataclass(frozen=True, kw_only=True)
class SoakingOptions:
    """What soaked clothes do."""

    takes: float = parameters.number(
        1.0, 0.01, 60.0, "s", says="time in which clothes take up fluid", source="chosen by eye"
    )
    drips: float = parameters.number(6.0, 0.01, 600.0, "s", says="and in which they lose it", source="chosen by eye")
    leaves: float = parameters.number(
        1.5,
        0.01,
        60.0,
        "s",
        says="time in which a body counts as come out of it",
        source="legs that swing out of a fluid and in again stay wet",
    )
    holds: float = parameters.number(
        0.08, 0.0, 1.0, says="what they weigh, as a share of the body's weight", source="trousers, shirt and shoes"
    )
    clings: float = parameters.number(
        0.08, 0.0, 1.0, says="how they hold back the limbs in them, as a share of it", source="chosen by eye"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "soaking")


def soaked(options: SoakingOptions, wet: float, under: float, share: float, step: float) -> tuple[float, float]:
    """How wet somebody is a step later, and how much of the body counts as under the surface, 0…1.

    Args:
        options: What clothes take up.
        wet: How wet it was.
        under: How much counted as under the surface.
        share: How much of it is.
        step: [s].
    """
    under = max(share, under * (1.0 - min(step / options.leaves, 1.0)))
    rate = 1.0 / (options.takes if under > wet else options.drips)
    return wet + (under - wet) * min(rate * step, 1.0), under
