"""A scene: who is in it, what surrounds them, and how finely it is stepped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise.runtime.character import Character
from poise.runtime.session import Session
from poise.world.scene import Setting

__all__ = ["Scene"]


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a session starts from.

    Args:
        name: What to call it and its output files.
        characters: By name.
        setting: What surrounds them.
        substep: Length of a substep aimed at [s].
    """

    name: str
    characters: Mapping[str, Character]
    setting: Setting
    substep: float = 0.002

    def session(self) -> Session:
        """A session at the beginning of the scene."""
        return Session(self.characters, self.setting, substep=self.substep)
