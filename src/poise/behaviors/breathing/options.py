"""How a body breathes and sways."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["BreathingOptions"]


@dataclass(frozen=True, kw_only=True)
class BreathingOptions:
    """How a body breathes and sways; lengths are those of a person of 1.75 m.

    Raises:
        InputError: A number is out of range.
    """

    rate: float = parameters.number(
        0.25,
        0.05,
        1.0,
        "Hz",
        says="breaths a second; each is a tenth longer or shorter",
        source="15 a minute, an adult at rest",
    )
    depth: float = parameters.number(
        0.005,
        0.0,
        0.03,
        "m",
        says="by how much shoulders and upper chest move in a breath",
        source="3 to 6 mm at rest",
    )
    sway: float = parameters.number(
        0.005,
        0.0,
        0.03,
        "m",
        says="how far the pelvis is from its mean while standing, root mean square over both directions",
        source="about 5 mm with a band of 0.2 to 0.5 Hz in quiet stance (Winter 1995)",
    )
    shift: float = parameters.number(
        0.02,
        0.0,
        0.08,
        "m",
        says="how far it goes to one side when the weight is shifted from leg to leg",
        source="Duarte and Zatsiorsky 1999",
    )
    every: float = parameters.number(
        12.0, 3.0, 600.0, "s", says="how long it takes from one such shift to the next, in the mean"
    )
    seed: int = parameters.whole(0, 0, 2**31, says="varies all of it")

    def __post_init__(self) -> None:
        parameters.check(self, "breathing")
