"""A scene: who is in it, what surrounds them, and how finely it is stepped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from poise.runtime.character import Character
from poise.runtime.session import Session
from poise.runtime.stage import Stage
from poise.runtime.wading import Waded
from poise.world.scene import SceneSpec

__all__ = ["Scene"]


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a session starts from.

    Args:
        name: What to call it and its output files.
        characters: By name.
        setting: What surrounds them.
        substep: Length of a substep aimed at [s].
        stages: Makers of what acts on each character between its clip and its muscles, by character.
        wading: How characters who waded did so; their clips are what came of it.
        notes: What there is to say about how it was made, one line each.
    """

    name: str
    characters: Mapping[str, Character]
    setting: SceneSpec
    substep: float = 0.002
    stages: Mapping[str, Sequence[Callable[[], Stage]]] = field(default_factory=dict)
    wading: Mapping[str, Waded] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def session(self) -> Session:
        """A session at the beginning of the scene."""
        stages = {name: [make() for make in makers] for name, makers in self.stages.items()}
        return Session(self.characters, self.setting, stages=stages, substep=self.substep)
