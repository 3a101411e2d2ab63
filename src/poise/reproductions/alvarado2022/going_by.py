"""Hands do not set out for what a walk leads past."""

from __future__ import annotations

import numpy as np

from poise.anticipation.coming import Coming
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.reproductions.bermudez2018.clips import walker, walks
from poise.reproductions.check import Trial, claim
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Session
from poise.scenes.catalog import make_asset
from poise.scenes.layout import walked_path
from poise.scenes.roots import with_root
from poise.world import SceneSpec

__all__ = ["CHECKS"]

_WALKS, _PLACES, _PLACES_OF_ONE = 15, 3, 10
_ALONG, _ASIDE = (0.4, 0.75), (0.8, 0.9)
"""Where a fruit hangs along the first metres of a way, as a share of it, and how far beside it, for a stature of 1.75 m [m]:
regions of 0.5 m about parts that are 0.2 m off the middle of the body and sway go by it."""
_METRES, _LONG, _MOST = 6.0, 6.0, 90.0
"""How much of a way and of a clip is played [m, s], and the share of things that are let be [%]: one who sways by a
hand's breadth comes nearer than the way."""


@once
def _sets_out(file: str, place: int, passes: bool) -> bool:
    """Whether a hand of a walker sets out for a fruit beside the way."""
    who, rng = walker(file), np.random.default_rng(place)
    path = walked_path(who)
    middle, ahead = path.at(rng.uniform(*_ALONG) * min(path.length, _METRES))
    aside = rng.choice([-1.0, 1.0]) * rng.uniform(*_ASIDE) * who.plan.size
    spot = float(middle[0] - aside * ahead[1]), float(middle[1] + aside * ahead[0])
    fruit = make_asset("fruit", "fruit", spot, ground=who.floor, size=who.plan.size)
    acting = {"who": [Anticipation(AnticipationOptions(coming=Coming(passes=passes)))]}
    setting = SceneSpec(props=(fruit,), floor=who.floor)
    session = Session({"who": with_root(who, "compliant")}, setting, behaviors=acting)
    events = session.run(min(session.tick_count, round(_LONG / session.clock.tick))).events
    return any(event.kind == "reach" for event in events)


@claim("what a course leads past is let be", off="Coming(passes=False)", cases=_WALKS * _PLACES)
def going_by(trial: Trial) -> Row:
    """Share of things beside a way that no hand sets out for."""
    # One skeleton has no head to have a region about.
    files = [file for file in walks(trial) if walker(file).plan.with_role("head")]
    places = range(_PLACES if len(files) > 1 else _PLACES_OF_ONE)
    found = [
        not _sets_out(file, len(files) * place + number, trial.on)
        for number, file in enumerate(files)
        for place in places
    ]
    share = 100.0 * float(np.mean(found))
    return Row(
        "alvarado2022/going-by",
        "What a walk leads past is let be, though for a while it comes fast enough to be in a safety region soon (beyond "
        f"Sec. 5.1): share of {len(found)} fruits {_ASIDE[0]:g} to {_ASIDE[1]:g} m beside the ways of {len(files)} walks that "
        f"no hand sets out for, at least {_MOST:g} %",
        None,
        share,
        "%",
        share >= _MOST,
    )


CHECKS = (going_by,)
