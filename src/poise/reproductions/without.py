"""Scenes with a method switched off by what the product offers."""

from __future__ import annotations

from dataclasses import replace

from poise.control.tension import Tension
from poise.scenes import Scene

__all__ = ["SLACK", "blind", "slack"]

SLACK = Tension(frequency=0.05, load="none", upright=False)
"""Muscles that hold nothing."""


def slack(scene: Scene) -> Scene:
    """The scene with everybody's muscles slack."""
    characters = {
        name: replace(who, options=replace(who.options, tension=SLACK)) for name, who in scene.characters.items()
    }
    return replace(scene, characters=characters)


def blind(scene: Scene) -> Scene:
    """The scene in which nobody does anything but follow their clip."""
    return replace(scene, behaviors={})
