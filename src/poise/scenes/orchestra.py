"""An orchestra of conductors: the shipped walk's character, many times over, everybody at their own tempo."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.balance import BalanceOptions, SpringBalance
from poise.behaviors.looping import Looping, LoopRows, conducting_loop
from poise.body.build import build_body
from poise.body.coordinates import clip_from_generalized
from poise.body.fold import fifteen_bodies
from poise.body.layout import turn_at
from poise.body.plan import BodyPlan
from poise.characters.character import Character, CharacterOptions
from poise.characters.prepare import prepare
from poise.crowd import STANDING, STEP, Crowd, Member
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.scenes.scene import Scene
from poise.signals import Event, Mode
from poise.world.scene import SceneSpec

__all__ = ["Orchestra", "Performance", "orchestra", "orchestra_scene", "seats", "soloist"]

Array = NDArray[np.float64]

_BEATS_PER_MINUTE, _SIZES = (60.0, 120.0), (0.6, 1.3)
_BEATS_PER_BAR = 4
_SPACING = 1.3
_EVERY = 4
"""Steps between two looks at who stands."""
_LONGEST, _WATCHED = 3600.0, 60.0
"""An orchestra plays so long at most, and one of its conductors is watched so long [s]."""
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
        falls: Who fell, when.
    """

    seconds: float
    real_time_factor: float
    standing: int
    slip: float
    falls: tuple[Event, ...]


class Orchestra:
    """A crowd of conductors and how to show them.

    Args:
        crowd: The conductors.
        clip: The clip their character comes from.
        whole: Its plan before it was folded into fifteen bodies.
        seconds: How long they play when nothing else is said.
    """

    def __init__(self, crowd: Crowd, clip: Clip, whole: BodyPlan, seconds: float = 20.0) -> None:
        self.crowd, self.clip, self.whole, self.seconds = crowd, clip, whole, seconds

    def play(self, progress: Callable[[int, int], None] | None = None, seconds: float | None = None) -> Performance:
        """Play on.

        Args:
            progress: Called with seconds done and seconds in all.
            seconds: How long; by default `seconds` of the orchestra.
        """
        seconds = self.seconds if seconds is None else seconds
        crowd, up, falls = self.crowd, self.crowd.standing, list[Event]()

        def watch() -> None:
            nonlocal up
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
        return Performance(seconds, factor, int(crowd.standing.sum()), slip, tuple(falls))

    def placed(self) -> Array:
        """Generalized positions of everybody at their seat, shape (N, nq)."""
        positions = self.crowd.places()
        places, headings = seats(len(self.crowd))
        turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), headings)
        positions[:, :3] = quat.rotate(turn, positions[:, :3])
        positions[:, :2] += places
        positions[:, 3:7] = quat.mul(turn, positions[:, 3:7])
        return positions


def orchestra_scene(count: int, seconds: float, seed: int = 0, number: int = 0) -> Scene:
    """An orchestra and one of its conductors to be watched.

    Args:
        count: How many conductors.
        seconds: How long they play.
        seed: See `orchestra`.
        number: Who is watched.

    Raises:
        InputError: A number is out of range.
    """
    if not 1.0 <= seconds <= _LONGEST:
        raise InputError(f"--seconds takes 1 to {_LONGEST:g}; got {seconds:g}")
    players = orchestra(count, seed=seed)
    players.seconds = seconds
    watched = min(seconds, _WATCHED)
    scene = soloist(players, number, watched)
    note = (f"conductor {number} was watched for the first {_WATCHED:g} s",) if seconds > watched else ()
    return replace(scene, crowd=players, notes=note)


def soloist(players: Orchestra, number: int, seconds: float) -> Scene:
    """One of an orchestra in a scene of its own, from the beginning: an ordinary character with two behaviors.

    Args:
        players: The orchestra.
        number: Which of its conductors.
        seconds: How long.

    Raises:
        InputError: There is no such conductor.
    """
    crowd = players.crowd
    if not 0 <= number < len(crowd):
        raise InputError(f"the orchestra's conductors are 0 to {len(crowd) - 1}; got {number}")
    plan, member = crowd.plan, crowd.members[number]
    modes = np.full(len(plan), int(Mode.PASSIVE))
    modes[crowd.gesture.bodies] = int(Mode.MOTION)
    character = Character(
        prepared=prepare(_conducting(players, member, seconds), None, mending=False),
        roles=plan.roles,
        plan=plan,
        modes=modes,
        options=CharacterOptions(anchors=(), cutoff=None, mending=False, self_contact=False),
        apart=tuple((first, second) for k, first in enumerate(plan.names) for second in plan.names[k + 1 :]),
        floor=0.0,
    )
    conducts = partial(Looping, crowd.gesture, member.rate, member.size, member.phase)
    return Scene(
        "orchestra",
        {f"conductor {number}": character},
        SceneSpec(floor=0.0, sprung=crowd.made.sprung, sleep=False),
        STEP,
        {f"conductor {number}": [conducts, partial(SpringBalance, crowd.balance)]},
    )


def _conducting(players: Orchestra, member: Member, seconds: float) -> Clip:
    """What a conductor means to do on the source's skeleton: stand as the crowd does at rest, and conduct; a frame a step."""
    crowd, whole, source, times = (
        players.crowd,
        players.whole,
        players.clip,
        STEP * np.arange(round(seconds / STEP) + 1, dtype=np.float64),
    )
    still = np.zeros((1, whole.position_count))
    still[:, 3::4] = 1.0
    still[:, 3:7] = whole.neutral[0]
    first = clip_from_generalized(whole, still, source.with_motion(source.rotations[:1], source.translations[:1]))
    rotations, translations = (np.repeat(part, len(times), axis=0) for part in (first.rotations, first.translations))
    base = replace(source, rate=1.0 / STEP, rotations=rotations, translations=translations, name="orchestra")
    rows = np.tile(crowd.made.sprung.rest, (len(times), 1))
    alone = LoopRows(crowd.gesture, *(np.array([value]) for value in (member.rate, member.size, member.phase)))
    alone.write(turn_at(crowd.gesture.bodies), times, rows)
    return clip_from_generalized(crowd.plan, rows, base)


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


def orchestra(
    count: int, *, seed: int = 0, balance: BalanceOptions = STANDING, threads: int | None = None
) -> Orchestra:
    """Conductors at 60 to 120 beats per minute, large and small, each from its own place in the bar.

    Args:
        count: How many, 1 to 10,000.
        seed: Of their tempi, sizes and phases.
        balance: How everybody stands.
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
    crowd = Crowd(plan, conducting_loop(plan), members, balance=balance, threads=threads)
    return Orchestra(crowd, clip, whole)
