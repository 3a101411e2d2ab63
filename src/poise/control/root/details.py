"""The finer numbers of a compliant root; `RootDrive` says how firmly it is held."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Bearing", "Bracing", "Noticing", "Resting", "Standing", "Waiting", "Yielding"]


@dataclass(frozen=True, kw_only=True)
class Bracing:
    """How a body begins and stops leaning against what lasts; `brace` and `braced` say how fast and how much."""

    fades: float = parameters.number(0.3, 0.0, 10.0, "1/s", says="how fast what it leans with is let go of")
    held: float = parameters.number(
        0.15,
        0.01,
        2.0,
        "m/s",
        says="a pelvis that moves so fast beside its motion does not begin to lean",
        source="it is on its way, not held by anything",
    )
    gives_up: float = parameters.number(
        4.0,
        1.0,
        50.0,
        says="how many times as fast as it began a body stops leaning against what is gone",
        source="else it would hang back for seconds",
    )
    dead: float = parameters.number(
        0.01, 0.0, 0.5, "m", says="a pelvis this near to where it is meant to be does not begin to lean"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "bracing")


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """How the clip's time waits for a body that is held back."""

    behind: float = parameters.number(0.03, 0.0, 2.0, "m", says="a body held back by more lets its clip wait")
    wholly: float = parameters.number(0.2, 0.01, 2.0, "m", says="over how much more it waits ever longer")
    slowest: float = parameters.number(0.15, 0.0, 1.0, says="pace of a clip that waits, at least")
    rate: float = parameters.number(2.0, 0.01, 100.0, "1/s", says="how fast that pace changes at most")
    walks: float = parameters.number(
        0.4, 0.0, 5.0, "m/s", says="a clip whose root goes slower stands and need not wait"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "waiting")


@dataclass(frozen=True, kw_only=True)
class Resting:
    """When what yielded follows its motion again, and how it is led there."""

    near: float = parameters.number(0.006, 0.0, 0.5, "m", says="a pelvis this near to its motion may follow it again")
    turned: float = parameters.number(0.03, 0.0, 1.0, "rad", says="and joints turned by so little from it")
    slow: float = parameters.number(0.05, 0.0, 5.0, "m/s", says="and the pelvis no faster beside it")
    spins: float = parameters.number(0.3, 0.0, 10.0, "rad/s", says="and joints no faster against it")
    leans: float = parameters.number(3.0, 0.0, 1e3, "N", says="and leaning against nothing by more")
    quiet: float = parameters.number(0.5, 0.0, 10.0, "s", says="once all that was so for this long")
    returns: float = parameters.number(0.4, 0.01, 10.0, "s", says="over what time it is led onto its motion")
    feet: float = parameters.number(
        0.5,
        0.01,
        10.0,
        "s",
        says="after what time feet have come from where they waded to where steps put them, in height and turn",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "resting")


@dataclass(frozen=True, kw_only=True)
class Standing:
    """When legs are given to physics, and taken back."""

    calm: float = parameters.number(
        0.1,
        0.0,
        5.0,
        "m/s",
        says="a pelvis no faster than this is given to physics, or taken back",
        source="a step under way is finished first",
    )
    over: float = parameters.number(0.01, 0.001, 0.5, "m", says="and one whose mass is no farther from over its feet")
    reaches: float = parameters.number(
        0.005,
        0.0,
        1.0,
        says="and whose legs, bent as one stands on them, lack no greater share of their length to the ground",
        source="a leg that is stretched to its end does not press",
    )
    shifts: float = parameters.number(2.0, 0.0, 20.0, "1/s", says="how fast its mass is brought there before")
    shifted: float = parameters.number(
        0.06, 0.0, 0.5, "m", says="and how far at most", source="farther, a step would be made after it"
    )
    presses: float = parameters.number(
        0.0007,
        0.0,
        0.01,
        "m",
        says="how deep soles are pressed into the ground before they carry",
        source="as deep as a body's weight presses them: it would fall that far at first",
    )
    slows: float = parameters.number(
        1.5,
        0.1,
        20.0,
        "m/s²",
        says="how fast a clip is slowed down that stops for it, at most",
        source="a pelvis that yields is held by a quarter of its weight",
    )
    stays: float = parameters.number(
        1.0,
        0.0,
        60.0,
        "s",
        says="a clip that lifts no foot for this long goes on while the root is physical; any other stops",
        source="it takes 0.6 s at least to stop one",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "standing")


@dataclass(frozen=True, kw_only=True)
class Noticing:
    """What comes so near that a root does not sleep."""

    reach: float = parameters.number(
        0.22,
        0.0,
        5.0,
        "m",
        says="how near to a joint something is near, for a stature of 1.75 m",
        source="half of the thickest part of a body and a hand's breadth",
    )
    lead: float = parameters.number(0.15, 0.0, 5.0, "s", says="what would be there sooner is near, too")
    people: float = parameters.number(
        0.5, 0.0, 5.0, "m", says="how near to one's own a joint of somebody else is near, for a stature of 1.75 m"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "noticing")


@dataclass(frozen=True, kw_only=True)
class Bearing:
    """What a body that yields bears, and what it is spared."""

    legs: float = parameters.number(
        0.02,
        1e-3,
        0.1,
        says="share of their mass that legs led by inverse kinematics keep",
        source="their reaction is a substep late: at 0.1 it adds 21 mm of noise, from 0.3 on it runs away",
    )
    rides: float = parameters.number(
        0.5, says="share of what is taken from them that rides on the pelvis; the rest stands with the stance leg"
    )
    extra: float = parameters.number(
        1.0, 0.0, 10.0, "body weights", says="force at most for what other behaviors change of the pose"
    )
    extra_torque: float = parameters.number(
        0.3, 0.0, 10.0, "body weights at 1 m", says="torque at most for what other behaviors change of the pose"
    )
    shoves: float = parameters.number(
        0.25, 0.0, 10.0, "body weights", says="how hard what presses the legs shoves the pelvis at most"
    )
    pushed: float = parameters.number(
        2.0,
        0.0,
        100.0,
        "body weights",
        says="how hard what touches a wader pushes it along the ground at most",
        source="who follows a motion is hit as an infinite mass is",
    )
    roomy: float = parameters.number(
        1.5,
        0.0,
        10.0,
        says="how many times as strong as the clip needs them its trunk's muscles are at least",
        source="else a lively dance would sink by 10 cm",
    )
    sinks: float = parameters.number(
        0.005,
        0.0,
        0.5,
        "m",
        says="a part that the clip has deeper in the ground passes through it",
        source="capsules are a coarse likeness",
    )
    lowest: float = parameters.number(
        0.4, 0.0, 1.0, "m", says="how far it sinks below its motion at most", source="a deep squat"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "bearing")


@dataclass(frozen=True, kw_only=True)
class Yielding:
    """When legs give way to what they meet."""

    legs: bool = parameters.switch(
        True, says="whether they do; else they go where they are led, whatever is in their way"
    )
    near: float = parameters.number(
        0.16,
        0.0,
        2.0,
        "m",
        says="a leg in the air is let go when something heavy or a ball is this near to a joint of it, for a stature of 1.75 m",
        source="half a shank: what touches it in the middle is as near to knee or ankle",
    )
    heavy: float = parameters.number(
        12.0,
        0.0,
        1e3,
        "kg",
        says="what weighs this much or is fixed is heavy",
        source="as much as a leg: what is lighter is moved out of its way first, and the leg let go when that presses back",
    )
    lead: float = parameters.number(0.05, 0.0, 1.0, "s", says="what would be there sooner is near, too")
    people: float = parameters.number(
        0.35,
        0.0,
        2.0,
        "m",
        says="so is any leg when a joint of somebody else is this near to one of its joints, for a stature of 1.75 m; "
        "what is fixed, as a heavy thing",
        source="shanks that cross in their middles, and a hand's breadth",
    )
    swings: float = parameters.number(
        0.1,
        0.0,
        10.0,
        "body weights",
        says="a leg in the air is let go when it is pressed harder",
        source="about as much as it weighs",
    )
    holds: float = parameters.number(
        0.5,
        0.0,
        10.0,
        "body weights",
        says="a leg that stands is let go when it is pressed harder",
        source="friction of a dry sole under most of a body's weight",
    )
    presses: float = parameters.number(
        0.25,
        0.01,
        1.0,
        says="share of its muscles' strength with which a leg in the air is pulled back to its way at most",
        source="what a hip needs to swing a leg in walking, 0.7 N m/kg of 3 (Winter 2009): more would push a walker off",
    )
    roomy: float = parameters.number(
        1.5,
        1.0,
        10.0,
        says="how many times what the clip itself takes muscles exert at most to go along with a leg's way",
        source="a leg that nothing touches goes as one that is led, and none is flung after a way that jumps",
    )
    apart: float = parameters.number(
        0.35,
        0.05,
        3.0,
        "rad",
        says="a joint that is this far from its way goes along with it no more, but is pulled back to it",
        source="what a way's own motion takes is not what a leg far beside it needs: it would be flung about",
    )
    steps: float = parameters.number(
        3.0,
        1.0,
        20.0,
        "Hz",
        says="tension at least of a leg in the air that gives way",
        source="however relaxed somebody is, the next step has to carry: at 1 Hz a foot comes down through the floor",
    )
    stands: float = parameters.number(
        8.0,
        1.0,
        20.0,
        "Hz",
        says="tension at least of a leg that stands and gives way",
        source="its sole holds it: at 3 Hz it slides by three centimeters where two people's knees meet",
    )
    calm: float = parameters.number(0.1, 0.0, 5.0, "s", says="a leg that met nothing for so long may be led again")
    turned: float = parameters.number(0.15, 0.0, 3.0, "rad", says="once its joints are this near to where they are led")
    spins: float = parameters.number(2.0, 0.0, 50.0, "rad/s", says="and move against that no faster")
    most: float = parameters.number(1.0, 0.0, 10.0, "s", says="and after so long anyhow")
    returns: float = parameters.number(0.1, 0.01, 5.0, "s", says="over what time the rest is taken back")
    stops: float = parameters.number(
        0.01,
        0.0,
        0.5,
        "s",
        says="a foot that comes down astray stands where it would be so much later",
        source="a sole brakes it: farther on it slides, nearer its knee jerks",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "yielding")
