"""Seeded throws of what weighs next to nothing: eyes are on what a hand goes out to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.answers import Looking
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.body.coordinates import body_frames
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person, walks
from poise.reproductions.compliant.postures import face
from poise.reproductions.compliant.throws import AT, aimed, met
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Session
from poise.world import SceneSpec

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

_COUNT, _MOST = 150, 90.0
"""Throws, and the share of them in which eyes go along [%]."""
_MASSES, _RADIUS = (0.04, 0.1), 0.035
"""Of a ball [kg, m]: nobody would look at it for its own sake."""
_SPEEDS, _FLIGHTS, _BEGINS = (3.0, 4.5), (0.8, 1.0), (0.6, 1.4)
"""Level [m/s], how long it flies [s], and when it is let go [s]."""
_FROM = (float(np.radians(25.0)), float(np.radians(60.0)))
"""From how far beside ahead, to either side [rad]."""
_EYES, _NEARER, _MEETS = 25.0, 5.0, 0.03
"""How far beside the clip's face something is that eyes alone do not do [degrees], how much nearer a face is then [degrees],
and how long before something is met that is looked at [s]."""


class Looked(NamedTuple):
    """Angle between the face and what comes, just before it is met, in the clip and really [degrees]."""

    own: float
    real: float


@once
def looked(source: Source | None, seed: int, handled: bool) -> Looked | None:
    """Throw something light at a person of a clip, None for one who stands; None where no hand goes out to it."""
    who, rng = person(source), np.random.default_rng(seed)
    begin, flight, speed = rng.uniform(*_BEGINS), rng.uniform(*_FLIGHTS), rng.uniform(*_SPEEDS)
    turn, part = rng.choice([-1.0, 1.0]) * rng.uniform(*_FROM), AT[rng.integers(len(AT))]
    ball = aimed(who, part, begin, flight, turn, speed, mass=rng.uniform(*_MASSES), radius=_RADIUS)
    evasion = Evasion(looking=Looking(handled=handled))
    acting = {"who": [Anticipation(AnticipationOptions(evasion=evasion))]}
    session = Session({"who": who}, SceneSpec(props=(ball,), floor=who.floor), behaviors=acting)
    recording = session.run(round((begin + flight) / session.clock.tick))
    if not any(event.kind == "reach" for event in recording.events):
        return None
    end = np.fmin(met(recording), begin + flight) - _MEETS
    tick, since = int(np.searchsorted(recording.times, end)), end - begin
    place = np.array(ball.position) + since * np.array(ball.velocity) - [0.0, 0.0, 0.5 * SceneSpec.gravity * since**2]
    head, columns = who.plan.with_role("head")[0], session.layouts[0].positions

    def beside(rows: Array) -> float:
        row = rows[tick : tick + 1, columns]
        away = place - body_frames(who.plan, row).positions[0, head]
        cosine = float(face(who.plan, row)[0] @ away / np.linalg.norm(away))
        return float(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))))

    return Looked(beside(recording.source), beside(recording.positions))


@claim("eyes that go along with a hand", off="Looking(handled=False)", cases=_COUNT)
def along(trial: Trial) -> Row:
    """Share of light things to a side to which the head turns with the hand."""
    people: tuple[Source | None, ...] = (None, *walks(quick=trial.quick))
    tried = [looked(people[seed % len(people)], seed, trial.on) for seed in trial.seeds(_COUNT)]
    found = [each for each in tried if each is not None and each.own > _EYES]
    share = 100.0 * float(np.mean([each.own - each.real >= _NEARER for each in found])) if found else 0.0
    return Row(
        "compliant/gaze",
        f"Eyes are on what a hand goes out to, however light: when a ball of {1e3 * _MASSES[0]:g} to {1e3 * _MASSES[1]:g} g is "
        f"about to be met that is more than {_EYES:g}° beside the clip's face, the face of who stands, walks or runs is nearer "
        f"to it by {_NEARER:g}° and more; share of {len(found)}, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (along,)
