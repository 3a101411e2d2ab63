"""Everybody in a scene, what they handle, what they are to do, and the program that makes them do it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.fingers import PALM
from poise.characters.character import Character
from poise.errors import unknown_name
from poise.groups.cast import characters_of
from poise.groups.idle import Idle, IdleOptions
from poise.groups.person import Person
from poise.groups.readiness import ReadinessOptions, check_ready
from poise.groups.tracking.follower import Follower
from poise.math import quat
from poise.qp import (
    CenterOfMassTask,
    Contact,
    Controller,
    Firmness,
    FrameTask,
    GazeTask,
    JointTask,
    Machine,
    NoSolution,
    Pair,
    Phase,
    Solver,
    Step,
    Task,
    grasp,
    planar,
    posture,
)
from poise.qp.relax import Limit
from poise.world.system import System
from poise.world.things import Thing

__all__ = ["Group", "Input"]

Array = NDArray[np.float64]

_EYE, _AHEAD = (0.08, 0.0, 0.1), (3.0, 0.0, -0.25)
"""Of a head: where it looks from, and what lies ahead [m]."""
_EYES = 0.35
"""How far eyes turn before the head does [rad]."""
_SIGHT = (0.9659258262890683, 0.0, -0.25881904510252074)
"""Of an upright head: where eyes at rest look, 15 degrees below the horizon, the normal line of sight of handbooks. It rests
on no measurement (Ankrum 1997); what is a metre away people like to have 24 degrees below (Kroemer and Hill 1986)."""
_COURSE = 0.5
"""Inputs to one control that follow one another within less are a course, not told one by one [s]."""


class Input(NamedTuple):
    """Something changed while a scene runs: when [s], which of the group's controls, and to what."""

    time: float
    control: str
    value: Any


class Group:
    """People and things under one controller.

        group = Group({"anna": Person()}, [DOOR], step=0.005)
        group.stand("anna")
        group.perform([Phase(name="reach", tasks={...}, until=...), ...])
        group.advance()

    Args:
        people: By name.
        things: What they handle.
        step: Of time [s].
        pairs: Shapes that keep apart.
        gravity: Downward [m/s²].
        solver: How programs are solved.
        idle: Whether those who `stand` breathe and sway, or how (`poise.groups.idle`).
        firmness: Which limits never give way and which are soft (`poise.qp.Controller`).

    Attributes:
        system: Everything as one mechanical system.
        controller: Who moves it.
        controls: What may be changed while it runs, by name: functions of a value.
        taken: Inputs that took effect in the last step and stay for a while: what follows one another quickly is a course.
    """

    def __init__(
        self,
        people: Mapping[str, Person | Follower],
        things: Sequence[Thing] = (),
        *,
        step: float = 0.005,
        pairs: Sequence[Pair] = (),
        gravity: float = 9.81,
        solver: Solver | None = None,
        idle: bool | IdleOptions = True,
        firmness: Mapping[Limit, Firmness] | None = None,
    ) -> None:
        self.people, self.things = dict(people), tuple(things)
        self.bases = {name: who.character() for name, who in people.items()}
        followers = {name: who for name, who in people.items() if isinstance(who, Follower)}
        self.system = System({name: who.plan for name, who in self.bases.items()}, things, gravity, list(followers))
        self.machine: Machine | None = None
        self.controls: dict[str, Callable[[Any], None]] = {}
        self.taken: tuple[Input, ...] = ()
        self._inputs: list[Input] = []
        self._idle: dict[str, Idle] | None = {} if idle else None
        self._swaying = idle if isinstance(idle, IdleOptions) else IdleOptions()
        for name, who in self._standing().items():
            for joint, angle in who.angles().items():
                self.system.set_joint(f"{name}/{joint}", angle)
            self.system.place(name, np.array([*who.place[:2], 2.0]), who.heading)
        self.system.refresh()
        for name, who in self._standing().items():
            feet = [self.sole(name, side) for side in ("left", "right")]
            middle = np.mean([self.point(foot.second, foot.middle) for foot in feet], axis=0)
            pelvis = self.system.positions[self.system.body(f"{name}/pelvis")]
            self.system.place(name, pelvis + np.array(who.place) - middle, who.heading)
        self.system.refresh()
        for name, one in followers.items():
            moment = one.course.trajectory.moment(0.0)
            self.system.put(name, moment.positions, moment.velocities)
        self.system.refresh()
        strength = {name: np.inf if who.strong else who.strength for name, who in people.items()}
        self.controller = Controller(
            self.system,
            step,
            [*pairs, *(pair for name, who in followers.items() for pair in who.pairs(name))],
            strength,
            solver=solver or Solver(),
            ranges=[each for name, who in followers.items() for each in who.ranges(name)],
            firmness=firmness or {},
        )

    def _standing(self) -> dict[str, Person]:
        """Those without a clip."""
        return {name: who for name, who in self.people.items() if isinstance(who, Person)}

    def thing(self, name: str) -> Thing:
        """The thing of that name; raises `InputError` where there is none."""
        if name not in (things := {each.name: each for each in self.things}):
            raise unknown_name("thing", name, things)
        return things[name]

    def point(self, body: str, place: Sequence[float] | Array) -> Array:
        """A point of a body [m] in the world, shape (3,)."""
        number = self.system.body(body)
        return np.asarray(
            self.system.positions[number] + self.system.rotations[number] @ np.asarray(place, dtype=float)
        )

    def place_in(self, body: str, point: Sequence[float] | Array) -> Array:
        """A point of the world [m] in a body's frame, shape (3,)."""
        number = self.system.body(body)
        away = np.asarray(point, dtype=float) - self.system.positions[number]
        return np.asarray(self.system.rotations[number].T @ away)

    def sole(self, name: str, side: str, on: str = "world") -> Contact:
        """The contact of a foot's sole, four corners of the foot's box."""
        foot = f"{side}_foot"
        plan = self.bases[name].plan
        box = plan.colliders[plan.index(foot)][0]
        center = box.position - np.array([0.0, 0.0, box.size[2]])
        half = (0.93 * float(box.size[0]), 0.95 * float(box.size[1]))
        body = f"{name}/{foot}"
        return planar(body, on, body, center=center, normal=(0.0, 0.0, 1.0), half=half, along=(1.0, 0.0, 0.0))

    def palm(self, name: str, side: str) -> Array:
        """Middle of what a closed hand holds, in the hand's frame [m], shape (3,)."""
        sign = 1.0 if side == "left" else -1.0
        return np.array(PALM) * [1.0, sign, 1.0] * self.people[name].stature

    def grip(self, name: str, side: str, thing: str, *, radius: float = 0.02, half_length: float = 0.04) -> Contact:
        """The contact of a hand closed round a bar that lies along the hand's x axis, from little finger to thumb."""
        hand = f"{name}/{side}_hand"
        center = self.palm(name, side)
        return grasp(hand, thing, hand, center=center, axis=(1.0, 0.0, 0.0), radius=radius, half_length=half_length)

    def hand(
        self,
        name: str,
        side: str,
        target: Sequence[float] | Array,
        rotation: Sequence[float] | Array | None = None,
        *,
        against: str = "world",
        speed: float = 0.5,
    ) -> FrameTask:
        """A task that brings what a hand can hold to a place, the hand turned as said, both in a body's frame."""
        return FrameTask(
            body=f"{name}/{side}_hand",
            point=self.palm(name, side),
            target=np.asarray(target, dtype=float),
            rotation=rotation,
            against=against,
            weight=1000.0,
            stiffness=25.0,
            speed=speed,
        )

    def stand(self, name: str, *, on: str = "world", weight: float = 1.0, stiffness: float = 4.0) -> None:
        """Put both soles down as they are, and want posture and center of mass to stay."""
        for side in ("left", "right"):
            self.controller.touch(self.sole(name, side, on))
        self.controller.want(f"{name} posture", posture(self.system, name, weight=weight, stiffness=stiffness))
        self.controller.want(f"{name} upright", self.keep_turned(f"{name}/spine"))
        self.balance(name)

    def center_of_mass(self, *owners: str) -> Array:
        """Of characters and things together [m], shape (3,)."""
        jacobian, place, rate, drift = np.zeros((3, self.system.size)), np.zeros(3), np.zeros(3), np.zeros(3)
        self.system.centroid(self.system.roots(owners), jacobian, place, rate, drift)
        return place

    def over(self, *contacts: str) -> Array:
        """Middle of the contacts with these names, on the ground [m], shape (3,)."""
        return np.asarray(np.mean([self._middle(name) for name in contacts], axis=0))

    def _middle(self, contact: str) -> Array:
        held = self.controller.touches[contact]
        return self.point(held.contact.second, held.contact.middle)

    def balance(self, name: str, *with_: str, weight: float = 100.0, stiffness: float = 10.0) -> None:
        """Want a character's center of mass, with what it carries, over the middle of its feet."""
        middle = self.over(f"{name}/left_foot", f"{name}/right_foot")
        task = CenterOfMassTask(
            owners=[name, *with_], target=middle, axes=(1.0, 1.0, 0.0), weight=weight, stiffness=stiffness
        )
        self.controller.want(f"{name} balance", task)
        self.enliven(name)

    def enliven(self, name: str) -> None:
        """Let somebody breathe and sway in what they want by now: `<name> posture`, `<name> upright`, `<name> balance`."""
        if self._idle is not None:
            self._idle[name] = Idle(name, self.controller.tasks, self._swaying)

    def sway(self) -> None:
        """Have everybody want what they want by now."""
        for one in (self._idle or {}).values():
            one.at(self.controller.time)

    def look(self, name: str, place: Sequence[float] | Array | None = None, at: str = "world") -> GazeTask:
        """A task that looks at a place in a body's frame [m], or as far ahead as by now.

        The head does what eyes leave: from where they rest, which is below the horizon, they turn first. Who handles something
        at the height of the hips hardly bows for it.
        """
        head = f"{name}/head"
        if place is None:
            return GazeTask(body=head, eye=_EYE, place=self.point(head, _AHEAD), weight=3.0, speed=2.0)
        there = np.asarray(place, dtype=float)
        return GazeTask(body=head, eye=_EYE, direction=_SIGHT, place=there, at=at, weight=3.0, speed=2.0, eyes=_EYES)

    def arrange(self, tasks: Mapping[str, Task], seconds: float = 3.0) -> None:
        """Bring everybody into a pose before time begins, as if carried: inverse kinematics by the same tasks.

        Things stay where they are unless a task moves them; postures are kept where tasks leave them free.
        """
        owners = [*self.people, *(thing.name for thing in self.things)]
        carrier = Controller(self.system, 0.01, carried=owners)
        for name in self._standing():
            carrier.want(f"{name} posture", posture(self.system, name, weight=0.02, stiffness=10.0))
        for thing in self.things:
            for link in thing.links:
                name = f"{thing.name}/{link.name}"
                if link.joint != "fixed":
                    carrier.want(name, self.keep(name) if link.joint == "free" else self.keep_joint(name))
        for name, task in tasks.items():
            carrier.want(name, task)
        for _ in range(round(seconds / carrier.step)):
            carrier.advance()
        self.system.data.qvel[:] = 0.0
        self.system.refresh()

    def keep(self, body: str, *, weight: float = 100.0, stiffness: float = 10.0) -> FrameTask:
        """A task that keeps a body where it is and how it is turned."""
        number = self.system.body(body)
        turn = quat.from_matrix(self.system.rotations[number].copy())
        place = self.system.positions[number].copy()
        return FrameTask(body=body, target=place, rotation=turn, weight=weight, stiffness=stiffness)

    def keep_turned(self, body: str, *, weight: float = 5.0, stiffness: float = 10.0) -> FrameTask:
        """A task that keeps a body turned as it is, wherever it goes."""
        task = self.keep(body, weight=weight, stiffness=stiffness)
        task.target = None
        return task

    def keep_joint(self, joint: str, *, weight: float = 100.0, stiffness: float = 10.0) -> JointTask:
        """A task that keeps one joint's coordinate."""
        value = self.system.joint_positions[self.system.joints.names.index(joint)]
        return JointTask(joints=[joint], target=[value], weight=weight, stiffness=stiffness)

    def settle(self, seconds: float = 1.5) -> None:
        """Let what is wanted happen before time begins, and come to rest there: the pose that everything starts from."""
        for _ in range(round(seconds / self.controller.step)):
            self.controller.advance()
        self.system.data.qvel[:] = 0.0
        self.system.refresh()
        self.controller.time = 0.0

    def perform(self, phases: Sequence[Phase], ready: ReadinessOptions | None = None) -> None:
        """What is to happen, phase after phase.

        Args:
            phases: In order.
            ready: What is refused beforehand.

        Raises:
            InputError: Somebody is to hold what is out of reach, bodies that keep apart begin inside one another, or phases
                have no names of their own or lead nowhere.
        """
        machine = Machine(phases, self.controller)
        check_ready(self, phases, ready)
        self.machine = machine

    def play(self, inputs: Sequence[Input]) -> None:
        """Have controls changed at their times.

        Raises:
            InputError: A control does not exist.
        """
        for one in inputs:
            if one.control not in self.controls:
                raise unknown_name("control", one.control, self.controls)
        self._inputs = sorted([*self._inputs, *inputs], key=lambda one: one.time)

    def postpone_inputs(self, seconds: float) -> None:
        """Have all inputs that are to be played take effect so much later [s]."""
        self._inputs = [one._replace(time=one.time + seconds) for one in self._inputs]

    def send(self, control: str, value: Any) -> None:
        """Change a control now."""
        self.play([Input(self.controller.time, control, value)])

    def take_inputs(self) -> None:
        """Change the controls whose time has come."""
        self.taken = ()
        while self._inputs and self._inputs[0].time <= self.controller.time + 1e-9:
            one = self._inputs.pop(0)
            self.controls[one.control](one.value)
            if not any(later.control == one.control and later.time < one.time + _COURSE for later in self._inputs):
                self.taken += (one,)

    def update(self) -> str | None:
        """Before a step: take inputs, sway and go from phase to phase; the name of one that begins now."""
        self.take_inputs()
        self.sway()
        return self.machine.update() if self.machine is not None else None

    def advance(self) -> tuple[Step, tuple[str, ...]]:
        """One step; what was solved, and what there is to tell."""
        begun = self.update()
        messages = [] if begun is None else [begun]
        try:
            step = self.controller.advance()
        except NoSolution as error:
            raise NoSolution(f"{error}{self._plight()}", error.problem) from error
        messages += [f"{gave.name} gives way, {gave.kind.value} by {gave.miss:.2g}" for gave in step.relaxations[:1]]
        return step, tuple(messages)

    def _plight(self) -> str:
        """What a group is at, and which place that a task wants is farthest away; in words."""
        phase = f", in phase {self.machine.phase!r}" if self.machine is not None else ""
        away = {
            name: float(np.linalg.norm(task.feature(self.system).error[:3]))
            for name, task in self.controller.tasks.items()
            if isinstance(task, FrameTask)
        }
        if not away:
            return phase
        name = max(away, key=away.__getitem__)
        return f"{phase}: farthest from where it is wanted, by {100.0 * away[name]:.0f} cm, is what {name!r} moves"

    def characters(self, seconds: float, rate: float = 50.0) -> dict[str, Character]:
        """The people as characters of a session, who hold the pose they are in or have a clip to follow.

        Args:
            seconds: How long.
            rate: Frames per second of what comes out [Hz].
        """
        return characters_of(self, seconds, rate)

    def keepsake(self) -> Any:
        """Everything remembered; a copy (`poise.behaviors.state`)."""
        machine = self.machine.save() if self.machine is not None else None
        idle = dict(self._idle) if self._idle is not None else None
        return self.system.save(), self.controller.save(), machine, list(self._inputs), idle

    def take_back(self, saved: Any) -> None:
        """Go back to what `keepsake` gave."""
        system, controller, machine, inputs, idle = saved
        self.system.restore(system)
        self.controller.restore(controller)
        self._inputs, self._idle = list(inputs), dict(idle) if idle is not None else None
        if self.machine is not None:
            self.machine.restore(machine)
