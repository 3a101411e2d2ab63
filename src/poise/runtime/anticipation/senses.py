"""What a character perceives at the beginning of a tick."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import Bounds, Memory, Threats, find_threats, in_view, region_spots, spots_of
from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.runtime.anticipation.options import AnticipationOptions, Expectation
from poise.signals import Nearest, Surroundings

__all__ = ["Percept", "Senses", "facing"]

Array = NDArray[np.float64]

_EYES = np.array([0.09, 0.0, 0.12])
"""From the head's joint in the neutral pose, for a stature of 1.75 m [m]."""
_BASIS = np.eye(3)
_AHEAD, _WIDE = 0.8, 1.5
"""So far ahead, and within this of there, what is fixed is looked at [m]."""
_FALL = np.array([0.0, 0.0, 9.81])
_TIMES = np.linspace(0.02, 2.0, 100)
"""When a flying ball may be nearest [s]."""
_MOVES = 0.1
"""What is slower than this is not in flight [m/s]."""


class Percept(NamedTuple):
    """What is perceived.

    Args:
        spots: Centres of the regions' spheres [m], shape (S, 3).
        velocities: Of them [m/s], shape (S, 3).
        nearest: Obstacles as they seem.
        threats: What is about to be where it shall not; only of what is seen or remembered.
        minded: Whether each obstacle is seen or remembered, shape (P,).
        faces: Where the chest faces, level, shape (3,).
    """

    spots: Array
    velocities: Array
    nearest: Nearest
    threats: Threats
    minded: NDArray[np.bool_]
    faces: Array


class Senses:
    """The perception of one character.

    It knows that balls fall: the velocity of one in flight is its mean one until it is nearest, so that it leads there in
    a straight line. What is fixed is seen by any part of it.

    Args:
        plan: Its body.
        surroundings: What stands around.
        options: What it minds and expects.
    """

    def __init__(self, plan: BodyPlan, surroundings: Surroundings, options: AnticipationOptions) -> None:
        self.surroundings, self.options, self._plan = surroundings, options, plan
        self.spots = spots_of(plan, options.regions)
        named = [options.expectations.get(name, Expectation()) for name in surroundings.names]
        noise = np.random.default_rng(options.seed).standard_normal(len(named))
        real = surroundings.masses
        mass = np.array([m if e.mass is None else e.mass for m, e in zip(real, named, strict=True)])
        self.masses: Array = mass * np.exp(options.noise * noise)
        """As they seem [kg], shape (P,)."""
        self._speeds = np.array([e.speed for e in named])
        self._seen = np.array([e.seen for e in named], dtype=bool)
        self.bounds: list[list[Bounds]] = [
            [
                options.bounds_for(options.regions[region], kind, name)
                for kind, name in zip(surroundings.kinds, surroundings.names, strict=True)
            ]
            for region in self.spots.regions
        ]
        self._leads = np.array([[b.slowest for b in row] for row in self.bounds]).reshape(len(self.bounds), len(named))
        self._priorities = np.array([options.regions[region].priority for region in self.spots.regions])
        self._reaches = self.spots.radii + 6.0 * self._leads.max(axis=1, initial=0.1)
        self._balls = [number for number, kind in enumerate(surroundings.kinds) if kind == "ball"]
        self._head = (plan.with_role("head") or (0,))[0]
        self._chest = max(plan.with_role("spine"), default=0)

    def perceive(self, time: float, before: BodyFrames, after: BodyFrames, tick: float, memory: Memory) -> Percept:
        """Perceive at `time` [s]: the body's input skeleton is at `before` then and at `after` a tick later (one row each)."""
        spots = region_spots(self.spots, before.positions[0])
        velocities = (region_spots(self.spots, after.positions[0]) - spots) / tick
        self.surroundings.refresh()
        nearest = self.surroundings.nearest(spots, self._reaches)
        nearest.velocity[:] *= self._speeds[:, None]
        for ball in self._balls:
            _let_fall(nearest, spots, velocities, ball)
        faces = facing(self._plan, before, self._chest)
        threats = find_threats(nearest, spots, velocities, self.spots.radii, self._priorities, self._leads, faces)
        minded = memory.update(time, self._visible(before, nearest, threats), self.options.sight)
        threats.urgency[~minded] = np.inf
        return Percept(spots, velocities, nearest, threats, minded, faces)

    def _visible(self, frames: BodyFrames, nearest: Nearest, threats: Threats) -> NDArray[np.bool_]:
        """Of what threatens, what can be seen: in the frustum and not hidden; of what is fixed, any part."""
        seen: NDArray[np.bool_] = np.isfinite(threats.urgency) & self._seen
        which = np.flatnonzero(seen)
        if not len(which):
            return seen
        turn = quat.mul(frames.rotations[0, self._head], quat.conj(self._plan.neutral[self._head]))
        axes = quat.rotate(turn, _BASIS)
        eye = frames.positions[0, self._head] + _EYES * (self._plan.stature / 1.75) @ axes
        points = nearest.point[threats.spot[which], which]
        seen[which] = in_view(self.options.sight, eye, axes, points) & ~self.surroundings.hidden(eye, points, which)
        fixed = which[~seen[which] & np.isinf(self.masses[which])]
        if len(fixed):
            ahead = self.surroundings.nearest((eye + _AHEAD * axes[0])[None], np.array([_WIDE]))
            near = np.isfinite(ahead.distance[0, fixed])
            seen[fixed] = near & in_view(self.options.sight, eye, axes, ahead.point[0, fixed])
        return seen


def facing(plan: BodyPlan, frames: BodyFrames, body: int) -> Array:
    """Where a body faces, level, shape (3,)."""
    ahead = quat.rotate(quat.mul(frames.rotations[0, body], quat.conj(plan.neutral[body])), [1.0, 0.0, 0.0])
    level = ahead * np.array([1.0, 1.0, 0.0])
    length = float(np.linalg.norm(level))
    return np.asarray(level / length) if length > 1e-6 else np.array([1.0, 0.0, 0.0])


def _let_fall(nearest: Nearest, spots: Array, velocities: Array, number: int) -> None:
    """Make the velocity of a flying ball the mean one until it is nearest to each spot, in place."""
    for spot in np.flatnonzero(np.isfinite(nearest.distance[:, number])):
        velocity = nearest.velocity[spot, number]
        if velocity @ velocity < _MOVES**2:
            continue
        away = nearest.point[spot, number] - spots[spot]
        ways = away + _TIMES[:, None] * (velocity - velocities[spot]) - 0.5 * _TIMES[:, None] ** 2 * _FALL
        nearest.velocity[spot, number] = velocity - 0.5 * _TIMES[np.einsum("ti,ti->t", ways, ways).argmin()] * _FALL
