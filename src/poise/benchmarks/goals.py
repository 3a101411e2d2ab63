"""What it costs to lead hands and feet to goals: our four limbs, alone and in a batch, beside a step of differential IK."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from time import process_time

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_least, at_most, skipped
from poise.body import BodyPlan, build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.ik import LimbGoals, LimbSolver
from poise.io import read_clip
from poise.motion import guess_roles
from poise.world.scene import SceneSpec, build_world

__all__ = ["limb_goals"]

Array = NDArray[np.float64]

_BATCH = 300
_CALLS = 200
_AWAY = 0.03
"""Spread of the goals about where hands and feet are [m]."""
_STEP = 1.0 / 60.0


def limb_goals(repetitions: int) -> list[Result]:
    """Four limbs, each with a goal for position and orientation, on the body of the shipped walk."""
    clip = read_clip(clip_path("walk"))
    plan = build_body(clip, guess_roles(clip.skeleton))
    rows = generalized_from_clip(plan, clip)
    (one, whole), step = beside_bare_steps(lambda: _solve_time(plan, rows[:1], _CALLS * repetitions))
    batch = np.resize(rows, (_BATCH, rows.shape[1]))
    (many, _), then = beside_bare_steps(lambda: _solve_time(plan, batch, 4 * repetitions))
    each = many / _BATCH / then
    return [
        at_most("four limbs of one body, kernel only", one / step, "bare steps", asked(6e-6)),
        at_most(f"four limbs, per body in a batch of {_BATCH}, kernel only", each, "bare steps", asked(2e-6)),
        _against_mink(plan, rows[:1], whole, _CALLS // 10 * repetitions),
    ]


def _solve_time(plan: BodyPlan, rows: Array, calls: int) -> tuple[float, float]:
    """Time of a solve of all rows [s], kernel only and with everything around it, medians."""
    solver = LimbSolver(plan)
    goals, memory = _goals(solver, rows), solver.memory(len(rows))
    errors = np.empty((len(rows), len(solver.names)))

    def again() -> tuple[Array, Array]:
        memory[:] = 0.0
        return rows.copy(), errors

    def kernel(fresh: Array, errors: Array) -> None:
        solver.run(fresh, goals, memory, np.inf, errors)

    def call(fresh: Array, _: Array) -> None:
        solver.solve(fresh, goals, memory)

    return _median(kernel, again, calls), _median(call, again, calls)


def _median(work: Callable[[Array, Array], None], prepare: Callable[[], tuple[Array, Array]], calls: int) -> float:
    """Median time of `work` on what `prepare` made [s]."""
    times = np.zeros(calls)
    for number in range(calls):
        prepared = prepare()
        begin = process_time()
        work(*prepared)
        times[number] = process_time() - begin
    return float(np.median(times))


def _goals(solver: LimbSolver, rows: Array) -> LimbGoals:
    goals, ends = LimbGoals.none(len(rows), len(solver.names)), solver.bodies[:, 2]
    frames = body_frames(solver.plan, rows)
    moved = np.random.default_rng(0).normal(0.0, _AWAY, (len(rows), len(ends), 3))
    goals.positions[:] = frames.positions[:, ends] + moved
    goals.rotations[:] = frames.rotations[:, ends]
    goals.weights[..., :2] = 1.0
    return goals


def _against_mink(plan: BodyPlan, row: Array, ours: float, calls: int) -> Result:
    """Time of one step of mink's differential IK of the whole body over ours, called as a user calls it."""
    name = "a step of differential IK (mink) over our four limbs"
    if find_spec("mink") is None or find_spec("daqp") is None:
        return skipped(name, "mink is not installed (pip install mink)")
    mink = import_module("mink")
    model = build_world({"walker": plan}, SceneSpec(floor=None), 0.002).model
    solver = LimbSolver(plan)
    goals = _goals(solver, row)
    configuration = mink.Configuration(model, q=row[0])
    posture = mink.PostureTask(model, cost=1e-2)
    posture.set_target(row[0])
    tasks = [posture]
    for limb, end in enumerate(solver.bodies[:, 2]):
        task = mink.FrameTask(f"walker/{plan.names[end]}", "body", position_cost=1.0, orientation_cost=1.0)
        turn = mink.SO3(goals.rotations[0, limb])
        task.set_target(mink.SE3.from_rotation_and_translation(turn, goals.positions[0, limb]))
        tasks.append(task)
    limits = [mink.ConfigurationLimit(model)]

    def step(_: Array, __: Array) -> None:
        velocity = mink.solve_ik(configuration, tasks, _STEP, "daqp", limits=limits)
        configuration.integrate_inplace(velocity, _STEP)

    def again() -> tuple[Array, Array]:
        configuration.update(row[0])
        return row, row

    return at_least(name, _median(step, again, calls) / ours, "×", 10.0)
