"""Two who carry a plank, each with a program of their own, who see one another late."""

from __future__ import annotations

from itertools import cycle

import numpy as np

from poise.qp import NoSolution
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.row import Row
from poise.reproductions.vaillant2017.courses import STARTS, starts
from poise.scenes.together.plank import course, plank_apart

__all__ = ["CHECKS"]

_SECONDS = 10.0


def _carried(start: int, delay: float, predicting: bool = True, feeling: bool = True) -> tuple[float, float]:
    """How far the plank turns from level [degrees] and gets from its course [m] at most; inf where somebody falls."""
    pair = plank_apart(delay, predicting=predicting, feeling=feeling, start=start)
    body = pair.system.body("plank/plank")
    middle = pair.system.positions[body].copy()
    turned, away = 0.0, 0.0
    for _ in range(round(_SECONDS / pair.controller.step)):
        try:
            pair.advance()
        except NoSolution:
            return np.inf, np.inf
        offset, _, _ = course(pair.controller.time)
        cosine = 0.5 * (np.trace(pair.system.rotations[body]) - 1.0)
        turned = max(turned, float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))))
        away = max(away, float(np.linalg.norm(pair.system.positions[body] - middle - offset)))
    return turned, away


def _few(trial: Trial) -> list[int]:
    """The starts of a trial; one of them for a quick sample or without the method, since it takes three programs a step."""
    return list(starts(trial))[: 1 if trial.quick or trial.off else None]


@claim(
    "each tells by a program of their own where the other must be by now", off="Apart(predicting=False)", cases=STARTS
)
def late(trial: Trial) -> Row:
    """At 100 and at 150 ms, in turn."""
    ways = [_carried(start, delay, trial.on) for start, delay in zip(_few(trial), cycle((0.15, 0.1)), strict=False)]
    turned, away = max(way[0] for way in ways), max(way[1] for way in ways)
    return Row(
        "vaillant2017/delay",
        "Two who see one another 100 or 150 ms late, each with a program of their own, keep a plank level and within 2 cm "
        "of its course for ten seconds: largest turn of all starts",
        None,
        turned,
        "degrees",
        turned < 3.0 and away < 0.02,
    )


@claim("what both hold tells each of the other at once", off="Apart(feeling=False)", cases=STARTS)
def very_late(trial: Trial) -> Row:
    """The same at 250, 200 and 300 ms, in turn."""
    delays = cycle((0.25, 0.2, 0.3))
    ways = [_carried(start, delay, feeling=trial.on) for start, delay in zip(_few(trial), delays, strict=False)]
    turned, away = max(way[0] for way in ways), max(way[1] for way in ways)
    return Row(
        "vaillant2017/delay-250",
        "The same at 200, 250 or 300 ms, since both feel what both hold; 180 degrees stand for a fall",
        None,
        min(turned, 180.0),
        "degrees",
        turned < 3.0 and away < 0.02,
    )


CHECKS: tuple[Check, ...] = (late, very_late)
