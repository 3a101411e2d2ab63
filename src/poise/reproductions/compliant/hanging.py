"""Rows about arms whose muscles carry nothing: they hang, whatever their clip does with them."""

from __future__ import annotations

from itertools import cycle

import numpy as np

from poise.body.build import build_body
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.control.tension import Tension
from poise.motion import guess_roles
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import HELD_OUT, Source, data_folder, spread
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.scenes.bounded import at_ease, standing
from poise.scenes.bounded.person import body, spread_arms
from poise.world import SceneSpec

__all__ = ["CHECKS", "hang", "hangs"]

_RAISED = (30.0, 60.0, 90.0)
"""How far arms are held out sideways [degrees]."""
_SECONDS, _PEOPLE = 3.0, 18
_HANGS = 20.0
"""From shoulder to hand a limp arm is within this of the vertical [degrees]: flank, hips and a bent elbow keep it off."""


def hang(raised: float, relax: float, source: Source | None = None) -> float:
    """How far both arms are from hanging after 3 s, in the mean [degrees], when held out sideways by an angle [degrees].

    They are somebody's, or the shipped walk's person's.
    """
    plan = body() if source is None else _built(source)
    row = at_ease(plan)
    spread_arms(row, float(np.radians(raised)), plan)
    who = standing(row, _SECONDS, CharacterOptions(tension=Tension(relax=relax)), plan)
    session = Session({"who": who}, SceneSpec(floor=who.floor))
    positions = session.run().positions[-1, session.layouts[0].positions]
    places = body_frames(who.plan, positions[None]).positions[0]
    found = []
    for side in ("left", "right"):
        (shoulder,), (hand,) = (who.plan.with_role(f"{side}_{part}") for part in ("upper_arm", "hand"))
        way = places[hand] - places[shoulder]
        found.append(np.degrees(np.arccos(-way[2] / np.linalg.norm(way))))
    return float(np.mean(found))


def _built(source: Source) -> BodyPlan:
    clip = source.read()[0]
    return build_body(clip, guess_roles(clip.skeleton))


def _cases(trial: Trial) -> list[tuple[float, Source | None]]:
    """How far arms are held out [degrees] and whose: other people's; for a sample the shipped person's."""
    if trial.quick or data_folder() is None:
        return [(raised, None) for raised in _RAISED]
    return list(zip(cycle(_RAISED), spread(HELD_OUT, _PEOPLE), strict=False))


@claim("muscles that let go of their load", off="Tension(relax=0)", cases=_PEOPLE)
def hangs(trial: Trial) -> Row:
    """How far from hanging limp arms are, of nine of ten people."""
    relax = 1.0 if trial.on else 0.0
    worst = float(np.percentile([hang(raised, relax, source) for raised, source in _cases(trial)], 90.0))
    return Row(
        "compliant/relaxed-hang",
        f"Arms that let go of all they carry hang within {_HANGS:g}° of the vertical {_SECONDS:g} s after they were held out "
        f"sideways by {', '.join(f'{each:g}' for each in _RAISED)}°, at the usual tension of 3 Hz",
        None,
        worst,
        "°",
        worst <= _HANGS,
    )


CHECKS = (hangs,)
