"""What a character perceives at the beginning of a tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import Bounds, Memory, Threats, find_threats, in_view, spots_of
from poise.anticipation import _kernels as seeing
from poise.body.coordinates import BodyFrames, body_frames
from poise.body.plan import BodyPlan
from poise.runtime.anticipation.options import AnticipationOptions, Expectation
from poise.signals import Nearest, Surroundings

__all__ = ["Percept", "Senses"]

Array = NDArray[np.float64]

_EYES = np.array([0.09, 0.0, 0.12])
"""From the head's joint in the neutral pose, for a stature of 1.75 m [m]."""
_AHEAD, _WIDE = 0.8, 1.5
"""So far ahead, and within this of there, what is fixed is looked at [m]."""
_BEFORE, _BELOW, _ABOVE, _REACH = 0.45, 0.28, 0.1, 1.6
"""Where a person holds a hand before the shoulder, how far below it, or above before the head, and how far around that is
looked; shares of the arm."""
_LOW, _HIGH = -0.5, 0.1
"""A region lower than this share of the arm over the shoulders is none of the upper body; a higher one is of the head."""
_ROOTED = ("plant", "fence", "gate")
_HELD = 4
"""Places where hands are held."""
_LATEST = 2.0
"""How far ahead the flight of balls is foreseen [s]."""
_SWAY = 0.25
"""Over this the speed of the body is taken [s]."""
_MOVES = 0.1
"""What is slower than this is not in flight [m/s]."""


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
    """

    spots: Array
    velocities: Array
    nearest: Nearest
    threats: Threats
    minded: NDArray[np.bool_]
    faces: Array
    urgent: bool


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
        self.surroundings, self.options, self._plan, self._gravity = surroundings, options, plan, gravity
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
        self._honest = bool((self._speeds == 1.0).all())
        self._seen = np.array([e.seen for e in named], dtype=bool)
        self.bounds: list[list[Bounds]] = [
            [
                options.bounds_for(options.regions[region], kind, name)
                for kind, name in zip(surroundings.kinds, surroundings.names, strict=True)
            ]
            for region in self.regions.regions
        ]
        self._leads = np.array([[b.slowest for b in row] for row in self.bounds]).reshape(len(self.bounds), len(named))
        self._priorities = np.array([options.regions[region].priority for region in self.regions.regions])
        self._balls = np.flatnonzero(self.flies)
        self._head = (plan.with_role("head") or (0,))[0]
        self._chest = max(plan.with_role("spine"), default=0)
        self._any_fixed = bool(self.fixed.any())
        self._which, self._points = np.zeros(len(named), dtype=np.int64), np.zeros((len(named), 3))
        self._unseen = np.zeros(len(named), dtype=bool)
        self._now_seen, self._eye, self._axes = np.zeros(len(named), dtype=bool), np.zeros(3), np.zeros((3, 3))
        self._eyes = _EYES * (plan.stature / 1.75)
        self._place_spots(shoulders, lengths)
        self._threats = Threats.none(len(named))
        self.course, self.count = np.zeros_like(self._velocities), 0
        """Mean velocity of the spots over a while [m/s], shape (R, 3), and ticks so far: what is remembered."""

    def _place_spots(self, shoulders: NDArray[np.int64], lengths: Array) -> None:
        """The regions' spots, and one before each shoulder, where hands are held."""
        regions, count = self.regions, len(self.regions.radii) + _HELD
        hands, arms = np.tile(shoulders, 2), np.tile(lengths, 2)
        self._bodies = np.concatenate([regions.first, hands]), np.concatenate([regions.second, hands])
        self._share = np.concatenate([regions.share, np.zeros(_HELD)])
        self._before, self._below = np.zeros((count, 3)), np.zeros(count)
        self._size = _BEFORE * arms[:, None]
        self._below[-_HELD:] = np.repeat([_BELOW, -_ABOVE], 2) * arms
        self._radii = np.concatenate([regions.radii, _REACH * arms])
        longest = self._leads.max(axis=1, initial=0.1)
        self._looks = np.concatenate([longest, np.full(_HELD, longest.max())])
        self._spots, self._velocities = np.zeros((count, 3)), np.zeros((count, 3))
        self._reaches = np.zeros(count)
        row = np.zeros(self._plan.position_count)
        row[3::4] = 1.0
        row[3:7] = self._plan.neutral[0]
        heights = body_frames(self._plan, row).positions[0, :, 2]
        first, second = heights[regions.first], heights[regions.second]
        over = first + regions.share * (second - first) - heights[shoulders].mean()
        bounds = np.array([_LOW, _HIGH]) * lengths.mean()
        self.raised: NDArray[np.int64] = np.searchsorted(bounds, over)
        """Whether a region is low (0), of the upper body (1) or of the head (2), shape (S,)."""

    def perceive(self, time: float, last: BodyFrames, now: BodyFrames, tick: float, memory: Memory) -> Percept:
        """Perceive at `time` [s]: the body without its arms' gestures is at `now` and was at `last` a tick ago (one row each).

        The arrays are overwritten by the next call.
        """
        faces = self.facing(now)
        self._before[-_HELD:] = self._size * faces
        seeing.place_spots(
            *self._bodies,
            self._share,
            last.positions[0],
            now.positions[0],
            tick,
            self._before,
            self._below,
            self._radii,
            self._looks,
            self._spots,
            self._velocities,
            self._reaches,
        )
        self._foresee(tick)
        self.surroundings.refresh()
        nearest = self.surroundings.nearest(self._spots, self._reaches, self._looks)
        if not self._honest:
            nearest.velocity[:] *= self._speeds[:, None]
        self._let_fall(nearest)
        threats, radii = self._threats, self.regions.radii
        urgent = find_threats(
            nearest, self._spots, self._velocities, radii, self._priorities, self._leads, faces, threats
        )
        seen = self._visible(now, nearest, threats) if urgent else self._unseen
        minded = memory.update(time, seen, self.options.sight)
        threats.urgency[~minded] = np.inf
        return Percept(self._spots, self._velocities, nearest, threats, minded, faces, urgent)

    def _foresee(self, tick: float) -> None:
        """Take the speed of the body for the mean of a while: the sway of a step is no course."""
        share = {0: 0.0, 1: 1.0}.get(self.count, min(tick / _SWAY, 1.0))
        self.course += share * (self._velocities - self.course)
        self._velocities[:], self.count = self.course, self.count + 1

    def _let_fall(self, nearest: Nearest) -> None:
        for ball in self._balls:
            for spot in np.flatnonzero(np.isfinite(nearest.distance[:, ball])):
                velocity = nearest.velocity[spot, ball]
                if velocity @ velocity >= _MOVES**2:
                    place = nearest.point[spot, ball]
                    seeing.let_fall(self._spots[spot], place, self._velocities[spot], velocity, self._gravity, _LATEST)

    def _visible(self, frames: BodyFrames, nearest: Nearest, threats: Threats) -> NDArray[np.bool_]:
        """Of what threatens, what can be seen: in the frustum and not hidden; of what is fixed, any part."""
        seen, head = self._now_seen, self._head
        seen[:] = False
        count = seeing.threatening(threats.urgency, threats.spot, nearest.point, self._seen, self._which, self._points)
        if not count:
            return seen
        which, points, eye, axes = self._which[:count], self._points[:count], self._eye, self._axes
        turn, neutral = frames.rotations[0, head], self._plan.neutral[head]
        seeing.look(turn, neutral, frames.positions[0, head], self._eyes, eye, axes)
        seen[which] = in_view(self.options.sight, eye, axes, points) & ~self.surroundings.hidden(eye, points, which)
        if self._any_fixed:
            self._see_fixed(which[~seen[which] & self.fixed[which]], eye, axes, seen)
        return seen

    def _see_fixed(self, which: NDArray[np.int64], eye: Array, axes: Array, seen: NDArray[np.bool_]) -> None:
        if len(which):
            ahead = self.surroundings.nearest((eye + _AHEAD * axes[0])[None], np.array([_WIDE]))
            near = np.isfinite(ahead.distance[0, which])
            seen[which] = near & in_view(self.options.sight, eye, axes, ahead.point[0, which])

    def facing(self, frames: BodyFrames) -> Array:
        """Where the chest faces, level, shape (3,)."""
        own, neutral = frames.rotations[0, self._chest], self._plan.neutral[self._chest]
        return np.asarray(seeing.level_facing(own, neutral))
