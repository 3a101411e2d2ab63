"""Someone who stands, on any skeleton: the ground on which gestures and balance are built."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance import BEND, Footing
from poise.body.coordinates import body_frames, clip_from_generalized
from poise.body.ground import ground_height
from poise.body.layout import turn_columns
from poise.body.plan import BodyPlan
from poise.characters.character import Character
from poise.control.balance import CarriedBody
from poise.errors import InputError
from poise.ik import relaxed_positions
from poise.motion.clip import Clip

__all__ = ["Movement", "standing_clip"]

Array = NDArray[np.float64]
Movement = Callable[[BodyPlan, Array, Array], None]
"""Changes generalized positions (T, nq) of a plan at times (T,) [s], in place."""
_THIGHS = ("left_thigh", "right_thigh")


def standing_clip(source: Clip, seconds: float, rate: float = 60.0, movement: Movement | None = None) -> Clip:
    """The skeleton of a clip standing at ease on the ground at height 0, facing x, its weight over its feet.

    Args:
        source: Whose skeleton and proportions.
        seconds: How long.
        rate: Frames per second.
        movement: What it does meanwhile, such as `poise.characters.gesture_clips.gesturing`.

    Raises:
        InputError: Length or rate is out of range, or the skeleton lacks what standing needs.
    """
    if not (0.0 < seconds <= 3600.0 and 1.0 <= rate <= 1000.0):
        raise InputError(f"standing lasts up to an hour at 1 to 1000 frames per second; got {seconds} s at {rate}")
    plan = Character.from_clip(source).plan
    row = relaxed_positions(plan)
    row[2] -= ground_height(plan, body_frames(plan, row[None]))
    footing = Footing(CarriedBody(plan), row, 0.0, BEND)
    footing.stand(row)
    if movement is not None:
        # Who begins with arms ahead stands a little further back.
        first = row[None].copy()
        movement(plan, first, np.zeros(1))
        footing.stand(first[0])
        legs = turn_columns([body for leg in plan.with_role(*_THIGHS) for body in plan.subtree(leg)])
        row[:3], row[legs] = first[0, :3], first[0, legs]
    count = round(seconds * rate) + 1
    rows = np.tile(row, (count, 1))
    if movement is not None:
        movement(plan, rows, np.arange(count) / rate)
    rotations, translations = (np.repeat(part[:1], count, axis=0) for part in (source.rotations, source.translations))
    return clip_from_generalized(
        plan, rows, replace(source, rate=rate, rotations=rotations, translations=translations, name="standing")
    )
