"""Clips of people who make gestures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.gesturing import Gesticulator
from poise.body.coordinates import clip_from_generalized, generalized_from_clip
from poise.body.plan import BodyPlan
from poise.characters.character import Character
from poise.characters.standing import Movement, standing_clip
from poise.gesture import Gesture
from poise.motion.clip import Clip

__all__ = ["gesture_clip", "gesturing"]

Array = NDArray[np.float64]


def gesture_clip(
    gesture: Gesture, source: Clip, seconds: float | None = None, rate: float = 60.0, *, over: bool = False
) -> Clip:
    """A clip of someone who makes a gesture.

    Args:
        gesture: What the hands do.
        source: Whose skeleton and proportions.
        seconds: How long; by default as long as `source`.
        rate: Frames per second, where the figure stands.
        over: Whether the rest of the body does what `source` does, at its rate; otherwise it stands at ease at the origin.

    Raises:
        InputError: The skeleton lacks arms, or a clip cannot be that long.
    """
    if not over:
        return standing_clip(source, source.duration if seconds is None else seconds, rate, gesturing(gesture))
    plan = Character.from_clip(source).plan
    rows, base = generalized_from_clip(plan, source), source
    if seconds is not None:
        rows = rows[: round(seconds * source.rate) + 1]
        base = source.with_motion(source.rotations[: len(rows)], source.translations[: len(rows)])
    gesturing(gesture)(plan, rows, np.arange(len(rows)) / base.rate)
    return clip_from_generalized(plan, rows, base)


def gesturing(gesture: Gesture) -> Movement:
    """A gesture as what someone who stands does."""

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        hands = Gesticulator(plan)
        hands.apply(rows, gesture.goals(times, hands.arms))

    return movement
