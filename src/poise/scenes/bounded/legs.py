"""Legs that walk by their muscles rather than by the clip, on ground that holds them up (Hu 2024, Figs. 22, 23)."""

from __future__ import annotations

from dataclasses import replace

from poise.behaviors.bounded_drive import Bounded
from poise.characters.character import ARMS
from poise.control.tension import Tension
from poise.hybrid.partition import anchored
from poise.scenes.bounded.person import LEGS
from poise.scenes.scene import Scene
from poise.world.contact_settings import ContactSettings

__all__ = ["physical_legs"]

_TENSION = Tension(frequency=5.0)
_SOLES = 0.012
"""Time constant of soles [s]: at 0.015 feet sink in by over 5 mm, at 0.002 they land with 12 body weights and more."""


def physical_legs(scene: Scene, *, hips: bool = False) -> Scene:
    """The same scene with physical legs: the clip's feet are goals, and muscles with limits take them there.

    Args:
        scene: Any scene.
        hips: Whether the hips are free too, held by a wrench of at most two body weights; otherwise they follow the clip.
    """
    anchors = ("pelvis",) if hips else (*ARMS, *LEGS)
    characters = {
        name: replace(
            who,
            modes=anchored(who.plan, anchors),
            options=replace(who.options, anchors=anchors, tension=_TENSION),
        )
        for name, who in scene.characters.items()
    }
    setting = replace(scene.setting, contact=ContactSettings(time_constant=_SOLES, toes=False))
    return replace(
        scene,
        name=f"{scene.name}_physical",
        characters=characters,
        setting=setting,
        substep=0.001,
        behaviors={name: [*scene.behaviors.get(name, ()), Bounded] for name in characters},
    )
