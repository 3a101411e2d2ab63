"""Slowing down and standing still before what cannot be moved: the pace of the clip's time."""

from __future__ import annotations

import copy
from bisect import bisect_left
from math import hypot, inf, isfinite, nan
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import NOTHING, in_view
from poise.anticipation.pacing import Pace, rest_before, rests_of
from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.math import quat
from poise.runtime.actor import Actor
from poise.runtime.anticipation.options import AnticipationOptions, Expectation
from poise.signals import Surroundings

__all__ = ["Pacer"]

Array = NDArray[np.float64]

_STEP = 0.04
"""How finely the way ahead is looked at [s]."""
_AHEAD = 2.0
"""How far ahead it is [s]."""
_HALF = 0.25
"""Half of what a trunk takes of the way, for a stature of 1.75 m [m]."""
_NEARER = 0.02
"""What the way does not come nearer to by so much is passed [m]."""
_STILL = 0.3
"""What moves faster than this may be gone in time [m/s]."""
_STEPS_ON = 0.35
"""A walk that is held goes on for so long to stand on both feet [s]."""
_FILTER = 0.2
"""Time constant of the push that is felt [s]."""
_LETS_GO = 0.6
"""A walk that stands is held by this share of the push that stops it."""
_WAITS = 0.4
"""How long the way has to be free before the walk goes on [s]."""


class Pacer:
    """Sets the pace of one character's clip.

    Args:
        actor: Whose.
        surroundings: What stands around.
        options: How it anticipates.
        tick: Length of a tick [s].
        masses: Of the obstacles, as they seem [kg], shape (P,).
        gravity: [m/s²].
    """

    def __init__(
        self,
        actor: Actor,
        surroundings: Surroundings,
        options: AnticipationOptions,
        tick: float,
        masses: Array,
        gravity: float,
    ) -> None:
        who, plan = actor.character, actor.character.plan
        self._actor, self._surroundings, self._options, self._tick = actor, surroundings, options, tick
        size = plan.stature / 1.75
        self._distance, self._half = options.evasion.distance * size, _HALF * size
        self._held_from = options.evasion.held * plan.total_mass * gravity
        seen = [options.expectations.get(name, Expectation()).seen for name in surroundings.names]
        self._firm = (masses > options.heaviest) & np.array(seen, dtype=bool)
        self._any = bool(self._firm.any())
        every = max(1, round(_STEP * who.clip.rate))
        keys = actor.trajectory.keys[::every]
        self._times = np.arange(len(keys)) * every / who.clip.rate
        trunk = [0, max(plan.with_role("spine"), default=0)]
        self._way = body_frames(plan, keys).positions[:, trunk]
        self._moments, self._level = self._times.tolist(), self._way[:, 0, :2].tolist()
        self._along = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(self._way[:, 0, :2], axis=0), axis=1)))
        self._rests = np.zeros((0, 2))
        if len(plan.with_role("left_foot", "right_foot")) == 2:
            self._rests = rests_of(sole_points(plan, body_frames(plan, actor.trajectory.keys)), who.clip.rate)
        self._head = (plan.with_role("head") or (0,))[0]
        self._pace = Pace()
        self._known = np.zeros(len(masses), dtype=bool)
        self._felt, self._free = 0.0, np.inf
        self.at = NOTHING
        """What the walk stops before; `NOTHING` also where a push alone holds it."""

    def act(self, begin: float, push: Array) -> list[tuple[str, int]]:
        """Set the pace at which the clip's time runs from the end of this tick on.

        Args:
            begin: Time at the beginning of the tick [s].
            push: Level force of what the hands push on the body in the last tick [N], shape (3,).

        Returns:
            What is worth telling: kind and obstacle.
        """
        clock, pace = self._actor.clock, self._pace
        pushed = push[0] != 0.0 or push[1] != 0.0
        idle = not self._any and self._felt == 0.0 and pace.value == 1.0 and not pushed
        if idle or not self._options.evasion.stops:
            return []
        now = begin + self._tick - clock.lag
        at, stop = self._blocked(now)
        held = self._held(now, push)
        if isfinite(held) and not stop <= held:
            at, stop = NOTHING, held
        told: list[tuple[str, int]] = []
        blocked = isfinite(stop)
        self._free = 0.0 if blocked else self._free + self._tick
        if blocked and (not pace.stops or stop < pace.stop - 0.5 * _STEP):
            if pace.must_brake(now, stop):
                told = [] if pace.stops else [("slow", at)]
                self.at = at
                pace.brake(now, max(stop, min(pace.soonest(now), pace.stop if pace.stops else inf)))
        elif pace.stops and (self._free > _WAITS or stop > pace.stop + 0.5):
            told = [("go on", self.at)]
            self.at = NOTHING
            pace.set_off()
        clock.pace = pace.advance(self._tick)
        return told

    def _blocked(self, now: float) -> tuple[int, float]:
        """What is in the way, and when the clip has to be at rest before it [s]; no number where the way is free."""
        if not self._any:
            return NOTHING, nan
        first, last = np.searchsorted(self._times, (now, now + _AHEAD))
        if last <= first:
            return NOTHING, nan
        spots = self._way[first:last].reshape(-1, 3)
        near = self._surroundings.nearest(spots, np.full(len(spots), self._half))
        moves = np.isfinite(near.distance) & (np.linalg.norm(near.velocity, axis=2) > _STILL)
        distance = np.where(moves, np.inf, near.distance).reshape(last - first, 2, -1).min(axis=1)
        rows, whom = np.nonzero(np.isfinite(distance) & self._firm & (distance < distance[0] - _NEARER))
        for row, which in zip(rows, whom, strict=True):
            spot = 2 * row + int(near.distance[2 * row : 2 * row + 2, which].argmin())
            if self._sees(int(which), near.point[spot, which]):
                return int(which), self._stop_before(now, first + int(row))
        return NOTHING, nan

    def _stop_before(self, now: float, row: int) -> float:
        """Latest moment on both feet at arm's length before the way is blocked, else the latest at all, else now."""
        reached = self._along[row] - (self._distance - self._half)
        last = float(np.interp(reached, self._along, self._times))
        rest = rest_before(self._rests, self._pace.soonest(now), max(last, now))
        if self._pace.stops and not isfinite(rest):
            return self._pace.stop
        return rest if isfinite(rest) else max(last, self._pace.soonest(now))

    def _sees(self, which: int, point: Array) -> bool:
        """Whether it is known to be there: seen now, or before."""
        if not self._known[which]:
            plan, sight = self._actor.character.plan, self._options.sight
            frames = body_frames(plan, self._actor.rows[-1])
            turn = quat.mul(frames.rotations[0, self._head], quat.conj(plan.neutral[self._head]))
            eye = frames.positions[0, self._head]
            shown = in_view(sight, eye, quat.rotate(turn, np.eye(3)), point[None])
            hidden = self._surroundings.hidden(eye, point[None], np.array([which]))
            self._known[which] = bool(shown[0] and not hidden[0])
        return bool(self._known[which])

    def _held(self, now: float, push: Array) -> float:
        """When the clip has to be at rest since a push against its way holds it [s]; no number where none does."""
        push_x, push_y, _ = push.tolist()
        if self._felt < 1.0 and push_x == push_y == 0.0:
            self._felt = 0.0
            return nan
        row, last = bisect_left(self._moments, now), len(self._level) - 1
        (x, y), (from_x, from_y) = self._level[min(row + 3, last)], self._level[min(max(row - 3, 0), last)]
        x, y = x - from_x, y - from_y
        length = hypot(x, y)
        against = -(x * push_x + y * push_y) / length if length > 0.01 else hypot(push_x, push_y)
        self._felt += min(self._tick / _FILTER, 1.0) * (against - self._felt)
        if self._felt < (_LETS_GO if self._pace.stops else 1.0) * self._held_from:
            return nan
        if self._pace.stops:
            return self._pace.stop
        soonest = self._pace.soonest(now)
        rest = rest_before(self._rests, soonest, soonest + _STEPS_ON)
        return rest if isfinite(rest) else soonest

    def save(self) -> Any:
        """See `Stage.save`."""
        return copy.deepcopy((self._pace, self._known, self._felt, self._free, self.at))

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        self._pace, self._known, self._felt, self._free, self.at = copy.deepcopy(saved)
