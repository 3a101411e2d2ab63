"""Beat gestures that accompany speech: preparation, stroke, hold and retraction, each stroke ending at a given time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.errors import InputError, unknown_name
from poise.gesture.arms import OUTWARD, SIDES, Arms, HandGoals, hand_turn
from poise.math.easing import minimum_jerk

__all__ = ["BeatGestures"]

Array = NDArray[np.float64]

_READY = np.array([0.52, -0.02, -0.12])
"""Where a hand is before the stroke, from its shoulder: forward, outward, up [arm lengths]."""
_STROKE = np.array([0.1, 0.06, -0.26])
"""Of size 1: forward, outward, down [arm lengths]."""


@dataclass(frozen=True, kw_only=True)
class BeatGestures:
    """A hand beats at stressed words.

    Where strokes follow one another closely the hand goes from hold to the next preparation without retraction.

    Args:
        ends: When each stroke ends [s].
        hands: Which hands: "left", "right".
    """

    ends: Sequence[float]
    preparation: float = parameters.number(0.5, 0.05, 10.0, "s", says="how long the hand takes to come up at most")
    stroke: float = parameters.number(0.22, 0.05, 5.0, "s", says="how long a stroke takes")
    hold: float = parameters.number(0.3, 0.0, 60.0, "s", says="how long the hand stays after it at most")
    retraction: float = parameters.number(0.8, 0.05, 10.0, "s", says="how long it takes to sink again")
    size: float = parameters.number(1.0, 0.0, 2.0, says="of strokes; 1 is about a quarter of the arm's length")
    hands: Sequence[str] = ("right",)

    def __post_init__(self) -> None:
        for hand in self.hands:
            if hand not in SIDES:
                raise unknown_name("hand", hand, SIDES)
        parameters.check(self, "beat_gestures")
        gaps = np.diff(self.ends)
        if len(self.ends) == 0 or not np.isfinite(self.ends).all() or np.any(gaps < self.stroke + 0.1):
            raise InputError("strokes need finite times that increase by at least the length of a stroke and 0.1 s")

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """What the hands shall do at `times` (T,) [s]."""
        from scipy.interpolate import BPoly  # Slow to import (docs/architecture.md, decision 12).

        knots, down, up = self._phases()
        share = BPoly.from_derivatives(knots, [[value, 0.0, 0.0] for value in down])
        low = np.asarray(share(np.clip(times, knots[0], knots[-1])))
        weight = np.zeros_like(low)
        for begin, full, sink, gone in up:
            weight = weight + minimum_jerk(times, begin, full) - minimum_jerk(times, sink, gone)
        positions, rotations = np.empty((len(times), 2, 3)), np.empty((len(times), 2, 4))
        weights = np.zeros((len(times), 2))
        for side, name in enumerate(SIDES):
            away = np.array([1.0, OUTWARD[side], 1.0])
            hand = (_READY + self.size * low[:, None] * _STROKE) * away
            positions[:, side] = arms.shoulders[side] + arms.lengths[side] * hand
            pitch, palm = np.radians(105.0) - 0.35 * self.size * low, np.radians(35.0) - 0.9 * low
            rotations[:, side] = hand_turn(pitch, palm, side)
            weights[:, side] = weight if name in self.hands else 0.0
        return HandGoals(arms.within_reach(positions), rotations, weights, 0.05 * self.size * low * weight)

    def _phases(self) -> tuple[Array, Array, list[tuple[float, float, float, float]]]:
        """Knots [s], how far the stroke is at each (0 up, 1 down), and when the arm is taken and given back [s]."""
        knots: list[float] = []
        down: list[float] = []
        taken: list[tuple[float, float, float, float]] = []
        for end in self.ends:
            top = end - self.stroke
            before = knots[-1] if knots else -np.inf
            begin = max(top - self.preparation, before)
            if taken and begin - before < self.hold + self.retraction:
                begin = max(begin, min(before + self.hold, top - 0.1))
                taken[-1] = (*taken[-1][:2], end + self.hold, end + self.hold + self.retraction)
                knots += [begin] if begin > before else []
                down += [1.0] if begin > before else []
            else:
                taken.append((begin, top, end + self.hold, end + self.hold + self.retraction))
                if knots:
                    knots.append(begin)
                    down.append(1.0)
            knots += [top, end]
            down += [0.0, 1.0]
        return np.array(knots), np.array(down), taken
