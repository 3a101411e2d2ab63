"""Blocks that go up and down under someone's feet (Hu 2024, Fig. 26)."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from poise.behaviors.bounded_drive import Bounded
from poise.characters.character import ARMS, CharacterOptions
from poise.scenes.bounded.loose import Limp, Pressed
from poise.scenes.bounded.person import FEET, LEGS, RATE, STEADY, at_ease, feet_on, settled, spread_arms, standing
from poise.scenes.scene import Scene
from poise.world.contact import CONTACTS
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Platform

__all__ = ["Course", "blocks"]

Course = Literal["triangle", "cosine"]

_PHASES = (0.55, 0.0, 0.35, 0.8)
_TRAVEL = 0.4
_PRESS = 50.0
"""Downward force on each foot [N]."""
_AHEAD, _CROUCH = 0.36, 0.11
"""How far the feet are before the hips, and how much lower than standing the hips are over a block at its lowest [m]."""


def blocks(
    step: float = 0.05,
    course: Course = "triangle",
    *,
    seconds: float = 8.0,
    rest: float = 1.0,
    drive: bool = True,
    substep: float = 0.001,
    margin: float = 0.005,
) -> Scene:
    """Someone whose hips are held, with a foot on each of two of four blocks that go up and down (Hu 2024, Fig. 26).

    Args:
        step: Fastest the blocks move [m per frame of 1/60 s].
        course: How they go up and down.
        seconds: How long at least; they stop after a whole number of periods.
        rest: How long they are still afterwards [s].
        drive: Whether the legs are driven towards goals on the blocks; otherwise they hang on their joints, a plain ragdoll.
        substep: [s].
        margin: Contact margin of the feet [m].
    """
    period = 2.0 * _TRAVEL / (step * RATE) * (1.0 if course == "triangle" else 0.5 * np.pi)
    until = period * np.ceil(seconds / period)
    pieces = tuple(
        Platform(
            name=f"block_{number + 1}",
            position=(0.0, 0.6 * number - 0.9, 0.0),
            size=(2.4, 0.6),
            thickness=0.6,
            travel=_TRAVEL,
            period=period,
            phase=phase,
            course=course,
            until=until,
        )
        for number, phase in enumerate(_PHASES)
    )
    row = at_ease()
    goals = feet_on(TerrainGround(pieces, None), row, margin)
    row[:3] -= (_AHEAD, 0.0, _CROUCH)
    spread_arms(row)
    row = settled(row, goals(0.0))
    options = CharacterOptions(anchors=(*ARMS, *LEGS), tension=STEADY, terrain=False)
    who = standing(row, until + rest, options)
    setting = SceneSpec(floor=None, terrain=pieces, contact=replace(CONTACTS["stiff"], foot_margin=margin))
    drives = (lambda: Bounded(goals)) if drive else (lambda: Limp(LEGS))
    return Scene("blocks", {"walker": who}, setting, substep, {"walker": [drives, lambda: Pressed(FEET, _PRESS)]})
