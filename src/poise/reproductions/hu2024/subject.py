"""Who moves in these experiments: the body of the shipped walk, and those of other people, whom nothing was tuned on."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.build import build_body
from poise.body.layout import turn_slice
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.characters.character import CharacterOptions
from poise.io import read_clip
from poise.motion import guess_roles
from poise.motion.clip import Clip
from poise.reproductions.check import Trial
from poise.reproductions.motion.clips import Source, sources, spread
from poise.scenes.bounded import at_ease, standing

__all__ = ["PEOPLE", "anatomical_angles", "body_of", "people", "walker"]

Array = NDArray[np.float64]

PEOPLE = 18
"""How many other people do the exercises, are hit and dragged, of twelve producers."""


def people(trial: Trial) -> tuple[Source, ...]:
    """Whose bodies are tried: of clips that nothing was tuned on, or of the shipped ones for a sample."""
    return spread(sources(quick=trial.quick), PEOPLE)


@cache
def body_of(source: Source | None) -> BodyPlan:
    """Somebody's body, as it is found from how they stand; the shipped walk's for None."""
    if source is None:
        return walker()[0]
    clip = source.read()[0]
    plan = build_body(clip, guess_roles(clip.skeleton))
    return standing(at_ease(plan), 0.1, CharacterOptions(), plan).plan


@cache
def walker() -> tuple[BodyPlan, Clip]:
    """The body of the shipped walk, and the walk."""
    clip = read_clip(clip_path("walk"))
    return build_body(clip, guess_roles(clip.skeleton)), clip


def anatomical_angles(plan: BodyPlan, rows: Array, role: str) -> Array:
    """Abduction, flexion and twist [degrees] of the joint with `role` at generalized positions (T, nq), shape (T, 3).

    Flexion is about the left-right axis: positive for knees that bend, negative for elbows that do.
    """
    body = next(iter(plan.with_role(role)))
    turns = rows[:, None, turn_slice(body)]
    return np.asarray(np.degrees(swing_twist_angles(anatomical(turns, plan.neutral[[body]]))[:, 0]))
