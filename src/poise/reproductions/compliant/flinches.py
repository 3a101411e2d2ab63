"""Seeded throws at people who see nothing of them: who is hit hunches a moment later."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.flinching import Flinching
from poise.anticipation.startling import Startling
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.body.trajectory import Trajectory
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person, walks
from poise.reproductions.compliant.postures import beside_chest, nod
from poise.reproductions.compliant.throws import AT, aimed, met
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, Session
from poise.world import SceneSpec

__all__ = ["CHECKS"]

Array = NDArray[np.float64]
Way = Literal["on", "unmoved", "at once"]

_COUNT, _MOST = 100, 90.0
"""Throws, and the share of hits that are answered so [%]."""
_MASSES, _RADIUS = (0.3, 0.8), 0.06
"""Of a ball [kg, m]."""
_SPEEDS, _FLIGHTS = (5.0, 8.0), (0.4, 0.6)
"""Level, faster by so much than who it hits [m/s], and how long it flies [s]."""
_NOTICED = ("look", "reach", "dodge", "shield")
_BEHIND = (float(np.radians(120.0)), float(np.radians(240.0)))
"""Where it comes from, from ahead on: nobody looks there."""
_BEGINS, _AFTER = (0.6, 1.4), 0.6
"""When it is let go, and how long is played after it would be there [s]."""
_SOON, _LATE = 0.1, 0.5
"""When after a hit one is to be hunched [s]."""
_HAND, _NOD = 0.05, 15.0
"""How far either hand is then from where the clip has it beside the chest [m], and the head bent down [degrees]."""
_SETS_IN, _SOONEST, _LATEST = 0.3, 0.05, 0.15
"""How far the head bends when a flinch has begun [degrees], and how long after the hit that is [s]."""
_FLINCHING: dict[Way, Flinching] = {
    "on": Flinching(),
    "unmoved": Flinching(head=0.0, shoulders=0.0, trunk=0.0, ahead=0.0, elbows=0.0),
    "at once": Flinching(latency=0.0),
}


class Flinched(NamedTuple):
    """What a hit person did.

    Args:
        hand: Farthest that the hand that moves less is from where the clip has it beside the chest, soon after the hit [m].
        nod: How far the head is bent down beyond the clip's then, at most [degrees].
        after: How long after the hit the head was first meant to bend [s], NaN for never.
    """

    hand: float
    nod: float
    after: float


@once
def flinched(source: Source | None, seed: int, way: Way) -> Flinched | None:
    """Hit a person of a clip, None for one who stands, from behind; None where the ball misses or is noticed before."""
    who, rng = person(source), np.random.default_rng(seed)
    begin, flight, turn = rng.uniform(*_BEGINS), rng.uniform(*_FLIGHTS), rng.uniform(*_BEHIND)
    part, speed = AT[rng.integers(len(AT))], rng.uniform(*_SPEEDS) + _pace(who, begin, flight)
    ball = aimed(who, part, begin, flight, turn, speed, mass=rng.uniform(*_MASSES), radius=_RADIUS)
    acting = {"who": [Anticipation(AnticipationOptions(startling=Startling(flinching=_FLINCHING[way])))]}
    session = Session({"who": who}, SceneSpec(props=(ball,), floor=who.floor), behaviors=acting)
    recording = session.run(round((begin + flight + _AFTER) / session.clock.tick))
    hit = met(recording)
    if np.isnan(hit) or any(event.kind in _NOTICED and event.time < hit for event in recording.events):
        return None
    columns, plan, since = session.layouts[0].positions, who.plan, recording.times - hit
    real, meant, own = (
        np.asarray(skeleton[:, columns]) for skeleton in (recording.positions, recording.kinematic, recording.source)
    )
    soon = (since > _SOON) & (since < _LATE)
    hand = np.linalg.norm(beside_chest(plan, real) - beside_chest(plan, own), axis=-1).min(axis=1)[soon].max()
    begun = since[(nod(plan, meant) - nod(plan, own) > _SETS_IN) & (since > -_SOON)]
    bent = (nod(plan, real) - nod(plan, own))[soon].max()
    return Flinched(float(hand), float(bent), float(begun[0]) if len(begun) else float("nan"))


def _pace(who: Character, begin: float, lasts: float) -> float:
    """How fast somebody's clip goes in a while [m/s]."""
    trajectory = Trajectory(who.plan, who.clip)
    first, last = (trajectory.moment(time).positions[:2].copy() for time in (begin, begin + lasts))
    return float(np.linalg.norm(last - first)) / lasts


def _found(trial: Trial, off: Way) -> list[Flinched]:
    people: tuple[Source | None, ...] = (None, *walks(quick=trial.quick))
    way = "on" if trial.on else off
    tried = [flinched(people[seed % len(people)], seed, way) for seed in trial.seeds(_COUNT)]
    return [each for each in tried if each is not None]


@claim("a flinch", off="Flinching(head=0, shoulders=0, trunk=0, ahead=0, elbows=0)", cases=_COUNT)
def hunches(trial: Trial) -> Row:
    """Share of hits after which head and both arms are hunched."""
    found = _found(trial, "unmoved")
    share = 100.0 * float(np.mean([each.hand >= _HAND and each.nod >= _NOD for each in found]))
    return Row(
        "compliant/flinch",
        f"Who stands, walks or runs and is hit in the back or the back of the head by a ball of {_MASSES[0]:g} to "
        f"{_MASSES[1]:g} kg, {_SPEEDS[0]:g} to {_SPEEDS[1]:g} m/s faster than they are, hunches: within {_LATE:g} s the head "
        f"is bent down by {_NOD:g}° and both hands are {100.0 * _HAND:g} cm off the clip's place beside the chest; share of "
        f"{len(found)} hits, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("a moment until a hit is answered", off="Flinching(latency=0)", cases=_COUNT)
def takes_a_moment(trial: Trial) -> Row:
    """Share of hits that are answered neither at once nor late."""
    found = _found(trial, "at once")
    share = 100.0 * float(np.mean([_SOONEST <= each.after <= _LATEST for each in found]))
    return Row(
        "compliant/flinch-latency",
        f"The same flinch sets in {_SOONEST:g} to {_LATEST:g} s after the hit; at least {_MOST:g} % of {len(found)}",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (hunches, takes_a_moment)
