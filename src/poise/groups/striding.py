"""How people of a group take steps as quick as a walk: times, and how dear the tasks of it are."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["StrideOptions"]


@dataclass(frozen=True, kw_only=True)
class StrideOptions:
    """See `poise.groups.stride`. Weights and stiffnesses are those of its tasks (`poise.qp.tasks`).

    Raises:
        InputError: A number is out of range.
    """

    swing: float = parameters.number(
        0.45, 0.2, 5.0, "s", says="how long a foot is in the air", source="below 0.2 forces have no time to fade"
    )
    shift: float = parameters.number(
        0.16,
        0.16,
        5.0,
        "s",
        says="how long both feet of somebody are on the ground between two swings",
        source="forces have no time to fade in less",
    )
    lower: float = parameters.number(
        0.04,
        0.0,
        0.5,
        "m",
        says="how far the center of mass is kept under where it was",
        source="knees are not straight",
    )
    lean: float = parameters.number(0.6, 0.05, 10.0, "s", says="how long weight gets under way before the first step")
    rest: float = parameters.number(1.0, 0.05, 10.0, "s", says="how long it comes to rest after the last")
    returns: float = parameters.number(
        4.0, 0.1, 50.0, "1/s", says="how fast what runs away of the center of mass comes back to its course"
    )
    center: float = parameters.number(
        5000.0,
        1.0,
        1e6,
        "s⁴/m²",
        says="weight of the center of mass along the ground",
        source="so dear that nothing else takes it off its course",
    )
    level: float = parameters.number(100.0, 0.0, 1e6, "s⁴/m²", says="weight of its height")
    level_stiffness: float = parameters.number(30.0, 0.0, 1e4, "1/s²", says="how stiffly it keeps to its height")
    foot: float = parameters.number(1000.0, 1.0, 1e6, "s⁴/m²", says="weight of a foot on its way")
    foot_stiffness: float = parameters.number(
        300.0,
        0.0,
        1e4,
        "1/s²",
        says="how stiffly it keeps to that",
        source="whose course is given with its velocity and acceleration",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "stride")
