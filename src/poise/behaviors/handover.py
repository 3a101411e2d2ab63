"""A change of hands between the clip and physics, as it is stated."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from typing import Literal

from poise import parameters
from poise.control.tension import Tension

__all__ = ["Handover"]


@dataclass(frozen=True, kw_only=True)
class Handover:
    """Who takes joints over, and when.

    Raises:
        InputError: A number is out of range, or nobody is named.
    """

    time: float = parameters.number(low=0.0, high=1e5, unit="s", says="when: at the beginning of the next tick")
    joints: tuple[str, ...] = parameters.words(least=1, says="joints or roles; everything below them goes along")
    to: Literal["motion", "muscles"] = parameters.choice(MISSING, "motion", "muscles", says="the clip, or physics")
    pose: Literal["clip", "rest"] = parameters.choice(
        "rest", "clip", "rest", says="what muscles aim at: the clip, or hanging at ease"
    )
    fade: float = parameters.number(0.5, 1e-3, 60.0, "s", says="how long the change takes")
    tension: Tension = parameters.group(
        Tension,
        lambda: Tension(frequency=1.2, damping_ratio=0.5),
        says="of the muscles once the change is over",
        source="an arm that is let go hangs loosely and swings out",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "handover")
