"""Hands do not set out for what hangs still before somebody who stays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.anticipation.coming import Coming
from poise.behaviors.anticipation import AnticipationOptions
from poise.characters.standing import standing_clip
from poise.reproductions.check import Trial, claim
from poise.reproductions.motion.clips import Source, drawn, sources, spread
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.scenes import anticipating, clip_scene, rooted
from poise.scenes.catalog import make_asset

__all__ = ["CHECKS"]

_EVERYTHING = Coming(stays=0.0, rests=0.0, passes=False)
"""Whatever is inside a region is answered, as the paper has it."""
_PEOPLE, _PLACES, _PLACES_OF_FEW = 16, 2, 10
_SECONDS = 1.5


@once
def _sets_out(source: Source, place: int, on: bool) -> bool:
    """Whether a hand of somebody who stands sets out for a fruit that hangs before them, inside a region."""
    clip = standing_clip(source.read()[0], _SECONDS)
    scene = clip_scene(clip, props=False)
    (who,), rng = scene.characters.values(), drawn(source)
    ahead, aside = rng.uniform([0.3, -0.25], [0.42, 0.25], (place + 1, 2))[-1] * who.plan.size
    fruit = make_asset("fruit", "fruit", (float(ahead), float(aside)), ground=who.floor, size=who.plan.size)
    scene = replace(scene, setting=replace(scene.setting, props=(fruit,)))
    options = AnticipationOptions() if on else AnticipationOptions(coming=_EVERYTHING)
    events = rooted(anticipating(scene, options)).session().run().events
    return any(event.kind == "reach" for event in events)


@claim(
    "what can give way and stays before who stays is let be",
    off="Coming(stays=0, rests=0, passes=False)",
    cases=_PEOPLE * _PLACES,
)
def let_be(trial: Trial) -> Row:
    """Share of still things within a region that no hand sets out for."""
    people = spread(sources(quick=trial.quick), _PEOPLE)
    places = _PLACES_OF_FEW if len(people) < _PEOPLE else _PLACES
    found = np.array([not _sets_out(who, place, trial.on) for who in people for place in range(places)])
    share = float(found.mean())
    return Row(
        "alvarado2022/let-be",
        "What hangs still before somebody who stands is let be, though it is inside a safety region (beyond Sec. 5.1, where a "
        f"hand stays raised against it for good): share of {len(found)} fruits before {len(people)} people, at least 95 %",
        None,
        100.0 * share,
        "%",
        share >= 0.95,
    )


CHECKS = (let_be,)
