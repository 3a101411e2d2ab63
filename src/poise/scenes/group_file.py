"""Scene files of people who do something together: who, with what, contacts, tasks and phases by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from poise.errors import InputError, unknown_name
from poise.groups import Group, Person
from poise.groups.readiness import check_apart
from poise.math import quat
from poise.qp import Condition, Contact, FrameTask, JointTask, Pair, Phase, Task, lasting, reached
from poise.scenes.group_moves import inputs_of, standing, stepping
from poise.scenes.group_people import follow_throughout, give_things, read_people
from poise.scenes.group_schema import (
    SHAPES,
    GazeEntry,
    GroupFile,
    HandEntry,
    JointEntry,
    LinkEntry,
    MoveEntry,
    PhaseEntry,
    ShapeEntry,
    TaskEntry,
)
from poise.scenes.scene import Scene
from poise.scenes.together.hands import FORWARD, PALMS_DOWN
from poise.scenes.together.together import together
from poise.scenes.validation_errors import error_location
from poise.world.things import Link, Shape, Thing

__all__ = ["group_scene"]

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def group_scene(entries: GroupFile, file: Path) -> Scene:
    """The scene that a file says; everything in it is tried once.

    Raises:
        InputError: Something in it is not acceptable; the message names the place and what is allowed.
    """
    make = partial(_group, entries, file)
    return together(file.stem, make, entries.seconds)


def _group(entries: GroupFile, file: Path) -> Group:
    """Everybody at the start, made anew."""
    _only_once([*entries.people, *entries.things], "people and things", file)
    things = [_thing(name, links, file) for name, links in entries.things.items()]
    people = read_people(entries.people, file)
    with error_location(file, "people"):
        group = Group(people, things, step=entries.step, gravity=entries.gravity)
    pairs: list[Pair] = []
    for number, apart in enumerate(entries.apart):
        with error_location(file, f"apart.{number}"):
            pairs += (found := _pairs(group, apart))
            check_apart(group, found)
    if pairs:
        group = Group(people, things, step=entries.step, gravity=entries.gravity, pairs=pairs)
    for name, who in people.items():
        if isinstance(who, Person):
            group.stand(name)
            group.controller.want(f"{name} gaze", group.look(name))
    give_things(entries.people, group, file)
    phases = _phases(entries, group, file)
    with error_location(file, "seconds"):
        follow_throughout(entries, group, phases)
    with error_location(file, "phases"):
        group.perform(phases)
    return group


def _phases(entries: GroupFile, group: Group, file: Path) -> list[Phase]:
    contacts: dict[str, Contact] = {}
    tasks: dict[str, Task] = {}
    for label, grip in entries.contacts.items():
        with error_location(file, f"contacts.{label}"):
            who, side = _hand(group, grip.hand)
            group.system.body(grip.holds)
            contacts[label] = group.grip(who, side, grip.holds, radius=grip.radius)
    for label, entry in entries.tasks.items():
        with error_location(file, f"tasks.{label}"):
            tasks[label] = _task(group, entry)
            kept = dict(group.controller.tasks)
            group.controller.want(label, tasks[label])
            group.controller.tasks = kept
    _only_once([phase.phase for phase in entries.phases], "phases", file)
    phases: list[Phase] = []
    held: set[str] = set()
    for number, phase in enumerate(entries.phases):
        with error_location(file, f"phases.{number}"):
            made = _phase(phase, entries.tasks, tasks, contacts)
            if phase.steps:
                phases += stepping(group, phase, made.tasks)
                continue
            if phase.carrying:
                raise InputError("who carries says so where steps are taken")
            made.until = _until(phase, entries.tasks, group)
            held = _held(made, held)
            phases.append(made)
    with error_location(file, "inputs"):
        units = {label: _unit(group, entry) for label, entry in entries.tasks.items()}
        group.play(inputs_of(group, entries.inputs, entries.tasks, tasks, units))
    return phases


def _held(phase: Phase, held: set[str]) -> set[str]:
    """What hands hold when a phase has begun."""
    for name in phase.release:
        if name not in held:
            raise InputError(f"{name} lets go of what it does not hold")
        held = held - {name}
    for contact in phase.touch:
        if isinstance(contact, Contact) and contact.name in held:
            raise InputError(f"{contact.name} holds something already")
        held = held | ({contact.name} if isinstance(contact, Contact) else set())
    return held


def _only_once(names: Iterable[str], what: str, file: Path) -> None:
    known = list(names)
    twice = sorted({name for name in known if known.count(name) > 1})
    if twice:
        raise InputError(f"{what} need names of their own; used twice: {', '.join(twice)}", source=file)


def _thing(name: str, links: tuple[LinkEntry, ...], file: Path) -> Thing:
    made: list[Link] = []
    for number, link in enumerate(links):
        place = f"things.{name}.{number}"
        ends = None if link.range is None else tuple(np.radians(link.range) if link.joint == "hinge" else link.range)
        with error_location(file, place):
            if link.range is not None and link.range[0] >= link.range[1]:
                raise InputError(f"range must rise; got {list(link.range)}")
            shapes = tuple(_shape(shape) for shape in link.shapes)
            if link.parent is not None and link.parent not in [one.name for one in made]:
                raise unknown_name("link", link.parent, [one.name for one in made])
            made.append(
                Link(
                    name=link.link,
                    joint=link.joint,
                    parent=link.parent,
                    position=link.position,
                    axis=_AXES[link.axis],
                    shapes=shapes,
                    range=None if ends is None else (float(ends[0]), float(ends[1])),
                    stiffness=link.stiffness,
                    damping=link.damping,
                )
            )
    _only_once([link.name for link in made], f"links of {name}", file)
    return Thing(name=name, links=tuple(made))


def _shape(entry: ShapeEntry) -> Shape:
    given = [kind for kind in SHAPES if getattr(entry, kind) is not None]
    if len(given) != 1:
        raise InputError(f"a shape needs exactly one of the keys {', '.join(SHAPES)}")
    size = np.atleast_1d(getattr(entry, given[0])).astype(float)
    x, y, z = (*size, 0.0, 0.0)[:3]
    turn = quat.between(np.array(_AXES["z"]), np.array(_AXES[entry.along]))
    color = (entry.color[0], entry.color[1], entry.color[2])
    return Shape(
        kind=given[0],  # type: ignore[arg-type]
        size=(float(x), float(y), float(z)),
        mass=entry.mass,
        position=entry.position,
        rotation=(float(turn[0]), float(turn[1]), float(turn[2]), float(turn[3])),
        color=color,
    )


def _pairs(group: Group, apart: tuple[str, str]) -> list[Pair]:
    """All shapes of one body with all of another."""
    first, second = apart
    if first == second:
        raise InputError(f"two bodies keep apart; got {first!r} twice")
    return [
        Pair(first=one, second=other)
        for one in group.system.shapes_of(first)
        for other in group.system.shapes_of(second)
    ]


def _hand(group: Group, hand: str) -> tuple[str, str]:
    name, _, side = hand.rpartition(" ")
    if side not in ("left", "right"):
        raise InputError(f"a hand is somebody's left or right, such as 'anna left'; got {hand!r}")
    return standing(group, name), side


def _task(group: Group, entry: TaskEntry) -> Task:
    if isinstance(entry, HandEntry):
        name, side = _hand(group, entry.hand)
        turns = {"palm down": PALMS_DOWN[side], "thumb up": FORWARD, "hanging": quat.IDENTITY}
        turn = None if entry.turned is None else turns[entry.turned]
        return group.hand(name, side, entry.to, turn, against=entry.of, speed=entry.speed)
    if isinstance(entry, GazeEntry):
        return group.look(standing(group, entry.gaze), entry.to, entry.of)
    if isinstance(entry, MoveEntry):
        number = group.system.body(entry.move)
        turn = quat.from_matrix(group.system.rotations[number].copy())
        return FrameTask(
            body=entry.move,
            target=entry.to,
            rotation=turn,
            weight=entry.weight,
            stiffness=entry.stiffness,
            speed=entry.speed,
        )
    return _joint_task(group, entry)


def _joint_task(group: Group, entry: JointEntry) -> JointTask:
    if (entry.to is None) == (entry.velocity is None):
        raise InputError("a joint needs either 'to' or 'velocity'")
    unit = _unit(group, entry)
    speed = np.inf if entry.speed is None else unit * entry.speed
    if entry.velocity is not None:
        rate = [unit * entry.velocity]
        damping = 2.0 * float(np.sqrt(entry.stiffness))
        return JointTask(joints=[entry.joint], velocity=rate, weight=entry.weight, stiffness=0.0, damping=damping)
    assert entry.to is not None
    gains = {"weight": entry.weight, "stiffness": entry.stiffness, "speed": speed}
    return JointTask(joints=[entry.joint], target=[unit * entry.to], **gains)


def _unit(group: Group, entry: TaskEntry) -> float:
    """What a number in the file is of one in the system: turns are said in degrees."""
    slides = [f"{thing.name}/{link.name}" for thing in group.things for link in thing.links if link.joint == "slide"]
    turns = isinstance(entry, GazeEntry) or (isinstance(entry, JointEntry) and entry.joint not in slides)
    return float(np.radians(1.0)) if turns else 1.0


def _phase(
    entry: PhaseEntry, said: Mapping[str, TaskEntry], tasks: Mapping[str, Task], contacts: Mapping[str, Contact]
) -> Phase:
    for kind, names, known in (
        ("task", entry.tasks, tasks),
        ("contact", entry.touch, contacts),
        ("contact", entry.release, contacts),
    ):
        for name in names:
            if name not in known:
                raise unknown_name(kind, name, known)
    wanted = {_label(name, said): tasks[name] for name in entry.tasks}
    if len(wanted) < len(entry.tasks):
        raise InputError("looks at two places at once")
    return Phase(
        name=entry.phase,
        tasks=wanted,
        touch=[contacts[name] for name in entry.touch],
        release=[contacts[name].name for name in entry.release],
    )


def _label(name: str, said: Mapping[str, TaskEntry]) -> str:
    """What the controller calls a task: a look stands in for where somebody looks anyway."""
    entry = said[name]
    return f"{entry.gaze} gaze" if isinstance(entry, GazeEntry) else name


def _until(entry: PhaseEntry, said: Mapping[str, TaskEntry], group: Group) -> Condition:
    if (entry.lasts is None) == (entry.reached is None):
        raise InputError("a phase needs either 'lasts' or 'reached'")
    if entry.lasts is not None:
        return lasting(entry.lasts)
    assert entry.reached is not None
    if entry.reached not in entry.tasks:
        raise unknown_name("task of this phase", entry.reached, entry.tasks)
    task = said[entry.reached]
    if isinstance(task, JointEntry) and task.velocity is not None:
        raise InputError(
            f"{entry.reached!r} moves at a velocity and has no target to reach; end the phase with 'lasts'"
        )
    unit = _unit(group, task)
    angular = unit < 1.0
    within = (1.0 if angular else 0.005) if entry.within is None else entry.within
    return reached(_label(entry.reached, said), unit * within, 0.05 if angular else 0.02, entry.patience)
