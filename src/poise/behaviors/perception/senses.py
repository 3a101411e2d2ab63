"""What a character perceives at the beginning of a tick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import (
    NOTHING,
    Bounds,
    Memory,
    Threats,
    Watched,
    _kernels,
    _seeing,
    find_threats,
    in_view,
    spots_of,
)
from poise.behaviors.perception.options import AnticipationOptions, Expectation
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.signals import Nearest, Surroundings

__all__ = ["Percept", "Senses", "SensesState"]

Array = NDArray[np.float64]

_ROOTED = ("plant", "fence", "gate")
_HEAD = 2
"""How `raised` a region of the head is."""
_HELD = 4
"""Places where hands are held."""


class Percept(NamedTuple):
    """What is perceived. Of the R spots the last four are where hands are held, the others the S of the regions.

    Args:
        spots: Centres of the regions' spheres and where hands are held [m], shape (R, 3).
        velocities: Of them [m/s], shape (R, 3).
        nearest: Obstacles as they seem, from each spot.
        threats: What is about to be where it shall not; only of what is seen or remembered.
        minded: Whether each obstacle is seen or remembered, shape (P,).
        faces: Where the chest faces, level, shape (3,).
        urgent: Whether anything threatens.
        noticed: What is seen for the first time.
    """

    spots: Array
    velocities: Array
    nearest: Nearest
    threats: Threats
    minded: NDArray[np.bool_]
    faces: Array
    urgent: bool
    noticed: NDArray[np.int64]


@dataclass
class SensesState:
    """What senses remember.

    Args:
        velocities: Of all spots over a while [m/s], shape (R, 3).
        count: Ticks perceived.
        seen: When each obstacle was last seen [s], shape (P,).
        since: When each was first seen to threaten [s], shape (P,).
        begun: Since when each has counted without a break [s], shape (P,).
    """

    velocities: Array
    count: int
    seen: Array
    since: Array
    begun: Array


class Senses:
    """The perception of one character.

    It knows that balls fall: the velocity of one in flight is its mean one until it is nearest, so that it leads there in
    a straight line. What is fixed is seen by any part of it.

    Args:
        plan: Its body.
        surroundings: What stands around.
        options: What it minds and expects.
        shoulders: Bodies of the left and the right upper arm.
        lengths: Of either arm [m], shape (2,).
        gravity: [m/s²].
    """

    def __init__(
        self,
        plan: BodyPlan,
        surroundings: Surroundings,
        options: AnticipationOptions,
        shoulders: NDArray[np.int64],
        lengths: Array,
        gravity: float,
    ) -> None:
        self.surroundings, self.options, self._plan = surroundings, options, plan
        self._flight = gravity, options.sight.foresees, options.coming.flying
        self.regions = spots_of(plan, options.regions)
        named = [options.expectations.get(name, Expectation()) for name in surroundings.names]
        noise = np.random.default_rng(options.seed).standard_normal(len(named))
        real = surroundings.masses
        mass = np.array([m if e.mass is None else e.mass for m, e in zip(real, named, strict=True)])
        self.masses: Array = mass * np.exp(options.noise * noise)
        """As they seem [kg], shape (P,)."""
        self.flies = np.array([kind == "ball" for kind in surroundings.kinds], dtype=bool)
        self.fixed = np.isinf(real)
        self.rooted = np.array([kind in _ROOTED for kind in surroundings.kinds], dtype=bool)
        """Whether it stands on springs of its own: what it feels like tells nothing about its mass."""
        self._speeds = np.array([e.speed for e in named])
        self._seen = np.array([e.seen for e in named], dtype=bool)
        self.bounds: list[list[Bounds]] = [
            [
                options.bounds_for(options.regions[region], kind, name)
                for kind, name in zip(surroundings.kinds, surroundings.names, strict=True)
            ]
            for region in self.regions.regions
        ]
        self._leads = np.array([[b.slowest for b in row] for row in self.bounds]).reshape(len(self.bounds), len(named))
        priorities = np.array([options.regions[region].priority for region in self.regions.regions])
        self._taken = np.zeros(len(named), dtype=bool)
        self._balls = np.flatnonzero(self.flies)
        self._expects = bool(len(self._balls)) or bool((self._speeds != 1.0).any())
        self._head = (plan.with_role("head") or (0,))[0]
        self.chest = max(plan.with_role("spine"), default=0)
        """The body that faces where the character goes."""
        self._any_fixed = bool(self.fixed.any())
        count = len(named)
        self._which, self._points = np.zeros(count, dtype=np.int64), np.zeros((count, 3))
        self._shown, self._nothing = np.zeros(count, dtype=bool), np.zeros(0, dtype=bool)
        self._eye, self._axes, self.memory = np.zeros(3), np.zeros((3, 3)), Memory(count)
        self._limits = options.sight.limits
        eyes = (options.sight.eyes_before, 0.0, options.sight.eyes_above)
        self._eyes = np.array(eyes) * plan.size
        self._place_spots(shoulders, lengths)
        within, coming = self._within(), options.coming.numbers
        self._watched = Watched(
            self.regions.radii, priorities, self._leads, self.flies, self.fixed, within, self._taken, coming
        )
        self._threats = Threats.none(len(named))
        self.state = SensesState(np.zeros_like(self._spots), 0, self.memory.last, self.memory.since, self.memory.begun)

    def _within(self) -> Array:
        """How near to a spot a course has to lead for what can give way to be minded [m], shape (S, P).

        What is light is brushed past, as a blade of grass is, unless it would get to the head itself.
        """
        skins = np.array([[each.skin for each in row] for row in self.bounds]).reshape(self._leads.shape)
        grazes = np.where((self.raised == _HEAD)[:, None], skins, 0.0)
        light = self.masses <= self.options.coming.light
        return np.where(light, grazes, self.regions.radii[:, None])

    def _place_spots(self, shoulders: NDArray[np.int64], lengths: Array) -> None:
        """The regions' spots, and one before each shoulder, where hands are held."""
        regions, holding, count = self.regions, self.options.holding, len(self.regions.radii) + _HELD
        hands, arms = np.tile(shoulders, 2), np.tile(lengths, 2)
        ahead, below = np.zeros(count), np.zeros(count)
        ahead[-_HELD:], below[-_HELD:] = holding.before * arms, np.repeat([holding.below, -holding.above], 2) * arms
        self._at = (
            np.concatenate([regions.first, hands]),
            np.concatenate([regions.second, hands]),
            np.concatenate([regions.share, np.zeros(_HELD)]),
            ahead,
            below,
        )
        # What takes time to take in is looked for sooner.
        longest = self._leads.max(axis=1, initial=0.1) + self.options.sight.latency
        radii, leads = (
            np.concatenate([regions.radii, holding.around * arms]),
            np.append(longest, [longest.max()] * _HELD),
        )
        self._looks, self._spots, self._reaches = (radii, leads), np.zeros((count, 3)), np.zeros(count)
        row = np.zeros(self._plan.position_count)
        row[3::4] = 1.0
        row[3:7] = self._plan.neutral[0]
        heights = body_frames(self._plan, row).positions[0, :, 2]
        first, second = heights[regions.first], heights[regions.second]
        over = first + regions.share * (second - first) - heights[shoulders].mean()
        bounds = np.array([holding.low, holding.high]) * lengths.mean()
        self.raised: NDArray[np.int64] = np.searchsorted(bounds, over)
        """Whether a region is low (0), of the upper body (1) or of the head (2), shape (S,)."""

    def perceive(
        self, time: float, last: BodyFrames, now: BodyFrames, faces: Array, tick: float, busy: tuple[int, int]
    ) -> Percept:
        """Perceive: the arrays are overwritten by the next call.

        Args:
            time: Now [s].
            last: The body without its arms' gestures a tick ago.
            now: The same now.
            faces: Where the chest faces, level, shape (3,).
            tick: [s].
            busy: What either hand is about, `NOTHING` for nothing.
        """
        spots, velocities, threats = self._spots, self.state.velocities, self._threats
        # The mean of a while: the sway of a step is no course.
        share = min(tick / self.options.evasion.dodging.own, 1.0) if self.state.count > 1 else float(self.state.count)
        self.state.count += 1
        _kernels.place_spots(
            self._at,
            self._looks,
            (last.positions[0], now.positions[0]),
            faces,
            tick,
            share,
            (spots, velocities, self._reaches),
        )
        self.surroundings.refresh()
        nearest = self.surroundings.nearest(spots, self._reaches, self._looks[1])
        if self._expects:
            _kernels.expect(nearest, spots, velocities, self._speeds, self._balls, self._flight)
        latency = self.options.sight.latency
        self._taken[:] = self.flies
        self._taken[[which for which in busy if which != NOTHING]] = True
        urgent = find_threats(nearest, spots, velocities, self._watched, latency, faces, threats)
        which, seen = self._visible(now, nearest) if urgent else (self._which[:0], self._nothing)
        minded, noticed = self.memory.note(time, which, seen, self.options.sight, threats, self._taken)
        return Percept(spots, velocities, nearest, threats, minded, faces, urgent, noticed)

    def _visible(self, frames: BodyFrames, nearest: Nearest) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """What threatens, and which of that can be seen: in the frustum and not hidden; of what is fixed, any part."""
        eye, points, head = self._eye, self._points, self._head
        count = _seeing.watch(
            (frames.rotations[0, head], self._plan.neutral[head], frames.positions[0, head], self._eyes),
            self._limits,
            (self._threats.urgency, self._threats.spot),
            nearest.point,
            self._seen,
            (eye, self._axes),
            (self._which, points, self._shown),
        )
        which = self._which[:count]
        seen = self._shown[:count].copy()
        if self.options.sight.occlusion:
            seen &= ~self.surroundings.hidden(eye, points[:count], which)
        if self._any_fixed:
            self._see_fixed(which, seen)
        return which, seen

    def _see_fixed(self, which: NDArray[np.int64], seen: NDArray[np.bool_]) -> None:
        rest = np.flatnonzero(~seen & self.fixed[which])
        if len(rest):
            eye, axes, fixed, sight = self._eye, self._axes, which[rest], self.options.sight
            ahead = self.surroundings.nearest((eye + sight.ahead * axes[0])[None], np.array([sight.within]))
            near = np.isfinite(ahead.distance[0, fixed])
            seen[rest] = near & in_view(sight, eye, axes, ahead.point[0, fixed])

    def facing(self, frames: BodyFrames) -> Array:
        """Where the chest faces, level, shape (3,)."""
        own, neutral = frames.rotations[0, self.chest], self._plan.neutral[self.chest]
        return np.asarray(_seeing.level_facing(own, neutral))
