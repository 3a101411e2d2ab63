"""Feet that stand where they are and not where their clip has them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root.yielding_legs import YieldingLegs
from poise.locomotion.stepping import StepPlanner

__all__ = ["carrier", "stand_astray"]

Array = NDArray[np.float64]


def carrier(there: Array, yaw: float, place: Array) -> Array:
    """The motion of the plane (x, y, yaw) that turns by `yaw` and brings a `place` (2,) there (2,), shape (3,)."""
    c, s = np.cos(yaw), np.sin(yaw)
    wrapped = (yaw + np.pi) % (2.0 * np.pi) - np.pi
    return np.array([there[0] - (c * place[0] - s * place[1]), there[1] - (s * place[0] + c * place[1]), wrapped])


def stand_astray(yields: YieldingLegs, planner: StepPlanner, places: Array, times: tuple[float, float]) -> None:
    """Let feet that came down elsewhere, or were pushed away, stand where they are, turned as they were.

    Args:
        yields: What gave way.
        planner: Of the steps; what it remembers is written.
        places: Where the clip has the feet, seen from above [m], shape (2, 2).
        times: Now, and the clip's at the tick's end [s].
    """
    steps, (now, time) = planner.state, times
    stands = ~np.isfinite(planner.gait.lifts[planner.gait.row(time)]) & (steps.kind == 0)
    for foot in yields.astray(now, stands, stands & (steps.swing[2] > 0.0)):
        steps.placed[foot] = carrier(yields.stops_at(foot), float(steps.placed[foot, 2]), places[foot])
        steps.landing[foot] = steps.led[foot] = steps.placed[foot]
