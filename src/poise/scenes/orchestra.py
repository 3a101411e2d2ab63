"""An orchestra of conductors: the shipped walk's character, many times over, everybody at their own tempo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors import MakeBehavior
from poise.behaviors.balance import BalanceOptions, SpringBalance
from poise.behaviors.looping import GestureLoop, Looping, LoopRows, conducting_loop
from poise.body.build import build_body
from poise.body.coordinates import clip_from_generalized
from poise.body.fold import fifteen_bodies
from poise.body.layout import turn_at
from poise.body.plan import BodyPlan
from poise.characters.character import Character, CharacterOptions
from poise.characters.prepare import prepare
from poise.crowd import EVERY, STANDING, STEP, Crowd, Extras, Member, Tally, half_rings, sprung
from poise.errors import InputError
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles
from poise.scenes.scene import Scene
from poise.signals import Event, Mode
from poise.world.scene import SceneSpec

__all__ = ["Orchestra", "Performance", "orchestra", "orchestra_scene", "soloists"]

Array = NDArray[np.float64]

_BEATS_PER_MINUTE, _SIZES = (60.0, 120.0), (0.6, 1.3)
_BEATS_PER_BAR = 4
_LONGEST = 600.0
"""An orchestra plays so long at most [s]: at 200 Hz the recording of who is watched then takes 1.5 GB."""


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


@dataclass(frozen=True, eq=False)
class Orchestra:
    """Conductors: who they are, and as a crowd.

    Args:
        members: By number.
        clip: The clip their character comes from.
        whole: Its plan before it was folded into fifteen bodies.
        plan: What all of them are.
        balance: How everybody stands.
        threads: How many cores work; None for all.
    """

    members: tuple[Member, ...]
    clip: Clip
    whole: BodyPlan
    plan: BodyPlan
    balance: BalanceOptions = STANDING
    threads: int | None = None

    @cached_property
    def gesture(self) -> GestureLoop:
        """What their arms and heads do."""
        return conducting_loop(self.plan)

    @cached_property
    def crowd(self) -> Crowd:
        """All of them."""
        return self.crowd_of(range(len(self.members)))

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called, by number."""
        return tuple(f"conductor_{number}" for number in range(len(self.members)))

    def crowd_of(self, numbers: Sequence[int]) -> Crowd:
        """Some of them as a crowd at its beginning."""
        members = [self.members[number] for number in numbers]
        return Crowd(self.plan, self.gesture, members, balance=self.balance, threads=self.threads)

    def play(self, seconds: float, progress: Callable[[int, int], None] | None = None) -> Performance:
        """Play on with all of them.

        Args:
            seconds: How long.
            progress: Called with seconds done and seconds in all.
        """
        crowd, falls = self.crowd, list[Event]()
        tally, total = Tally.begin(crowd), max(round(seconds), 1)

        def watch() -> None:
            falls.extend(Event(crowd.time, "fell", self.names[member]) for member in tally.look(crowd))

        start = perf_counter()
        for second in range(total):
            if progress is not None:
                progress(second, total)
            crowd.run(seconds / total, watch, EVERY)
        factor = seconds / (perf_counter() - start)
        return Performance(seconds, factor, int(crowd.standing.sum()), tally.slip(crowd), tuple(falls))

    def placed(self) -> Array:
        """Generalized positions of everybody at their seat, shape (N, nq)."""
        return half_rings(len(self.members)).seated(self.crowd.places())


def orchestra_scene(count: int, seconds: float, seed: int = 0, watched: Sequence[int] = (0,)) -> Scene:
    """An orchestra of which some conductors are watched; the others play along.

    Args:
        count: How many conductors.
        seconds: How long they play.
        seed: See `orchestra`.
        watched: See `soloists`.

    Raises:
        InputError: A number is out of range.
    """
    if not 1.0 <= seconds <= _LONGEST:
        raise InputError(f"--seconds takes 1 to {_LONGEST:g}; got {seconds:g}")
    players = orchestra(count, seed=seed)
    scene = soloists(players, watched, seconds)
    others = [other for other in range(count) if other not in watched]
    if not others:
        return scene
    extras = partial(Extras, partial(players.crowd_of, others), players.names, half_rings(count))
    return replace(scene, groups=(extras,))


def soloists(players: Orchestra, numbers: Sequence[int], seconds: float) -> Scene:
    """Some of an orchestra in a scene of their own, from the beginning: ordinary characters with two behaviors.

    Args:
        players: The orchestra.
        numbers: Which of its conductors; the first stands at the origin and faces X, the others sit where they do from there.
        seconds: How long.

    Raises:
        InputError: There is no such conductor, or one is named twice.
    """
    plan, gesture, names = players.plan, players.gesture, players.names
    if not numbers or len(set(numbers)) != len(numbers) or not set(numbers) <= set(range(len(names))):
        asked = ", ".join(map(str, numbers))
        raise InputError(f"the orchestra's conductors are 0 to {len(names) - 1}, each is watched once; got {asked}")
    springs, seats = sprung(plan, gesture.bodies, players.balance), half_rings(len(names))
    around = seats.seen_from(numbers[0])
    characters, behaviors = dict[str, Character](), dict[str, Sequence[MakeBehavior]]()
    for number in numbers:
        member = players.members[number]
        characters[names[number]] = _conductor(
            players, member, around.of(number).seated(springs.rest[None])[0], seconds
        )
        conducts = partial(Looping, gesture, member.rate, member.size, member.phase)
        behaviors[names[number]] = [conducts, partial(SpringBalance, players.balance)]
    setting = SceneSpec(floor=0.0, sprung=springs, sleep=False)
    return Scene("orchestra", characters, setting, STEP, behaviors)


def _conductor(players: Orchestra, member: Member, rest: Array, seconds: float) -> Character:
    plan = players.plan
    modes = np.full(len(plan), int(Mode.PASSIVE))
    modes[players.gesture.bodies] = int(Mode.MOTION)
    return Character(
        prepared=prepare(_conducting(players, member, rest, seconds), None, mending=False),
        roles=plan.roles,
        plan=plan,
        modes=modes,
        options=CharacterOptions(anchors=(), cutoff=None, mending=False, self_contact=False),
        apart=tuple((first, second) for k, first in enumerate(plan.names) for second in plan.names[k + 1 :]),
        floor=0.0,
    )


def _conducting(players: Orchestra, member: Member, rest: Array, seconds: float) -> Clip:
    """What a conductor means to do on the source's skeleton: stand as at rest (nq,), and conduct; a frame a step."""
    whole, source, gesture = players.whole, players.clip, players.gesture
    times = STEP * np.arange(round(seconds / STEP) + 1, dtype=np.float64)
    still = np.zeros((1, whole.position_count))
    still[:, 3::4] = 1.0
    still[:, 3:7] = whole.neutral[0]
    first = clip_from_generalized(whole, still, source.with_motion(source.rotations[:1], source.translations[:1]))
    rotations, translations = (np.repeat(part, len(times), axis=0) for part in (first.rotations, first.translations))
    base = replace(source, rate=1.0 / STEP, rotations=rotations, translations=translations, name="orchestra")
    rows = np.tile(rest, (len(times), 1))
    alone = LoopRows(gesture, *(np.array([value]) for value in (member.rate, member.size, member.phase)))
    alone.write(turn_at(gesture.bodies), times, rows)
    return clip_from_generalized(players.plan, rows, base)


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
    members = tuple(
        Member(
            rate=float(rng.uniform(*_BEATS_PER_MINUTE)) / 60.0 / _BEATS_PER_BAR,
            size=float(rng.uniform(*_SIZES)),
            phase=float(rng.uniform()),
        )
        for _ in range(count)
    )
    clip = read_clip(clip_path("walk"))
    whole = build_body(clip, guess_roles(clip.skeleton))
    return Orchestra(members, clip, whole, fifteen_bodies(whole), balance, threads)
