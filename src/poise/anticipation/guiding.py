"""How hands and arms are guided on their ways: what the compiled loops of `poise.behaviors.hands` go by."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from poise import parameters

__all__ = ["Approach", "Calming", "Clearing", "Touching"]


@dataclass(frozen=True, kw_only=True)
class Approach:
    """How the way of a hand to what it is about is laid, and laid anew where that moves."""

    newer: float = parameters.number(
        0.25, 0.0, 1.0, says="share of what is new in how a goal drifts, each tick", live=True
    )
    jump: float = parameters.number(
        0.005,
        0.0,
        1.0,
        "m",
        says="a goal that moves so much farther in a tick than it drifts has jumped, and the way takes its time",
        live=True,
    )
    leap: float = parameters.number(
        0.05, 0.0, 10.0, "m", says="one that moves farther in a tick tells nothing about how it drifts", live=True
    )
    fastest: float = parameters.number(
        3.0, 0.0, 50.0, "m/s", says="a goal is foreseen to drift no faster than this", live=True
    )
    jerk: float = parameters.number(
        400.0,
        10.0,
        10_000.0,
        "m/s³",
        says="a goal that jumped is followed, and the body gone round, with no larger jerk than this where there is time",
        source="the largest of a reach in a hurry",
        live=True,
    )
    patience: float = parameters.number(0.5, 0.0, 10.0, "s", says="and with no more time than this", live=True)
    missed: float = parameters.number(
        0.005,
        0.0,
        1.0,
        "m",
        says="a hand that is so far off its way sets out from where it is",
        source="where its way led the arm did not reach",
        live=True,
    )
    before: float = parameters.number(
        0.1, 0.0, 1.0, "m", says="how far off a surface a hand keeps that has to go far along it", live=True
    )
    far: float = parameters.number(
        0.1, 0.001, 2.0, "m", says="it keeps half as far off where it has to go so far", live=True
    )
    over: float = parameters.number(
        0.12, 0.0, 1.0, "m", says="and one that is behind the surface goes so far above its place at most", live=True
    )
    passes: float = parameters.number(
        0.3, 0.01, 10.0, "m/s", says="what moves more slowly along its surface does not pass", live=True
    )

    def __post_init__(self) -> None:
        parameters.check(self, "approach")

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """For compiled loops, in the order above."""
        return parameters.numbers(self)


@dataclass(frozen=True, kw_only=True)
class Clearing:
    """How a hand is kept clear of its own body and within its arm's reach."""

    soft: float = parameters.number(
        0.02, 0.0, 0.5, "m", says="goals are led off the body, and back within reach, over about this much", live=True
    )
    foresees: float = parameters.number(
        0.2,
        0.02,
        2.0,
        "s",
        says="how long before it would run into its body a hand goes out of the way",
        source="a way of 5 cm at a jerk of 400 m/s³",
        live=True,
    )
    early: float = parameters.number(
        0.05,
        0.0,
        1.0,
        "m",
        says="on its way to something it goes ahead by no more than this before it has to",
        source="at 0.1 what comes at the chest gets past a hand that is beyond it already in 11 of 200 meetings (9 at this, "
        "7 at 0.02, where arms are up to 18 mm in the body)",
        live=True,
    )
    short: float = parameters.number(
        0.1,
        0.0,
        1.0,
        "m",
        says="ways that lead farther than an arm goes are shortened in time by so much at most",
        source="what leads far out may be back soon",
        live=True,
    )
    widest: float = parameters.number(0.25, 0.0, 1.0, "m", says="ways bulge out round the trunk no farther", live=True)

    def __post_init__(self) -> None:
        parameters.check(self, "clearing")

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """For compiled loops, in the order above."""
        return parameters.numbers(self)


@dataclass(frozen=True, kw_only=True)
class Calming:
    """What of an arm's motion is taken for a jump, and in what time an elbow makes up for one."""

    bends: float = parameters.number(
        250.0,
        1.0,
        10_000.0,
        "rad/s²",
        says="a wish for a joint that places the hand jumps where its motion changes faster",
        source="what joints do in quick movements",
        live=True,
    )
    turns: float = parameters.number(
        32.0,
        1.0,
        10_000.0,
        "rad/s²",
        says="and one for a joint that but turns it",
        source="an eighth of that: ranges of forearm and wrist are left over one another",
        live=True,
    )
    elbow: float = parameters.number(
        60.0, 1.0, 10_000.0, "rad/s²", says="an elbow's swivel jumps where it changes faster", live=True
    )
    settles: float = parameters.number(
        0.25,
        0.01,
        5.0,
        "s",
        says="in what time an elbow makes up for a jump of where it is wanted, and what is left of any is let go",
        source="about what a right angle takes",
        live=True,
    )

    def __post_init__(self) -> None:
        parameters.check(self, "calming")

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """For compiled loops, in the order above."""
        return parameters.numbers(self)


@dataclass(frozen=True, kw_only=True)
class Touching:
    """Where palms meet things and how they are held."""

    apart: float = parameters.number(
        0.12, 0.0, 1.0, "m", says="palms that are about the same thing are no nearer to one another", live=True
    )
    beside: float = parameters.number(0.08, 0.0, 1.0, "m", says="and about the same thing that flies", live=True)
    slopes: float = parameters.number(
        0.7,
        0.0,
        5.0,
        says="how much a palm in the way of what flies slopes ahead",
        source="what meets it does not roll off onto the head",
        live=True,
    )
    leant: float = parameters.number(
        0.015,
        0.0,
        0.2,
        "m",
        says="how far behind the surface of what yields a palm that slides is meant to be",
        live=True,
    )
    leant_fixed: float = parameters.number(
        0.03, 0.0, 0.2, "m", says="and behind that of what cannot be moved", live=True
    )
    lean: float = parameters.number(
        0.06,
        0.0,
        1.5,
        "rad",
        says="how much a palm is leant",
        source="fingertips touch before the wrist",
        live=True,
    )
    lean_fixed: float = parameters.number(
        0.2,
        0.0,
        1.5,
        "rad",
        says="and along what is fixed",
        source="before the forearm, which is thicker",
        live=True,
    )

    def __post_init__(self) -> None:
        parameters.check(self, "touching")

    @cached_property
    def numbers(self) -> tuple[float, ...]:
        """For compiled loops, in the order above."""
        return parameters.numbers(self)
