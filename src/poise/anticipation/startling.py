"""How parts give way to a hit that no hand was ready for (Alvarado 2022, section 5.4), in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters
from poise.anticipation.flinching import Flinching
from poise.errors import InputError

__all__ = ["Startling"]


@dataclass(frozen=True, kw_only=True)
class Startling:
    """What counts as a hit, how soft the part that is hit gets and for how long.

    Raises:
        InputError: A number is out of range, or a part would be taken back for longer than it gives way at least.
    """

    head: float = parameters.number(
        0.3, 0.0, 1e3, "kg m/s", says="momentum of an obstacle that a head or neck does not give way to"
    )
    elsewhere: float = parameters.number(1.0, 0.0, 1e3, "kg m/s", says="momentum that no other part gives way to")
    closing: float = parameters.number(0.5, 0.0, 50.0, "m/s", says="what closes in more slowly does not hit")
    flies: float = parameters.number(
        2.0, 0.0, 50.0, "m/s", says="what moves faster has got past the hand that was to meet it"
    )
    around: float = parameters.number(
        0.65, 0.05, 3.0, "statures", says="how far from its middle a body is watched for hits"
    )
    ticks: float = parameters.number(
        2.0,
        1.0,
        10.0,
        says="how many ticks before it happens a hit is told",
        source="the part has to be physical by then",
    )
    touches: float = parameters.number(0.005, 0.0, 0.5, "m", says="a hand this near to what it deals with stops it")
    at_once: float = parameters.number(
        0.1, says="what is met so little later than the first, as a share of the time ahead, is hit with it"
    )
    strong: float = parameters.number(
        3.0, 0.0, 1e3, "kg m/s", says="a hit with more is too much for an arm, a shoulder or the head alone"
    )
    braced: float = parameters.number(
        0.5, says="how much of its tension a part loses that is hit by what was seen to come; unawares it loses all"
    )
    softest: float = parameters.number(1.0, 0.01, 50.0, "Hz", says="tension of a part that is hit unawares")
    softest_neck: float = parameters.number(
        1.5, 0.01, 50.0, "Hz", says="tension of a neck hit unawares; it carries a head"
    )
    limp: float = parameters.number(0.25, 0.0, 10.0, "s", says="how long it stays so after a hit")
    slackens: float = parameters.number(0.05, 0.001, 10.0, "s", says="how fast it gets so")
    tenses: float = parameters.number(0.5, 0.001, 10.0, "s", says="how fast its tension comes back")
    least: float = parameters.number(
        0.4, 0.0, 10.0, "s", says="a part that followed its motion is physical for so long at least after a hit"
    )
    most: float = parameters.number(1.2, 0.0, 60.0, "s", says="and for so long at most")
    near: float = parameters.number(0.01, 0.0, 1.0, "rad", says="what is this near to its motion is taken back")
    slow: float = parameters.number(0.15, 0.0, 10.0, "rad/s", says="where it moves no more than this against it, too")
    returns: float = parameters.number(0.4, 0.01, 10.0, "s", says="over what time it is taken back")
    carried: float = parameters.number(
        0.6,
        says="share of the contact's torque that muscles carry",
        source="all of it would build up without end against what cannot give way",
    )
    felt: float = parameters.number(
        0.15,
        0.001,
        10.0,
        "s",
        says="how long it takes them to",
        source="they brace against what leans on them, not against a blow",
    )
    forgotten: float = parameters.number(0.04, 0.001, 10.0, "s", says="how long to let go of it")
    flinching: Flinching = parameters.group(Flinching, says="how the whole body hunches")

    def __post_init__(self) -> None:
        parameters.check(self, "startling")
        if self.returns > self.least:
            raise InputError(
                f"returns must not exceed least; got {self.returns:g} and {self.least:g}", place="startling"
            )
