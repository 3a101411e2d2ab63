"""Rows about falls: pushes that no step catches end on the ground, hands first."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from poise.behaviors.push import Push
from poise.control.root import RootDrive
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.runtime.record import Recording
from poise.scenes.bounded import at_ease, standing
from poise.world import SceneSpec

__all__ = ["CHECKS", "goes_down", "landed", "saved"]

_COUNT = 60
_IMPULSE = (110.0, 160.0)
"""Of pushes at the chest, at least and at most [N s]."""
_LASTS, _LONG = 0.1, 2.5
"""How long a push lasts and how long is played [s]."""
_MOST = 5.0
"""Force that a hand and the head bear at most [body weights]."""
_SHARE = 95.0
"""Of falls [%]."""


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


CHECKS = (goes_down,)
