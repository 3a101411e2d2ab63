"""Blocks that go up and down under someone's feet (Hu 2024, Fig. 26)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.bounded_drive import Bounded
from poise.body.plan import BodyPlan
from poise.characters.character import ARMS, CharacterOptions
from poise.ik import BodySolver, ElasticPole, Goals, SolverOptions
from poise.scenes.bounded.loose import Limp, Pressed
from poise.scenes.bounded.person import (
    FEET,
    LEGS,
    RATE,
    STEADY,
    at_ease,
    body,
    feet_on,
    leg_length,
    moving,
    settled,
    spread_arms,
    standing,
)
from poise.scenes.scene import Scene
from poise.world.contact_settings import CONTACTS
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Platform

__all__ = ["Course", "blocks", "treads"]

Array = NDArray[np.float64]
Course = Literal["triangle", "cosine"]

_PHASES = (0.55, 0.0, 0.35, 0.8)
_TRAVEL = 0.4
_PRESS = 50.0
"""Downward force on each foot [N]."""
_BENT, _SOFT, _SWAYS = 0.03, 0.06, 0.3
"""How much lower than at ease hips ride [m], over what difference in height they turn from one foot to the other [m], and how
far they go to the side of the lower one, as a share of that difference: who stands with a foot on a step bears on the straight
leg."""
_AHEAD, _CROUCH = 0.36, 0.11
"""How far the feet are before the hips, and how much lower than standing the hips are over a block at its lowest [m]."""


def blocks(
    step: float = 0.05,
    course: Course = "triangle",
    *,
    seconds: float = 8.0,
    rest: float = 1.0,
    drive: bool = True,
    substep: float = 0.001,
    margin: float = 0.005,
    plan: BodyPlan | None = None,
) -> Scene:
    """Someone whose hips are held, with a foot on each of two of four blocks that go up and down (Hu 2024, Fig. 26).

    Args:
        step: Fastest the blocks move [m per frame of 1/60 s].
        course: How they go up and down.
        seconds: How long at least; they stop after a whole number of periods.
        rest: How long they are still afterwards [s].
        drive: Whether the legs are driven towards goals on the blocks; otherwise they hang on their joints, a plain ragdoll.
        substep: [s].
        margin: Contact margin of the feet [m].
        plan: Who; the shipped walk's person without. Blocks go as far as their legs are long.
    """
    plan = plan or body()
    share = leg_length(plan) / leg_length(body())
    travel = share * _TRAVEL
    period = 2.0 * travel / (step * RATE) * (1.0 if course == "triangle" else 0.5 * np.pi)
    until = period * np.ceil(seconds / period)
    pieces = tuple(
        Platform(
            name=f"block_{number + 1}",
            position=(0.0, 0.6 * number - 0.9, 0.0),
            size=(2.4, 0.6),
            thickness=0.6,
            travel=travel,
            period=period,
            phase=phase,
            course=course,
            until=until,
        )
        for number, phase in enumerate(_PHASES)
    )
    row = at_ease(plan)
    goals = feet_on(TerrainGround(pieces, None), row, margin, plan)
    row[:3] -= share * np.array([_AHEAD, 0.0, _CROUCH])
    spread_arms(row, plan=plan)
    row = settled(row, goals(0.0), plan)
    options = CharacterOptions(anchors=(*ARMS, *LEGS), tension=STEADY, terrain=False)
    who = standing(row, until + rest, options, plan)
    setting = SceneSpec(floor=None, terrain=pieces, contact=replace(CONTACTS["stiff"], foot_margin=margin))
    drives = (lambda: Bounded(goals)) if drive else (lambda: Limp(LEGS))
    return Scene("blocks", {"walker": who}, setting, substep, {"walker": [drives, lambda: Pressed(FEET, _PRESS)]})


def treads(*, travel: float = 0.22, period: float = 4.0, seconds: float = 12.0) -> Scene:
    """Someone who stands on two blocks that rise and sink in turn, bears on the straight leg, and whose hips ride along.

    Args:
        travel: How far the blocks go [m].
        period: Of their way up and down [s].
        seconds: How long.
    """
    pieces = tuple(
        Platform(
            name=f"block_{number + 1}",
            position=(0.1, (0.31, -0.31)[number], 0.0),
            size=(0.9, 0.6),
            thickness=0.4,
            travel=travel,
            period=period,
            phase=0.5 * number,
            course="cosine",
            until=seconds,
        )
        for number in range(2)
    )
    goals = feet_on(TerrainGround(pieces, None), at_ease())
    times = np.arange(round((seconds + 1.0) * RATE) + 1) / RATE
    who = moving(_ridden(goals, times), CharacterOptions(anchors=("pelvis",), tension=STEADY, terrain=False))
    setting = SceneSpec(floor=None, terrain=pieces)
    return Scene("blocks", {"person": who}, setting, behaviors={"person": [lambda: Bounded(goals)]})


def _ridden(goals: Callable[[float], Goals], times: Array) -> Array:
    """Poses (T, nq) over feet at their goals: hips no higher than the lower foot lets them, nearer to it."""
    start = at_ease()
    spread_arms(start)
    ankles, solver, rows = goals(0.0), BodySolver(body(), SolverOptions(poles=ElasticPole())), []
    level = min(ankles.ends[name].position[2] for name in FEET)
    row = settled(start, ankles)
    for time in times:
        wanted = goals(float(time))
        left, right = (float(wanted.ends[name].position[2]) for name in FEET)
        aim = row.copy()
        aim[1] = _SWAYS * (right - left)
        aim[2] = start[2] - _BENT + 0.5 * (left + right) - level - 0.5 * (np.hypot(left - right, _SOFT) - _SOFT)
        row = solver.solve(aim, wanted, 1.0 / RATE)
        rows.append(row)
    return np.array(rows)
