"""How a body breathes and sways."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters
from poise.errors import InputError

__all__ = ["BreathingOptions", "StillStanding", "Swaying"]


@dataclass(frozen=True, kw_only=True)
class Swaying:
    """Where quiet standing takes the pelvis, and how the weight is shifted."""

    lowest: float = parameters.number(
        0.2, 0.01, 5.0, "Hz", says="least frequency of the sway", source="quiet stance (Winter 1995)"
    )
    highest: float = parameters.number(
        0.5, 0.01, 5.0, "Hz", says="largest frequency of the sway", source="quiet stance (Winter 1995)"
    )
    ahead: float = parameters.number(0.84, says="share of the sway to and fro")
    aside: float = parameters.number(0.54, says="share of it from side to side; the squares of both add up to 1")
    quickest: float = parameters.number(1.4, 0.1, 60.0, "s", says="how long a shift of weight takes at least")
    slowest: float = parameters.number(2.6, 0.1, 60.0, "s", says="how long it takes at most")

    def __post_init__(self) -> None:
        parameters.check(self, "swaying")


@dataclass(frozen=True, kw_only=True)
class StillStanding:
    """Who stands still enough to sway, and how the pelvis is carried then."""

    still: float = parameters.number(0.1, 0.0, 2.0, "m/s", says="who stands has a slower pelvis")
    feet: float = parameters.number(0.05, 0.0, 2.0, "m/s", says="and slower feet")
    upright: float = parameters.number(
        0.85,
        says="and straighter legs than this share of their bones, hip to ankle",
        source="who sits or squats does not sway so",
    )
    settles: float = parameters.number(1.5, 0.01, 60.0, "s", says="how long it takes until all of the sway is there")
    rolls: float = parameters.number(
        1.0, 0.0, 5.0, "rad/m", says="how far the pelvis drops on the side that bears less, as it goes aside"
    )
    bent: float = parameters.number(
        0.994,
        0.5,
        1.0,
        says="share of its bones that a leg has at most where the clip has it no straighter",
        source="so far inverse kinematics is exact",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "standing")


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
        says="breaths a second",
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
    filled: float = parameters.number(0.4, 0.05, 0.95, says="share of a breath at which the lungs are full")
    emptied: float = parameters.number(
        0.92, 0.05, 1.0, says="share at which they are empty again", source="in is quicker than out, and then a pause"
    )
    varies: float = parameters.number(
        0.1, 0.0, 0.4, says="by how much breaths differ in length and depth, standard deviation"
    )
    keeps: float = parameters.number(
        0.25,
        0.01,
        5.0,
        "s",
        says="how long it takes until a hand that touches stays where it is, or goes with the body",
    )
    swaying: Swaying = parameters.group(Swaying, says="how it sways and shifts its weight")
    standing: StillStanding = parameters.group(StillStanding, says="when it does, and how the pelvis is carried")
    seed: int = parameters.whole(0, 0, 2**31, says="varies all of it")

    def __post_init__(self) -> None:
        parameters.check(self, "breathing")
        if self.filled >= self.emptied:
            raise InputError(
                f"filled must be less than emptied; got {self.filled:g} and {self.emptied:g}", place="breathing"
            )
