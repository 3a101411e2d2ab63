"""Somebody of a group who follows a clip: the clip's own body, whose joints are balls."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.plan import BodyPlan
from poise.characters.character import Character
from poise.characters.in_place import cycled
from poise.characters.options import CharacterOptions
from poise.groups.tracking.course import Course, plan_course
from poise.groups.tracking.options import TrackingOptions
from poise.groups.tracking.within import pairs_within, ranges_within
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.qp import Pair, TurnRange

__all__ = ["Follower"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True, eq=False)
class Follower:
    """Somebody with a clip, on whose skeleton they are and which they follow where it is; a walk in place gets its way back.

    Args:
        clip: The clip, or its file.
        tracking: How they follow it.
        body: How the clip becomes a character; all of it is the program's, whatever the anchors.

    Raises:
        InputError: A number is out of range.
    """

    clip: Clip | str | Path
    tracking: TrackingOptions = field(default_factory=TrackingOptions)
    body: CharacterOptions = field(default_factory=CharacterOptions)
    strong: bool = parameters.switch(False, says="whether torques have no limit")
    strength: float = parameters.number(
        1.0, 0.05, 20.0, says="how many times a person's of this mass the largest torques are"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "follower")

    @cached_property
    def _character(self) -> Character:
        clip = self.clip if isinstance(self.clip, Clip) else read_clip(self.clip)
        clip, _ = cycled(clip, 1, dict(self.body.roles) if self.body.roles else None)
        made = Character.from_clip(clip, replace(self.body, anchors=(), self_contact=False))
        return replace(made, plan=replace(made.plan, strengths=_passed_on(made.plan)))

    def character(self) -> Character:
        """Who they are.

        Raises:
            InputError: The clip is no person's, or cannot be read.
        """
        return self._character

    @cached_property
    def course(self) -> Course:
        """What of the clip a body can do that stands on its feet.

        Raises:
            InputError: The clip leaves the ground or is not over its feet.
        """
        return plan_course(self.character(), self.tracking)

    def ranges(self, name: str) -> list[TurnRange]:
        """How far their joints turn, as somebody of that name."""
        return [ranges_within(name, self.character().plan, self.course)] if self.tracking.ranges else []

    def pairs(self, name: str) -> list[Pair]:
        """Which of their own shapes keep apart, as somebody of that name."""
        if not self.tracking.apart:
            return []
        return pairs_within(name, self.character().plan, self.course, self.tracking)

    def wanted(self) -> Character:
        """Who they are, with what of the clip they can do, on the ground at z = 0."""
        prepared = self._character.prepared
        notes = (*prepared.notes, "set onto the ground, over its feet")
        return replace(self._character, prepared=replace(prepared, clip=self.course.clip, notes=notes), floor=0.0)

    @property
    def stature(self) -> float:
        """Standing height [m]."""
        return self.character().plan.stature


def _passed_on(plan: BodyPlan) -> Array:
    """Largest torques [N m], shape (B,): a joint without a role, as some have before the hip, bears what the next one does."""
    result = plan.strengths.copy()
    for body in range(len(plan) - 1, 0, -1):
        above = int(plan.parents[body])
        if plan.body_roles[above] is None:
            result[above] = max(result[above], result[body])
    return result
