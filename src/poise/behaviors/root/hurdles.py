"""Low things in the way of feet: where a foot comes down instead of on one, and how high it goes over it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.behaviors.root.legs import Legs
from poise.locomotion.soles import FEET, find_sole
from poise.locomotion.stepping import Over, StepPlanner
from poise.locomotion.stepping.plane import carried_places
from poise.math import quat
from poise.math.easing import eased, minimum_jerk
from poise.world.view import WorldView

__all__ = ["HurdleState", "Hurdles"]

Array = NDArray[np.float64]

_MOMENTS = np.linspace(0.0, 1.0, 13)
"""Shares of a swing at which its way is looked at."""
_RISES = 0.25
"""A foot takes this share of a swing at least to get up."""
_SHIFTS = np.linspace(-1.0, 1.0, 17)
"""Shares of the longest change of a step that are tried."""
_SOON = 0.2
"""A foot that left the ground by so much before the other one came down is the next one [s]."""
_HIT = 1e3
"""What it costs to come down on something."""
_STAYS = 0.1
"""How much less it costs to stay with what was chosen, else feet waver between two ways that are as good."""
_SLIM = 0.05
"""How much farther than where a way is looked at a foot may be between, for a stature of 1.75 m [m]."""
_FASTEST = 4.0
"""A foot rises and sinks no faster over its own way than feet swing [m/s]."""


@dataclass
class HurdleState:
    """What is remembered of what feet go over.

    Args:
        known: Whether each obstacle is known to be there, shape (P,).
        shift: By how much farther each foot comes down than it would, shape (2,) [m].
        lift: How high each is over its own way, shape (2,) [m].
        found: From which share of its swing on each has had to rise, shape (2,).
        sent: Whether feet are elsewhere than the clip has them because of it.
    """

    known: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    shift: Array = field(default_factory=lambda: np.zeros(2))
    lift: Array = field(default_factory=lambda: np.zeros(2))
    found: Array = field(default_factory=lambda: np.zeros(2))
    sent: bool = False


class _Swing(NamedTuple):
    """A foot in the air.

    Args:
        start: Where the middle of its sole would be at `_MOMENTS` if it went on as it stood [m], shape (m, 2).
        end: And if it went all the time as it lands, shape (m, 2).
        heights: How high it is [m], shape (m,).
        ahead: Which way it goes, shape (2,).
    """

    start: Array
    end: Array
    heights: Array
    ahead: Array

    def way(self, shift: float) -> Array:
        """Middles of the sole for one that lands farther [m], shape (m, 2)."""
        share = np.asarray(minimum_jerk(_MOMENTS))[:, None]
        return np.asarray(self.start + share * (self.end + shift * self.ahead - self.start))


class Hurdles:
    """Finds ways over low things for the feet of one character.

    Args:
        view: The world.
        reference: Whose feet.
        legs: Its legs.
        spots: Where the clip's feet are in each of its frames [m], shape (T, 2, 3).
        planner: Plans the feet.
        floor: Height of the ground that the clip was made on [m].
    """

    def __init__(
        self, view: WorldView, reference: Reference, legs: Legs, spots: Array, planner: StepPlanner, floor: float
    ) -> None:
        plan, self._view, self._obstacles = reference.plan, view, view.obstacles()
        self._spots, self._planner, self._floor = spots, planner, floor
        self._ends = (len(spots) - 1) / planner.gait.rate
        soles = [find_sole(plan, role) for role in FEET]
        self._half = np.mean([sole.half for sole in soles], axis=0)
        neutral = plan.neutral[legs.feet]
        middles = np.array([quat.rotate(turn, sole.middle) for turn, sole in zip(neutral, soles, strict=True)])
        self._before, self._ankles = float(middles[:, 0].mean()), -middles[:, 2]
        self._bones = float(legs.bones.mean())
        options, size = planner.options, plan.size
        self._most = options.over * self._bones if options.steps else 0.0
        self._clears, self._longer = options.clears * size, options.longer * size
        self._margins, self._slim, self._tick = (
            (options.before * size, options.beyond * size),
            _SLIM * size,
            reference.tick,
        )
        self.state = HurdleState(np.zeros(len(self._obstacles.names), dtype=bool))

    def note(self, known: NDArray[np.bool_] | None) -> None:
        """Take note of which obstacles are known to be there, shape (P,); None for none."""
        self.state.known[:] = False if known is None else known

    @property
    def busy(self) -> bool:
        """Whether feet are, or were sent, elsewhere than the clip has them for something."""
        return self.state.sent

    def ahead(self, time: float, root: Array) -> bool:
        """Whether a foot whose motion is followed meets anything in this swing; see `over`."""
        if not self.state.known.any():
            return False
        over = self.over(time, root, np.zeros(3))
        return bool(np.count_nonzero(over.lifts) or np.count_nonzero(over.shifts))

    def over(self, time: float, root: Array, capture: Array) -> Over:
        """How feet go over what is known to be low.

        Args:
            time: Of the clip at the tick's end [s].
            root: Where the clip's root is then, level [m], shape (2,).
            capture: Displacement of the capture point there, and turn, shape (3,).
        """
        state, planner = self.state, self._planner
        known = self._most > 0.0 and bool(state.known.any())
        if not (known or state.sent):
            return Over.nothing()
        self._obstacles.refresh()
        found, row = Over.nothing(apart=True), planner.gait.row(time)
        for foot in range(2):
            self._send(foot, known, (time, row), (root, capture), found)
        state.sent = bool(np.count_nonzero(found.lifts) or np.count_nonzero(found.shifts)) or (
            state.sent and not planner.state.is_home
        )
        return found if state.sent else Over.nothing()

    def _send(self, foot: int, known: bool, when: tuple[float, int], body: tuple[Array, Array], found: Over) -> None:
        """Say how one foot goes over what is known, at a time of the clip [s] and its frame; see `over`."""
        state, planner, (time, row), (root, capture) = self.state, self._planner, when, body
        gait, before = planner.gait, float(state.lift[foot])
        lifts, lands = float(gait.lifts[row, foot]), min(float(gait.lands[row, foot]), self._ends)
        swing = self._swing(foot, (lifts, lands), root, capture) if known else None
        share, wanted = (time - lifts) / max(lands - lifts, 1e-6), 0.0
        if swing is None:
            state.shift[foot], state.found[foot] = 0.0, 0.0 if np.isnan(share) else share
        else:
            if planner.state.swing[2, foot] == 0.0:
                state.found[foot] = share
            if share < planner.options.settled:
                state.shift[foot] = self._chosen(foot, swing, (lands, root, capture), row)
            wanted = self._height(swing, share, foot)
            # Of a level sole: toes that point down hang lower.
            state.lift[foot] = max(wanted - float(np.interp(share, _MOMENTS, swing.heights)), 0.0)
            found.shifts[foot] = state.shift[foot] * swing.ahead
        if np.isnan(share):
            state.lift[foot] = 0.0
            return
        least, most = before - _FASTEST * self._tick, before + _FASTEST * self._tick
        state.lift[foot] = min(max(state.lift[foot] if swing is not None else 0.0, least), most)
        found.lifts[foot] = state.lift[foot]
        found.level[foot] = min(max(wanted, state.lift[foot]) / self._clears, 1.0)

    def _swing(self, foot: int, when: tuple[float, float], root: Array, capture: Array) -> _Swing | None:
        """The way of a foot from where it stood to where it would land; None for one that goes nowhere."""
        gait, planner = self._planner.gait, self._planner
        if not np.isfinite(when[0] + when[1]):
            return None
        times = when[0] + _MOMENTS * (when[1] - when[0])
        rows = np.minimum((times * gait.rate + 1e-9).astype(int), len(self._spots) - 1)
        spots = self._spots[rows, foot]
        away = planner.homed(capture)
        start = carried_places(planner.state.placed[foot], spots[:, :2])
        end = root + away[:2] + carried_places(np.append(np.zeros(2), away[2]), spots[:, :2] - root)
        if np.hypot(*(end[-1] - start[0])) < 2.0 * self._slim:
            return None
        ahead = _direction(end[-1] - start[0])
        middle = self._before * ahead
        heights = spots[:, 2] - self._ground(spots[:, :2]) - self._ankles[foot]
        return _Swing(start + middle, end + middle, heights, ahead)

    def _ground(self, places: Array) -> Array:
        """Height of the ground under places (m, 2) [m], shape (m,)."""
        if not self._view.terrain:
            return np.full(len(places), self._floor)
        heights = self._view.ground.height(places)
        return np.where(np.isnan(heights), self._floor, heights)

    def _chosen(self, foot: int, swing: _Swing, later: tuple[float, Array, Array], row: int) -> float:
        """By how much farther a foot had better come down [m], with a view to where the other one comes down after it."""
        own, free = self._costs(swing)
        lands, root, capture = later
        following = self._swing(1 - foot, self._next_swing(1 - foot, lands), root, capture)
        others, all_free = (np.zeros(1), True) if following is None else self._costs(following)
        if free and all_free:
            return 0.0
        shifts = self._longer * _SHIFTS
        other = carried_places(self._planner.state.placed[1 - foot], self._spots[row, 1 - foot, :2])
        stands = other @ swing.ahead + self._before
        lies = swing.end[-1] @ swing.ahead + shifts
        costs = (
            own + self._too_far(lies - stands) - np.where(np.abs(shifts - self.state.shift[foot]) < 1e-9, _STAYS, 0.0)
        )
        if following is not None:
            then = following.end[-1] @ swing.ahead + shifts
            costs = costs + (others + self._too_far(then - lies[:, None])).min(axis=1)
        best = int(np.argmin(costs))
        return 0.0 if own[best] >= _HIT else float(shifts[best])

    def _too_far(self, spans: Array) -> Array:
        """What it costs to have feet so far one before the other [m]."""
        longest = self._planner.options.strides * self._bones
        return np.square(np.maximum(spans - longest, 0.0) / self._margins[0])

    def _next_swing(self, foot: int, after: float) -> tuple[float, float]:
        """When a foot leaves the ground and lands for the first time after a time [s]; NaN where the clip ends before."""
        gait = self._planner.gait
        lifts = gait.lifts[gait.row(after) :, foot]
        first = np.flatnonzero(lifts >= after - _SOON)
        if not len(first):
            return np.nan, np.nan
        row = gait.row(after) + int(first[0])
        return float(gait.lifts[row, foot]), min(float(gait.lands[row, foot]), self._ends)

    def _tops(self, middles: Array) -> tuple[Array, Array, Array]:
        """How high what lies under places (m, 2) is, and where its nearest edge is from them: (m, P), (m, P, 2), which (P,)."""
        ground = self._ground(middles)
        places = np.column_stack([middles, ground + self._most + self._slim])
        reach = np.full(len(places), self._most + 2.0 * self._half[0] + self._margins[0])
        near = self._obstacles.nearest(places, reach)
        known = self.state.known & np.isfinite(near.distance).any(axis=0)
        tops = np.where(np.isfinite(near.distance), near.point[..., 2] - ground[:, None], -np.inf)[:, known]
        edges = near.point[:, known, :2] - middles[:, None]
        low = tops.max(axis=0, initial=-np.inf) <= self._most
        return tops[:, low], edges[:, low], low

    def _meets(self, tops: Array, edges: Array, ahead: Array, spare: tuple[Array | float, Array | float]) -> Array:
        """By how much soles that go `ahead` overlap what lies there, with some to spare before and behind [m], (m, P)."""
        along, across = edges @ ahead, np.abs(edges @ np.array([-ahead[1], ahead[0]]))
        length, width = self._half
        inside = np.where(along >= 0.0, length + spare[0] - along, length + spare[1] + along)
        return np.where((across < width + self._slim) & np.isfinite(tops), inside, -np.inf)

    def _costs(self, swing: _Swing) -> tuple[Array, bool]:
        """What it costs a foot to come down farther by `_SHIFTS`, and whether it need not."""
        (before, beyond), slim = self._margins, self._slim
        places = swing.end[-1] + self._longer * _SHIFTS[:, None] * swing.ahead
        tops, edges, low = self._tops(places)
        costs = _SHIFTS**2
        if not low.any():
            return costs, True
        hits = self._meets(tops, edges, swing.ahead, (slim, slim)).max(axis=1) > 0.0
        # A shank that lands leans back, the more the higher what it went over is.
        behind = beyond + self._planner.options.leans * np.maximum(tops, 0.0)
        lacks = [self._meets(tops, edges, swing.ahead, spare) for spare in ((before, 0.0), (0.0, behind))]
        short = [np.maximum(each.max(axis=1), 0.0) for each in lacks]
        costs = costs + np.square(short[0] / before) + np.square(short[1] / beyond) + np.where(hits, _HIT, 0.0)
        return costs, float(short[0][len(costs) // 2] + short[1][len(costs) // 2]) == 0.0

    def _height(self, swing: _Swing, share: float, foot: int) -> float:
        """How high a sole has to be at a share of its swing, to pass over what lies on its way [m]."""
        tops, edges, _ = self._tops(swing.way(float(self.state.shift[foot])))
        over = (self._meets(tops, edges, swing.ahead, (self._slim, self._slim)) > 0.0) & np.isfinite(tops)
        rows = np.flatnonzero(over.any(axis=1))
        if not len(rows):
            self.state.found[foot] = share
            return 0.0
        high = float(tops[over].max()) + self._clears
        since, down = self.state.found[foot], min(_MOMENTS[rows[-1]], _MOMENTS[-3])
        up = max(_MOMENTS[rows[0]] - since, _RISES)
        return high * min(eased((share - since) / up), eased((1.0 - share) / (1.0 - down)))


def _direction(way: Array) -> Array:
    return np.asarray(way / max(float(np.hypot(*way)), 1e-9))
