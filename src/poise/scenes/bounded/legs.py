"""Bodies that walk by their muscles rather than by the clip, on ground that holds them up (Hu 2024, Figs. 22, 23)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from poise.behaviors.bounded_drive import Bounded
from poise.control.bounded import HipDrive
from poise.control.tension import Tension
from poise.hybrid.partition import anchored
from poise.scenes.scene import Scene
from poise.world.contact_settings import ContactSettings

__all__ = ["physical_legs"]

_TENSION = Tension(frequency=5.0)
_HIPS = HipDrive(frequency=2.0, force=1.0)
"""Half as stiff and strong as what holds hips that legs do not carry: a hit is to move the whole body."""
_SOLES = 0.012
"""Time constant of soles [s]: at 0.015 feet sink in by over 5 mm, at 0.002 they land with 12 body weights and more."""


def physical_legs(scene: Scene) -> Scene:
    """The same scene with physical bodies: the clip's feet are goals, and muscles with limits take them there.

    Legs carry what their feet can push out of the ground; what the hips need beside is a wrench of at most one body weight.

    Args:
        scene: Any scene.
    """
    characters = {
        name: replace(
            who,
            modes=anchored(who.plan, ("pelvis",)),
            options=replace(who.options, anchors=("pelvis",), tension=_TENSION),
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
        behaviors={name: [*scene.behaviors.get(name, ()), partial(Bounded, hips=_HIPS)] for name in characters},
    )
