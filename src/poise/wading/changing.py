"""Whom fluid makes too slow to run walks, and runs on when he is out of it (the paper's Fig. 1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.characters.character import Character
from poise.characters.retarget import retarget_onto
from poise.io import read_clip
from poise.locomotion.contacts import ContactPhases, Phase
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import follow, loop, resample, root_motion, travelling_joint, trim
from poise.runtime.clock import Clock
from poise.signals import Ground
from poise.wading.balance import fastest_walk
from poise.wading.gait import Gait
from poise.wading.options import WadingOptions
from poise.wading.posture import Posture
from poise.wading.record import WadingMoment
from poise.wading.wader import Wader
from poise.world.query import TerrainGround

__all__ = ["ChangedGait", "far_enough", "walks_where_slow"]

Bools = NDArray[np.bool_]

_EVEN = float(np.radians(16.0))
"""Joints at the end of a stride that is repeated are on average within this of its beginning [rad]."""
_LONGEST = 3.0
"""A way takes at most this many times as long as its clip."""


@dataclass(frozen=True, eq=False)
class ChangedGait:
    """A runner whose clip walks where fluid is in the way.

    Args:
        character: Its clip runs, walks and, where the fluid ends, runs on from where it left off.
        changes: When its gait changes [s of the clip]: once where the fluid does not end, twice where it does.
    """

    character: Character
    changes: tuple[float, ...]


def walks_where_slow(
    character: Character,
    options: WadingOptions,
    ground: Ground | None = None,
    *,
    reach: float,
) -> ChangedGait | None:
    """A runner's clip with a walk in it for as long as fluid makes it too hard to run.

    People run above a speed at which walkers' feet leave the ground, and walk below it (Kram 1997); and nobody keeps up a
    greater power than a body has. So the run is waded until over a step it is slower than that, or drag times speed is more,
    and goes on from the next landing as the shipped walk on the runner's own skeleton, at the greatest speed of a walk. The
    walk is waded until it is out of the fluid and at its speed again; the run goes on from the landing at which it was left.

    Args:
        character: Who runs; its clip's feet leave the ground (`Gait.walks` is False).
        options: How it wades, and in what.
        ground: What it runs on; the clip's own floor where None.
        reach: How far it walks at most [m].

    Returns:
        None where nothing slows it down by so much before its clip ends.

    Raises:
        InputError: The clip shows no steps, or the character has no feet.
    """
    when = options.changing
    floor = TerrainGround((), character.floor) if ground is None else ground
    runs = _Goer.of(character, floor)
    fastest = min(fastest_walk(runs.leg, froude=options.balance.froude), when.held * runs.gait.speed)

    def held(going: _Going) -> bool:
        return going.wet and (going.speed < fastest or going.power > when.power)

    def free(going: _Going) -> bool:
        return not going.wet and going.speed > when.free * fastest

    left = runs.first_landing(options, floor, held)
    if left is None:
        return None
    walks = _Goer.of(_lent_walk(runs.gait.character, fastest, reach), TerrainGround((), character.floor))
    start = walks.landing(left.foot, 0.0)
    both = _pieced(runs, [(runs, 0, left.frame), (walks, start, len(walks.mask) - 1)])
    changes = (left.frame / runs.rate,)
    back = _Goer.of(both, floor, changes).first_landing(options, floor, free, left, after=changes[0])
    if back is None:
        return ChangedGait(both, changes)
    out = start + back.frame - left.frame
    pieces = [(runs, 0, left.frame), (walks, start, out), (runs, left.frame, len(runs.mask) - 1)]
    return ChangedGait(_pieced(runs, pieces), (*changes, back.frame / runs.rate))


def far_enough(character: Character, way: float) -> Character | None:
    """A runner whose clip gets as far as that, its most even stride repeated; None where none comes back to its pose.

    Args:
        character: Who runs.
        way: How far [m].

    Raises:
        InputError: The clip shows no steps, or the character has no feet.
    """
    runs = _Goer.of(character, TerrainGround((), character.floor))
    clip = runs.gait.character.clip
    missing = way - _way(clip)
    if missing <= 0.0:
        return character
    strides = []
    for foot in runs.gait.steps:
        frames = [round(float(time) * runs.rate) for time in foot.lands if time > 0.0]
        for first, last in pairwise(frames):
            apart = float(np.mean(quat.angle_between(clip.rotations[first, 1:], clip.rotations[last, 1:])))
            strides.append((apart, first, last))
    apart, first, last = min(strides, default=(np.inf, 0, 0))
    if apart > _EVEN:
        return None
    again = int(np.ceil(missing / max(_way(trim(clip, first, last + 1)), 1e-3)))
    pieces = [(runs, 0, last), *[(runs, first, last)] * again, (runs, last, len(clip) - 1)]
    return _pieced(runs, [piece for piece in pieces if piece[2] > piece[1]])


@dataclass(frozen=True)
class _Landing:
    foot: int
    frame: int


@dataclass(frozen=True, eq=False)
class _Goer:
    """Somebody's gait, and when heels and balls stand, shape (T, 4), told from its clip alone."""

    gait: Gait
    mask: Bools

    @classmethod
    def of(cls, character: Character, ground: Ground, changes: tuple[float, ...] = ()) -> _Goer:
        gait = Gait.of(character, ground, changes)
        return cls(gait, gait.phases.mask)

    @property
    def rate(self) -> float:
        return self.gait.character.clip.rate

    @property
    def leg(self) -> float:
        return Posture(self.gait).leg

    def landing(self, foot: int, after: float) -> int:
        """Frame in which a foot lands next after a time [s]; -1 where it does not."""
        lands = self.gait.steps[foot].lands
        later = lands[lands > after]
        return round(float(later[0]) * self.rate) if len(later) else -1

    def first_landing(
        self,
        options: WadingOptions,
        ground: Ground,
        asks: Callable[[_Going], bool],
        like: _Landing | None = None,
        after: float = 0.0,
    ) -> _Landing | None:
        """Where a foot lands first after something was so for a step; None where it never is."""
        clock = Clock.for_rate(self.rate)
        wader = Wader(self.gait, self.gait.character.skin, ground, options, clock.tick)
        going = _Going(self.gait.speed, 0.0, False)
        while not wader.done and wader.now < _LONGEST * self.gait.duration:
            going = going.after(wader.advance(), wader, min(2.0 * clock.tick / self.gait.stride, 1.0))
            if wader.clip_time > after and asks(going):
                feet = (0, 1) if like is None else (like.foot,)
                lands = [_Landing(foot, self.landing(foot, wader.clip_time)) for foot in feet]
                return min((each for each in lands if each.frame >= 0), key=lambda each: each.frame, default=None)
        return None


class _Going(NamedTuple):
    """How somebody goes, over about a step: speed [m/s], what fluid takes of his power [W/kg], and whether he is in it."""

    speed: float
    power: float
    wet: bool

    def after(self, moment: WadingMoment, wader: Wader, share: float) -> _Going:
        """After another moment, of which a share counts."""
        speed = float(moment.velocity @ wader.ahead)
        power = -float(moment.force[:2] @ wader.ahead) * speed / wader.servo.mass
        return _Going(
            self.speed + share * (speed - self.speed), self.power + share * (power - self.power), moment.volume > 0.0
        )


def _lent_walk(character: Character, speed: float, reach: float) -> Character:
    """The shipped walk on somebody's skeleton, at a speed [m/s], as far as `reach` [m] and two steps."""
    walk = read_clip(clip_path("walk"))
    once = retarget_onto(walk, character.clip, character.mesh, target_roles=character.options.roles)
    way = _way(once)
    clip = loop(once, int(np.ceil(reach / max(way, 1e-3))) + 1)
    # When feet stand is told at the walk's own pace: faster ones would seem to slide.
    own = _rebuilt(character, clip, ())
    stands = Gait.of(own, TerrainGround((), own.floor)).phases.intervals()
    faster = speed * once.duration / max(way, 1e-3)
    clip = resample(replace(clip, rate=clip.rate * faster), character.clip.rate)
    return _rebuilt(character, clip, [Phase(name, start / faster, end / faster) for name, start, end in stands])


def _way(clip: Clip) -> float:
    """How far a clip gets [m]."""
    return float(np.linalg.norm(root_motion(clip, travelling_joint(clip)).displacement[-1]))


def _pieced(goer: _Goer, pieces: list[tuple[_Goer, int, int]]) -> Character:
    """Somebody whose clip is pieces of clips one after the other, each from its first to its last frame.

    When feet stand is told from each alone: across a seam a foot of a run would seem to stand far behind the body.
    """
    clips = [trim(of.gait.character.clip, first, last + 1) for of, first, last in pieces]
    masks = [of.mask[first : last + 1] for of, first, last in pieces]
    clip, mask = clips[0], masks[0]
    for more, stands in zip(clips[1:], masks[1:], strict=True):
        clip, mask = follow(clip, more), np.concatenate([mask, stands[1:]])
    return _rebuilt(goer.gait.character, clip, ContactPhases(goer.rate, mask).intervals())


def _rebuilt(character: Character, clip: Clip, phases: Sequence[Phase]) -> Character:
    """Somebody with another clip, prepared already, and what is known of when feet stand in it."""
    contacts: dict[str, list[tuple[float, float]]] = {}
    for phase in phases:
        contacts.setdefault(phase.contact, []).append((phase.start, phase.end))
    options = replace(character.options, cutoff=None, contacts=contacts or None)
    return Character.from_clip(replace(clip, name=character.clip.name), options, character.mesh)
