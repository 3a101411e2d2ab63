"""Cycles that were made in place get their way back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.body.build import build_body
from poise.body.capsules import sole_points
from poise.body.coordinates import clip_frames
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.locomotion.root_motion import StanceTravel, stance_travel
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.roles import guess_roles

__all__ = ["cycled", "find_travel", "with_travel"]


def find_travel(clip: Clip, plan: BodyPlan) -> StanceTravel:
    """How a clip's body would move if its standing foot did not slide, and whether it is a cycle in place."""
    frames = clip_frames(plan, clip)
    return stance_travel(sole_points(plan, frames), frames.positions[:, 0], ground_height(plan, frames), clip.rate)


def with_travel(clip: Clip, travel: StanceTravel) -> Clip:
    """The clip moving over the ground, with its root joint carrying the way."""
    translated = np.union1d(clip.translated, [0])
    positions = clip.local_positions().copy()
    positions[:, 0, :2] += travel.displacement
    return replace(clip, translations=positions[:, translated], translated=translated)


def cycled(clip: Clip, cycles: int, roles: dict[str, str | None] | None = None) -> tuple[Clip, list[str]]:
    """A cycle played so many times, moving over the ground even where it was made in place; notes say what was done.

    Args:
        clip: One cycle.
        cycles: How often.
        roles: Joint names whose role is given rather than guessed.
    """
    notes = []
    try:
        travel = find_travel(clip, build_body(clip, guess_roles(clip.skeleton, roles)))
    except InputError:
        travel = None  # Whatever is wrong is told when a character is made of it.
    if travel is not None and travel.in_place:
        clip = with_travel(clip, travel)
        notes.append(
            f"the cycle was made in place; its standing foot gives it {travel.speed:.2f} m/s towards "
            f"{round(np.degrees(travel.heading))}° from x"
        )
    return (loop(clip, cycles) if cycles > 1 else clip), notes
