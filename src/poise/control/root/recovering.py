"""What a body does that is pushed when it does not expect it, in numbers."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Recovering"]


@dataclass(frozen=True, kw_only=True)
class Recovering:
    """When a body is taken unawares, how slack it is until it answers, and what trunk, arms and legs do then."""

    unawares: float = parameters.number(
        0.12, 0.01, 5.0, "m/s", says="a pelvis that goes faster beside its motion has been pushed unawares"
    )
    latency: float = parameters.number(
        0.1,
        0.0,
        1.0,
        "s",
        says="how long nothing answers that",
        source="shoulders set in as early as the automatic answer of the ankles (McIlroy and Maki 1995)",
    )
    slack: float = parameters.number(
        0.7,
        says="share of its level hold that a root has until then",
        source="less looks livelier and takes more of the ground afterwards than feet can give",
    )
    tilts: float = parameters.number(0.4, says="and share of its hold against tilt")
    tenses: float = parameters.number(0.25, 0.01, 5.0, "s", says="how long it takes to have all of it again")
    forgets: float = parameters.number(
        0.5, 0.0, 10.0, "s", says="who was calm, and had no hand on anything, for so long can be taken unawares again"
    )
    wholly: float = parameters.number(
        0.3, 0.05, 10.0, "m/s", says="a pelvis that goes so fast beside its motion has the arms out wholly"
    )
    lasts: float = parameters.number(0.45, 0.01, 10.0, "s", says="how slowly what answered a push is let go of")
    quick: float = parameters.number(1.3, 0.1, 10.0, "Hz", says="how quickly arms, trunk and knees go there and back")
    beside: float = parameters.angle(32.0, 0.0, 90.0, says="how far an arm goes out beside the body")
    far: float = parameters.number(
        0.6, 0.0, 2.0, says="how much farther the arm of the side goes out that the body does not fall to"
    )
    ahead: float = parameters.angle(
        38.0, 0.0, 90.0, says="how far arms go forward who is pushed forward or back: what one falls on, or hold on to"
    )
    elbow: float = parameters.angle(45.0, 0.0, 120.0, says="how far elbows bend")
    palms: float = parameters.angle(
        60.0, 0.0, 90.0, says="how far palms turn down: to what one falls on, or holds on to"
    )
    opposite: float = parameters.number(
        0.3,
        0.0,
        1.0,
        says="how much farther forward the arm comes that is opposite to the foot ahead, and how much less the other",
        source="as in any step; both alike look like carrying a tray, at 0.6 the head of who falls hits the ground harder",
    )
    stride: float = parameters.number(
        0.17, 0.01, 1.0, "statures", says="with one foot so far before the other they differ by all of that"
    )
    trunk: float = parameters.angle(
        14.0, 0.0, 60.0, says="how far the trunk bends at the waist the way the body is pushed, but back"
    )
    level: float = parameters.number(
        0.6, 0.0, 1.0, says="how much of that the neck takes back: who is pushed goes on looking where they looked"
    )
    crouch: float = parameters.number(0.035, 0.0, 0.3, "m", says="how far the pelvis sinks: knees give")

    def __post_init__(self) -> None:
        parameters.check(self, "recovering")
