"""A scene of the paper, played once with everything noted that its checks ask for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from poise.groups import Group
from poise.qp import NoSolution, Step
from poise.reproductions.once import once
from poise.reproductions.vaillant2017.pace import pace
from poise.scenes.together import GROUPS

__all__ = ["SECONDS", "Played", "margin_of", "play", "residual", "watch"]

Array = NDArray[np.float64]

SECONDS = {
    "king": 29.0,
    "funambulist": 26.0,
    "sword": 19.0,
    "acrobats": 46.0,
    "door": 13.0,
    "valve": 20.0,
    "box": 20.0,
    "lever": 13.0,
}
"""How long each scene is played [s]."""


@dataclass(eq=False)
class Played:
    """What was noted, one entry per step unless said otherwise.

    Args:
        group: As it is at the end.
        fell: Whether there was no solution any more before the end.
        phases: Phase of each step.
        times: [s].
        joints: Coordinates of all joints, shape (n, k).
        speeds: Their velocities, shape (n, k).
        centers: Center of mass of all together and of each owner, by name, shape (n, 3).
        margins: Distance of the common center of mass from the edge of the support, inward [m].
        nearest: Least distance of each pair over its security distance so far, by its label [m].
        drift: Largest drift of a contact [m], and turn of one [rad].
        residual: Largest miss of the equation of motion as a share of the weight.
        beyond: Largest torque over its limit [N m], and least force of an edge [N].
        gave_way: How many steps had a limit that gave way.
        spent: Forming and solving [s], and processor time of both [s], shape (n, 3).
        sizes: Unknowns, equalities, other rows, shape (n, 3).
        watched: Whatever `watch` returned.
        pace: How many times slower the machine was than the one of the aims, the smaller of before and after; 0 where nobody
            asked.
    """

    group: Group
    fell: bool = False
    phases: list[str] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    joints: list[Array] = field(default_factory=list)
    speeds: list[Array] = field(default_factory=list)
    centers: dict[str, list[Array]] = field(default_factory=dict)
    margins: list[float] = field(default_factory=list)
    nearest: dict[str, float] = field(default_factory=dict)
    drift: tuple[float, float] = (0.0, 0.0)
    residual: float = 0.0
    beyond: tuple[float, float] = (0.0, 0.0)
    gave_way: int = 0
    spent: list[tuple[float, float, float]] = field(default_factory=list)
    sizes: list[tuple[int, int, int]] = field(default_factory=list)
    watched: list[Array] = field(default_factory=list)
    pace: float = 0.0

    def joint(self, name: str) -> Array:
        """Course of one joint's coordinate, shape (n,)."""
        return np.array(self.joints)[:, self.group.system.joints.names.index(name)]

    def speed(self, name: str) -> Array:
        """Course of one joint's velocity, shape (n,)."""
        return np.array(self.speeds)[:, self.group.system.joints.names.index(name)]

    def during(self, *names: str) -> NDArray[np.bool_]:
        """Which steps belong to phases that begin with one of these, shape (n,)."""
        return np.array([phase.startswith(names) for phase in self.phases])


_EVERY = 25
"""Steps from one check of the equation of motion to the next."""

Watch = Callable[[Group, Step], Array]


@once
def play(name: str, **options: object) -> Played:
    """Play one of the scenes, with options of its group's maker."""
    before = pace()
    played = watch(GROUPS[name](**options), SECONDS[name])
    played.pace = min(before, pace())
    return played


def watch(group: Group, seconds: float, looking: Watch | None = None) -> Played:
    """Play a group for a while [s], looking at something more after each step."""
    played = Played(group)
    phase = ""
    # What is first called is loaded before times are noted.
    start = group.keepsake()
    group.advance()
    group.take_back(start)
    for _ in range(round(seconds / group.controller.step)):
        try:
            step, _ = group.advance()
        except NoSolution:
            played.fell = True
            break
        phase = group.machine.phase if group.machine is not None else ""
        _note(played, group, step, phase)
        if looking is not None:
            played.watched.append(looking(group, step))
    return played


def _note(played: Played, group: Group, step: Step, phase: str) -> None:
    system, controller = group.system, group.controller
    played.phases.append(phase)
    played.times.append(step.time)
    played.joints.append(np.array(system.joint_positions))
    played.speeds.append(system.velocities[system.joints.dofs].copy())
    owners = [*group.people, *(t.name for t in group.things if any(link.joint == "free" for link in t.links))]
    for owner in owners:
        played.centers.setdefault(owner, []).append(group.center_of_mass(owner))
    together = group.center_of_mass(*owners)
    played.centers.setdefault("", []).append(together)
    played.margins.append(margin_of(group, together))
    for one in controller.avoidances:
        over = one.distance - one.pair.security
        played.nearest[one.pair.label] = min(played.nearest.get(one.pair.label, np.inf), over)
    for held in controller.touches.values():
        away, turned = np.linalg.norm(held.error[:3]), np.linalg.norm(held.error[3:])
        played.drift = (max(played.drift[0], float(away)), max(played.drift[1], float(turned)))
    excess = np.abs(step.torques) - controller.former.limits
    least = min((float(force.min()) for force in step.forces.values()), default=0.0)
    played.beyond = (max(played.beyond[0], float(excess.max())), min(played.beyond[1], least))
    played.gave_way += bool(step.relaxations)
    if len(played.times) % _EVERY == 1:
        played.residual = max(played.residual, residual(group))
    played.spent.append((step.forming, step.solving, step.processor))
    played.sizes.append(step.size)


def residual(group: Group, share: float = 1.0) -> float:
    """What Newton and Euler's recursion asks for now, less torques and contact wrenches, as a share of the weight.

    Args:
        group: As it is.
        share: Of contact wrenches that is counted.
    """
    system, controller = group.system, group.controller
    step = controller.solve()
    left = system.inverse(step.accelerations)
    left[controller.former.muscled] -= step.torques
    jacobian, twist, drift = np.zeros((6, system.size)), np.zeros(6), np.zeros(6)
    for name, held in controller.touches.items():
        for sign, body in zip((-1.0, 1.0), held.bodies, strict=True):
            system.relative(0, body, step.points[name], jacobian, twist, drift)
            left -= share * sign * (jacobian.T @ step.wrenches[name])
    weight = sum(system.mass_of(owner) for owner in group.people) * system.gravity
    return float(np.abs(left).max()) / weight


def margin_of(group: Group, center: Array) -> float:
    """How far inside the hull of all points on the ground a place is [m]; negative outside."""
    corners = [
        group.point(held.contact.second, point)[:2]
        for held in group.controller.touches.values()
        if held.contact.first == "world" and held.release is None
        for point in held.contact.points
    ]
    if len(corners) < 3:
        return float("nan")
    hull = ConvexHull(np.array(corners))
    return float(-(hull.equations[:, :2] @ center[:2] + hull.equations[:, 2]).max())
