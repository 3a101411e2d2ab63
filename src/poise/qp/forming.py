"""The quadratic program of one step, formed from a system, its contacts, pairs and tasks (Vaillant 2017, Eq. 35).

Unknowns are the accelerations of everything and the coefficients of the friction pyramids' edges. Torques are
eliminated by the equation of motion: where there are muscles their limits become rows, where there are none the
equation itself is a row.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from poise.qp import _features, _kernels
from poise.qp.collisions import Avoidance
from poise.qp.contacts import FORCE_UNIT, Touch
from poise.qp.force_task import ForceTask
from poise.qp.problem import Problem
from poise.qp.ranges import KeptRange
from poise.qp.tasks import Task
from poise.signals import Mechanism

__all__ = ["LIMITS", "Former", "Kind"]

Array = NDArray[np.float64]

SMALL_ACCELERATION, SMALL_FORCE = 1e-4, 1e-6
"""Cost of a square acceleration [s⁴/m²] and of a square force [1/N²], which the paper's cost (Eq. 32) leaves out:
without them the program has no one solution."""
KEPT = 0.01
"""Share of their range that joints with muscles keep from its ends. What has none may lie at its end, as a drawer that is shut:
nothing could move it away."""
FASTEST = 1e4
"""Bound on accelerations that nothing else bounds [m/s², rad/s²]."""


class Kind(Enum):
    """What a bound or row is for, in the order in which they give way where all cannot be kept."""

    DISTANCE = "distance"
    SPEED = "joint range and speed"
    TORQUE = "torque limit"
    NO_SLIP = "no slip"
    FORCE = "friction"
    MOTION = "equation of motion"


LIMITS = (Kind.DISTANCE, Kind.SPEED, Kind.TORQUE)
"""Of those, what a user may have kept more or less firmly."""


class Former:
    """Forms programs for one system.

    Args:
        system: Everything in the scene.
        torques: Largest torque of each of the system's joints [N m]; 0 for those without muscles, inf for no limit, shape
            (k,).
        carried: Degrees of freedom that something unseen moves with any force, as when a pose is arranged.
        ranges: How far balls may turn.
    """

    def __init__(
        self, system: Mechanism, torques: Array, carried: NDArray[np.int64], ranges: Sequence[KeptRange] = ()
    ) -> None:
        joints = system.joints
        self.system, self.ranges = system, tuple(ranges)
        self.driven = np.flatnonzero((torques > 0.0) & ~np.isin(joints.dofs, carried))
        self.muscled = np.asarray(joints.dofs[self.driven])
        self.free = np.setdiff1d(np.arange(system.size), [*self.muscled, *carried])
        self.limits = torques[self.driven]
        self._limited = np.flatnonzero(np.isfinite(self.limits))
        self._ranges = np.ascontiguousarray(np.stack([joints.lower, joints.upper], axis=1))
        self._kept = np.where(torques > 0.0, KEPT, 0.0)
        self.gains = np.zeros((len(joints.dofs), 2))
        self._limited_dofs, self._most = self.muscled[self._limited], self.limits[self._limited]
        self._no_torque = np.zeros(len(self.free))
        self.problem = Problem.empty(0, 0, 0)

    def form(
        self,
        touches: Sequence[Touch],
        pairs: Sequence[Avoidance],
        tasks: Iterable[Task],
        step: float,
        pushes: Array,
    ) -> Problem:
        """The program for a step [s]; arrays are overwritten by the next call.

        Args:
            touches: What holds; refreshed here.
            pairs: What keeps apart; refreshed here.
            tasks: What is wanted.
            step: Of time [s].
            pushes: Generalized force from outside, shape (n,).
        """
        system = self.system
        for touch in touches:
            touch.refresh(system)
        for pair in pairs:
            pair.refresh(system, step)
        for each in self.ranges:
            each.refresh(system, step)
        wanted = tuple(tasks)
        pressing = [task for task in wanted if isinstance(task, ForceTask)]
        self._shape(touches, pairs, bool(pressing))
        problem, size = self.problem, system.size
        mapped = self._mapped
        at = 0
        for touch in touches:
            count = len(touch.edges)
            mapped[:, at : at + count] = touch.mapped
            problem.high[size + at : size + at + count] = touch.ceiling[0] / FORCE_UNIT
            at += count
        self._equalities(touches, pushes, step)
        self._inequalities(pairs, pushes)
        self._fading(touches)
        self._bounds(step)
        self._objective(wanted)
        if pressing:
            self._press(pressing, touches)
        return problem

    def _shape(self, touches: Sequence[Touch], pairs: Sequence[Avoidance], pressed: bool) -> None:
        """Make room; only when the contacts or pairs are others than before, or other forces depend on one another."""
        forces = sum(len(touch.edges) for touch in touches)
        slip = sum(touch.rows for touch in touches)
        unknowns = self.system.size + forces
        equal, unequal = (
            len(self.free) + slip,
            len(self._limited) + sum(len(each.low) for each in self.ranges) + len(pairs) + len(_fading(touches)),
        )
        dense, before = unknowns if pressed else self.system.size, self.problem
        if before.rows.shape != (equal + unequal, unknowns) or before.equalities != equal or before.dense != dense:
            self.problem = Problem.empty(unknowns, equal, unequal, dense, slip)
            self._mapped = np.zeros((self.system.size, forces))
        self.problem.low[self.system.size : unknowns] = 0.0

    def _equalities(self, touches: Sequence[Touch], pushes: Array, step: float) -> None:
        problem, size = self.problem, self.system.size
        unknowns, at = len(problem.gradient), len(self.free)
        _kernels.equation_rows(self.system.mass_matrix, self._mapped, self.free, problem.rows[:at])
        low, high = problem.low[unknowns : unknowns + at], problem.high[unknowns : unknowns + at]
        _kernels.limits(self.free, self.system.bias, pushes, self._no_torque, low, high)
        for touch in touches:
            rows, wanted = touch.no_slip(self.system, step)
            problem.rows[at : at + len(rows), :size] = rows
            problem.low[unknowns + at : unknowns + at + len(rows)] = wanted
            at += len(rows)
        problem.high[unknowns : unknowns + at] = problem.low[unknowns : unknowns + at]

    def _inequalities(self, pairs: Sequence[Avoidance], pushes: Array) -> None:
        problem, size = self.problem, self.system.size
        unknowns, at = len(problem.gradient), problem.equalities
        dofs, end = self._limited_dofs, problem.equalities + len(self._limited_dofs)
        _kernels.equation_rows(self.system.mass_matrix, self._mapped, dofs, problem.rows[at:end])
        low, high = problem.low[unknowns + at : unknowns + end], problem.high[unknowns + at : unknowns + end]
        _kernels.limits(dofs, self.system.bias, pushes, self._most, low, high)
        at = end
        for each in self.ranges:
            end = at + len(each.low)
            problem.rows[at:end, :size] = each.rows
            problem.low[unknowns + at : unknowns + end] = each.low
            problem.high[unknowns + at : unknowns + end] = each.high
            at = end
        for pair in pairs:
            problem.rows[at, :size] = pair.row
            problem.low[unknowns + at] = pair.least
            at += 1

    def _fading(self, touches: Sequence[Touch]) -> None:
        """What all edges together of contacts that are let go may still push."""
        problem, size = self.problem, self.system.size
        fading = _fading(touches)
        at = len(problem.rows) - len(fading)
        for row, (start, touch) in enumerate(fading, start=at):
            problem.rows[row] = 0.0
            problem.rows[row, size + start : size + start + len(touch.edges)] = 1.0
            problem.high[len(problem.gradient) + row] = touch.ceiling[1] / FORCE_UNIT

    def _bounds(self, step: float) -> None:
        system, problem = self.system, self.problem
        joints, size = system.joints, system.size
        places, bounds = system.joint_positions, (problem.low[:size], problem.high[:size])
        limits = (joints.dofs, self._ranges, joints.speed, self._kept)
        _kernels.joint_bounds(places, system.velocities, limits, step, self.gains, FASTEST, bounds)

    def _objective(self, tasks: Iterable[Task]) -> None:
        problem, size = self.problem, self.system.size
        costs = (SMALL_ACCELERATION, SMALL_FORCE * FORCE_UNIT**2)
        _features.plain_objective(problem.hessian, problem.gradient, size, costs)
        for task in tasks:
            task.add_to(self.system, problem.hessian, problem.gradient)

    def _press(self, tasks: Sequence[ForceTask], touches: Sequence[Touch]) -> None:
        """What is wanted of contacts' forces."""
        problem, size = self.problem, self.system.size
        costs, slopes = problem.hessian[size:, size:], problem.gradient[size:]
        costs[:] = SMALL_FORCE * FORCE_UNIT**2 * np.eye(len(slopes))
        for task in tasks:
            task.add_force(touches, costs, slopes)

    def kinds_of(self, touches: Sequence[Touch], pairs: Sequence[Avoidance]) -> list[tuple[Kind, str]]:
        """What each bound and row of the last problem is for, and whose it is, in the order of `Problem.low`."""
        system, names = self.system, self.system.joints.names
        owners = dict(zip(system.joints.dofs.tolist(), names, strict=True))
        result = [(Kind.SPEED, owners.get(dof, "free")) for dof in range(system.size)]
        for touch in touches:
            result += [(Kind.FORCE, touch.contact.name)] * len(touch.edges)
        result += [(Kind.MOTION, owners.get(int(dof), "free")) for dof in self.free]
        for touch in touches:
            result += [(Kind.NO_SLIP, touch.contact.name)] * touch.rows
        result += [(Kind.TORQUE, names[self.driven[which]]) for which in self._limited]
        result += [(Kind.SPEED, label) for each in self.ranges for label in each.labels(owners)]
        result += [(Kind.DISTANCE, pair.pair.label) for pair in pairs]
        return result + [(Kind.FORCE, touch.contact.name) for _, touch in _fading(touches)]

    def torques(self, unknowns: Array, pushes: Array) -> Array:
        """Torque of the joints with muscles in a solution [N m], shape (len(driven),)."""
        mass, bias = self.system.mass_matrix, self.system.bias
        return np.asarray(_kernels.joint_torques(mass, self._mapped, self.muscled, bias, pushes, unknowns))


def _fading(touches: Sequence[Touch]) -> list[tuple[int, Touch]]:
    """Contacts that are let go, and where their edges begin among all."""
    found, at = list[tuple[int, Touch]](), 0
    for touch in touches:
        if touch.release is not None:
            found.append((at, touch))
        at += len(touch.edges)
    return found
