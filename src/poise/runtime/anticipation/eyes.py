"""Senses that know that balls fall and that a wall is seen by any part of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation import Memory, Threats, find_threats, in_view, region_spots
from poise.body.coordinates import BodyFrames
from poise.math import quat
from poise.runtime.anticipation.senses import Percept, Senses, facing
from poise.signals import Nearest

__all__ = ["Eyes"]

Array = NDArray[np.float64]

_FALL = np.array([0.0, 0.0, 9.81])
_TIMES = np.linspace(0.02, 2.0, 100)
"""When a flying ball may be nearest [s]."""
_MOVES = 0.1
"""What is slower than this is not in flight [m/s]."""
_EYES = np.array([0.09, 0.0, 0.12])
"""From the head's joint in the neutral pose, for a stature of 1.75 m [m]."""
_AHEAD, _WIDE = 0.8, 1.5
"""So far ahead, and within this of there, what is fixed is looked at [m]."""


class Eyes(Senses):
    """See `Senses`; a ball's velocity is its mean one until it is nearest, so that it leads there in a straight line."""

    def perceive(self, time: float, before: BodyFrames, after: BodyFrames, tick: float, memory: Memory) -> Percept:
        """See `Senses.perceive`."""
        spots = region_spots(self.spots, before.positions[0])
        velocities = (region_spots(self.spots, after.positions[0]) - spots) / tick
        self.surroundings.refresh()
        nearest = self.surroundings.nearest(spots, self._reaches)
        nearest.velocity[:] *= self._speeds[:, None]
        for number, kind in enumerate(self.surroundings.kinds):
            if kind == "ball":
                _let_fall(nearest, spots, velocities, number)
        faces = facing(self._plan, before, self._chest)
        radii, priorities = self.spots.radii, self._priorities
        threats = find_threats(nearest, spots, velocities, radii, priorities, self._leads, faces)
        minded = memory.update(time, self._visible(before, nearest, threats), self.options.sight)
        threats.urgency[~minded] = np.inf
        return Percept(spots, velocities, nearest, threats, minded, faces)

    def _visible(self, frames: BodyFrames, nearest: Nearest, threats: Threats) -> NDArray[np.bool_]:
        seen = super()._visible(frames, nearest, threats)
        fixed = np.flatnonzero(np.isfinite(threats.urgency) & self._seen & ~seen & np.isinf(self.masses))
        if len(fixed):
            turn = quat.mul(frames.rotations[0, self._head], quat.conj(self._plan.neutral[self._head]))
            axes = quat.rotate(turn, np.eye(3))
            eye = frames.positions[0, self._head] + _EYES * (self._plan.stature / 1.75) @ axes
            ahead = self.surroundings.nearest((eye + _AHEAD * axes[0])[None], np.array([_WIDE]))
            near = np.isfinite(ahead.distance[0, fixed])
            seen[fixed] = near & in_view(self.options.sight, eye, axes, ahead.point[0, fixed])
        return seen


def _let_fall(nearest: Nearest, spots: Array, velocities: Array, number: int) -> None:
    """Make the velocity of a flying ball the mean one until it is nearest to each spot, in place."""
    for spot in np.flatnonzero(np.isfinite(nearest.distance[:, number])):
        velocity = nearest.velocity[spot, number]
        if velocity @ velocity < _MOVES**2:
            continue
        away = nearest.point[spot, number] - spots[spot]
        ways = away + _TIMES[:, None] * (velocity - velocities[spot]) - 0.5 * _TIMES[:, None] ** 2 * _FALL
        nearest.velocity[spot, number] = velocity - 0.5 * _TIMES[np.einsum("ti,ti->t", ways, ways).argmin()] * _FALL
