"""From goals to a pose of the whole body: pelvis, trunk, head, poles, limbs, in this order."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik.goals import Goal, Goals, near, steady
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.ik.poles import ElasticPole, ElasticPoles
from poise.ik.trunk import Gaze, TreeSolver

__all__ = ["BodySolver", "SolverOptions"]

Array = NDArray[np.float64]

_SETTLE = 2.0
"""Time the poles get before the first pose [s]."""


@dataclass(frozen=True, kw_only=True)
class SolverOptions:
    """How a body reaches.

    Args:
        limbs: How arms and legs reach.
        poles: How elastic poles hang; None leaves each limb in the bend plane of the pose it starts from.
        lean: Whether the trunk leans after hands whose goals are out of the arms' reach.
    """

    limbs: LimbOptions = field(default_factory=LimbOptions)
    poles: ElasticPole | None = None
    lean: bool = True


class BodySolver:
    """Inverse kinematics of one character, tick after tick; remembers last good goals, poles and twists.

    Args:
        plan: The character.
        options: How it reaches.

    Raises:
        InputError: A limb is a chain of one bone or has a bone without length.
    """

    def __init__(self, plan: BodyPlan, options: SolverOptions | None = None) -> None:
        self.plan, self.options = plan, options or SolverOptions()
        self.limbs = LimbSolver(plan, self.options.limbs)
        self._head = next(iter(plan.with_role("head")), None)
        self._gaze = None if self._head is None else Gaze(plan)
        self._trunk, self._trunk_ends = _trunk(plan, self.limbs, self._head, self.options.limbs.limits)
        spots = body_frames(plan, _straight(plan)).positions[0][self.limbs.bodies[:, :2]]
        lower = self.limbs.lower_lengths
        self._reach = np.linalg.norm(spots[:, 1] - spots[:, 0], axis=1) + lower
        self.reset()

    def __deepcopy__(self, memo: dict[int, object]) -> BodySolver:
        """A copy that goes its own way; plan, limbs and options never change and are shared."""
        memo.update({id(part): part for part in (self.plan, self.limbs, self.options)})
        other = object.__new__(BodySolver)
        other.__dict__.update({name: copy.deepcopy(value, memo) for name, value in self.__dict__.items()})
        return other

    def reset(self) -> None:
        """Forget everything that came before."""
        self._last: dict[str, Goal] = {}
        self._memory = self.limbs.memory(1)
        self._poles = None if self.options.poles is None else ElasticPoles(self.limbs, self.options.poles)
        self._before: Array | None = None
        self.misses: dict[str, float] = {}
        """How far each limb's end stayed from its goal at the last call [m]."""

    def solve(self, row: Array, goals: Goals, tick: float | None = None) -> Array:
        """Generalized positions, shape (nq,), of the pose nearest to `row` (nq,) that reaches `goals`.

        Args:
            row: The pose to start from: the clip's, or where the bodies really are. Not changed.
            goals: What to reach. Numbers that are not finite: the last good ones hold, or none if there were none.
            tick: Time since the last call [s]; moves elastic poles and limits how fast limbs turn. None: poles stay.
        """
        row = np.array(row, dtype=np.float64)
        if row.shape != (self.plan.position_count,) or not np.isfinite(row).all():
            raise InputError(f"the pose needs {self.plan.position_count} finite generalized positions")
        if tick is not None and not (np.isfinite(tick) and tick >= 0.0):
            raise InputError(f"the tick must be a time of at least 0 s; got {tick}")
        pelvis = None if goals.pelvis is None else self._known("pelvis", goals.pelvis, row)
        if pelvis is not None:
            row[:3] = pelvis.position
            row[3:7] = row[3:7] if pelvis.rotation is None else pelvis.rotation
        known = {name: self._known(name, goal, row) for name, goal in goals.ends.items()}
        ends = {name: goal for name, goal in known.items() if goal is not None and goal.weight > 0.0}
        self._bend_trunk(row, ends)
        if goals.look_at is not None and self._gaze is not None and np.isfinite(goals.look_at).all():
            self._gaze.look_at(row, near(np.asarray(goals.look_at, dtype=np.float64), row[:3]))
        rows = row[None]
        misses = self.limbs.solve(rows, self._limb_goals(rows, ends, tick), self._memory, tick)[0]
        self.misses = {name: float(miss) for name, miss in zip(self.limbs.names, misses, strict=True) if name in ends}
        self._before = rows[0].copy()
        solved: Array = rows[0]
        return solved

    def poles_at(self, row: Array) -> Array:
        """The elastic poles in the world with the body at generalized positions (nq,) [m], shape (L, 3).

        Raises:
            InputError: The body has no elastic poles.
        """
        if self._poles is None:
            raise InputError("this solver has no elastic poles")
        return np.asarray(self._poles.world(np.asarray(row, dtype=np.float64)[None])[0])

    def _known(self, name: str, goal: Goal, row: Array) -> Goal | None:
        found = steady(goal, self._last.get(name), row[:3])
        if found is not None:
            self._last[name] = found
        return found

    def _bend_trunk(self, row: Array, ends: dict[str, Goal]) -> None:
        """Lean after head and hands; the head's orientation is met at the end of the chain, or by the neck alone."""
        head = ends.get("head")
        if self._trunk is None:
            return
        spots = body_frames(self.plan, row).positions[0]
        places = spots[list(self._trunk_ends)]
        weights = np.full(len(places), 0.1)
        active = False
        for limb, name in enumerate(self.limbs.names):
            body = int(self.limbs.bodies[limb, 0])
            if self.options.lean and name in ends and body in self._trunk_ends:
                away = ends[name].position - spots[body]
                far = float(np.linalg.norm(away))
                if far > self._reach[limb]:
                    pulled = self._trunk_ends.index(body)
                    places[pulled] = spots[body] + away / far * (far - self._reach[limb])
                    weights[pulled], active = ends[name].weight, True
        turns, turn_weights = np.zeros((len(places), 4)), np.zeros(len(places))
        turns[:, 0] = 1.0
        if self._head in self._trunk_ends and head is not None:
            at = self._trunk_ends.index(self._head)
            places[at] += head.weight * (head.position - places[at])
            weights[at], active = head.weight, True
            weights[np.arange(len(places)) != at] *= weights[np.arange(len(places)) != at] > 0.1
            if head.rotation is not None:
                turns[at], turn_weights[at] = head.rotation, 1.0
        if active:
            self._trunk.solve(row, places, weights, turns, turn_weights)

    def _limb_goals(self, rows: Array, ends: dict[str, Goal], tick: float | None) -> LimbGoals:
        goals = LimbGoals.none(1, len(self.limbs.names))
        if self._poles is not None:
            if self._before is None:
                self._poles.advance(rows, _SETTLE)
            elif tick is not None:
                self._poles.advance(self._before[None], tick)
            goals.poles[:] = self._poles.world(rows)
            goals.weights[..., 2] = 1.0
        for limb, name in enumerate(self.limbs.names):
            goal = ends.get(name)
            if goal is None:
                continue
            goals.positions[0, limb], goals.weights[0, limb, 0] = goal.position, goal.weight
            if goal.rotation is not None:
                goals.rotations[0, limb], goals.weights[0, limb, 1] = goal.rotation, goal.weight
            if goal.pole is not None:
                goals.poles[0, limb], goals.weights[0, limb, 2] = goal.pole, 1.0
        return goals


def _straight(plan: BodyPlan) -> Array:
    row = np.zeros(plan.position_count)
    row[3::4] = 1.0
    return row


def _trunk(
    plan: BodyPlan, limbs: LimbSolver, head: int | None, limits: bool
) -> tuple[TreeSolver | None, tuple[int, ...]]:
    """The tree from the pelvis to head and shoulders, without ends that hang on the pelvis itself."""
    wanted = [int(root) for name, root in zip(limbs.names, limbs.bodies[:, 0], strict=True) if name.endswith("hand")]
    wanted += [] if head is None else [head]
    ends = tuple(body for body in wanted if plan.parents[body] > 0)
    return (TreeSolver(plan, 0, ends, limits=limits) if ends else None), ends
