"""Who moves in these experiments: the body of the shipped walk."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.build import build_body
from poise.body.layout import turn_slice
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.io import read_clip
from poise.motion import guess_roles
from poise.motion.clip import Clip

__all__ = ["anatomical_angles", "walker"]

Array = NDArray[np.float64]


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
