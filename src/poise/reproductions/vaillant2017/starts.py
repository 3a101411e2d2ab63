"""How many of a scene's different starts end as the paper's do: other people, masses, places and targets."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, Course, course_of, starts
from poise.scenes.together.sword import SECURITY

__all__ = ["CHECKS"]

ENOUGH = 95.0
"""Share that is to end as the paper's does [%]."""
_DEGREE = float(np.radians(1.0))


def _held(*phases: str) -> Callable[[Course], bool]:
    """Within a degree of the target whenever one of these phases ends."""

    def well(course: Course) -> bool:
        ends = course.ends_of(phases)
        return len(ends) == len(phases) and bool((ends[:, 0] < _DEGREE).all())

    return well


def _carried(course: Course) -> bool:
    """Level while the carriers step, all over their feet, and her hand at each of three places in the end."""
    walking = course.phases != "reach"
    reached = [course.between(0.0, end)[-1, 1] for end in (22.0, 25.0, 29.0)]
    level, stood = course.seen[walking, 0].max() < np.radians(5.0), np.nanmin(course.seen[:, 2]) > 0.0
    return bool(level and stood and max(reached) < 0.02)


def _balanced(course: Course) -> bool:
    """To the end of the beam, never off it, no leg through the other, leaning away from the heavier end."""
    least, margins, aside, heavier = course.seen[course.times > 1.0].T
    leaning = np.corrcoef(aside, heavier)[0, 1]
    arrived = course.phases[-1] == "stand still"
    return bool(arrived and least.min() > 0.004 and np.nanmin(margins) > 0.0 and leaning < -0.2)


def _stands(course: Course) -> bool:
    """Up to the end, the top shaken by 10 cm to either side, all over their feet."""
    shaken = course.phases == "shaken"
    return bool(shaken.any() and np.ptp(course.seen[shaken, 0]) > 0.15 and np.nanmin(course.seen[:, 1]) > 0.0)


def _turned(course: Course) -> bool:
    """Within 5 % of either speed, over seconds in the middle of each."""
    parts = [
        course.seen[(course.times > begin) & (course.times < end), 0] for begin, end in ((6.0, 11.5), (13.0, 16.0))
    ]
    return all(len(part) > 0 and abs(float(part.mean()) - 1.0) < 0.05 for part in parts)


def _follows(course: Course) -> bool:
    """Within 2 cm and 3 degrees of its course all the time."""
    return bool(course.seen[:, 0].max() < 0.02 and course.seen[:, 1].max() < np.radians(3.0))


_WELL = {
    "king": _carried,
    "funambulist": _balanced,
    "sword": lambda course: bool(course.seen.min() > SECURITY - 0.001),
    "acrobats": _stands,
    "door": _held("press the handle", "hold", "let the handle rise"),
    "valve": _turned,
    "box": _follows,
    "lever": _held("hold", "hold again"),
}
"""Whether a course of a scene ends as the paper's does."""


def _ends_well(name: str, start: int, on: bool) -> bool:
    course = course_of(name, start, on)
    return course is not None and _WELL[name](course)


def _share(good: Callable[[int], bool], trial: Trial) -> float:
    """How many of the starts end well [%]."""
    return 100.0 * float(np.mean([good(start) for start in starts(trial)]))


_SAYS = {
    "king": (
        "carriers of other mass, stature and place, another rider and litter, other places to reach",
        "a task on the chair alone, carried out by those who hold it",
        "king_group(level=False)",
    ),
    "funambulist": (
        "another walker, barbell, course of the weights and footholds",
        "distances in the program",
        "funambulist_group(apart=False)",
    ),
    "sword": (
        "two others, another sword, strikes elsewhere and in any order",
        "distances in the program",
        "sword_group(avoid=False)",
    ),
    "acrobats": (
        "three of other mass, standing elsewhere, and other steps of the bottom",
        "balance of those below",
        "acrobats_group(balanced=False)",
    ),
    "door": (
        "somebody else elsewhere, another door, opened as far as another angle",
        "tasks on the door alone",
        "door_group(tasked=False)",
    ),
    "valve": (
        "somebody else elsewhere, another wheel, other speeds",
        "a task on the wheel's angular velocity",
        "valve_group(speed=0)",
    ),
    "box": (
        "somebody else, another box and course",
        "the course's velocity and acceleration in the task (Eq. 33)",
        "box_group(ahead=False)",
    ),
    "lever": (
        "somebody else elsewhere, another lever, thrown as far as another angle",
        "a task on the lever alone",
        "lever_group(tasked=False)",
    ),
}
"""What is different in a scene's starts, what its row credits, and what switches that off."""


def _check(name: str) -> Check:
    different, method, off = _SAYS[name]

    @claim(method, off=off, cases=STARTS)
    def share_of(trial: Trial) -> Row:
        share = _share(lambda start: _ends_well(name, start, trial.on), trial)
        return Row(
            f"vaillant2017/starts-{name}",
            f"{name.capitalize()} begun otherwise (masses by 20 %, places and targets by 5 cm: {different}) ends as the "
            "paper's does, every limit kept: share of starts",
            None,
            share,
            "%",
            share >= ENOUGH,
        )

    return share_of


CHECKS: tuple[Check, ...] = tuple(_check(name) for name in _SAYS)
