"""What every scene has to keep: Newton's laws, friction, torques, distances, and where contacts were made."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from poise.groups import Group, Person
from poise.qp import contacts
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.played import SECONDS, play, residual
from poise.scenes.together import GROUPS

__all__ = ["CHECKS"]


def _momentum_miss(name: str, twice: bool) -> float:
    """Change of everybody's momentum less gravity and the ground's forces, as a share of the weight; the largest of some steps.

    Args:
        name: The scene.
        twice: Whether forces inside count on the second body only, as if nobody felt the reaction.
    """
    group = GROUPS[name]()
    system = group.system
    owners = [*group.people, *(t.name for t in group.things if any(link.joint == "free" for link in t.links))]
    mass, worst = sum(system.mass_of(owner) for owner in owners), 0.0
    jacobian, place, rate, drift = np.zeros((3, system.size)), np.zeros(3), np.zeros(3), np.zeros(3)
    for count in range(200):
        system.centroid(system.roots(owners), jacobian, place, rate, drift)
        step, _ = group.advance()
        if count % 20:
            continue
        held = {one: group.controller.touches[one].contact for one in step.wrenches if one in group.controller.touches}
        outside = [step.wrenches[one][:3] for one, contact in held.items() if contact.first == "world" or twice]
        change = mass * (jacobian @ step.accelerations + drift)
        expected = sum(outside) + np.array([0.0, 0.0, -mass * system.gravity])
        worst = max(worst, float(np.abs(change - expected).max()) / (mass * system.gravity))
    return worst


@invariant("one force variable per pair of bodies", broken="inner forces act on one body only", cases=3)
def third_law(trial: Trial) -> Row:
    """Over King, Funambulist and Acrobats, whose inner forces carry somebody."""
    worst = max(_momentum_miss(name, trial.off) for name in ("king", "funambulist", "acrobats"))
    return Row(
        "vaillant2017/third-law",
        "Forces inside a group change nothing of its momentum: it changes by gravity and the ground alone (Eq. 12), as a share "
        "of the weight",
        None,
        worst,
        "",
        worst < 1e-6,
    )


@invariant("the equation of motion in the program", broken="contact wrenches are taken half", cases=8)
def dynamics(trial: Trial) -> Row:
    """Against MuJoCo's recursive Newton-Euler, which does not use the mass matrix."""
    if trial.on:
        worst = max(play(name).residual for name in SECONDS)
    else:
        worst = min(residual(GROUPS[name](), 0.5) for name in SECONDS)
    return Row(
        "vaillant2017/dynamics",
        "Accelerations, torques and contact forces of all eight scenes satisfy the equation of motion: miss as a share of the "
        "weight",
        None,
        worst,
        "",
        worst < 1e-6,
    )


def _startled(strong: bool) -> tuple[float, float]:
    """Largest torque over the table's limit [N m], and least edge force [N], of somebody whose hands are torn up and down."""
    group = Group({"anna": Person(strong=strong)})
    group.stand("anna")
    limits = group.system.joints.torque[group.controller.former.driven]
    beyond, least = 0.0, 0.0
    for side in ("left", "right"):
        task = group.hand("anna", side, (0.3, 0.3 if side == "left" else -0.3, 1.9), speed=10.0)
        task.stiffness, task.rotation = 4000.0, None
        group.controller.want(side, task)
    for _ in range(40):
        step, _ = group.advance()
        beyond = max(beyond, float((np.abs(step.torques) - limits).max()))
        least = min(least, *(float(forces.min()) for forces in step.forces.values()))
    return beyond, least


@invariant("pyramids and torque limits as rows", broken="Person(strong=True)", cases=9)
def cones_and_torques(trial: Trial) -> Row:
    """Least edge force and largest torque over its limit, of the scenes and of somebody who is torn about."""
    ways = [_startled(trial.off), *(play(name).beyond for name in SECONDS if trial.on)]
    beyond = max(max(over, -least) for over, least in ways)
    return Row(
        "vaillant2017/limits",
        "No force leaves its friction pyramid and no torque its limit, in any step of the eight scenes (Eqs. 25, 28): "
        "largest miss",
        None,
        beyond,
        "N or N m",
        beyond < 1e-4,
    )


def _drift(step: float, share: float) -> float:
    """How far a foot drifts in a minute of waving [m], or turns [rad] times 0.57 m, which makes 0.1 degrees a millimetre."""
    before, contacts.DRIFT_SHARE = contacts.DRIFT_SHARE, share
    try:
        group = Group({"anna": Person()}, step=step)
        group.stand("anna")
        hand = group.hand("anna", "left", (0.3, 0.3, 1.2))
        hand.rotation = None
        group.controller.want("hand", hand)
        worst = 0.0
        for count in range(round(60.0 / step)):
            time = count * step
            hand.target = (0.3 + 0.1 * np.sin(3.0 * time), 0.3, 1.2 + 0.25 * np.sin(4.0 * time))
            group.advance()
            for held in group.controller.touches.values():
                worst = max(worst, float(np.linalg.norm(held.error[:3])), 0.57 * float(np.linalg.norm(held.error[3:])))
        return worst
    finally:
        contacts.DRIFT_SHARE = before


@claim("taking back a share of the drift each step (DRIFT_SHARE)", off="poise.qp.contacts.DRIFT_SHARE = 0", cases=3)
def contacts_hold(trial: Trial) -> Row:
    """A minute at 5, 10 and 33 ms."""
    share = contacts.DRIFT_SHARE if trial.on else 0.0
    steps = (0.01, 1.0 / 30.0) if trial.quick else (0.005, 0.01, 1.0 / 30.0)
    worst = 1e3 * max(_drift(step, share) for step in steps)
    return Row(
        "vaillant2017/drift",
        "Feet under somebody who waves stay within 1 mm and 0.1 degrees for a minute, at steps of 5, 10 and 33 ms. The paper "
        "takes all of the drift back at once (Eq. 20)",
        None,
        worst,
        "mm",
        worst < 1.0,
    )


@claim("balance of those below", off="acrobats_group(balanced=False)", cases=8)
def nobody_gives_way(trial: Trial) -> Row:
    """Steps in which some limit had to give way, over all scenes; without balance the tower falls."""
    count = sum(play(name).gave_way + play(name).fell for name in SECONDS)
    if trial.off:
        broken = play("acrobats", balanced=False)
        count = broken.gave_way + broken.fell
    return Row(
        "vaillant2017/feasible",
        "All eight scenes are played to their end with every limit kept in every step: steps with a limit that gave way",
        0.0,
        float(count),
        "",
        count == 0,
    )


CHECKS: tuple[Callable[[], Row], ...] = (third_law, dynamics, cones_and_torques, contacts_hold, nobody_gives_way)
