"""Steps as quick as a walk, which only who looks ahead survives: what the paper's quasi-static balance leaves out."""

from __future__ import annotations

import numpy as np

from poise.groups import Footstep, Group, Person, StrideOptions, stride
from poise.qp import NoSolution
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, starts
from poise.scenes.together.plank import plank_group

__all__ = ["CHECKS", "walker"]

_STEPS = 6


def walker(seed: int | None = None, *, looking_ahead: bool = True) -> tuple[Group, float, float]:
    """Somebody who walks straight on, how far they get [m], and how long it takes [s].

    Args:
        seed: Varies who it is (mass by 20 %, stature by 5 %), how long steps are (0.25 to 0.4 m) and how quick (swings of 0.4
            to 0.5 s); None for 1.7 m, 0.4 m and 0.45 s.
        looking_ahead: Whether steps to come count in the balance.
    """
    who, length, swing = Person(), 0.4, 0.45
    if seed is not None:
        heavier, taller, longer, slower = np.random.default_rng(seed).uniform(-1.0, 1.0, 4).tolist()
        who = Person(mass=65.0 * (1.0 + 0.2 * heavier), stature=1.7 * (1.0 + 0.05 * taller))
        length, swing = 0.325 + 0.075 * longer, 0.45 + 0.05 * slower
    group = Group({"anna": who})
    group.stand("anna")
    group.controller.want("gaze", group.look("anna", (50.0, 0.0, 1.5)))
    start = {side: group.point(f"anna/{side}_foot", group.sole("anna", side).middle) for side in ("left", "right")}
    steps = []
    for number in range(_STEPS):
        side = "left" if number % 2 else "right"
        # The last but one is half as long, the last one closes up.
        ahead = length * min(number + 1.0, _STEPS - 1.5)
        place = start[side] + np.array([ahead, 0.0, 0.0])
        steps.append([Footstep("anna", side, place.tolist(), via=(0.0, 0.0, 0.06))])
    phases = stride(group, "walk", steps, ["anna"], options=StrideOptions(swing=swing), looking_ahead=looking_ahead)
    group.perform(phases)
    return group, length * (_STEPS - 1.5), 0.6 + _STEPS * (0.16 + swing) + 1.16


def walks(group: Group, far: float, seconds: float) -> bool:
    """Whether somebody gets so far [m] in that time [s] with every limit kept, and stands upright over both feet then."""
    height = group.center_of_mass("anna")[2]
    for _ in range(round(seconds / group.controller.step)):
        try:
            step, _ = group.advance()
        except NoSolution:
            return False
        if step.relaxations:
            return False
    place, feet = group.center_of_mass("anna"), group.over("anna/left_foot", "anna/right_foot")
    return bool(np.linalg.norm(place[:2] - feet[:2]) < 0.05 and abs(feet[0] - far) < 0.02 and place[2] > height - 0.1)


@claim(
    "the course of the center of mass solved backwards from the steps to come",
    off="stride(looking_ahead=False)",
    cases=20,
)
def ahead(trial: Trial) -> Row:
    """Share of walks that nothing was tuned on."""
    seeds = range(20, 25 if trial.quick else 40)
    share = 100.0 * float(np.mean([walks(*walker(seed, looking_ahead=trial.on)) for seed in seeds]))
    return Row(
        "vaillant2017/ahead",
        "People of other mass (20 %) and stature (5 %) take six steps of 0.25 to 0.4 m, each foot in the air for 0.4 to 0.5 s, "
        "with every limit kept, and stand still behind them: share of walks. In the paper steps are quasi-static",
        None,
        share,
        "%",
        share >= 95.0,
    )


def carriers(start: int | None = None, *, looking_ahead: bool = True) -> Group:
    """Two who carry a plank and walk, each with the other foot than the other.

    Args:
        start: Which of the scene's different starts (`Variation`); None for the scene as it is.
        looking_ahead: Whether steps to come count in the balance.
    """
    group = plank_group(moved=False, start=start)
    names, length = list(group.people), 0.3
    plank = group.keep("plank/plank", weight=300.0, stiffness=15.0)
    # It is carried along; how high and how turned it is, is kept.
    plank.axes = (0.0, 0.0, 1.0, 1.0, 1.0, 1.0)
    group.controller.want("plank", plank)
    steps: list[list[Footstep]] = []
    for number in range(_STEPS):
        steps.append([])
        for other, name in enumerate(names):
            side = "left" if (number + other) % 2 else "right"
            place = group.point(f"{name}/{side}_foot", group.sole(name, side).middle)
            place += [length * min(number + 1.0, _STEPS - 1.5), 0.0, 0.0]
            steps[-1].append(Footstep(name, side, place.tolist(), via=(0.0, 0.0, 0.06)))
    group.perform(stride(group, "walk", steps, [*names, "plank"], looking_ahead=looking_ahead))
    return group


@claim(
    "the course of the center of mass solved backwards from the steps to come",
    off="stride(looking_ahead=False)",
    cases=STARTS,
)
def carried(trial: Trial) -> Row:
    """How far the plank turns; 180 degrees where they fall, a limit gives way or they do not get there."""
    few = list(starts(trial))[: 2 if trial.quick or trial.off else None]
    turned = max(_turn(start, trial.on) for start in few)
    return Row(
        "vaillant2017/ahead-carried",
        "Two carry a plank 1.35 m in four seconds, stepping with opposite feet and every limit kept: largest turn of it, of "
        "all starts",
        None,
        turned,
        "degrees",
        turned < 2.0,
    )


def _turn(start: int, looking_ahead: bool) -> float:
    group = carriers(start, looking_ahead=looking_ahead)
    body = group.system.body("plank/plank")
    level, begin = group.system.rotations[body].copy(), group.system.positions[body].copy()
    turned = 0.0
    for _ in range(round(5.4 / group.controller.step)):
        try:
            step, _ = group.advance()
        except NoSolution:
            return 180.0
        if step.relaxations:
            return 180.0
        cosine = 0.5 * (np.trace(level.T @ group.system.rotations[body]) - 1.0)
        turned = max(turned, float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))))
    far = float(group.system.positions[body][0] - begin[0])
    return turned if abs(far - 1.35) < 0.1 else 180.0


CHECKS: tuple[Check, ...] = (ahead, carried)
