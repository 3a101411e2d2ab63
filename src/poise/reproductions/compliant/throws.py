"""Seeded throws of heavy balls at people who stand and walk, and who was hit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.math import quat
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person, walks
from poise.reproductions.motion.clips import Source
from poise.reproductions.row import Row
from poise.runtime import Character, Session
from poise.scenes.thrown import thrown
from poise.world import SceneSpec
from poise.world.props import Ball

__all__ = ["CHECKS", "struck"]

Array = NDArray[np.float64]

_COUNT, _MOST = 300, 90.0
"""Throws, and the share of them that is to pass by [%]."""
_AT = ("head", "spine")
"""What is aimed at."""
_TENDER = ("head", "neck", "spine", "left_clavicle", "right_clavicle", "pelvis")
"""What is not to be hit."""
_MASSES, _RADII = (6.0, 15.0), (0.09, 0.15)
"""Of a ball [kg, m]: more than hands stop."""
_SPEEDS, _FLIGHTS = (3.0, 5.0), (0.95, 1.2)
"""Level [m/s], and how long it flies [s]: in view for longer than latency and the way out take together."""
_FROM = float(np.radians(50.0))
"""From how far beside ahead, seen from the person [rad]."""
_BEGINS, _AFTER = (0.6, 1.4), 0.4
"""When it is let go, and how long is played after it would be there [s]."""
_HARD = 2.0
"""A brush of less is no hit [N s]."""
_LEGS: dict[bool, Evasion] = {True: Evasion(), False: Evasion(duck=0.0, sidestep=0.0)}


def struck(source: Source | None, seed: int, *, legs: bool) -> bool:
    """Whether head, neck, trunk or clavicles of a person of a clip, None for one who stands, are hit by a ball.

    Args:
        source: The clip.
        seed: Of the throw.
        legs: Whether legs help: by a duck on the knees, or a step aside.
    """
    who, rng = person(source), np.random.default_rng(seed)
    part, begin, flight = _AT[rng.integers(len(_AT))], rng.uniform(*_BEGINS), rng.uniform(*_FLIGHTS)
    target, ahead = _there(who, part, begin, flight)
    turn = rng.uniform(-_FROM, _FROM)
    course = -rng.uniform(*_SPEEDS) * (np.cos(turn) * ahead + np.sin(turn) * np.cross([0.0, 0.0, 1.0], ahead))
    ball = thrown("ball", target, course, flight, time=begin, mass=rng.uniform(*_MASSES), radius=rng.uniform(*_RADII))
    return _hit(who, ball, begin + flight + _AFTER, legs)


def _there(who: Character, part: str, begin: float, flight: float) -> tuple[Array, Array]:
    """Where a part of the clip will be, and where its chest faces when the ball is let go."""
    plan, trajectory = who.plan, Trajectory(who.plan, who.clip)
    then, now = (body_frames(plan, trajectory.moment(time).positions) for time in (begin + flight, begin))
    body, chest = max(plan.with_role(part)), max(plan.with_role("spine"))
    shape = next(iter(plan.colliders[body]), None)
    middle = np.zeros(3) if shape is None else shape.position
    turned = quat.mul(now.rotations[0, chest], quat.conj(plan.neutral[chest]))
    ahead = quat.rotate(turned, np.array([1.0, 0.0, 0.0])) * (1.0, 1.0, 0.0)
    return then.positions[0, body] + quat.rotate(then.rotations[0, body], middle), ahead / np.linalg.norm(ahead)


def _hit(who: Character, ball: Ball, until: float, legs: bool) -> bool:
    acting = {"who": [Anticipation(AnticipationOptions(evasion=_LEGS[legs]))]}
    session = Session({"who": who}, SceneSpec(props=(ball,), floor=who.floor), behaviors=acting)
    recording = session.run(round(until / session.clock.tick))
    tender = {f"who/{who.plan.names[body]}" for body in who.plan.with_role(*_TENDER)}
    contacts, names = recording.contacts, recording.geom_names
    hits = [
        float(impulse)
        for pair, impulse in zip(contacts.pairs, contacts.impulse, strict=True)
        if {names[pair[0]], names[pair[1]]} & tender and "ball" in {names[pair[0]], names[pair[1]]}
    ]
    return sum(hits) > _HARD


@claim("legs that help", off="Evasion(duck=0, sidestep=0)", cases=_COUNT)
def missed(trial: Trial) -> Row:
    """Share of heavy balls that hit nobody's head or trunk."""
    people: tuple[Source | None, ...] = (None, *walks(quick=trial.quick))
    found = [not struck(people[seed % len(people)], seed, legs=trial.on) for seed in trial.seeds(_COUNT)]
    share = 100.0 * float(np.mean(found))
    return Row(
        "compliant/heavy-missed",
        f"A ball of {_MASSES[0]:g} to {_MASSES[1]:g} kg that is in view for a second and flies at the head or chest of one who "
        f"stands, walks or runs passes head, neck, trunk and shoulders by: a duck or a step aside; share of {len(found)}, at "
        f"least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (missed,)
