"""Scenes of the paper begun otherwise (other people, masses, places and targets), played once with what rows ask for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.groups import Group
from poise.qp import NoSolution, Step
from poise.reproductions.check import Trial
from poise.reproductions.once import once
from poise.reproductions.vaillant2017.played import margin_of, residual
from poise.scenes.together.acrobats import acrobats_group
from poise.scenes.together.box import box_group
from poise.scenes.together.door import door_group
from poise.scenes.together.funambulist import PAIRS, funambulist_group
from poise.scenes.together.king import king_group
from poise.scenes.together.lever import lever_group
from poise.scenes.together.sword import sword_group
from poise.scenes.together.valve import valve_group

__all__ = ["STARTS", "Course", "course_of", "courses", "make", "starts", "worst"]

Array = NDArray[np.float64]

STARTS, QUICK, FIRST = 20, 4, 20
"""How many, how many of them for a quick sample or without the method, and the first: nothing was tuned on these."""
_EVERY, _SELDOM = 4, 200
"""Steps from one look to the next, and from one check of the equation of motion to the next."""


def starts(trial: Trial) -> range:
    """The starts that a trial is about."""
    return range(FIRST, FIRST + (QUICK if trial.quick or trial.off else STARTS))


@dataclass(eq=False)
class Course:
    """What was looked at while a scene was played to its end with every limit kept.

    Args:
        phases: At each look, shape (n,).
        times: [s], shape (n,).
        seen: What a scene looks at, shape (n, k).
        residual: Largest miss of the equation of motion as a share of the weight.
        beyond: Largest torque over its limit, or force of an edge under 0 [N m or N].
    """

    phases: NDArray[np.str_]
    times: Array
    seen: Array
    residual: float
    beyond: float

    def during(self, *names: str) -> Array:
        """What was seen in phases that begin with one of these, shape (m, k)."""
        return self.seen[[str(phase).startswith(names) for phase in self.phases]]

    def between(self, begin: float, end: float) -> Array:
        """What was seen in between two times [s], shape (m, k)."""
        return self.seen[(self.times > begin) & (self.times < end)]

    def ends_of(self, phases: Sequence[str]) -> Array:
        """What was seen last in each of some phases, shape (m, k); fewer where some never began."""
        last = [np.flatnonzero(self.phases == phase)[-1:] for phase in phases]
        return self.seen[np.concatenate(last)]


class _Scene(NamedTuple):
    """A scene begun otherwise.

    Args:
        make: Makes it from a start and whether its method is at work.
        seconds: How long it is played.
        look: What is looked at.
    """

    make: Callable[[int, bool], Group]
    seconds: float
    look: Callable[[Group], Sequence[float]]


def _miss(*tasks: str) -> Callable[[Group], Sequence[float]]:
    """How far tasks are from where they want something, distance and turn, the largest; nan while nothing is wanted."""

    def look(group: Group) -> Sequence[float]:
        wanted = [group.controller.tasks[task] for task in tasks if task in group.controller.tasks]
        if not wanted:
            return np.nan, np.nan
        errors = [one.feature(group.system).error.copy() for one in wanted]
        return (
            max(float(np.linalg.norm(error[:3])) for error in errors),
            max(float(np.linalg.norm(error[3:])) for error in errors),
        )

    return look


def _carrying(group: Group) -> Sequence[float]:
    """Tilt of the chair [rad], how far her hand is from its place, and all from the edge of the carriers' feet [m]."""
    up = group.system.rotations[group.system.body("litter/chair")][2, 2]
    everybody = group.center_of_mass(*group.people, "litter")
    return float(np.arccos(min(up, 1.0))), _miss("hand")(group)[0], margin_of(group, everybody)


def _walking(group: Group) -> Sequence[float]:
    """Least distance of one leg from the other, of all from the beam's edge [m], her side-step [m], the heavier end [kg]."""
    shape, mass = group.system.shape, group.system.mass_of
    least = min(group.system.nearest(shape(a), shape(b), 0.5).distance for a, b in PAIRS[:4])
    margin = margin_of(group, group.center_of_mass("anna", "barbell"))
    return least, margin, group.center_of_mass("anna")[1], mass("barbell/left") - mass("barbell/right")


def _blade(group: Group) -> Sequence[float]:
    """Distance of the blade from her [m]."""
    system = group.system
    shapes = [name for body in group.bases["dana"].plan.names for name in system.shapes_of(f"dana/{body}")]
    blade = system.shape("sword/blade/0")
    return (min(system.nearest(system.shape(one), blade, 0.5).distance for one in shapes if one != "dana/spine/3"),)


def _struck(start: int, on: bool) -> Group:
    """Her, struck at in any order."""
    order = np.random.default_rng(start).permutation(["torso", "back", "shoulder"]).tolist()
    return sword_group(order, avoid=on, start=start)


def _tower(group: Group) -> Sequence[float]:
    """Where the top is, sideways, and how far all who are up are inside the feet below [m]."""
    return group.center_of_mass("top")[1], margin_of(group, group.center_of_mass(*group.people))


def _turning(group: Group) -> Sequence[float]:
    """Speed of the wheel as a share of what is wanted of it."""
    task = group.controller.tasks.get("turn")
    wanted = float(np.ravel(vars(task)["velocity"])[0]) if task is not None else 0.0
    system = group.system
    speed = system.velocities[system.joints.dofs[system.joints.names.index("valve/wheel")]]
    return (float(speed) / wanted if wanted else np.nan,)


_SCENES = {
    "king": _Scene(lambda n, on: king_group(start=n, level=on), 29.0, _carrying),
    "king, alone": _Scene(lambda n, on: king_group(start=n, helping=on), 29.0, _carrying),
    "funambulist": _Scene(lambda n, on: funambulist_group(seed=n, start=n, apart=on), 28.0, _walking),
    "leaning": _Scene(lambda n, on: funambulist_group(0, n, start=n, weighed=on), 9.0, _walking),
    "sword": _Scene(_struck, 19.0, _blade),
    "acrobats": _Scene(lambda n, on: acrobats_group(start=n, balanced=on), 56.0, _tower),
    "door": _Scene(lambda n, on: door_group(start=n, tasked=on), 14.0, _miss("panel", "handle")),
    "valve": _Scene(lambda n, on: valve_group(start=n) if on else valve_group(start=n, speed=0.0), 17.0, _turning),
    "box": _Scene(lambda n, on: box_group(n, start=n, ahead=on), 10.0, _miss("box")),
    "lever": _Scene(lambda n, on: lever_group(start=n, tasked=on), 13.0, _miss("lever")),
}
_SAME = {"king, alone": "king"}
"""With their method at work these are others."""


def make(name: str, start: int) -> Group:
    """A scene begun otherwise, before its first step."""
    return _SCENES[name].make(start, True)


def course_of(name: str, start: int, on: bool = True) -> Course | None:
    """A scene with another start, played to its end, once; None where somebody falls or some limit is not kept."""
    return _course_of(_SAME.get(name, name) if on else name, start, on)


@once
def _course_of(name: str, start: int, on: bool) -> Course | None:
    scene = _SCENES[name]
    group = scene.make(start, on)
    phases, times, seen = [], [], []
    missed, beyond = 0.0, 0.0
    for count in range(round(scene.seconds / group.controller.step)):
        try:
            step, _ = group.advance()
        except NoSolution:
            return None
        if step.relaxations:
            return None
        beyond = max(beyond, _beyond(group, step))
        if count % _SELDOM == 0:
            missed = max(missed, residual(group))
        if count % _EVERY == 0:
            phases.append(group.machine.phase if group.machine is not None else "")
            times.append(step.time)
            seen.append(scene.look(group))
    return Course(np.array(phases), np.array(times), np.array(seen), missed, beyond)


def _beyond(group: Group, step: Step) -> float:
    """Largest torque over its limit, or force of an edge under 0, in a step."""
    least = min((float(force.min()) for force in step.forces.values()), default=0.0)
    return max(float((np.abs(step.torques) - group.controller.former.limits).max()), -least)


def courses(name: str, trial: Trial) -> list[Course | None]:
    """A scene from all its starts, or from a few for a quick sample or without its method."""
    return [course_of(name, start, trial.on) for start in starts(trial)]


def worst(name: str, trial: Trial, measure: Callable[[Course], float], fallen: float) -> float:
    """The largest of what is measured over all starts of a scene.

    Args:
        name: The scene.
        trial: How many starts, and whether its method is at work.
        measure: What is measured of a course; nan where there is nothing to measure.
        fallen: What stands for a start that does not come to its end, or for nothing to measure.
    """
    measured = [fallen if course is None else measure(course) for course in courses(name, trial)]
    return max(fallen if np.isnan(each) else each for each in measured)
