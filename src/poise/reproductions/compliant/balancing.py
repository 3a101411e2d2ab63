"""Arms that balance a dodge: of other people who stand, out in a step aside and ahead in a duck."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.anticipation.answers import Dodging
from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.throws import AT, aimed
from poise.reproductions.hu2024.subject import body_of
from poise.reproductions.motion.clips import Source, sources, spread
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.scenes.bounded import at_ease, standing
from poise.world import SceneSpec

__all__ = ["CHECKS"]

Array = NDArray[np.float64]
Way = Literal["on", "not ahead", "not out", "straight"]

_PEOPLE, _TIMES = 18, 2
"""Other people, of twelve producers, and how often each dodges in each way."""
_MASS, _RADIUS, _BEGIN = 10.0, 0.12, 0.4
"""Of a ball [kg, m], and when it is let go [s]."""
_SPEEDS, _FLIGHTS, _FROM = (3.0, 5.0), (0.95, 1.2), float(np.radians(50.0))
"""Level [m/s], how long it flies [s], and from how far beside ahead [rad]."""
_FAR = 0.2
"""Who gets so far out of the way, for a stature of 1.75 m, dodges [m]."""
_ELBOW, _BENDS, _MOST = 0.05, 15.0, 90.0
"""How far either elbow goes from its shoulder [m], how far both bend [degrees], and the share of dodges [%]."""
_SIDES = ("left", "right")
_DODGING: dict[Way, Dodging] = {
    "on": Dodging(),
    "not ahead": Dodging(arms_ahead=0.0),
    "not out": Dodging(arms_out=0.0),
    "straight": Dodging(elbows=0.0),
}


class Dodged(NamedTuple):
    """What the arm that did less did when the pelvis was farthest out of the way, against its clip.

    Args:
        far: How far the pelvis was, for a stature of 1.75 m [m].
        ahead: How far ahead of its shoulder the elbow went [m].
        out: How far out to its side [m].
        bends: How far the elbow bent [degrees].
    """

    far: float
    ahead: float
    out: float
    bends: float


@once
def dodged(source: Source, seed: int, steps: bool, way: Way) -> Dodged:
    """Throw something heavy at somebody who stands and may step aside, or else ducks; nobody flinches."""
    plan, rng = body_of(source), np.random.default_rng(seed)
    who = standing(at_ease(plan), 3.0, CharacterOptions(root="compliant"), plan)
    flight, turn, speed = rng.uniform(*_FLIGHTS), rng.uniform(-_FROM, _FROM), rng.uniform(*_SPEEDS)
    part = AT[rng.integers(len(AT))] if steps else "head"
    ball = aimed(who, part, _BEGIN, flight, turn, speed, mass=_MASS, radius=_RADIUS)
    evasion = replace(Evasion(duck=0.0) if steps else Evasion(sidestep=0.0), dodging=_DODGING[way])
    acting = {"who": [Anticipation(AnticipationOptions(evasion=evasion, startle=False))]}
    session = Session({"who": who}, SceneSpec(props=(ball,), floor=who.floor), behaviors=acting)
    recording, columns = session.run(round((_BEGIN + flight) / session.clock.tick)), session.layouts[0].positions
    away = (recording.positions - recording.source)[:, columns][:, :3]
    far = np.linalg.norm(away[:, :2], axis=1) if steps else -away[:, 2]
    at = int(far.argmax())
    real, own = (_arms(plan, rows[at : at + 1, columns]) for rows in (recording.positions, recording.source))
    ahead, out, bends = (real - own).min(axis=1)
    return Dodged(float(far[at] / plan.size), float(ahead), float(out), float(bends))


def _arms(plan: BodyPlan, rows: Array) -> Array:
    """Ahead and out [m] from shoulder to elbow, and bend of the elbow [degrees], by the left and the right arm, (3, 2)."""
    frames = body_frames(plan, rows)
    upright = quat.mul(frames.rotations[0, 0], quat.conj(plan.neutral[0]))
    ahead = quat.rotate(upright, np.array([1.0, 0.0, 0.0])) * (1.0, 1.0, 0.0)
    ahead /= np.linalg.norm(ahead)
    left, found = np.cross([0.0, 0.0, 1.0], ahead), []
    for side, sign in zip(_SIDES, (1.0, -1.0), strict=True):
        shoulder, elbow, hand = (
            frames.positions[0, plan.with_role(f"{side}_{part}")[0]] for part in ("upper_arm", "forearm", "hand")
        )
        upper, lower = elbow - shoulder, hand - elbow
        cosine = float(upper @ lower / np.linalg.norm(upper) / np.linalg.norm(lower))
        found.append([upper @ ahead, sign * upper @ left, np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))])
    return np.array(found).T


def _found(trial: Trial, off: Way, *, steps: bool) -> list[Dodged]:
    """All that get out of the way."""
    people, way = spread(sources(quick=trial.quick), _PEOPLE), "on" if trial.on else off
    tried = [dodged(who, seed, steps, way) for who in people for seed in range(_TIMES)]
    return [each for each in tried if each.far >= _FAR]


def _row(name: str, says: str, found: list[Dodged], good: list[bool]) -> Row:
    share = 100.0 * float(np.mean(good)) if good else 0.0
    return Row(
        f"compliant/{name}",
        f"{says}: other people who stand at ease and something of {_MASS:g} kg that comes at them; share of {len(found)} who "
        f"get more than {100.0 * _FAR:g} cm out of the way, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("arms that go ahead in a duck", off="Dodging(arms_ahead=0)", cases=_PEOPLE * _TIMES)
def ahead(trial: Trial) -> Row:
    """Share of ducks with both arms ahead."""
    found = _found(trial, "not ahead", steps=False)
    says = f"In a duck both upper arms go ahead by {100.0 * _ELBOW:g} cm and more"
    return _row("duck-arms", says, found, [each.ahead >= _ELBOW for each in found])


@claim("arms that go out in a step aside", off="Dodging(arms_out=0)", cases=_PEOPLE * _TIMES)
def out(trial: Trial) -> Row:
    """Share of steps aside with both arms out."""
    found = _found(trial, "not out", steps=True)
    says = f"In a step aside both upper arms go out by {100.0 * _ELBOW:g} cm and more"
    return _row("sidestep-arms", says, found, [each.out >= _ELBOW for each in found])


@claim("elbows that bend in a dodge", off="Dodging(elbows=0)", cases=2 * _PEOPLE * _TIMES)
def elbows(trial: Trial) -> Row:
    """Share of dodges with bent elbows."""
    found = [each for steps in (False, True) for each in _found(trial, "straight", steps=steps)]
    says = f"In either both elbows bend by {_BENDS:g}° and more"
    return _row("dodge-elbows", says, found, [each.bends >= _BENDS for each in found])


CHECKS = (ahead, out, elbows)
