"""A flat-ground clip on uneven ground: goals for the feet and the pelvis over the whole clip."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import BodyFrames
from poise.body.plan import BodyPlan
from poise.locomotion.contacts import ContactPhases
from poise.locomotion.feet import FootTrack, track_foot
from poise.locomotion.footholds import Foothold, find_footholds
from poise.locomotion.pelvis import FootStances, move_pelvis
from poise.locomotion.soles import FEET, find_sole
from poise.locomotion.stances import Stance, find_stances
from poise.signals import Ground

__all__ = ["GroundGoals", "plan_walk"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GroundGoals:
    """Where pelvis and feet are to be on the ground.

    Args:
        pelvis: How much further the pelvis is than in the clip [m], shape (T, 3).
        feet: Tracks of the left and the right foot.
        stances: When each foot stands.
        footholds: Where, one per stance.
    """

    pelvis: Array
    feet: tuple[FootTrack, ...]
    stances: tuple[tuple[Stance, ...], ...]
    footholds: tuple[tuple[Foothold, ...], ...]


def plan_walk(
    plan: BodyPlan, frames: BodyFrames, phases: ContactPhases, ground: Ground, *, floor: float
) -> GroundGoals:
    """Plan the whole clip at once.

    A foot that would stand over a hole looks for ground nearby; where there is none it stands at the height between its
    neighboring footholds, as if the hole were bridged.

    Args:
        plan: The character.
        frames: Its bodies over the clip, on flat ground.
        phases: When heels and balls stand.
        ground: What it shall walk on.
        floor: Height of the clip's flat ground [m].

    Raises:
        InputError: The character has no feet to stand on.
    """
    rate = phases.rate
    feet = []
    for number, role in enumerate(FEET):
        sole = find_sole(plan, role)
        clip = FootTrack(frames.positions[:, sole.body], frames.rotations[:, sole.body])
        stances = find_stances(phases, number, sole, clip.positions, clip.rotations)
        holds = _bridged(find_footholds(ground, sole, stances, rate), floor)
        feet.append(FootStances(role, stances, holds, track_foot(ground, sole, stances, holds, clip, rate)))
    return GroundGoals(
        pelvis=move_pelvis(plan, frames, feet, floor, rate),
        feet=tuple(foot.track for foot in feet),
        stances=tuple(tuple(foot.stances) for foot in feet),
        footholds=tuple(tuple(foot.footholds) for foot in feet),
    )


def _bridged(holds: tuple[Foothold, ...], floor: float) -> tuple[Foothold, ...]:
    """Footholds over holes at the height between their neighbors, or at the clip's floor where all are holes."""
    solid = np.array([hold.solid for hold in holds], dtype=bool)
    if solid.all():
        return holds
    levels = np.array([hold.position[2] for hold in holds])
    order = np.arange(len(holds))
    filled = np.interp(order, order[solid], levels[solid]) if solid.any() else np.full(len(holds), floor)
    return tuple(
        hold if hold.solid else Foothold(np.array([*hold.position[:2], level]), hold.rotation, hold.tilt, False)
        for hold, level in zip(holds, filled, strict=True)
    )
