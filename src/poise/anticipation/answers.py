"""The finer numbers of how trunk, head, legs and pace answer what comes; `Evasion` says how far each goes at most."""

from __future__ import annotations

from dataclasses import dataclass

from poise import parameters

__all__ = ["Dodging", "Leaning", "Looking", "Pacing"]


@dataclass(frozen=True, kw_only=True)
class Dodging:
    """How a body gets out of the way of what cannot be stopped."""

    margin: float = parameters.number(
        0.1, 0.0, 1.0, "m", says="how far from the skin something passes that is not cared about", live=True
    )
    lead: float = parameters.number(
        0.75,
        0.05,
        5.0,
        "s",
        says="how long before it is there a body begins to give way",
        source="a pelvis needs 0.6 s for its farthest way, and looks first",
        live=True,
    )
    hold: float = parameters.number(
        0.25, 0.0, 5.0, "s", says="how long it stays out of the way after it passed", live=True
    )
    sudden: float = parameters.number(
        0.25, 0.0, 2.0, "s", says="what is there sooner hits before a body is out of its way", live=True
    )
    late: float = parameters.number(
        0.12, 0.0, 2.0, "s", says="what is there sooner, no hand gets before the face against", live=True
    )
    own: float = parameters.number(
        0.25,
        0.01,
        5.0,
        "s",
        says="time over which the body's own speed is taken",
        source="the sway of a step is not taken for a course",
        live=True,
    )
    before: float = parameters.number(
        0.14, 0.0, 0.5, "m", says="how far before the face a shielding palm is", live=True
    )
    aside: float = parameters.number(0.06, 0.0, 0.5, "m", says="how far to its side, where both palms are", live=True)
    quickness: float = parameters.number(
        11.0, 0.5, 50.0, "rad/s", says="natural frequency of a bend out of the way", live=True
    )
    returns: float = parameters.number(4.0, 0.5, 50.0, "rad/s", says="natural frequency of the way back", live=True)
    there: float = parameters.number(
        0.25, 0.05, 5.0, "s", says="how long a pelvis takes at least out of the way", live=True
    )
    back: float = parameters.number(0.9, 0.05, 5.0, "s", says="how long it takes back", live=True)
    falls: float = parameters.number(
        6.0,
        0.1,
        9.81,
        "m/s²",
        says="acceleration of a pelvis out of the way at most",
        source="knees let it fall no faster",
        live=True,
    )
    starts: float = parameters.number(
        0.05, 0.0, 1.0, "s", says="time before it moves: what is there sooner leaves none", live=True
    )
    trouble: float = parameters.number(
        0.6, 0.01, 10.0, "m", says="a displacement of so much is as much trouble as a bend of 1 rad", live=True
    )
    curls: float = parameters.angle(
        30.0, 0.0, 45.0, says="how far trunk and neck bend forward in the deepest duck", live=True
    )
    tilts: float = parameters.angle(10.0, 0.0, 45.0, says="how far to the side in the widest step aside", live=True)
    arms_ahead: float = parameters.angle(
        40.0,
        0.0,
        90.0,
        says="how far arms that hang go forward in the deepest duck: they weigh against hips that go back",
        live=True,
    )
    arms_out: float = parameters.angle(
        35.0, 0.0, 90.0, says="how far they go out in the widest step aside, for balance", live=True
    )
    elbows: float = parameters.angle(45.0, 0.0, 120.0, says="how far elbows bend in either", live=True)
    palms: float = parameters.angle(50.0, 0.0, 90.0, says="how far palms turn down in either", live=True)
    spine: float = parameters.number(
        0.75, says="how much of a bend the spine does; neck and head do the rest", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "dodging")


@dataclass(frozen=True, kw_only=True)
class Looking:
    """Where the head turns, and for how long."""

    soon: float = parameters.number(1.5, 0.0, 10.0, "s", says="what is farther off is not looked at", live=True)
    momentum: float = parameters.number(1.0, 0.0, 1e4, "kg m/s", says="what has less is not looked at", live=True)
    handled: bool = parameters.switch(
        True,
        says="whether what comes and a hand goes out to is looked at however little it has",
        source="eyes are on what a hand reaches for before the hand is (Johansson et al. 2001)",
        live=True,
    )
    low: float = parameters.number(
        0.15, -1.0, 1.0, "m", says="how far below the hips that is looked at begins, for a stature of 1.75 m", live=True
    )
    glance: float = parameters.number(0.8, 0.0, 10.0, "s", says="how long a look lasts", live=True)
    linger: float = parameters.number(
        0.3, 0.0, 10.0, "s", says="how long it stays where what it was at is gone", live=True
    )
    pause: float = parameters.number(0.8, 0.0, 10.0, "s", says="how long the next one waits", live=True)
    known: float = parameters.number(
        5.0, 0.0, 1e3, "s", says="how long what stands still needs no second look", live=True
    )
    eyes: float = parameters.angle(15.0, 0.0, 60.0, says="angle that the eyes turn alone", live=True)
    most: float = parameters.angle(50.0, 0.0, 90.0, says="farthest turn of the head", live=True)
    quickness: float = parameters.number(
        8.0, 0.5, 50.0, "rad/s", says="natural frequency of a turn of the head", live=True
    )
    fastest: float = parameters.angle(
        120.0, 1.0, 720.0, unit="degrees/s", says="how fast the head turns at most", live=True
    )
    busy: float = parameters.number(
        0.2, 0.01, 1.0, "rad", says="whose trunk is bent farther does not look around", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "looking")


@dataclass(frozen=True, kw_only=True)
class Leaning:
    """How a body leans into what its hands push."""

    least: float = parameters.number(15.0, 0.0, 1e3, "N", says="a push of less is not leant into", live=True)
    quickness: float = parameters.number(
        5.0, 0.5, 50.0, "rad/s", says="natural frequency of a lean: most of it is there after 0.3 s", live=True
    )
    fastest: float = parameters.angle(
        180.0, 1.0, 720.0, unit="degrees/s", says="how fast a trunk turns at most, in a lean or a dodge", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "leaning")


@dataclass(frozen=True, kw_only=True)
class Pacing:
    """How a walk slows down, stops and goes on."""

    ahead: float = parameters.number(2.0, 0.1, 10.0, "s", says="how far ahead the way is looked along", live=True)
    half: float = parameters.number(
        0.25, 0.05, 1.0, "m", says="half of what a trunk takes of the way, for a stature of 1.75 m", live=True
    )
    nearer: float = parameters.number(
        0.02, 0.0, 1.0, "m", says="what the way does not come nearer to by so much is passed", live=True
    )
    steps_on: float = parameters.number(
        0.35, 0.0, 5.0, "s", says="how long a walk that is held goes on to stand on both feet", live=True
    )
    felt: float = parameters.number(0.2, 0.001, 5.0, "s", says="time constant of the push that is felt", live=True)
    lets_go: float = parameters.number(
        0.6, says="share of the push that stops a walk by which one that stands is held", live=True
    )
    waits: float = parameters.number(
        0.4, 0.0, 10.0, "s", says="how long the way has to be free before the walk goes on", live=True
    )
    brakes: float = parameters.number(1.0, 0.1, 10.0, "s", says="how long it takes to stop as a rule")
    briskly: float = parameters.number(0.6, 0.05, 10.0, "s", says="how long it takes at least")
    sets_off: float = parameters.number(
        0.8, 0.05, 10.0, "s", says="how long it takes to get up to the motion's own pace again"
    )
    rests: float = parameters.number(0.6, 0.01, 5.0, "m/s", says="a foot slower than this rests", live=True)
    stands: float = parameters.number(
        0.2,
        0.01,
        5.0,
        "s",
        says="where both feet rest for longer, any moment will do to stop; else the stillest",
        live=True,
    )

    def __post_init__(self) -> None:
        parameters.check(self, "pacing")
