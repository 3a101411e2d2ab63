"""An orchestra of conductors: the shipped walk's character, many times over, everybody at their own tempo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.build import build_body
from poise.body.coordinates import clip_from_generalized
from poise.body.fold import fifteen_bodies
from poise.body.plan import BodyPlan
from poise.crowd import STEP, STIFFNESS, Crowd, Member, conducting_loop
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.signals import Event

__all__ = ["Orchestra", "Performance", "orchestra", "seats"]

Array = NDArray[np.float64]

_BEATS_PER_MINUTE, _SIZES = (60.0, 120.0), (0.6, 1.3)
_BEATS_PER_BAR = 4
_SPACING = 1.3
_EVERY = 4
"""Steps between two frames of a recorded member: 50 Hz."""
_SETTLING = 1.0
"""Feet may find their place for this long [s]."""


@dataclass(frozen=True)
class Performance:
    """What a run of an orchestra came to.

    Args:
        seconds: Simulated.
        real_time_factor: Simulated time over the time it took.
        standing: How many were on their feet at the end.
        slip: Farthest that a foot slid after the first second [m].
        soloists: The motions of some members, by their number.
        falls: Who fell, when.
    """

    seconds: float
    real_time_factor: float
    standing: int
    slip: float
    soloists: Mapping[int, Clip]
    falls: tuple[Event, ...]


class Orchestra:
    """A crowd of conductors and how to show them.

    Args:
        crowd: The conductors.
        clip: The clip their character comes from.
        whole: Its plan before it was folded into fifteen bodies.
    """

    def __init__(self, crowd: Crowd, clip: Clip, whole: BodyPlan) -> None:
        self.crowd, self.clip, self.whole = crowd, clip, whole

    def play(
        self, seconds: float, soloists: Sequence[int] = (0,), progress: Callable[[int, int], None] | None = None
    ) -> Performance:
        """Play on and keep the motion of some members.

        Args:
            seconds: How long.
            soloists: Whose motion is kept.
            progress: Called with seconds done and seconds in all.
        """
        crowd, kept = self.crowd, list(soloists)
        rows, up, falls = [crowd.world.positions[kept].copy()], crowd.standing, list[Event]()

        def watch() -> None:
            nonlocal up
            rows.append(crowd.world.positions[kept].copy())
            now = crowd.standing
            falls.extend(Event(crowd.time, "fell", f"conductor {member}") for member in np.flatnonzero(up & ~now))
            up = up & now

        settled, feet = min(_SETTLING, seconds), crowd.feet
        total = max(round(seconds), 1)
        start = perf_counter()
        for second in range(total):
            if progress is not None:
                progress(second, total)
            crowd.run(seconds / total, watch, _EVERY)
            if second + 1 == round(settled):
                feet = crowd.feet
        factor = seconds / (perf_counter() - start)
        slip = float(np.linalg.norm(crowd.feet - feet, axis=-1).max())
        table = np.array(rows)
        clips = {who: self._as_clip(crowd.world.plan_positions(table[:, row])) for row, who in enumerate(kept)}
        return Performance(seconds, factor, int(crowd.standing.sum()), slip, clips, tuple(falls))

    def _as_clip(self, positions: Array) -> Clip:
        """Positions of the fifteen bodies on the source's skeleton, whose other joints are as in the neutral pose."""
        count = len(positions)
        still = np.zeros((count, self.whole.position_count))
        still[:, 3::4] = 1.0
        still[:, 3:7] = self.whole.neutral[0]
        first = self.clip.with_motion(
            np.repeat(self.clip.rotations[:1], count, axis=0),
            np.repeat(self.clip.translations[:1], count, axis=0),
            rate=1.0 / (_EVERY * STEP),
        )
        return clip_from_generalized(self.crowd.plan, positions, clip_from_generalized(self.whole, still, first))

    def placed(self) -> Array:
        """Generalized positions of everybody at their seat, shape (N, nq)."""
        positions = self.crowd.world.plan_positions(self.crowd.world.positions)
        places, headings = seats(len(self.crowd))
        turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), headings)
        positions[:, :3] = quat.rotate(turn, positions[:, :3])
        positions[:, :2] += places
        positions[:, 3:7] = quat.mul(turn, positions[:, 3:7])
        return positions


def seats(count: int) -> tuple[Array, Array]:
    """Places [m] (N, 2) and headings [rad] (N,) in half rings around the origin, everybody facing it."""
    places, headings = np.zeros((count, 2)), np.zeros(count)
    radius, filled = 3.0, 0
    while filled < count:
        row = min(max(int(np.pi * 0.8 * radius / _SPACING), 1), count - filled)
        angles = np.linspace(-0.4, 0.4, row) * np.pi if row > 1 else np.zeros(1)
        places[filled : filled + row] = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        headings[filled : filled + row] = angles + np.pi
        radius, filled = radius + _SPACING, filled + row
    return places, headings


def orchestra(count: int, *, seed: int = 0, stiffness: float = STIFFNESS, threads: int | None = None) -> Orchestra:
    """Conductors at 60 to 120 beats per minute, large and small, each from its own place in the bar.

    Args:
        count: How many, 1 to 10,000.
        seed: Of their tempi, sizes and phases.
        stiffness: Of everybody's balance.
        threads: How many cores work; None for all.

    Raises:
        InputError: The number of conductors is out of range.
    """
    if not 1 <= count <= 10_000:
        raise InputError(f"an orchestra takes 1 to 10000 conductors; got {count}")
    rng = np.random.default_rng(seed)
    members = [
        Member(
            rate=float(rng.uniform(*_BEATS_PER_MINUTE)) / 60.0 / _BEATS_PER_BAR,
            size=float(rng.uniform(*_SIZES)),
            phase=float(rng.uniform()),
        )
        for _ in range(count)
    ]
    clip = read_clip(clip_path("walk"))
    whole = build_body(clip, guess_roles(clip.skeleton))
    plan = fifteen_bodies(whole)
    crowd = Crowd(plan, conducting_loop(plan), members, stiffness=stiffness, threads=threads)
    return Orchestra(crowd, clip, whole)
