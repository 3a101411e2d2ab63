"""Who breathes in a scene."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from poise.behaviors import MakeBehavior
from poise.behaviors.breathing import Breathing, BreathingOptions
from poise.errors import InputError
from poise.scenes.scene import Scene

__all__ = ["breathing"]


def breathing(scene: Scene, options: BreathingOptions | None = None) -> Scene:
    """The scene with everybody breathing, and swaying while they stand; who breathes already is left alone.

    Raises:
        InputError: The scene's people wade, or are moved together by one program, which lets them breathe itself.
    """
    if scene.groups or scene.wading:
        raise InputError(
            "people who wade do not breathe, and people moved by one program together breathe by themselves",
            source=scene.name,
        )
    acting: dict[str, list[MakeBehavior]] = {}
    for name in scene.characters:
        makers = list(scene.behaviors.get(name, ()))
        breathes = any(isinstance(maker, partial) and maker.func is Breathing for maker in makers)
        if not breathes:
            makers.insert(0, partial(Breathing, options))
        acting[name] = makers
    return replace(scene, behaviors=acting)
