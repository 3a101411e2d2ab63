"""Goals of segments as angles of hinges: inverse kinematics in velocity form, frame after frame, within every range.

Each frame is a few steps of damped weighted least squares on MuJoCo's Jacobians (Gauss-Newton; Siciliano et al., Robotics:
Modelling, Planning and Control, 3.7), solved as a quadratic program whose bounds are the ranges of the joints and how far they
may go in a frame. It begins at the frame before.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.qp.solve import Problem, Solver
from poise.robots.figure import Figure
from poise.robots.goals import Goals
from poise.robots.tasks import SolveOptions, tasks_of
from poise.world.robot import RobotModel

__all__ = ["solve"]

Array = NDArray[np.float64]


_FIRST_STEPS = 200
_DONE = 1e-5
"""A step this small ends a frame [rad]."""
_SETTLED = 1e-7
"""A step that helps by this share at most ends a frame."""
_DAMPING = 1e-6
"""Least damping of a step, in shares of the Hessian's diagonal."""
_LONGEST = 0.3
"""Longest step of one joint in one step of the first frame [rad]."""


def solve(model: RobotModel, figure: Figure, goals: Goals, options: SolveOptions | None = None) -> Array:
    """Generalized positions (T, nq) of a robot that meet goals as well as its joints allow.

    Args:
        model: The robot.
        figure: Its segments.
        goals: What they are to do.
        options: Weights.
    """
    return _Solve(model, figure, goals, options or SolveOptions()).run()


class _Solve:
    def __init__(self, model: RobotModel, figure: Figure, goals: Goals, options: SolveOptions) -> None:
        self.model, self.figure, self.goals, self.options = model, figure, goals, options
        self.degrees = model.degrees
        self.zero = np.clip(model.zero[model.columns], model.lower, model.upper)
        model.place(model.zero)
        self.tasks = tasks_of(model, figure, goals, options)
        self.solver = Solver("daqp")
        self.problem = Problem.empty(len(self.degrees), 0, 0)

    def run(self) -> Array:
        model, options = self.model, self.options
        frames = len(self.goals.hips)
        rows = np.tile(model.zero, (frames, 1))
        rows[0] = self._frame(0, self._start(), _FIRST_STEPS, np.inf)
        for frame in range(1, frames):
            rows[frame] = self._frame(frame, rows[frame - 1], options.steps, options.speed / self.goals.rate)
        return rows

    def _start(self) -> Array:
        """The zero pose with the pelvis where it begins (nq,)."""
        start, base, pelvis = self.model.zero, self.model.base_column, self.figure.segments[0]
        start[self.model.columns] = self.zero
        turn = quat.mul(self.tasks.wanted[0, 0], quat.conj(self.figure.zero[0]))
        away = quat.rotate(turn, start[base : base + 3] - pelvis.centre)
        start[base : base + 3] = self.goals.hips[0] + away
        start[base + 3 : base + 7] = quat.mul(turn, start[base + 3 : base + 7])
        return start

    def _frame(self, frame: int, before: Array, steps: int, farthest: float) -> Array:
        """One frame's positions (nq,), from those of the frame before.

        Steps are damped as Levenberg and Marquardt have it: less after one that helped, more instead of one that did not.
        """
        model, columns = self.model, self.model.columns
        origin, first = before[columns], farthest == np.inf
        low, high = np.maximum(model.lower, origin - farthest), np.minimum(model.upper, origin + farthest)
        still = 0.0 if first else self.options.still
        reach = _LONGEST if first else np.inf
        here, damping = before.copy(), _DAMPING
        best, least, step = here, np.inf, np.zeros(len(self.degrees))
        hessian, gradient = self.problem.hessian, self.problem.gradient
        for _ in range(steps):
            model.place(here)
            jacobian, error = self.tasks.linear(model, frame)
            kept = np.concatenate([still * (here[columns] - origin), self.options.rest * (here[columns] - self.zero)])
            cost = float(error @ error + kept @ kept)
            if cost < least:
                settled = cost > least * (1.0 - _SETTLED)
                best, least, damping = here, cost, max(0.2 * damping, _DAMPING)
                if settled or (np.isfinite(cost) and 0.0 < np.abs(step).max() < _DONE):
                    break
                hessian, gradient = jacobian.T @ jacobian, -jacobian.T @ error
                gradient[6:] += still**2 * (here[columns] - origin) + self.options.rest**2 * (here[columns] - self.zero)
            else:
                damping = 20.0 * damping
            step = self._step(hessian, gradient, damping, still, low - best[columns], high - best[columns], reach)
            here = self._gone(best, step)
        return best

    def _step(
        self, hessian: Array, gradient: Array, damping: float, still: float, low: Array, high: Array, reach: float
    ) -> Array:
        """Velocities (N,) over one step; hinges stay between `low` and `high` from where they are, and within `reach`."""
        problem = self.problem
        problem.hessian, problem.gradient = hessian.copy(), gradient
        diagonal = np.einsum("ii->i", problem.hessian)
        diagonal[6:] += still**2 + self.options.rest**2
        diagonal += damping * (1.0 + diagonal)
        problem.low[6:], problem.high[6:] = np.maximum(low, -reach), np.minimum(high, reach)
        return self.solver.solve(problem).unknowns

    def _gone(self, here: Array, step: Array) -> Array:
        """Positions (nq,) after a step, in the ranges of the joints to the last bit."""
        model = self.model
        velocity = np.zeros(model.velocities)
        velocity[self.degrees] = step
        there = model.moved(here, velocity)
        there[model.columns] = np.clip(there[model.columns], model.lower, model.upper)
        return there
