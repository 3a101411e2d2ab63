"""Rows about who is pushed unawares: nothing for a moment, then arms come out."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.push import Push
from poise.body.layout import turn_at
from poise.control.root import Recovering, RootDrive
from poise.math import quat
from poise.reproductions.check import Trial, claim
from poise.reproductions.compliant.draws import person_who, walks
from poise.reproductions.compliant.postures import beside_chest
from poise.reproductions.motion.clips import Source
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.world import SceneSpec

__all__ = ["CHECKS", "Answer", "answered"]

Array = NDArray[np.float64]
Way = Literal["on", "hung", "at once"]

_COUNT = 80
"""Pushes of walkers and runners; a quarter as many again of one who stands."""
_IMPULSE, _LASTS, _BEGINS, _LONG = 40.0, 0.1, (0.5, 1.5), 2.6
"""Of a push at the trunk [N s]; how long it lasts, when it begins at soonest and latest, and how long is played [s]."""
_WITHIN, _OUT = 0.8, 0.05
"""By when after a push arms are out [s], and how far a hand is then from where the clip has it beside the chest [m]."""
_SETS_IN, _SOONEST, _LATEST = np.radians(0.2), 0.09, 0.25
"""How far an upper arm is turned when its answer has begun [rad], and how long after the push that is at the soonest and the
latest [s]: shoulder muscles of people whose platform is moved set in after about 0.1 s (McIlroy and Maki 1995)."""
_MOST = 95.0
"""Share of pushes [%]."""
_OPTIONS = {
    "on": RootDrive(),
    "hung": RootDrive(recovering=Recovering(beside=0.0, ahead=0.0, elbow=0.0)),
    "at once": RootDrive(recovering=Recovering(latency=0.0)),
}


class Answer(NamedTuple):
    """What a pushed person's arms did.

    Args:
        out: Farthest that a hand is from where the clip has it beside the chest, within 0.8 s of the push [m].
        after: How long after the push began arms were first meant to do anything [s], NaN for never.
    """

    out: float
    after: float


@once
def answered(source: Source | None, seed: int, way: Way) -> Answer:
    """Push a walker's trunk, or that of one who stands, from a seeded side at a seeded time."""
    rng = np.random.default_rng(seed)
    angle, begin = rng.uniform(0.0, 2.0 * np.pi), rng.uniform(*_BEGINS)
    who = person_who(source, CharacterOptions(root="compliant", root_drive=_OPTIONS[way]), _LONG)
    force = _IMPULSE / _LASTS * np.array([np.cos(angle), np.sin(angle), 0.0])
    session = Session(
        {"who": who}, SceneSpec(floor=who.floor), behaviors={"who": [Push(force, begin, _LASTS, "spine")]}
    )
    recording = session.run(round(_LONG / session.clock.tick))
    columns, plan = session.layouts[0].positions, who.plan
    real, meant, own = (
        np.asarray(skeleton[:, columns]) for skeleton in (recording.positions, recording.kinematic, recording.source)
    )
    soon = (recording.times > begin) & (recording.times < begin + _WITHIN)
    out = np.linalg.norm(beside_chest(plan, real) - beside_chest(plan, own), axis=-1)[soon].max()
    arms = [turn_at(plan.with_role(f"{side}_upper_arm")[0]) + np.arange(4) for side in ("left", "right")]
    turned = np.max([quat.angle_between(meant[:, arm], own[:, arm]) for arm in arms], axis=0)
    begun = recording.times[(turned > _SETS_IN) & (recording.times > begin)]
    return Answer(float(out), float(begun[0] - begin) if len(begun) else float("nan"))


def _answers(trial: Trial, off: Way) -> list[Answer]:
    clips, count, way = walks(quick=trial.quick), len(trial.seeds(_COUNT)), "on" if trial.on else off
    found = [answered(clips[seed % len(clips)], seed, way) for seed in range(count)]
    return found + [answered(None, seed, way) for seed in range(count // 4)]


@claim("arms that come out after a push", off="Recovering(beside=0, ahead=0, elbow=0)", cases=_COUNT)
def comes_out(trial: Trial) -> Row:
    """Share of pushes after which arms come out."""
    found = _answers(trial, "hung")
    share = 100.0 * float(np.mean([each.out >= _OUT for each in found]))
    return Row(
        "compliant/unawares-arms",
        f"Who is pushed in the trunk unawares gets an arm out, a hand {100.0 * _OUT:g} cm off its clip beside the chest "
        f"within {_WITHIN:g} s: {len(found)} pushes of {_IMPULSE:g} N s from all sides, of walkers and others; {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


@claim("a moment until a push is noticed", off="Recovering(latency=0)", cases=_COUNT)
def takes_a_moment(trial: Trial) -> Row:
    """Share of pushes that are answered neither at once nor late."""
    found = _answers(trial, "at once")
    share = 100.0 * float(np.mean([_SOONEST <= each.after <= _LATEST for each in found]))
    return Row(
        "compliant/unawares-latency",
        f"The same arms set in {_SOONEST:g} to {_LATEST:g} s after the push begins: people's do after about 0.1 s; at least "
        f"{_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (comes_out, takes_a_moment)
