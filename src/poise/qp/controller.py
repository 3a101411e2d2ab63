"""One quadratic program for everybody: accelerations, torques and contact forces of a whole scene, step by step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, RunError, shown, unknown_name
from poise.qp.collisions import Avoidance, Pair
from poise.qp.contacts import FORCE_UNIT, Contact, Touch
from poise.qp.forming import LIMITS, Former
from poise.qp.problem import Problem
from poise.qp.ranges import KeptRange, TurnRange
from poise.qp.relax import Firmness, Limit, Relaxation, relaxed, softened
from poise.qp.solve import Solution, Solver
from poise.qp.tasks import Task
from poise.signals import Indices, Mechanism

__all__ = ["Controller", "NoSolution", "Step"]

Array = NDArray[np.float64]

RELEASE = 0.15
"""How long the force of a contact takes to fade before it is broken [s]."""
_LEAST = 1.0
"""What the ceilings of a contact's force come down from at least, when it is let go [N]."""


class NoSolution(RunError):
    """Not even with everything relaxed was there a solution; carries the problem, to be saved and looked into."""

    def __init__(self, message: str, problem: Problem) -> None:
        super().__init__(message)
        self.problem = problem

    def __reduce__(self) -> tuple[type[NoSolution], tuple[str, Problem]]:
        # An exception is pickled by its one message, which is not all that this is made of.
        return type(self), (str(self), self.problem)


@dataclass(frozen=True, eq=False)
class Step:
    """What was solved for one step.

    Args:
        time: At its beginning [s].
        accelerations: Of everything, shape (n,).
        torques: Of the joints with muscles [N m].
        wrenches: By contact, what the first body does to the second at `points`, world axes [N, N m], shape (6,).
        points: Where [m].
        forces: By contact, the coefficients of its edges [N].
        pushes: Generalized force from outside, shape (n,).
        relaxations: Which limits gave way.
        solution: As the solver gave it.
        forming: Time it took to form the program [s].
        solving: Time it took to solve it [s].
        processor: Processor time of both [s].
        size: Unknowns, equality rows, other rows.
    """

    time: float
    accelerations: Array
    torques: Array
    wrenches: Mapping[str, Array]
    points: Mapping[str, Array]
    forces: Mapping[str, Array]
    pushes: Array
    relaxations: tuple[Relaxation, ...]
    solution: Solution
    forming: float
    solving: float
    processor: float
    size: tuple[int, int, int]


@dataclass(eq=False)
class Controller:
    """Solves for everybody at once (Vaillant 2017, Eq. 35) and integrates the result.

        controller = Controller(system, step=0.005)
        controller.touch(planar("sole", "world", "anna/left_foot", ...))
        controller.tasks["door"] = JointTask(joints=["door/panel"], target=0.8, weight=100.0)
        controller.advance()

    Args:
        system: Everything in the scene, as it is at the start.
        step: Of time [s].
        pairs: What keeps apart.
        strength: How many times a person's of their mass a character's torque limits are, inf for none; by name.
        carried: Characters and things that something unseen moves with any force, as when a pose is arranged.
        solver: How programs are solved.
        ranges: How far balls may turn.
        firmness: How limits are kept, by kind, or by kind and name (a joint's, a pair's `label`) where one is to be kept
            otherwise than others of its kind; what is not said yields.

    Attributes:
        time: Now [s].
        touches: Contacts that hold, by name.
        tasks: What is wanted, by name; `want` adds one.
        limp: Whether muscles do nothing (`go_limp`).
    """

    system: Mechanism
    step: float
    pairs: Sequence[Pair] = ()
    strength: Mapping[str, float] = field(default_factory=dict)
    carried: Sequence[str] = ()
    solver: Solver = field(default_factory=Solver)
    ranges: Sequence[TurnRange] = ()
    firmness: Mapping[Limit, Firmness] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not (np.isfinite(self.step) and 0.0 < self.step <= 0.1):
            raise InputError(f"the step must lie between 0 and 0.1 s; got {self.step:g}")
        joints = self.system.joints
        torques = joints.torque.copy()
        for owner, times in self.strength.items():
            own = np.isin(joints.dofs, self.system.dofs_of(owner))
            torques[own & (torques > 0.0)] *= times
        carried = [self.system.dofs_of(owner) for owner in self.carried]
        kept = [KeptRange.of(each, self.system) for each in self.ranges]
        self.former = Former(self.system, torques, np.concatenate([np.zeros(0, np.int64), *carried]), kept)
        self.limp = False
        self.time = 0.0
        self.touches: dict[str, Touch] = {}
        self.tasks: dict[str, Task] = {}
        self.avoidances = [Avoidance.of(pair, self.system) for pair in self.pairs]
        self._check_firmness()
        self._pushes = np.zeros(self.system.size)
        self._jacobian, self._twist, self._drift = np.zeros((6, self.system.size)), np.zeros(6), np.zeros(6)
        self._forces: Array = np.zeros(0)

    def _check_firmness(self) -> None:
        """Refuse what is said of limits that do not exist, or are no limits."""
        known = self.former.kinds_of((), self.avoidances)
        for of in self.firmness:
            kind, name = of if isinstance(of, tuple) and len(of) == 2 else (of, None)
            if kind not in LIMITS:
                said, known_ones = getattr(kind, "value", shown(kind)), ", ".join(each.value for each in LIMITS)
                raise InputError(f"{said} is no limit; those are {known_ones}")
            if not isinstance(self.firmness[of], Firmness):
                said = shown(self.firmness[of])
                raise InputError(f"{said} is no firmness; those are HARD, YIELDS and SOFT", place=kind.value)
            names = {each for other, each in known if other == kind}
            if name is not None and name not in names:
                raise unknown_name(kind.value, name, names)

    def go_limp(self) -> None:
        """From now on muscles do nothing and nothing is wanted: what happens is what `drive` and `push` make happen.

        Contacts hold, as the program of one who wants nothing has them: what a system does under given torques.
        """
        joints = self.system.joints
        self.former = Former(self.system, np.zeros_like(joints.torque), np.zeros(0, np.int64), self.former.ranges)
        self.limp = True

    def drive(self, dofs: Indices, torques: Array) -> None:
        """Let torques [N m] act on degrees of freedom over the next step."""
        self._pushes[dofs] += torques

    def want(self, name: str, task: Task) -> None:
        """Add a task, or put it in place of the one of that name.

        Raises:
            InputError: It is about something that does not exist, or too stiff for the step.
        """
        if not task.stiffness * self.step**2 < 0.69:
            raise InputError(
                f"stiffness {task.stiffness:g} is not stable at steps of {1e3 * self.step:g} ms; at most "
                f"{0.69 / self.step**2:.3g} is",
                source=f"task {name!r}",
            )
        task.begin(self.system)
        self.tasks[name] = task

    def drop(self, name: str) -> None:
        """Take a task away."""
        if name not in self.tasks:
            raise unknown_name("task", name, self.tasks)
        del self.tasks[name]

    def touch(self, contact: Contact, where: tuple[Array, Array] | None = None) -> None:
        """Make a contact where the bodies are now, or `where` (`Touch.made`); what they move stops within the next step."""
        if contact.name in self.touches:
            raise InputError(f"there is a contact {contact.name!r} already")
        self.touches[contact.name] = Touch.made(contact, self.system, where)

    def release(self, name: str, fade: float = RELEASE) -> None:
        """Let the force of a contact fade [s], then break it."""
        if name not in self.touches:
            raise unknown_name("contact", name, self.touches)
        held = self.touches[name]
        if held.release is None:
            forces = self._last_forces(name)
            # Alone the one of all edges leaves a hand's push to the end, that of each edge a foot's: others make up for it.
            edge, whole = (
                max(float(most), _LEAST) / max(fade, 1e-9) for most in (forces.max(initial=0.0), forces.sum())
            )
            held.release = (self.time + fade, edge, whole)

    def _last_forces(self, name: str) -> Array:
        at = 0
        for label, held in self.touches.items():
            count = len(held.edges)
            if label == name and at + count <= len(self._forces):
                return FORCE_UNIT * self._forces[at : at + count]
            at += count
        return np.zeros(0)

    def push(self, body: str, point: Array, force: Array) -> None:
        """Let a force [N] act on a point of the world [m] that belongs to a body, over the next step."""
        self.system.relative(0, self.system.body(body), point, self._jacobian, self._twist, self._drift)
        self._pushes += self._jacobian[:3].T @ force

    def advance(self, *, integrated: bool = True) -> Step:
        """Solve for one step and integrate it.

        Args:
            integrated: Whether the system moves by what was solved; otherwise something else moves it.

        Raises:
            NoSolution: Nothing would do, whatever gave way.
        """
        self.fade()
        result = self.solve()
        if integrated:
            self.system.advance(result.accelerations, self.step)
        self._pushes[:] = 0.0
        self.time += self.step
        return result

    def fade(self) -> None:
        """Let contacts that were let go fade, and end where their time is over."""
        for name in [name for name, held in self.touches.items() if not held.ramp(self.time)]:
            del self.touches[name]

    def solve(self) -> Step:
        """Solve for the next step without taking it."""
        held = list(self.touches.values())
        begin, work = perf_counter(), process_time()
        tasks = () if self.limp else self.tasks.values()
        problem = self.former.form(held, self.avoidances, tasks, self.step, self._pushes)
        formed = perf_counter()
        relaxations: tuple[Relaxation, ...] = ()
        if self.firmness:
            kinds = self.former.kinds_of(held, self.avoidances)
            solution, relaxations = softened(problem, kinds, self.firmness, self.solver)
        else:
            solution = self.solver.solve(problem)
        if not solution.solved:
            solution, relaxations = relaxed(problem, self.former.kinds_of(held, self.avoidances), self.firmness)
            if not solution.solved:
                raise NoSolution(f"no solution at {self.time:.3f} s", problem.copy())
        solved, worked = perf_counter(), process_time()
        return self._finished(solution, relaxations, (formed - begin, solved - formed, worked - work))

    def _finished(
        self, solution: Solution, relaxations: tuple[Relaxation, ...], spent: tuple[float, float, float]
    ) -> Step:
        """A solution as forces of the contacts and torques of the joints."""
        size, problem = self.system.size, self.former.problem
        self._forces = np.maximum(solution.unknowns[size:], 0.0)
        forces: dict[str, Array] = {}
        at = 0
        for name, held in self.touches.items():
            forces[name] = self._forces[at : at + len(held.edges)]
            held.wrench = held.wrenches @ forces[name]
            forces[name] = FORCE_UNIT * forces[name]
            at += len(held.edges)
        return Step(
            time=self.time,
            accelerations=solution.unknowns[:size],
            torques=self.former.torques(solution.unknowns, self._pushes),
            wrenches={name: held.wrench for name, held in self.touches.items()},
            points={name: held.point for name, held in self.touches.items()},
            forces=forces,
            pushes=self._pushes.copy(),
            relaxations=relaxations,
            solution=solution,
            forming=spent[0],
            solving=spent[1],
            processor=spent[2],
            size=(len(solution.unknowns), problem.equalities, len(problem.rows) - problem.equalities),
        )

    def save(self) -> Any:
        """What is remembered from step to step beside the system's state; a copy."""
        pairs = [(one.gain.copy(), one.direction.copy()) for one in self.avoidances]
        touches = {name: one.copy() for name, one in self.touches.items()}
        tasks = {name: (task, dict(vars(task))) for name, task in self.tasks.items()}
        gains = [self.former.gains.copy(), *(each.gains.copy() for each in self.former.ranges)]
        return self.time, touches, tasks, pairs, gains, self._forces.copy(), self.solver.save()

    def restore(self, saved: Any) -> None:
        """Go back to what `save` gave."""
        self.time, touches, tasks, pairs, gains, self._forces, started = saved
        self.touches = {name: one.copy() for name, one in touches.items()}
        self.tasks = {name: task for name, (task, _) in tasks.items()}
        for task, values in tasks.values():
            vars(task).update(values)
        for one, (gain, direction) in zip(self.avoidances, pairs, strict=True):
            one.gain, one.direction = gain.copy(), direction.copy()
        for gain, value in zip((self.former.gains, *(each.gains for each in self.former.ranges)), gains, strict=True):
            gain[:] = value
        self.solver.restore(started)
