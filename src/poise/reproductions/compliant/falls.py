"""Rows about falls: pushes that no step catches, and trips, end on the ground, hands first."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from poise.behaviors.push import Push
from poise.control.falling import Falling
from poise.control.root import RootDrive
from poise.errors import InputError
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person_who, walks
from poise.reproductions.compliant.legs import wall_before_a_leg
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.runtime.record import Recording
from poise.scenes.bounded import at_ease, standing
from poise.world import SceneSpec

__all__ = ["CHECKS", "goes_down", "landed", "saved", "tripped"]

_COUNT = 60
_IMPULSE = (110.0, 160.0)
"""Of pushes at the chest, at least and at most [N s]."""
_LASTS, _LONG = 0.1, 2.5
"""How long a push lasts and how long is played [s]."""
_MOST = 5.0
"""Force that a hand and the head bear at most [body weights]."""
_SHARE = 95.0
"""Of falls [%]."""
_TRIPS, _FALLS, _GOES_ON, _SPARED = 80, 5.0, 2.4, 75.0
"""Walls to trip over, how much of a clip is played at most [s], how long after it is reached [s], and the share of falls over
them whose heads are to be spared [%]."""


def landed(session: Session, recording: Recording) -> tuple[Mapping[str, int], Mapping[str, float]]:
    """The tick in which each part of the only character first touches the ground, and how hard it does at most [N], by role."""
    plan, name = session.references[0].plan, session.references[0].name
    roles = {f"{name}/{body}": role for body, role in zip(plan.names, plan.body_roles, strict=True)}
    first: dict[str, int] = {}
    peak: dict[str, float] = {}
    contacts = recording.contacts
    for pair, force, tick in zip(contacts.pairs, contacts.peak, contacts.tick, strict=True):
        one, other = (recording.geom_names[geom] for geom in pair)
        for own, met in ((one, other), (other, one)):
            role = roles.get(own)
            if role is not None and met not in roles:
                first.setdefault(role, int(tick))
                peak[role] = max(peak.get(role, 0.0), float(force))
    return first, peak


def saved(seed: int, *, falls: bool) -> bool:
    """Whether one who is pushed over at a seeded angle goes down on the hands, the head neither before nor hard."""
    rng = np.random.default_rng(seed)
    angle, impulse = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(*_IMPULSE)
    options = CharacterOptions(root="compliant", root_drive=RootDrive(falls=falls))
    who = standing(at_ease(), _LONG, options)
    force = impulse / _LASTS * np.array([np.cos(angle), np.sin(angle), 0.0])
    session = Session({"who": who}, SceneSpec(floor=who.floor), behaviors={"who": [Push(force, 0.3, _LASTS, "spine")]})
    recording = session.run()
    first, peak = landed(session, recording)
    hands = [first[part] for part in first if part.endswith(("hand", "forearm"))]
    down = any(event.kind == "down" for event in recording.events)
    if not (down and hands):
        return False
    weight = who.plan.total_mass * SceneSpec.gravity
    hardest = max(force for part, force in peak.items() if part == "head" or part.endswith("hand"))
    return (
        min(hands) < min(first.get("head", len(recording)), first.get("spine", len(recording)))
        and hardest < _MOST * weight
    )


@once
def tripped(source: Source, seed: int, leans: float) -> float | None:
    """How hard the head hits the ground or a low wall in which a leg is caught [body weights]; None for nobody who falls."""
    drive = RootDrive(falling=Falling(leans=leans))
    who = person_who(source, CharacterOptions(root="compliant", root_drive=drive), _FALLS)
    time, wall = wall_before_a_leg(who, seed)
    try:
        session = Session({"who": who}, SceneSpec(props=(wall,), floor=who.floor))
    except InputError:
        return None
    recording = session.run(round(min(time + _GOES_ON, who.clip.duration) / session.clock.tick))
    if not any(event.kind == "down" for event in recording.events):
        return None
    return landed(session, recording)[1].get("head", 0.0) / (who.plan.total_mass * SceneSpec.gravity)


@claim("hands that get out before a fall", off="Falling(leans=radians(180))", cases=_TRIPS // 4)
def spares_the_head(trial: Trial) -> Row:
    """Share of trips in which the head does not hit hard."""
    people = [each for each in walks(quick=trial.quick) if not each.name.startswith("Knight")]
    leans = Falling().leans if trial.on else math.pi
    tried = [tripped(people[seed % len(people)], seed, leans) for seed in trial.seeds(_TRIPS)]
    found = [each for each in tried if each is not None]
    share = 100.0 * float(np.mean([each < _MOST for each in found]))
    return Row(
        "compliant/trip-head",
        f"Who walks or runs into a low wall and goes down over it is spared {_MOST:g} body weights on the head: share of "
        f"{len(found)} who went down of {len(tried)}, a toy whose head is a third of it left out, at least {_SPARED:g} %",
        None,
        share,
        "%",
        share >= _SPARED,
    )


@claim("a body that falls", off="RootDrive(falls=False)", cases=_COUNT)
def goes_down(trial: Trial) -> Row:
    """Share of falls that hands take."""
    found = [saved(seed, falls=trial.on) for seed in trial.seeds(_COUNT)]
    share = 100.0 * float(np.mean(found))
    return Row(
        "compliant/fall-hands",
        f"Who stands and is pushed at the chest with {_IMPULSE[0]:g} to {_IMPULSE[1]:g} N s goes down with a hand or forearm "
        f"on the ground before trunk and head, hands and head under {_MOST:g} body weights: share of {len(found)}, at least "
        f"{_SHARE:g} %",
        None,
        share,
        "%",
        share >= _SHARE,
    )


CHECKS = (goes_down, spares_the_head)
