"""Goals of segments as angles of hinges: inverse kinematics in velocity form, frame after frame, within every range.

Each frame is a few steps of damped weighted least squares on MuJoCo's Jacobians (Gauss-Newton; Siciliano et al., Robotics:
Modelling, Planning and Control, 3.7), solved as a quadratic program whose bounds are the ranges of the joints and how far they
may go in a frame. It begins at the frame before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.math.filters import butterworth, lowpass
from poise.qp.problem import Problem
from poise.qp.solve import Solver
from poise.robots.figure import RobotFigure
from poise.robots.goals import Goals
from poise.robots.tasks import SolveOptions, tasks_of
from poise.world.robot import RobotModel

__all__ = ["solve"]

Array = NDArray[np.float64]


_FIRST_STEPS = 200
_STARTS, _AROUND = 8, 1.5
"""Starts of the first frame beside the zero pose, and how far from it their hinges are [rad]."""
_SETTLED, _TINY = 1e-5, 1e-4
"""A step that helps by this share at most, or is this short [rad, m], ends a frame."""
_DAMPING = 1e-6
"""Least damping of a step, in shares of the Hessian's diagonal."""
_LONGEST = 0.3
"""Farthest that a hinge goes in one step [rad]."""


def solve(model: RobotModel, figure: RobotFigure, goals: Goals, options: SolveOptions | None = None) -> Array:
    """Generalized positions (T, nq) of a robot that meet goals as well as its joints allow.

    Args:
        model: The robot.
        figure: Its segments.
        goals: What they are to do.
        options: Weights.
    """
    return _Solve(model, figure, goals, options or SolveOptions()).run()


class _Solve:
    def __init__(self, model: RobotModel, figure: RobotFigure, goals: Goals, options: SolveOptions) -> None:
        self.model, self.figure, self.goals, self.options = model, figure, goals, options
        self.degrees = model.degrees
        self.zero = np.clip(model.zero[model.columns], model.lower, model.upper)
        model.place(model.zero)
        self.tasks = tasks_of(model, figure, goals, options)
        self.solver = Solver("daqp")
        self.problem = Problem.empty(len(self.degrees), 0, 0)

    def run(self) -> Array:
        model, options = self.model, self.options
        rate, frames = self.goals.rate, len(self.goals.hips)
        rows = np.tile(model.zero, (frames, 1))
        rows[0] = self._first()
        for frame in range(1, frames):
            before = rows[frame - 1]
            rows[frame], _ = self._frame(frame, before, before, options.still, options.steps, self._room(before))
        if not 2.0 * options.cutoff < rate:
            return rows
        # What the legs' ends and the ranges make abrupt is calmed, then fitted to the goals once more.
        calm = rows.copy()
        calm[:, model.columns] = lowpass(rows[:, model.columns], butterworth(options.cutoff, rate))
        for frame in range(frames):
            room = self._room(rows[frame - 1] if frame else None)
            rows[frame], _ = self._frame(frame, rows[frame], calm[frame], options.calm, options.steps, room)
        return rows

    def _room(self, before: Array | None) -> tuple[Array, Array]:
        """Least and greatest position of each hinge (H,): its range, and as far as it can go from the frame before."""
        model = self.model
        if before is None:
            return model.lower, model.upper
        way = self.options.speed / self.goals.rate
        here = before[model.columns]
        return np.maximum(model.lower, here - way), np.minimum(model.upper, here + way)

    def _first(self) -> Array:
        """The first frame's positions (nq,): the best of those found from the zero pose and from hinges anywhere near it.

        From one start alone an elbow may end at the wrong end of its range.
        """
        columns, room, random = self.model.columns, self._room(None), np.random.default_rng(0)
        best, least = self._frame(0, self._start(), None, 0.0, _FIRST_STEPS, room)
        low, high = np.maximum(room[0], self.zero - _AROUND), np.minimum(room[1], self.zero + _AROUND)
        for _ in range(_STARTS):
            start = self._start()
            start[columns] = random.uniform(low, high)
            found, cost = self._frame(0, start, None, 0.0, _FIRST_STEPS, room)
            if cost < least:
                best, least = found, cost
        return best

    def _start(self) -> Array:
        """The zero pose with the pelvis where it begins (nq,)."""
        start, base, pelvis = self.model.zero, self.model.base_column, self.figure.segments[0]
        start[self.model.columns] = self.zero
        turn = quat.mul(self.tasks.wanted[0, 0], quat.conj(self.figure.zero[0]))
        away = quat.rotate(turn, start[base : base + 3] - pelvis.centre)
        start[base : base + 3] = self.goals.hips[0] + away
        start[base + 3 : base + 7] = quat.mul(turn, start[base + 3 : base + 7])
        return start

    def _frame(
        self, frame: int, start: Array, toward: Array | None, weight: float, steps: int, room: tuple[Array, Array]
    ) -> tuple[Array, float]:
        """One frame's positions (nq,), from where it starts, and the sum of its squared errors.

        Steps are damped as Levenberg and Marquardt have it: less after one that helped, more instead of one that did not.

        Args:
            frame: Which.
            start: Positions to begin with (nq,).
            toward: Positions that hinges are drawn to (nq,), or None.
            weight: How strongly.
            steps: Most steps.
            room: Least and greatest position of each hinge (H,).
        """
        model, columns, rest = self.model, self.model.columns, self.options.rest
        low, high = room
        start = start.copy()
        start[columns] = np.clip(start[columns], low, high)
        aim = self.zero if toward is None else toward[columns]
        here, damping, best, least = start.copy(), _DAMPING, start, np.inf
        jacobian, error = np.zeros((0, len(self.degrees))), np.zeros(0)
        for _ in range(steps):
            model.place(here)
            rows, missing = self.tasks.linear(model, frame)
            kept = np.concatenate([weight * (aim - here[columns]), rest * (self.zero - here[columns])])
            cost = float(missing @ missing + kept @ kept)
            if cost < least:
                settled = cost > least * (1.0 - _SETTLED)
                best, least, damping, jacobian, error = here, cost, max(0.2 * damping, _DAMPING), rows, missing
                if settled:
                    break
            else:
                damping = 20.0 * damping
            now = best[columns]
            pull = weight**2 * (aim - now) + rest**2 * (self.zero - now)
            step = self._step(jacobian, error, pull, weight, damping, low - now, high - now)
            here = self._gone(best, step)
            if np.abs(step).max() < _TINY:
                return here, least
        return best, least

    def _step(
        self, jacobian: Array, error: Array, pull: Array, weight: float, damping: float, low: Array, high: Array
    ) -> Array:
        """Velocities (N,) over one step; hinges stay between `low` and `high` from where they are."""
        problem, rest = self.problem, self.options.rest
        problem.hessian, problem.gradient = jacobian.T @ jacobian, -jacobian.T @ error
        diagonal = np.einsum("ii->i", problem.hessian)
        diagonal[6:] += weight**2 + rest**2
        diagonal += damping * (1.0 + diagonal)
        problem.gradient[6:] -= pull
        problem.low[6:], problem.high[6:] = np.maximum(low, -_LONGEST), np.minimum(high, _LONGEST)
        return self.solver.solve(problem).unknowns

    def _gone(self, here: Array, step: Array) -> Array:
        """Positions (nq,) after a step, in the ranges of the joints to the last bit."""
        model = self.model
        velocity = np.zeros(model.velocities)
        velocity[self.degrees] = step
        there = model.moved(here, velocity)
        there[model.columns] = np.clip(there[model.columns], model.lower, model.upper)
        return there
