"""Conducting patterns: where each beat falls and how high the hand bounces after it.

Every beat is two quintics in phase: up from the ictus to the rebound, down to the next ictus. Vertical velocity is 0 at both
ends and the heights between are monotone, so that the hand is lowest exactly at whole phases, whatever the style. Sideways
the hand goes through the points with the velocity and acceleration of the parabola through three of them, so that a beat
depends on its neighbors alone and a style may change from beat to beat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters

__all__ = ["BEATS", "Style", "pattern_path", "pattern_points", "quintic"]

Array = NDArray[np.float64]

_REBOUND = 0.45
"""Phase after the ictus at which the rebound is highest."""
# Per beat: ictus to the left and up of the pattern's centre, rebound to the left and above the higher ictus beside it.
# In arm lengths, for the right hand.
_PATTERNS: dict[int, tuple[tuple[float, float, float, float], ...]] = {
    1: ((0.0, -0.12, -0.05, 0.34),),
    2: ((0.0, -0.15, -0.16, 0.13), (-0.09, -0.10, 0.02, 0.32)),
    3: ((0.03, -0.15, 0.06, 0.11), (-0.17, -0.12, -0.14, 0.12), (-0.04, -0.09, 0.02, 0.31)),
    4: ((0.0, -0.15, -0.03, 0.1), (0.14, -0.12, 0.1, 0.13), (-0.2, -0.11, -0.17, 0.12), (-0.04, -0.08, 0.0, 0.31)),
    6: (
        (0.0, -0.15, 0.02, 0.09),
        (0.07, -0.13, 0.08, 0.09),
        (0.16, -0.12, 0.12, 0.13),
        (-0.11, -0.12, -0.11, 0.09),
        (-0.21, -0.11, -0.17, 0.12),
        (-0.04, -0.08, 0.0, 0.31),
    ),
}
BEATS = tuple(_PATTERNS)
"""Beats in a bar for which there is a pattern."""


@dataclass(frozen=True, kw_only=True)
class Style:
    """How a beat is given."""

    volume: float = parameters.number(1.0, 0.1, 2.5, says="size of the pattern about its centre; 1 is mezzoforte")
    expressiveness: float = parameters.number(0.5, says="how round the hand goes and how much it bounces")
    staccato: float = parameters.number(
        0.3, says="0 is legato: the hand flows through the ictus; at 1 it snaps at the ictus and stands at the rebound"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "style")


def pattern_path(beats: int, phases: Array, styles: Sequence[Style], sizes: Array, first: int) -> Array:
    """The right hand about the pattern's centre at `phases` (T,), in arm lengths, forward, left and up, shape (T, 3).

    Args:
        beats: In a bar.
        phases: Within first + 1 … first + len(styles) - 2.
        styles: Of beats first, first + 1, …; one more at each end than `phases` touch.
        sizes: Of the same beats, scale of the pattern.
        first: Number of the first of them; beat 0 begins a bar.
    """
    knots, points, curvature, roundness = _knots(beats, styles, sizes, first)
    velocity, acceleration = _parabolas(knots, points)
    velocity[:, :2] *= roundness[:, None]
    acceleration[:, :2] *= roundness[:, None]
    velocity[:, 2], acceleration[:, 2] = 0.0, curvature
    at = np.clip(np.searchsorted(knots, phases, side="right") - 1, 0, len(knots) - 2)
    span = (knots[at + 1] - knots[at])[:, None]
    s = (phases - knots[at])[:, None] / span
    v0, v1 = velocity[at] * span, velocity[at + 1] * span
    a0, a1 = acceleration[at] * span**2, acceleration[at + 1] * span**2
    return quintic(s, points[at], points[at + 1], v0, v1, a0, a1)


def _knots(beats: int, styles: Sequence[Style], sizes: Array, first: int) -> tuple[Array, Array, Array, Array]:
    """Phases (2N,), points (2N, 3), vertical curvature (2N,) and roundness (2N,) at ictus and rebound of each beat."""
    table = np.array([_PATTERNS[beats][(first + n) % beats] for n in range(len(styles))])
    expressiveness = np.array([style.expressiveness for style in styles])
    staccato = np.array([style.staccato for style in styles])
    sideways, height = sizes * table[:, 0], sizes * table[:, 1]
    following = np.append(height[1:], height[-1])
    lift = sizes * table[:, 3] * (0.7 + 0.6 * expressiveness)
    top = np.maximum(height, following) + lift
    knots = first + np.arange(len(styles))[:, None] + np.array([0.0, _REBOUND])
    up = np.stack([height, top], axis=1).ravel()
    left = np.stack([sideways, sizes * table[:, 2]], axis=1).ravel()
    points = np.stack([-0.25 * up, left, up], axis=1)
    flat = knots.ravel()
    steep = np.abs(np.diff(up)) / np.diff(flat) ** 2
    least = np.minimum(np.append(steep[0], steep), np.append(steep, steep[-1]))
    sharp = np.stack([5.0 + 11.0 * staccato, -6.0 * (1.0 - staccato)], axis=1).ravel()
    return flat, points, sharp * least, np.repeat(0.3 + 0.9 * expressiveness, 2)


def pattern_points(beats: int) -> Array:
    """Ictus and highest rebound of every beat at size 1 about the pattern's centre, in arm lengths, shape (2 beats, 3)."""
    styles = [Style(expressiveness=1.0)] * (beats + 1)
    return _knots(beats, styles, np.ones(beats + 1), 0)[1][:-2]


def _parabolas(knots: Array, points: Array) -> tuple[Array, Array]:
    """Velocity and acceleration at each knot of the parabola through it and its neighbors; 0 at the ends."""
    velocity, acceleration = np.zeros_like(points), np.zeros_like(points)
    step = np.diff(knots)[:, None]
    slope = np.diff(points, axis=0) / step
    before, after = step[:-1], step[1:]
    velocity[1:-1] = (slope[:-1] * after + slope[1:] * before) / (before + after)
    acceleration[1:-1] = 2.0 * (slope[1:] - slope[:-1]) / (before + after)
    return velocity, acceleration


def quintic(s: Array, x0: Array, x1: Array, v0: Array, v1: Array, a0: Array, a1: Array) -> Array:
    """The quintic in s from 0 to 1 with given values, velocities and accelerations at both ends."""
    d = x1 - x0 - v0 - 0.5 * a0
    v = v1 - v0 - a0
    a = a1 - a0
    c3, c4, c5 = 10.0 * d - 4.0 * v + 0.5 * a, -15.0 * d + 7.0 * v - a, 6.0 * d - 3.0 * v + 0.5 * a
    return x0 + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))))
