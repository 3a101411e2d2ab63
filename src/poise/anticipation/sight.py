"""What a character sees: a frustum from the head along the gaze."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Sight"]


@dataclass(frozen=True, kw_only=True)
class Sight:
    """The visibility region of Alvarado 2022, section 5.1.

    The defaults are a person's field of view: about 200 degrees wide, 60 up and 75 down.

    Raises:
        InputError: An angle, the range or the memory is out of range.
    """

    sideways: float = parameters.angle(
        95.0, 0.0, 180.0, says="half angle to either side", source="a person's field of view", live=True
    )
    up: float = parameters.angle(60.0, 0.0, 90.0, says="how far up", source="a person's field of view", live=True)
    down: float = parameters.angle(75.0, 0.0, 90.0, says="how far down", source="a person's field of view", live=True)
    reach: float = parameters.number(8.0, 0.0, 1e4, "m", says="how far is seen", live=True)
    memory: float = parameters.number(
        0.8, 0.0, 1e4, "s", says="how long something is still minded after it was seen", live=True
    )
    latency: float = parameters.number(
        0.2,
        0.0,
        1.0,
        "s",
        says="time from seeing that something threatens to the first movement",
        source="0.10 to 0.15 s when alert",
        live=True,
    )
    eyes_before: float = parameters.number(
        0.09, 0.0, 0.5, "m", says="how far eyes are before the head's joint, for a stature of 1.75 m"
    )
    eyes_above: float = parameters.number(
        0.12, 0.0, 0.5, "m", says="how far eyes are above it, for a stature of 1.75 m"
    )
    ahead: float = parameters.number(
        0.8,
        0.0,
        10.0,
        "m",
        says="how far ahead of the eyes is looked for some part of what is fixed",
        source="any part of it will do, not only the one that threatens",
        live=True,
    )
    within: float = parameters.number(1.5, 0.0, 10.0, "m", says="and how far around there", live=True)
    foresees: float = parameters.number(
        2.0, 0.02, 10.0, "s", says="how far ahead the flight of balls is foreseen", live=True
    )
    occlusion: bool = parameters.switch(True, says="whether obstacles hide what is behind them", live=True)

    def __post_init__(self) -> None:
        parameters.check(self, "sight")

    @property
    def limits(self) -> tuple[float, float, float, float]:
        """Sideways, up, down and reach."""
        return self.sideways, self.up, self.down, self.reach
