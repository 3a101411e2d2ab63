"""A thing that somebody who follows a clip has in their hands, from the beginning on.

In one hand it goes along with the clip's arm. In both it is before their chest, where elbows are bent by a right angle, and
goes along with that: arms hold it instead of doing what the clip's do, and nothing else of the clip is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.groups.tracking.follower import Follower
from poise.locomotion.soles import FEET
from poise.math import quat
from poise.qp import CenterOfMassTask, Contact, Controller, FrameTask, PoseTask, Task, grasp
from poise.qp.machine import AT_HAND

if TYPE_CHECKING:
    from poise.groups.group import Group
    from poise.world.system import System
    from poise.world.things import Thing

__all__ = ["ARMS", "carry", "chest_of"]

Array = NDArray[np.float64]

_SIDES = ("left", "right")
ARMS = tuple(f"{side}_{part}" for side in _SIDES for part in ("clavicle", "upper_arm", "forearm", "hand"))
"""Roles of what holds a thing before the chest."""
_SECONDS, _STEP = 2.0, 0.01
"""How long a body is brought into the pose in which it carries, and in which steps [s]."""
_GRIP = (0.02, 0.04)
"""Radius and half length of what a hand has hold of [m]."""


def carry(group: Group, name: str, thing: str, *hands: str) -> None:
    """Give a thing to somebody who follows a clip, before they begin to.

    The middle of its first link is between both hands, or in the one.

    Args:
        group: As it begins.
        name: Who.
        thing: What; its first link floats.
        hands: "left", "right", or both where none is said.

    Raises:
        InputError: One of those does not exist or has its hands full, or the thing does not float, or is out of reach; or what
            the group is to do has been said already, of which a clip is followed with what is in hands by then.
    """
    if group.machine is not None or group.controller.time > 0.0:
        raise InputError(
            f"{name} is to carry {thing} from the beginning on: say so before `follow` and `perform`", source="carry"
        )
    who, given = _follower(group, name), _given(group, thing)
    hands = tuple(dict.fromkeys(hands or _SIDES))
    for hand in hands:
        if hand not in _SIDES:
            raise unknown_name("hand", hand, _SIDES)
    plan, body = who.character().plan, f"{thing}/{given.links[0].name}"
    for hand in hands:
        if not plan.with_role(f"{hand}_hand") or not plan.colliders[plan.with_role(f"{hand}_hand")[0]]:
            raise InputError(f"{name} has no {hand} hand to carry {thing} in", source="carry")
    held = {hand: f"{name}/{plan.names[plan.with_role(f'{hand}_hand')[0]]}" for hand in hands}
    for label in held.values():
        if label in group.controller.touches:
            raise InputError(f"{label} holds {group.controller.touches[label].contact.first} already", source="carry")
    palms = {hand: _palm(plan, hand) for hand in hands}
    system, moment = group.system, who.course.trajectory.moment(0.0)
    ahead = group.point(f"{name}/{plan.names[0]}", _forward(plan)) - group.point(f"{name}/{plan.names[0]}", np.zeros(3))
    heading = float(np.arctan2(ahead[1], ahead[0]))
    if len(hands) == 1:
        system.place(thing, group.point(held[hands[0]], palms[hands[0]]), heading)
    else:
        system.place(thing, _before(group, name, plan, heading), heading)
        system.refresh()
        _brought(group, name, who, body, {held[hand]: (palms[hand], _side(given, hand)) for hand in hands})
        system.put(name, system.row(name), _still_arms(plan, moment.velocities))
    system.refresh()
    _go_along(group, thing, chest_of(group, name) if len(hands) > 1 else held[hands[0]])
    group.things = tuple(_placed(group, each) if each.name == thing else each for each in group.things)
    for hand, label in held.items():
        axis = system.rotations[system.body(label)].T @ ahead
        group.controller.touch(_grip(label, body, palms[hand], axis))


def chest_of(group: Group, name: str) -> str:
    """The body that somebody's arms hang from."""
    plan = group.bases[name].plan
    first = min(plan.with_role("left_clavicle", "left_upper_arm"))
    return f"{name}/{plan.names[plan.parents[first]]}"


def _follower(group: Group, name: str) -> Follower:
    followers = {label: who for label, who in group.people.items() if isinstance(who, Follower)}
    if name not in followers:
        raise unknown_name("follower", name, followers)
    return followers[name]


def _given(group: Group, name: str) -> Thing:
    thing = group.thing(name)
    if thing.links[0].joint != "free":
        raise InputError(f"{name} is to be carried, but its first link is {thing.links[0].joint}, not free")
    return thing


def _palm(plan: BodyPlan, side: str) -> Array:
    """Middle of a hand in its frame [m], shape (3,)."""
    return np.asarray(np.mean([shape.position for shape in plan.colliders[plan.with_role(f"{side}_hand")[0]]], axis=0))


def _forward(plan: BodyPlan) -> Array:
    """Where somebody faces, in their pelvis' frame, shape (3,)."""
    return quat.rotate(quat.conj(plan.neutral[0]), np.array([1.0, 0.0, 0.0]))


def _grip(hand: str, thing: str, palm: Array, axis: Array) -> Contact:
    return grasp(hand, thing, hand, center=palm, axis=axis, radius=_GRIP[0], half_length=_GRIP[1])


def _side(thing: Thing, hand: str) -> Array:
    """Where a hand has hold of a thing, on its left or right, in its frame [m], shape (3,)."""
    ends = []
    for shape in thing.links[0].shapes:
        turn, size = quat.to_matrix(np.array(shape.rotation)), np.array(shape.size)
        reach = {
            "box": np.abs(turn[1]) @ size,
            "sphere": size[0],
            "capsule": size[0] + abs(turn[1, 2]) * size[1],
            "cylinder": abs(turn[1, 2]) * size[1] + np.hypot(turn[1, 0], turn[1, 1]) * size[0],
        }
        ends.append(abs(shape.position[1]) + float(reach[shape.kind]))
    return np.array([0.0, max(ends) if hand == "left" else -max(ends), 0.0])


def _before(group: Group, name: str, plan: BodyPlan, heading: float) -> Array:
    """Where a thing is held before the chest: as far ahead as forearms reach, an upper arm below the shoulders [m]."""
    shoulders = [f"{name}/{plan.names[body]}" for body in plan.with_role("left_upper_arm", "right_upper_arm")]
    upper, fore = (float(np.linalg.norm(plan.offsets[plan.with_role(f"left_{end}")[0]])) for end in ("forearm", "hand"))
    ahead = np.array([fore * np.cos(heading), fore * np.sin(heading), -upper])
    return np.asarray(np.mean([group.point(shoulder, np.zeros(3)) for shoulder in shoulders], axis=0) + ahead)


def _brought(group: Group, name: str, who: Follower, body: str, held: dict[str, tuple[Array, Array]]) -> None:
    """Bring a body into the pose in which it carries: feet and thing where they are, the common weight as the clip has it.

    Raises:
        InputError: The thing is out of reach of a hand.
    """
    system, plan, thing = group.system, who.character().plan, body.split("/")[0]
    carrier = Controller(system, _STEP, who.pairs(name), carried=[*group.people, *(each.name for each in group.things)])
    arms = plan.with_role(*ARMS)
    rest = [number for number in range(len(plan)) if number not in arms]
    tasks: dict[str, Task] = {
        "arms": _kept_pose(system, name, arms, 1.0),
        "pose": _kept_pose(system, name, rest, 100.0),
        "center": CenterOfMassTask(
            owners=[name, thing], target=group.center_of_mass(name), axes=(1.0, 1.0, 0.0), weight=5000.0, stiffness=20.0
        ),
        "thing": group.keep(body, weight=1e4, stiffness=20.0),
    }
    for foot in plan.with_role(*FEET):
        tasks[plan.names[foot]] = group.keep(f"{name}/{plan.names[foot]}", weight=1e4, stiffness=20.0)
    for hand, (palm, place) in held.items():
        tasks[hand] = FrameTask(body=hand, point=palm, target=place, against=body, weight=1000.0, stiffness=25.0)
    for label, task in tasks.items():
        carrier.want(label, task)
    before = system.data.qpos.copy(), system.data.qvel.copy()
    system.data.qvel[:] = 0.0
    system.refresh()
    for _ in range(round(_SECONDS / _STEP)):
        carrier.advance()
    system.leave(before, [name, thing])
    for hand in held:
        missing = float(np.linalg.norm(tasks[hand].feature(system).error))
        if missing > AT_HAND:
            raise InputError(
                f"{name} cannot carry {thing} in both hands: {100.0 * missing:.0f} cm are missing to {hand}; it needs to be "
                "narrower, or one hand"
            )


def _kept_pose(system: System, name: str, bodies: Sequence[int], weight: float) -> PoseTask:
    turns, none = system.turns(name)[0][list(bodies)].copy(), np.zeros((len(bodies), 3))
    return PoseTask(
        owner=name, bodies=bodies, target=turns, velocity=none, acceleration=none, weight=weight, stiffness=20.0
    )


def _still_arms(plan: BodyPlan, velocities: Array) -> Array:
    """Generalized velocities of somebody whose arms do not move against their chest, (nv,)."""
    result = velocities.copy()
    for body in plan.with_role(*ARMS):
        result[3 + 3 * body : 6 + 3 * body] = 0.0
    return result


def _placed(group: Group, thing: Thing) -> Thing:
    """A thing that begins where it is now."""
    first, system = thing.links[0], group.system
    number = system.body(f"{thing.name}/{first.name}")
    x, y, z = (float(each) for each in system.positions[number])
    turn = [float(each) for each in quat.from_matrix(system.rotations[number].copy())]
    moved = replace(first, position=(x, y, z), rotation=(turn[0], turn[1], turn[2], turn[3]))
    return replace(thing, links=(moved, *thing.links[1:]))


def _go_along(group: Group, thing: str, carrier: str) -> None:
    """Let a thing move as what carries it does."""
    system = group.system
    number, own = system.body(carrier), system.bodies_of(thing)[0]
    jacobian, twist, drift = np.zeros((6, system.size)), np.zeros(6), np.zeros(6)
    system.relative(0, number, system.positions[own], jacobian, twist, drift)
    dofs = system.dofs_of(thing)
    system.data.qvel[dofs[:3]] = twist[:3]
    system.data.qvel[dofs[3:6]] = system.rotations[own].T @ twist[3:]
    system.refresh()
