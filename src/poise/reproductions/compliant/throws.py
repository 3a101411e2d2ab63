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
from poise.runtime import Character, Recording, Session
from poise.scenes.thrown import thrown
from poise.world import SceneSpec
from poise.world.props import Ball

__all__ = ["AT", "CHECKS", "aimed", "met", "struck"]

Array = NDArray[np.float64]

_COUNT, _MOST = 300, 90.0
"""Throws, and the share of them that is to pass by [%]."""
AT = ("head", "spine")
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
    part, begin, flight = AT[rng.integers(len(AT))], rng.uniform(*_BEGINS), rng.uniform(*_FLIGHTS)
    turn, speed = rng.uniform(-_FROM, _FROM), rng.uniform(*_SPEEDS)
    ball = aimed(who, part, begin, flight, turn, speed, mass=rng.uniform(*_MASSES), radius=rng.uniform(*_RADII))
    return _hit(who, ball, begin + flight + _AFTER, legs)


def aimed(
    who: Character, part: str, begin: float, flight: float, turn: float, speed: float, *, mass: float, radius: float
) -> Ball:
    """A ball called "ball" that flies at where a part of somebody's clip will be.

    Args:
        who: At whom.
        part: Role of the part.
        begin: When it is let go [s].
        flight: How long it flies [s].
        turn: From where, about the vertical from where the chest faces then [rad].
        speed: Level [m/s].
        mass: [kg].
        radius: [m].
    """
    target, ahead = _there(who, part, begin, flight)
    course = -speed * (np.cos(turn) * ahead + np.sin(turn) * np.cross([0.0, 0.0, 1.0], ahead))
    return thrown("ball", target, course, flight, time=begin, mass=mass, radius=radius)


def met(recording: Recording) -> float:
    """When the ball first touches somebody [s], NaN for never."""
    names, contacts = recording.geom_names, recording.contacts
    for tick, pair in zip(contacts.tick, contacts.pairs, strict=True):
        if sorted(names[geom].split("/")[0] for geom in pair) == ["ball", "who"]:
            return float(recording.times[tick])
    return float("nan")


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
