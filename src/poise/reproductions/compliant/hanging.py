"""Rows about arms whose muscles carry nothing: they hang, whatever their clip does with them."""

from __future__ import annotations

import numpy as np

from poise.body.coordinates import body_frames
from poise.control.tension import Tension
from poise.reproductions.check import Trial, claim
from poise.reproductions.row import Row
from poise.runtime import CharacterOptions, Session
from poise.scenes.bounded import at_ease, standing
from poise.scenes.bounded.person import spread_arms
from poise.world import SceneSpec

__all__ = ["CHECKS", "hang", "hangs"]

_RAISED = (30.0, 60.0, 90.0)
"""How far arms are held out sideways [degrees]."""
_SECONDS = 3.0
_HANGS = 12.0
"""From shoulder to hand a limp arm is within this of the vertical [degrees]: the flank and a bent elbow keep it off."""


def hang(raised: float, relax: float) -> float:
    """How far both arms are from hanging after 3 s, in the mean [degrees], when held out sideways by an angle [degrees]."""
    row = at_ease()
    spread_arms(row, float(np.radians(raised)))
    who = standing(row, _SECONDS, CharacterOptions(tension=Tension(relax=relax)))
    session = Session({"who": who}, SceneSpec(floor=who.floor))
    positions = session.run().positions[-1, session.layouts[0].positions]
    places = body_frames(who.plan, positions[None]).positions[0]
    found = []
    for side in ("left", "right"):
        (shoulder,), (hand,) = (who.plan.with_role(f"{side}_{part}") for part in ("upper_arm", "hand"))
        way = places[hand] - places[shoulder]
        found.append(np.degrees(np.arccos(-way[2] / np.linalg.norm(way))))
    return float(np.mean(found))


@claim("muscles that let go of their load", off="Tension(relax=0)", cases=len(_RAISED))
def hangs(trial: Trial) -> Row:
    """How far from hanging limp arms are."""
    worst = max(hang(raised, 1.0 if trial.on else 0.0) for raised in _RAISED)
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
