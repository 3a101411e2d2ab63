"""What the paper says of each of its scenes (section 4)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.groups import Group
from poise.math import quat
from poise.qp import Step
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.played import SECONDS, play, watch
from poise.scenes.together.box import Course, box_group
from poise.scenes.together.door import OPEN, TURNED, door_group
from poise.scenes.together.funambulist import PAIRS, PLATE, funambulist_group
from poise.scenes.together.king import REACHES, king_group
from poise.scenes.together.lever import THROWN
from poise.scenes.together.sword import SECURITY, sword_group
from poise.scenes.together.valve import CHANGED, SPEED

__all__ = ["CHECKS"]

Array = NDArray[np.float64]


def _tilt(group: Group, step: Step) -> Array:
    """Tilt of the chair [degrees], and how far her hand is from where it is to go [m]."""
    up = group.system.rotations[group.system.body("litter/chair")][2, 2]
    task = group.controller.tasks.get("hand")
    miss = float(np.linalg.norm(task.feature(group.system).error[:3])) if task is not None else np.nan
    return np.array([np.degrees(np.arccos(np.clip(up, -1.0, 1.0))), miss])


@claim("a task on the chair alone, carried out by those who hold it", off="king_group(level=False)", cases=1)
def king_level(trial: Trial) -> Row:
    """While the carriers walk."""
    played = watch(king_group(level=trial.on), 14.0, _tilt)
    tilt = float(np.array(played.watched)[:, 0].max())
    return Row(
        "vaillant2017/king-level",
        "The chair stays level within 5 degrees while both carriers step, and all stay over their feet (King)",
        None,
        tilt,
        "degrees",
        tilt < 5.0 and not played.fell and float(np.nanmin(played.margins)) > -0.01,
    )


@claim("one program for all", off="king_group(helping=False): the carriers hold the litter where it is", cases=3)
def king_reaches(trial: Trial) -> Row:
    """Distance of her hand from three recorded places, at the end of each."""
    played = watch(king_group(helping=trial.on), SECONDS["king"], _tilt)
    misses = np.array(played.watched)[:, 1]
    ends = [*(one.time for one in REACHES), SECONDS["king"]]
    worst = max(
        float(misses[round(end / played.group.controller.step) - 2]) for end in ends if end < len(misses) / 30.0 + 1
    )
    return Row(
        "vaillant2017/king-reach",
        "Carriers move the litter so that she reaches, though no task names them: distance left to three places (King)",
        None,
        100.0 * worst,
        "cm",
        worst < 0.02,
    )


@claim("the barbell counts in the balance", off="funambulist_group(weighed=False)", cases=3)
def funambulist_leans(trial: Trial) -> Row:
    """Correlation of her own center of mass, sideways, with the difference of the weights, over seeds nothing was tuned on."""

    def weights(group: Group, step: Step) -> Array:
        system = group.system
        left, right = (system.mass_of(f"barbell/{side}") for side in ("left", "right"))
        return np.array([group.center_of_mass("anna")[1], left - right])

    worst = -1.0
    for seed in (1, 2, 3):
        played = watch(funambulist_group(0, seed, weighed=trial.on), 9.0, weights)
        own, difference = np.array(played.watched)[200:].T
        worst = max(worst, float(np.corrcoef(own, difference)[0, 1]))
    return Row(
        "vaillant2017/funambulist-leans",
        f"Weights that change at random about {PLATE:g} kg are answered by leaning away from the heavier end (Funambulist): "
        "largest correlation of her side-step with the difference",
        None,
        worst,
        "",
        worst < -0.5,
    )


@claim("distances in the program", off="funambulist_group(apart=False)", cases=4)
def funambulist_walks(trial: Trial) -> Row:
    """Least distance of one leg from the other while they pass, the center of mass staying over the soles on the beam."""

    def legs(group: Group, step: Step) -> Array:
        shapes = group.system.shape
        return np.array([min(group.system.nearest(shapes(a), shapes(b), 0.5).distance for a, b in PAIRS[:4])])

    played = watch(funambulist_group(apart=trial.on), SECONDS["funambulist"], legs)
    margin = float(np.nanmin(np.array(played.margins)))
    least = float(np.min(played.watched))
    return Row(
        "vaillant2017/funambulist-walks",
        "Four steps on a beam as wide as the foot; only where each foot lands and how high it is lifted is said, legs pass one "
        "another by themselves: least distance between them",
        None,
        1e3 * least,
        "mm",
        least > 0.004 and margin > 0.0 and not played.fell,
    )


@claim("distances in the program", off="sword_group(avoid=False)", cases=3)
def sword_dodged(trial: Trial) -> Row:
    """Least distance of the blade from her, whatever the order of the strikes."""
    least = np.inf
    for order in (("torso", "back", "shoulder"), ("shoulder", "torso", "back"), ("back", "shoulder", "torso")):
        group = sword_group(order, avoid=trial.on)
        shapes = [name for body in group.bases["dana"].plan.names for name in group.system.shapes_of(f"dana/{body}")]
        kept = [group.system.shape(name) for name in shapes if name != "dana/spine/3"]
        blade = group.system.shape("sword/blade/0")

        def distance(group: Group, step: Step, kept: list[int] = kept, blade: int = blade) -> Array:
            return np.array([min(group.system.nearest(one, blade, 0.5).distance for one in kept)])

        played = watch(group, SECONDS["sword"], distance)
        least = min(least, float(np.min(played.watched)) if not played.fell else -1.0)
    return Row(
        "vaillant2017/sword-dodged",
        "Strikes at chest, back and shoulder are dodged with no task but balance: least distance of the blade from her (Sword)",
        SECURITY,
        least,
        "m",
        least > SECURITY - 0.001,
    )


@claim("balance of those below", off="acrobats_group(balanced=False)", cases=5)
def tower_stands(trial: Trial) -> Row:
    """Climbing up, two steps, and shaken at the top by 10 cm."""
    played = play("acrobats") if trial.on else play("acrobats", balanced=False)
    shaken = played.during("shaken")
    top, together = np.array(played.centers["top"])[shaken], np.array(played.margins)[shaken]
    way = float(np.ptp(top[:, 1])) if not played.fell else 0.0
    return Row(
        "vaillant2017/acrobats-shaken",
        "The top climbs onto the middle, who climbs onto the bottom with her; the tower takes two steps and stays up while the "
        "top is shaken by 10 cm to either side (Acrobats): the top's way from side to side",
        0.2,
        way,
        "m",
        way > 0.15 and not played.fell and float(np.nanmin(together)) > 0.0,
    )


def _last(course: Array, during: NDArray[np.bool_]) -> float:
    """The last value of a course while something lasts; its first where that never began."""
    return float(course[during][-1] if during.any() else course[0])


@claim("tasks on the door alone", off="door_group(tasked=False)", cases=1)
def door_opened(trial: Trial) -> Row:
    """Miss of the door's and the handle's angle where each is held."""
    played = play("door") if trial.on else play("door", tasked=False)
    held = played.during("hold")
    misses = [_last(played.joint("door/panel"), held) - OPEN, _last(played.joint("door/handle"), held) - TURNED]
    shut = played.joint("door/panel")[-1]
    miss = float(np.degrees(max(*np.abs(misses), abs(shut))))
    return Row(
        "vaillant2017/door",
        "The handle is pressed, the door opened and closed, each to within a degree, by tasks on their angles (Door)",
        None,
        miss,
        "degrees",
        miss < 1.0,
    )


@invariant("the door in the same equation of motion", broken="the panel's mass is left out of the closed form", cases=1)
def door_torque(trial: Trial) -> Row:
    """Torque of the hand about the door's hinge, against inertia times acceleration plus damping, while it is opened."""
    panel, handles = 20.0 if trial.on else 0.0, 0.5
    inertia = panel * ((2.0 * 0.42) ** 2 / 3.0 + 0.04**2 / 12.0) + handles * 0.76**2

    def torque(group: Group, step: Step) -> Array:
        wrench = step.wrenches.get("anna/right_hand", np.zeros(6))
        arm = step.points.get("anna/right_hand", np.zeros(3)) - np.array([0.55, 0.5, 0.0])
        system = group.system
        dof = system.joints.dofs[system.joints.names.index("door/panel")]
        given = -(arm[0] * wrench[1] - arm[1] * wrench[0] + wrench[5])
        return np.array([given, inertia * step.accelerations[dof] + system.velocities[dof]])

    played = watch(door_group(), 8.0, torque)
    given, needed = np.array(played.watched)[played.during("open")].T
    miss = 100.0 * float(np.abs(given - needed).max() / np.abs(needed).max())
    return Row(
        "vaillant2017/door-torque",
        "The hand gives the door just the torque that its inertia and damping need (Door): largest miss, as a share of "
        "the largest torque",
        None,
        miss,
        "%",
        miss < 5.0,
    )


@claim("a task on the wheel's angular velocity", off="valve_group(speed=0)", cases=2)
def valve_turned(trial: Trial) -> Row:
    """Miss of the mean speed over whole turns, before and after the recorded input."""
    played = play("valve") if trial.on else play("valve", speed=0.0)
    speed, times = played.speed("valve/wheel"), np.array(played.times)
    first = float(speed[(times > 6.0) & (times < 11.5)].mean()) / SPEED - 1.0
    second = float(speed[(times > 13.0) & (times < 16.0)].mean()) / CHANGED - 1.0
    worst = 100.0 * max(abs(first), abs(second))
    return Row(
        "vaillant2017/valve",
        "A valve is turned at a wanted angular velocity, and at another when it is changed (Valve): miss",
        None,
        worst,
        "%",
        worst < 5.0,
    )


@claim("the course's velocity and acceleration in the task (Eq. 33)", off="box_group(ahead=False)", cases=3)
def box_follows(trial: Trial) -> Row:
    """Largest miss over random courses that nothing was tuned on."""
    worst, turned = 0.0, 0.0
    for seed in (1, 2, 3):
        group, course = box_group(seed, ahead=trial.on), Course(seed)
        start = group.point("box/box", (0.0, 0.0, 0.0))

        def miss(group: Group, step: Step, course: Course = course, start: Array = start) -> Array:
            offset, _, _ = course.at(step.time + group.controller.step)
            body = group.system.body("box/box")
            wanted = quat.to_matrix(quat.exp(offset[3:]))
            cosine = 0.5 * (np.trace(wanted.T @ group.system.rotations[body]) - 1.0)
            away = np.linalg.norm(group.system.positions[body] - start - offset[:3])
            return np.array([away, np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))])

        played = watch(group, 10.0, miss)
        worst = max(worst, float(np.array(played.watched)[:, 0].max()))
        turned = max(turned, float(np.array(played.watched)[:, 1].max()))
    return Row(
        "vaillant2017/box",
        "A box between two flat hands follows random courses in all six directions within 2 cm and 3 degrees (Box)",
        None,
        100.0 * worst,
        "cm",
        worst < 0.02 and turned < 3.0,
    )


@claim("a task on the lever alone", off="lever_group(tasked=False)", cases=2)
def lever_thrown(trial: Trial) -> Row:
    """Miss of the angle where the lever is held, against its spring."""
    played = play("lever") if trial.on else play("lever", tasked=False)
    angle = played.joint("lever/arm")
    first, second = played.during("hold") & ~played.during("hold again"), played.during("hold again")
    ends = [_last(angle, first) - THROWN, _last(angle, second) + THROWN]
    miss = float(np.degrees(np.max(np.abs(ends))))
    return Row(
        "vaillant2017/lever",
        "A sprung lever with a weight is thrown and held to either side, to within a degree, by a task on its angle (Lever)",
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
