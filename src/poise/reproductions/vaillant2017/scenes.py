"""What the paper says of each of its scenes (section 4), over other people, masses, places and targets (`courses`)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from poise.groups import Group
from poise.qp import Step
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, Course, courses, make, starts, worst
from poise.reproductions.vaillant2017.played import watch
from poise.scenes.together.funambulist import PLATE
from poise.scenes.together.sword import SECURITY

__all__ = ["CHECKS"]

Array = NDArray[np.float64]


@claim("a task on the chair alone, carried out by those who hold it", off="king_group(level=False)", cases=STARTS)
def king_level(trial: Trial) -> Row:
    """While the carriers walk."""

    def tilt(course: Course) -> float:
        walking = course.seen[course.phases != "reach"]
        return float(np.degrees(walking[:, 0].max())) if np.nanmin(course.seen[:, 2]) > 0.0 else 180.0

    most = worst("king", trial, tilt, 180.0)
    return Row(
        "vaillant2017/king-level",
        "The chair stays level within 5 degrees while both carriers step, and all stay over their feet (King): largest tilt of "
        "all starts; 180 degrees stand for a fall",
        None,
        most,
        "degrees",
        most < 5.0,
    )


@claim("one program for all", off="king_group(helping=False): the carriers hold the litter where it is", cases=STARTS)
def king_reaches(trial: Trial) -> Row:
    """Distance of her hand from three recorded places, at the end of each."""

    def missing(course: Course) -> float:
        return max(float(course.between(0.0, end)[-1, 1]) for end in (22.0, 25.0, 29.0))

    most = worst("king, alone", trial, missing, 1.0)
    return Row(
        "vaillant2017/king-reach",
        "Carriers move the litter so that she reaches, though no task names them: largest distance left to three places, of "
        "all starts (King); a metre stands for a fall",
        None,
        100.0 * most,
        "cm",
        most < 0.02,
    )


@claim("the barbell counts in the balance", off="funambulist_group(weighed=False)", cases=STARTS)
def funambulist_leans(trial: Trial) -> Row:
    """Correlation of her own center of mass, sideways, with the difference of the weights."""

    def correlation(course: Course) -> float:
        _, _, own, difference = course.between(1.0, np.inf).T
        return float(np.corrcoef(own, difference)[0, 1])

    found = [1.0 if course is None else correlation(course) for course in courses("leaning", trial)]
    usual = float(np.median(found))
    return Row(
        "vaillant2017/funambulist-leans",
        f"Weights that change at random about {PLATE:g} kg are answered by leaning away from the heavier end (Funambulist), by "
        "all walkers on all courses: usual correlation of her side-step with the difference. She sways by herself, too; "
        f"none is perfect, the weakest is {max(found):.2f} and has to be below -0.2",
        None,
        usual,
        "",
        usual < -0.5 and max(found) < -0.2,
    )


@claim("distances in the program", off="funambulist_group(apart=False)", cases=STARTS)
def funambulist_walks(trial: Trial) -> Row:
    """Least distance of one leg from the other while they pass, the center of mass staying over the soles on the beam."""

    def closeness(course: Course) -> float:
        return -float(course.seen[:, 0].min()) if np.nanmin(course.seen[:, 1]) > 0.0 else 0.0

    least = 0.0 - worst("funambulist", trial, closeness, 0.0)
    return Row(
        "vaillant2017/funambulist-walks",
        "Four steps on a beam as wide as the foot; only where each foot lands and how high it is lifted is said, legs pass one "
        "another by themselves: least distance between them, of all starts",
        None,
        1e3 * least,
        "mm",
        least > 0.004,
    )


@claim("distances in the program", off="sword_group(avoid=False)", cases=STARTS)
def sword_dodged(trial: Trial) -> Row:
    """Least distance of the blade from her, whatever the order of the strikes."""
    least = 0.0 - worst("sword", trial, lambda course: -float(course.seen.min()), 1.0)
    return Row(
        "vaillant2017/sword-dodged",
        "Strikes at chest, back and shoulder are dodged with no task but balance: least distance of the blade from her, of all "
        "starts (Sword); -1 m stands for a fall",
        SECURITY,
        least,
        "m",
        least > SECURITY - 0.001,
    )


@claim("balance of those below", off="acrobats_group(balanced=False)", cases=STARTS)
def tower_stands(trial: Trial) -> Row:
    """Climbing up, two steps, and shaken at the top by 10 cm."""

    def still(course: Course) -> float:
        shaken = course.during("shaken")
        kept = len(shaken) > 0 and np.nanmin(course.seen[:, 1]) > 0.0
        return -float(np.ptp(shaken[:, 0])) if kept else 0.0

    way = 0.0 - worst("acrobats", trial, still, 0.0)
    return Row(
        "vaillant2017/acrobats-shaken",
        "The top climbs onto the middle, who climbs onto the bottom with her; the tower takes two steps and stays up while the "
        "top is shaken by 10 cm to either side (Acrobats): the top's way from side to side, the least of all starts",
        0.2,
        way,
        "m",
        way > 0.15,
    )


def _ends(*phases: str) -> Callable[[Course], float]:
    """The largest miss at the ends of phases [degrees]; nan where one never began."""

    def miss(course: Course) -> float:
        ends = course.ends_of(phases)
        return float(np.degrees(ends[:, 0].max())) if len(ends) == len(phases) else np.nan

    return miss


@claim("tasks on the door alone", off="door_group(tasked=False)", cases=STARTS)
def door_opened(trial: Trial) -> Row:
    """Miss of the door's and the handle's angle where each is held."""
    miss = worst("door", trial, _ends("press the handle", "hold", "let the handle rise"), 180.0)
    return Row(
        "vaillant2017/door",
        "The handle is pressed, the door opened and closed, each to within a degree, by tasks on their angles (Door): largest "
        "miss of all starts; 180 degrees stand for what never happens",
        None,
        miss,
        "degrees",
        miss < 1.0,
    )


@invariant(
    "the door in the same equation of motion", broken="the panel's mass is left out of the closed form", cases=STARTS
)
def door_torque(trial: Trial) -> Row:
    """Torque of the hand about the door's hinge, against inertia times acceleration plus damping, while it is opened."""
    miss = 100.0 * max(_torque_miss(start, trial.on) for start in starts(trial))
    return Row(
        "vaillant2017/door-torque",
        "The hand gives the door just the torque that its inertia and damping need (Door): largest miss of all starts, as a "
        "share of the largest torque",
        None,
        miss,
        "%",
        miss < 5.0,
    )


def _torque_miss(start: int, heavy: bool) -> float:
    given, change, speed, panel, handle = _opening(start)
    inertia = (panel if heavy else 0.0) * ((2.0 * 0.42) ** 2 / 3.0 + 0.04**2 / 12.0) + handle * 0.76**2
    needed = inertia * change + speed
    return float(np.abs(given - needed).max() / np.abs(needed).max())


@once
def _opening(start: int) -> tuple[Array, Array, Array, float, float]:
    """What the hand gives while a door is opened, played once for the closed form and for the broken one.

    Returns:
        The hand's torque about the hinge [N m], acceleration [rad/s²] and speed [rad/s] of the panel, each of shape (n,), and
        the masses of panel and handle [kg].
    """
    group = make("door", start)
    system = group.system
    dof = system.joints.dofs[system.joints.names.index("door/panel")]

    def moved(group: Group, step: Step) -> Array:
        wrench = step.wrenches.get("anna/right_hand", np.zeros(6))
        arm = step.points.get("anna/right_hand", np.zeros(3)) - np.array([0.55, 0.5, 0.0])
        given = -(arm[0] * wrench[1] - arm[1] * wrench[0] + wrench[5])
        return np.array([given, step.accelerations[dof], system.velocities[dof]])

    played = watch(group, 8.0, moved)
    given, change, speed = np.array(played.watched)[played.during("open")].T
    return given, change, speed, system.mass_of("door/panel"), system.mass_of("door/handle")


@claim("a task on the wheel's angular velocity", off="valve_group(speed=0)", cases=STARTS)
def valve_turned(trial: Trial) -> Row:
    """Miss of the mean speed over whole turns, before and after the recorded input."""

    def miss(course: Course) -> float:
        return max(abs(float(course.between(*part)[:, 0].mean()) - 1.0) for part in ((6.0, 11.5), (13.0, 16.0)))

    most = 100.0 * worst("valve", trial, miss, 1.0)
    return Row(
        "vaillant2017/valve",
        "A valve is turned at a wanted angular velocity, and at another when it is changed (Valve): largest miss of all starts",
        None,
        most,
        "%",
        most < 5.0,
    )


@claim("the course's velocity and acceleration in the task (Eq. 33)", off="box_group(ahead=False)", cases=STARTS)
def box_follows(trial: Trial) -> Row:
    """Largest miss over random courses that nothing was tuned on."""
    away = worst("box", trial, lambda course: float(course.seen[:, 0].max()), 1.0)
    turned = worst("box", trial, lambda course: float(np.degrees(course.seen[:, 1].max())), 180.0)
    return Row(
        "vaillant2017/box",
        "A box between two flat hands follows random courses in all six directions within 2 cm and 3 degrees (Box): the "
        "farthest of all starts",
        None,
        100.0 * away,
        "cm",
        away < 0.02 and turned < 3.0,
    )


@claim("a task on the lever alone", off="lever_group(tasked=False)", cases=STARTS)
def lever_thrown(trial: Trial) -> Row:
    """Miss of the angle where the lever is held, against its spring."""
    miss = worst("lever", trial, _ends("hold", "hold again"), 180.0)
    return Row(
        "vaillant2017/lever",
        "A sprung lever with a weight is thrown and held to either side, to within a degree, by a task on its angle (Lever): "
        "largest miss of all starts; 180 degrees stand for what never happens",
        None,
        miss,
        "degrees",
        miss < 1.0,
    )


CHECKS = (
    king_level,
    king_reaches,
    funambulist_leans,
    funambulist_walks,
    sword_dodged,
    tower_stands,
    door_opened,
    door_torque,
    valve_turned,
    box_follows,
    lever_thrown,
)
