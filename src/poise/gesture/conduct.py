"""Conducting: patterns at a tempo, by one hand or both, with cues of the left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import cache
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, unknown_name
from poise.gesture.arms import REACH, Arms, HandGoals, hand_turn, saturated
from poise.gesture.patterns import BEATS, Style, pattern_path, pattern_points
from poise.gesture.tempo import LiveTempo, TempoMap
from poise.math.easing import minimum_jerk

__all__ = ["Conducting", "LeftHand", "LiveConducting", "conduct", "largest_size"]

Array = NDArray[np.float64]
LeftHand = Literal["mirror", "rest"]

_CENTRE = np.array([0.56, 0.06, -0.26])
"""Of the pattern for the right hand, from its shoulder: forward, towards the middle, up [arm lengths]."""
_CUE = np.array([0.66, 0.02, 0.02])
"""Where the left hand gives a cue, from its shoulder: forward, outward, up [arm lengths]."""
_MIRROR = np.array([1.0, -1.0, 1.0])


def _checked(beats: int, left: str) -> None:
    if beats not in BEATS:
        raise InputError(f"there are patterns of {', '.join(map(str, BEATS))} beats; got {beats}")
    if left not in get_args(LeftHand):
        raise unknown_name("left hand", left, get_args(LeftHand))


@dataclass(frozen=True, kw_only=True)
class Conducting:
    """Conducts to a tempo map; the ictus of beat k is at the time of phase k exactly.

    Args:
        tempo: When the beats are.
        count: How many; the hands are raised for the beat before the first and sink after the last.
        beats: In a bar: 1, 2, 3, 4 or 6.
        upbeats: Beats before the first whole bar.
        styles: How each beat is given; the last one holds for all that follow.
        left: What the left hand does: mirror the right one or rest.
        cues: Beats at which the left hand points to whom it concerns.
        raising: How long hands take to rise and sink [s].

    Raises:
        InputError: There is no such pattern, or nothing to conduct.
    """

    tempo: TempoMap
    count: int
    beats: int = 4
    upbeats: int = 0
    styles: Sequence[Style] = (Style(),)
    left: LeftHand = "mirror"
    cues: Sequence[int] = ()
    raising: float = 0.9

    def __post_init__(self) -> None:
        _checked(self.beats, self.left)
        if self.count < 1 or not self.styles or not self.raising > 0.0:
            raise InputError("conducting needs one beat or more, one style or more and time to raise the hands")

    def style(self, beat: int) -> Style:
        """How a beat is given."""
        return self.styles[min(max(beat, 0), len(self.styles) - 1)]

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """What the hands shall do at `times` (T,) [s]; they are up one beat before the first and sink after the last."""
        last = self.count - 1
        begin, end = self.tempo.time(-1.0), self.tempo.time(last + 0.5)
        up = minimum_jerk(times, begin - self.raising, begin) - minimum_jerk(times, end, end + self.raising)
        numbers = range(-3, self.count + 3)
        goals = conduct(
            self.beats,
            _coming_to_rest(self.tempo.phase(times), last),
            [self.style(number) for number in numbers],
            -3,
            arms,
            upbeats=self.upbeats,
            left=self.left,
            cues=self.cues,
        )
        return goals._replace(weights=goals.weights * up[:, None], nods=goals.nods * up)


@dataclass(eq=False)
class LiveConducting:
    """Conducts on and on; tempo, style and cues may change at any time.

    A style counts from the beat after the next, since the hand is on its way to the next one already.

    Args:
        tempo: How phase goes on; ask it for other tempos, or for 0 for a fermata.
        beats: In a bar.
        style: How beats are given from the beat after the next.
        left: What the left hand does.
        raising: How long hands take to rise at the start [s].
        cues: Beats at which the left hand points.
        asks: Tempos that are asked for as time comes: from when [s], and beats per minute.
    """

    tempo: LiveTempo
    _: KW_ONLY
    beats: int = 4
    style: Style = field(default_factory=Style)
    left: LeftHand = "mirror"
    raising: float = 0.9
    cues: list[int] = field(default_factory=list)
    asks: Sequence[tuple[float, float]] = ()
    _first: int = field(init=False)
    _styles: list[Style] = field(init=False)
    _begin: float = field(init=False, default=0.0)
    _now: float = field(init=False, default=0.0)

    def __post_init__(self) -> None:
        _checked(self.beats, self.left)
        self._first = int(np.floor(self.tempo.phase)) - 1
        self._styles = [self.style] * 4

    def begin(self, time: float) -> None:
        """Start to raise the hands at `time` [s]."""
        self._begin = self._now = time

    def goals(self, times: Array, arms: Arms) -> HandGoals:
        """Go on to `times` (T,) [s], which never go back, and say where the hands shall be."""
        groups: list[tuple[int, list[Style], list[float]]] = []
        for time in times:
            for begin, tempo in self.asks:
                if self._now <= begin < time:
                    self.tempo.ask(tempo)
            phase = self.tempo.advance(float(time) - self._now)
            self._now = float(time)
            while phase >= self._first + 2:
                self._first += 1
                self._styles = [*self._styles[1:], self.style]
            if not groups or groups[-1][0] != self._first:
                groups.append((self._first, self._styles, []))
            groups[-1][2].append(phase)
        parts = [
            conduct(self.beats, np.array(phases), styles, first, arms, left=self.left, cues=self.cues)
            for first, styles, phases in groups
        ]
        goals = HandGoals(*(np.concatenate(each) for each in zip(*parts, strict=True)))
        up = minimum_jerk(times, self._begin, self._begin + self.raising)
        return goals._replace(weights=goals.weights * up[:, None], nods=goals.nods * up)


def conduct(
    beats: int,
    phases: Array,
    styles: Sequence[Style],
    first: int,
    arms: Arms,
    *,
    upbeats: int = 0,
    left: LeftHand = "rest",
    cues: Sequence[int] = (),
) -> HandGoals:
    """Both hands at phases (T,); `styles` are of beats first, first + 1, … as `pattern_path` needs them."""
    sizes = saturated([style.volume for style in styles], largest_size(beats))
    path = pattern_path(beats, phases - upbeats, styles, sizes, first - upbeats)
    roundness = np.array([style.expressiveness for style in styles]).mean()
    cued = np.zeros(len(phases))
    for cue in cues:
        cued = np.maximum(cued, minimum_jerk(phases, cue - 1.4, cue - 0.1) - minimum_jerk(phases, cue + 0.9, cue + 2.4))
    positions, rotations = np.empty((len(phases), 2, 3)), np.empty((len(phases), 2, 4))
    for side, mirror in enumerate((_MIRROR, np.ones(3))):
        hand = (_CENTRE + path) * mirror
        bounce = path[:, 2]
        pitch = np.radians(80.0) + (0.3 + 0.9 * roundness) * bounce
        pronation = np.full(len(phases), np.radians(65.0))
        if side == 0:
            hand = hand + cued[:, None] * (_CUE + 0.15 * path - hand)
            pitch, pronation = pitch + 0.25 * cued, pronation * (1.0 - 1.1 * cued)
        positions[:, side] = arms.shoulders[side] + arms.lengths[side] * hand
        rotations[:, side] = hand_turn(pitch, pronation, side, np.radians(12.0))
    weights = np.stack([np.ones_like(cued) if left == "mirror" else cued, np.ones_like(cued)], axis=1)
    nods = 0.02 - (0.1 + 0.3 * roundness) * path[:, 2]
    return HandGoals(arms.within_reach(positions), rotations, weights, nods)


@cache
def largest_size(beats: int) -> float:
    """Scale at which the outermost point of a pattern is as far away as an arm reaches without being held back."""
    points = np.concatenate([pattern_points(beats), pattern_points(beats) * _MIRROR])
    along, square = points @ _CENTRE, np.sum(points**2, axis=1)
    room = (0.9 * REACH) ** 2 - _CENTRE @ _CENTRE
    return float(np.min((-along + np.sqrt(along**2 + square * room)) / square))


def _coming_to_rest(phases: Array, last: int) -> Array:
    """Phases that begin to move one beat before 0 and come to rest at the rebound after `last`, C2 and exact between."""
    room = 0.3
    late = np.maximum(phases - (last + 0.15), 0.0)
    early = np.maximum(-0.7 - phases, 0.0)
    held = np.clip(phases, -0.7, last + 0.15)
    return np.asarray(held + room * np.tanh(late / room) - room * np.tanh(early / room))
