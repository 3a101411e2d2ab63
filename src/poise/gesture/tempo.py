"""From time to beat phase: monotone, with continuous acceleration, exact at every beat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError

if TYPE_CHECKING:
    from scipy.interpolate import PPoly

__all__ = ["LiveTempo", "TempoMap"]

Array = NDArray[np.float64]

_STEEP = 1.2
"""Rate at a beat, at most, over the slower of its two neighbors' mean; a quintic without curvature at its ends is
monotone for a sum of both ends' rates up to 2.5 of the mean."""


@dataclass(frozen=True, eq=False)
class TempoMap:
    """Phase over time: k at beat k. Before the first and after the last beat it goes on at the rate it has there.

    Args:
        curve: Polynomials of the phase, with second derivative 0 at both ends.
    """

    curve: PPoly

    @classmethod
    def from_beats(cls, times: ArrayLike, fermatas: Mapping[int, float] | None = None) -> TempoMap:
        """Beat k at `times[k]` exactly.

        Args:
            times: Of the beats [s], strictly increasing, two or more.
            fermatas: By beat, how long the hand stands still before it goes on to the next [s]; shorter than the beat.

        Raises:
            InputError: Times do not increase, or a fermata does not fit.
        """
        knots = np.asarray(times, dtype=np.float64)
        if knots.ndim != 1 or len(knots) < 2:
            raise InputError(f"need two or more beat times; got shape {knots.shape}")
        wrong = np.flatnonzero(~(np.diff(knots) > 1e-3) | ~np.isfinite(knots[1:]))
        if len(wrong) or not np.isfinite(knots[0]):
            beat = int(wrong[0]) + 1 if len(wrong) else 0
            raise InputError(
                f"beat times must be finite and increase by more than 1 ms; got {knots[beat]}", place=f"beat {beat}"
            )
        phases = np.arange(len(knots), dtype=np.float64)
        for beat, hold in sorted((fermatas or {}).items(), reverse=True):
            whole = knots[beat + 1] - knots[beat] if 0 <= beat < len(knots) - 1 else 0.0
            if not 0.0 < hold < whole - 0.1:
                raise InputError(
                    f"a fermata of {hold} s does not fit into a beat of {whole:.3g} s", place=f"beat {beat}"
                )
            half = 0.5 * (whole - hold)
            knots = np.insert(knots, beat + 1, [knots[beat] + half, knots[beat + 1] - half])
            phases = np.insert(phases, beat + 1, [phases[beat] + 0.5] * 2)
        return cls(_monotone(knots, phases))

    @classmethod
    def from_tempo(cls, times: ArrayLike, tempo: ArrayLike) -> TempoMap:
        """Phase 0 at the first time, and beats per minute as given at `times` (T,) [s], in between monotone.

        Raises:
            InputError: Times do not increase or a tempo is not positive.
        """
        from scipy.interpolate import PchipInterpolator  # Slow to import (docs/architecture.md, decision 12).

        knots, rates = np.asarray(times, dtype=np.float64), np.asarray(tempo, dtype=np.float64) / 60.0
        if knots.ndim != 1 or knots.shape != rates.shape or len(knots) < 2 or not np.all(np.diff(knots) > 0.0):
            raise InputError("a tempo curve needs two or more increasing times and one tempo for each")
        if not (np.isfinite(knots).all() and np.all((rates > 0.0) & (rates < 20.0))):
            raise InputError("tempos must lie between 0 and 1200 beats per minute")
        ends = [knots[0] - 1.0, *knots, knots[-1] + 1.0], [rates[0], *rates, rates[-1]]
        phase = PchipInterpolator(*ends).antiderivative()
        phase.c[-1] -= phase(knots[0])
        return cls(phase)

    def phase(self, times: ArrayLike, derivative: int = 0) -> Array:
        """Phase [beats], or its time derivative, at `times` (T,) [s]."""
        t = np.asarray(times, dtype=np.float64)
        first, last = self.curve.x[[0, -1]]
        held = np.clip(t, first, last)
        value = np.asarray(self.curve(held, derivative))
        if derivative == 0:
            return np.asarray(value + (t - held) * self.curve(held, 1))
        return value if derivative == 1 else np.where(t == held, value, 0.0)

    def time(self, phase: float) -> float:
        """When a phase is reached [s]."""
        low, high = (float(each) for each in self.curve.x[[0, -1]])
        span = high - low
        while self.phase(low) > phase:
            low -= span
        while self.phase(high) < phase:
            high += span
        for _ in range(80):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.phase(middle) < phase else (low, middle)
        return 0.5 * (low + high)


def _monotone(times: Array, phases: Array) -> PPoly:
    """Quintics through the knots with positive rate, and without curvature at the knots."""
    from scipy.interpolate import BPoly, PPoly  # Slow to import (docs/architecture.md, decision 12).

    mean = np.diff(phases) / np.diff(times)
    before, after = mean[:-1], mean[1:]
    harmonic = 2.0 * before * after / np.maximum(before + after, 1e-12)
    rates = np.concatenate([mean[:1], np.minimum(harmonic, _STEEP * np.minimum(before, after)), mean[-1:]])
    keys = np.stack([phases, rates, np.zeros(len(rates))], axis=1)
    return PPoly.from_bernstein_basis(BPoly.from_derivatives(times, keys))


@dataclass(eq=False)
class LiveTempo:
    """Phase that goes on from tick to tick, at a tempo that may change at any time.

    The rate follows what is asked for through two equal lags in a row: it never overshoots, never turns negative, and
    phase has continuous acceleration. A fermata is a tempo of 0.

    Args:
        tempo: Beats per minute at the start.
        phase: At the start [beats].
        lag: Time constant of each lag [s].

    Attributes:
        rate: Beats per second now.
    """

    tempo: float
    phase: float = 0.0
    lag: float = 0.12
    rate: float = field(init=False)
    _middle: float = field(init=False)
    _asked: float = field(init=False)

    def __post_init__(self) -> None:
        if not self.lag > 0.0:
            raise InputError(f"lag must be positive; got {self.lag}")
        self.ask(self.tempo)
        self.rate = self._middle = self._asked

    def ask(self, tempo: float) -> None:
        """Go on at `tempo` beats per minute; 0 holds."""
        if not 0.0 <= tempo <= 1200.0:
            raise InputError(f"tempo must lie between 0 and 1200 beats per minute; got {tempo}")
        self.tempo, self._asked = tempo, tempo / 60.0

    def advance(self, step: float) -> float:
        """Go on by `step` [s] and return the phase [beats]; exact for any step."""
        share = step / self.lag
        gone = np.exp(-share)
        middle, rate = self._middle - self._asked, self.rate - self._asked
        self.phase += self._asked * step + self.lag * ((rate + middle) * (1.0 - gone) - middle * share * gone)
        self.rate = float(self._asked + (rate + middle * share) * gone)
        self._middle = float(self._asked + middle * gone)
        return float(self.phase)
