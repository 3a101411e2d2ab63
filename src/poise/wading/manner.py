"""In what manner somebody goes: each stretch of a clip has a servo of its own, and walks or runs."""

from __future__ import annotations

from typing import NamedTuple

from poise.locomotion.abstract_body import BodyServo
from poise.wading.balance import fastest_walk
from poise.wading.gait import Gait
from poise.wading.options import WadingOptions
from poise.wading.servo import default_servo

__all__ = ["Manner", "manner_at", "manners_of"]


class Manner(NamedTuple):
    """How somebody goes from a moment of the clip on.

    Args:
        begins: When [s of the clip].
        servo: What moves the body.
        walks: Whether feet stand for most of the time.
        splashes: Whether feet go through what is shallow, and are not lifted out of it.
    """

    begins: float
    servo: BodyServo
    walks: bool
    splashes: bool


def manners_of(gait: Gait, options: WadingOptions, leg: float) -> tuple[Manner, ...]:
    """One for each stretch of a gait, for legs of a length [m]."""
    plan, fastest = gait.character.plan, fastest_walk(leg, froude=options.balance.froude)
    return tuple(
        Manner(
            each.begins,
            options.servo or default_servo(plan, each.speed, options.drive),
            each.walks,
            each.speed > fastest and not each.walks,
        )
        for each in gait.stretches
    )


def manner_at(manners: tuple[Manner, ...], clip_time: float) -> Manner:
    """That of a moment [s of the clip]."""
    return next((each for each in reversed(manners) if each.begins <= clip_time), manners[0])
