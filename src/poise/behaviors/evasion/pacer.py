"""Slowing down and standing still before what cannot be moved: the pace of the clip's time."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import hypot, inf, isfinite, nan

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING
from poise.anticipation.pacing import Pace, rest_before, rests_of
from poise.behaviors.evasion.eyes import Eyes
from poise.behaviors.perception.options import AnticipationOptions, Expectation
from poise.behaviors.reference import Reference
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.signals import Surroundings

__all__ = ["Pacer", "PacerState"]

Array = NDArray[np.float64]

_STEP = 0.04
"""How finely the way ahead is looked at [s]."""


@dataclass
class PacerState:
    """What a pacer remembers.

    Args:
        pace: How fast the clip's time runs.
        known: Whether each obstacle is known to be there, shape (P,).
        felt: Push against the way over a while [N].
        free: How long the way has been free [s].
        at: What the walk stops before; `NOTHING` also where a push alone holds it.
    """

    pace: Pace
    known: NDArray[np.bool_]
    felt: float
    free: float
    at: int


class Pacer:
    """Sets the pace of one character's clip.

    Args:
        reference: Whose.
        surroundings: What stands around.
        options: How it anticipates.
        tick: Length of a tick [s].
        masses: Of the obstacles, as they seem [kg], shape (P,).
        gravity: [m/s²].
    """

    def __init__(
        self,
        reference: Reference,
        surroundings: Surroundings,
        options: AnticipationOptions,
        tick: float,
        masses: Array,
        gravity: float,
    ) -> None:
        plan, rate = reference.plan, reference.clip.rate
        self._reference, self._surroundings, self._options, self._tick = reference, surroundings, options, tick
        size = plan.size
        self._pacing = options.evasion.pacing
        self._distance, self._half = options.evasion.distance * size, self._pacing.half * size
        self._held_from = options.evasion.held * plan.total_mass * gravity
        seen = [options.expectations.get(name, Expectation()).seen for name in surroundings.names]
        self._firm = (masses > options.heaviest) & np.array(seen, dtype=bool)
        self._any = bool(self._firm.any())
        every = max(1, round(_STEP * rate))
        keys = reference.trajectory.keys[::every]
        self._times = np.arange(len(keys)) * every / rate
        trunk = [0, max(plan.with_role("spine"), default=0)]
        self._way = body_frames(plan, keys).positions[:, trunk]
        self._moments, self._level = self._times.tolist(), self._way[:, 0, :2].tolist()
        self._along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(self._way[:, 0, :2], axis=0), axis=1)))
        self._rests = np.zeros((0, 2))
        if len(plan.with_role("left_foot", "right_foot")) == 2:
            self._rests = rests_of(sole_points(plan, body_frames(plan, reference.trajectory.keys)), rate, self._pacing)
        self._eyes = Eyes(plan, surroundings, options.sight)
        self.state = PacerState(Pace(self._pacing), np.zeros(len(masses), dtype=bool), 0.0, np.inf, NOTHING)

    def act(self, begin: float, row: Array, push: Array) -> tuple[float | None, list[tuple[str, int]]]:
        """Say at what pace the clip's time shall run from the end of this tick on.

        Args:
            begin: Time at the beginning of the tick [s].
            row: The kinematic skeleton at its end, shape (nq,).
            push: Level force of what the hands push on the body in the last tick [N], shape (3,).

        Returns:
            The pace, None to leave it; and what is worth telling: kind and obstacle.
        """
        self._row = row
        clock, pace = self._reference.clock, self.state.pace
        pushed = push[0] != 0.0 or push[1] != 0.0
        idle = not self._any and self.state.felt == 0.0 and pace.value == 1.0 and not pushed
        if idle or not self._options.evasion.stops:
            return None, []
        now = begin + self._tick - clock.lag
        at, stop = self._blocked(now)
        held = self._held(now, push)
        if isfinite(held) and not stop <= held:
            at, stop = NOTHING, held
        happened: list[tuple[str, int]] = []
        blocked = isfinite(stop)
        self.state.free = 0.0 if blocked else self.state.free + self._tick
        if blocked and (not pace.stops or stop < pace.stop - 0.5 * _STEP):
            if pace.must_brake(now, stop):
                happened = [] if pace.stops else [("slow", at)]
                self.state.at = at
                pace.brake(now, max(stop, min(pace.soonest(now), pace.stop if pace.stops else inf)))
        elif pace.stops and (self.state.free > self._pacing.waits or stop > pace.stop + 0.5):
            happened = [("go on", self.state.at)]
            self.state.at = NOTHING
            pace.set_off()
        return pace.advance(self._tick), happened

    def _blocked(self, now: float) -> tuple[int, float]:
        """What is in the way, and when the clip has to be at rest before it [s]; no number where the way is free."""
        if not self._any:
            return NOTHING, nan
        first, last = np.searchsorted(self._times, (now, now + self._pacing.ahead))
        if last <= first:
            return NOTHING, nan
        spots = self._way[first:last].reshape(-1, 3)
        near = self._surroundings.nearest(spots, np.full(len(spots), self._half))
        moves = np.isfinite(near.distance) & (np.linalg.norm(near.velocity, axis=2) > self._options.evasion.still)
        distance = np.where(moves, np.inf, near.distance).reshape(last - first, 2, -1).min(axis=1)
        rows, whom = np.nonzero(np.isfinite(distance) & self._firm & (distance < distance[0] - self._pacing.nearer))
        for row, which in zip(rows, whom, strict=True):
            spot = 2 * row + int(near.distance[2 * row : 2 * row + 2, which].argmin())
            if self._sees(int(which), near.point[spot, which]):
                return int(which), self._stop_before(now, first + int(row))
        return NOTHING, nan

    def _stop_before(self, now: float, row: int) -> float:
        """Latest moment on both feet at arm's length before the way is blocked, else the latest at all, else now."""
        reached = self._along[row] - (self._distance - self._half)
        last = float(np.interp(reached, self._along, self._times))
        rest = rest_before(self._rests, self.state.pace.soonest(now), max(last, now))
        if self.state.pace.stops and not isfinite(rest):
            return self.state.pace.stop
        return rest if isfinite(rest) else max(last, self.state.pace.soonest(now))

    def _sees(self, which: int, point: Array) -> bool:
        """Whether it is known to be there: seen now, or before."""
        if not self.state.known[which]:
            self.state.known[which] = self._eyes.see(self._row, which, point)
        return bool(self.state.known[which])

    def _held(self, now: float, push: Array) -> float:
        """When the clip has to be at rest since a push against its way holds it [s]; no number where none does."""
        push_x, push_y, _ = push.tolist()
        if self.state.felt < 1.0 and push_x == push_y == 0.0:
            self.state.felt = 0.0
            return nan
        row, last = bisect_left(self._moments, now), len(self._level) - 1
        (x, y), (from_x, from_y) = self._level[min(row + 3, last)], self._level[min(max(row - 3, 0), last)]
        x, y = x - from_x, y - from_y
        length = hypot(x, y)
        against = -(x * push_x + y * push_y) / length if length > 0.01 else hypot(push_x, push_y)
        self.state.felt += min(self._tick / self._pacing.felt, 1.0) * (against - self.state.felt)
        if self.state.felt < (self._pacing.lets_go if self.state.pace.stops else 1.0) * self._held_from:
            return nan
        if self.state.pace.stops:
            return self.state.pace.stop
        soonest = self.state.pace.soonest(now)
        rest = rest_before(self._rests, soonest, soonest + self._pacing.steps_on)
        return rest if isfinite(rest) else soonest
