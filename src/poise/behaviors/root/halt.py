"""A clip that comes to rest on both feet because its root shall be physical, and sets off again after that."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.answers import Pacing
from poise.anticipation.pacing import Pace, rest_before, rests_of
from poise.body.capsules import sole_points
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.control.root import Standing
from poise.locomotion.gait import Gait

__all__ = ["Halt"]

Array = NDArray[np.float64]


class Halt:
    """Says at what pace one clip goes; what it remembers is the `Pace` that it is given.

    Args:
        plan: The body.
        frames: The body in each frame of the clip.
        gait: Of the clip.
        standing: How soon it stops, and whether it has to.
    """

    def __init__(self, plan: BodyPlan, frames: BodyFrames, gait: Gait, standing: Standing) -> None:
        self._pacing, self._gait, self._standing = Pacing(), gait, standing
        roots = frames.positions[:, 0, :2]
        speeds = np.linalg.norm(np.gradient(roots, 1.0 / gait.rate, axis=0), axis=1) if len(roots) > 1 else np.zeros(1)
        # The steepest of a `Pace` that comes to rest is 1.5 times its mean.
        self._takes = 1.5 * speeds / standing.slows
        self._rests = rests_of(sole_points(plan, frames), gait.rate, self._pacing)

    def advance(self, pace: Pace, now: float, tick: float, *, halts: bool) -> float:
        """The pace at the end of a tick.

        Args:
            pace: What is remembered of it.
            now: The clip's time at the end of the tick [s].
            tick: [s].
            halts: Whether it is to stop, where it does not stand anyway.
        """
        row = self._gait.row(now)
        if halts and not pace.stops and self._gait.next_lift[row] < now + self._standing.stays:
            soonest = max(pace.soonest(now), now + 0.5 * float(self._takes[row]) * pace.value**2)
            rest = rest_before(self._rests, soonest, soonest + self._pacing.steps_on)
            pace.brake(now, rest if np.isfinite(rest) else soonest)
        elif not halts and pace.stops:
            pace.set_off()
        return pace.advance(tick)
