"""Two who carry a plank, each with a program of their own, who see one another late."""

from __future__ import annotations

import numpy as np

from poise.qp import NoSolution
from poise.reproductions.check import Check, Trial, claim
from poise.reproductions.row import Row
from poise.scenes.together.plank import course, plank_apart

__all__ = ["CHECKS"]

_SECONDS = 10.0


def _carried(delay: float, predicting: bool = True, feeling: bool = True) -> tuple[float, float]:
    """How far the plank turns from level [degrees] and gets from its course [m] at most; inf where somebody falls."""
    pair = plank_apart(delay, predicting=predicting, feeling=feeling)
    body = pair.system.body("plank/plank")
    start = pair.system.positions[body].copy()
    turned, away = 0.0, 0.0
    for _ in range(round(_SECONDS / pair.controller.step)):
        try:
            pair.advance()
        except NoSolution:
            return np.inf, np.inf
        offset, _, _ = course(pair.controller.time)
        cosine = 0.5 * (np.trace(pair.system.rotations[body]) - 1.0)
        turned = max(turned, float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))))
        away = max(away, float(np.linalg.norm(pair.system.positions[body] - start - offset)))
    return turned, away


@claim("each tells by a program of their own where the other must be by now", off="Apart(predicting=False)", cases=2)
def late(trial: Trial) -> Row:
    """At 100 and at 150 ms."""
    ways = [_carried(delay, trial.on) for delay in ((0.15,) if trial.quick else (0.1, 0.15))]
    turned, away = max(way[0] for way in ways), max(way[1] for way in ways)
    return Row(
        "vaillant2017/delay",
        "Two who see one another 100 and 150 ms late, each with a program of their own, keep a plank level and within 2 cm "
        "of its course for ten seconds: largest turn",
        None,
        turned,
        "degrees",
        turned < 3.0 and away < 0.02,
    )


@claim("what both hold tells each of the other at once", off="Apart(feeling=False)", cases=3)
def very_late(trial: Trial) -> Row:
    """The same at 200, 250 and 300 ms."""
    delays = (0.2, 0.25, 0.3) if trial.on and not trial.quick else (0.25,)
    ways = [_carried(delay, feeling=trial.on) for delay in delays]
    turned, away = max(way[0] for way in ways), max(way[1] for way in ways)
    return Row(
        "vaillant2017/delay-250",
        "The same at 200, 250 and 300 ms, since both feel what both hold; 180 degrees stand for a fall",
        None,
        min(turned, 180.0),
        "degrees",
        turned < 3.0 and away < 0.02,
    )


CHECKS: tuple[Check, ...] = (late, very_late)
