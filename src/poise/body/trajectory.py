"""A clip as smooth curves through generalized coordinates, sampled by compiled kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body import _kernels
from poise.body.coordinates import generalized_from_clip
from poise.body.plan import BodyPlan
from poise.math.spline import PositionSpline, RotationSpline
from poise.motion.clip import Clip

__all__ = ["Moment", "Trajectory", "mean_velocities", "note_motion"]

Array = NDArray[np.float64]


class Moment(NamedTuple):
    """Generalized positions (nq,), velocities (nv,) and accelerations (nv,) of one instant."""

    positions: Array
    velocities: Array
    accelerations: Array


class Trajectory:
    """Curves with continuous acceleration through every frame of a clip; they rest at its ends.

    Args:
        plan: The character.
        clip: Its motion, on the plan's skeleton.
    """

    def __init__(self, plan: BodyPlan, clip: Clip) -> None:
        keys = generalized_from_clip(plan, clip)
        turns = RotationSpline(clip.times, keys[:, 3:].reshape(len(clip), len(plan), 4))
        places = PositionSpline(clip.times, keys[:, :3])
        self._places = np.ascontiguousarray(places.coefficients)
        self._turns = np.ascontiguousarray(turns.coefficients)
        self._knots, self._turn_knots = np.ascontiguousarray(places.knots), np.ascontiguousarray(turns.knots)
        self.duration = clip.duration
        self.keys = keys
        count, freedoms = plan.position_count, plan.velocity_count
        self._moment = Moment(np.zeros(count), np.zeros(freedoms), np.zeros(freedoms))

    def rows(self, times: Array, out: Array) -> None:
        """Write generalized positions at `times` (n,) [s] into `out` (n, nq)."""
        _kernels.sample_rows(self._knots, self._turns, self._turn_knots, self._places, times, out)

    def moment(self, time: float) -> Moment:
        """Positions, velocities and accelerations at `time` [s]; the arrays are overwritten by the next call."""
        held = min(max(time, 0.0), self.duration)
        moment = self._moment
        _kernels.sample_motion(self._knots, self._turns, self._turn_knots, self._places, held, *moment)
        if held != time:
            moment.velocities[:] = 0.0
            moment.accelerations[:] = 0.0
        return moment


def mean_velocities(before: Array, after: Array, duration: float, out: Array) -> None:
    """Write into `out` (nv,) the velocities that lead from positions `before` to `after` (nq,) in `duration` [s]."""
    _kernels.mean_velocities(before, after, duration, out)


def note_motion(rows: Array, before: Array, duration: float, last: Array, velocities: Array, rates: Array) -> None:
    """Go on by one stretch of a motion: mean velocities over it, and how they differ from those of the stretch before.

    Args:
        rows: Generalized positions over the stretch, shape (n, nq).
        before: Those at its beginning, shape (nq,).
        duration: Of the stretch, and of the one before [s].
        last: Mean velocities over that one, shape (nv,); written.
        velocities: Over this one, those of the one before at first, shape (nv,); written.
        rates: Their change per time, shape (nv,); written.
    """
    _kernels.note_motion(rows, before, duration, last, velocities, rates)
