"""A scene: who is in it, what surrounds them, and how finely it is stepped."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from poise.behaviors import GroupBehavior, MakeBehavior
from poise.characters.character import Character
from poise.fluid import FluidVolume
from poise.runtime.session import Session
from poise.world.scene import SceneSpec

if TYPE_CHECKING:
    from poise.wading import Waded

__all__ = ["Scene"]


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything a session starts from.

    Args:
        name: What to call it and its output files.
        characters: By name.
        setting: What surrounds them.
        substep: Length of a substep aimed at [s].
        behaviors: Makers of what acts on each character between its clip and its muscles, by character.
        groups: Makers of what acts on several of them at once.
        wading: Who waded before the session plays it, by name.
        notes: What there is to say about how it was made.
        fluids: What stands in it, for those to wade through who meet it.
    """

    name: str
    characters: Mapping[str, Character]
    setting: SceneSpec
    substep: float = 0.002
    behaviors: Mapping[str, Sequence[MakeBehavior]] = field(default_factory=dict)
    groups: Sequence[Callable[[], GroupBehavior[Any]]] = ()
    wading: Mapping[str, Waded] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    fluids: tuple[FluidVolume, ...] = ()

    def __repr__(self) -> str:
        return f"<Scene {self.name!r}: {', '.join(self.characters)}; {len(self.setting.props)} props>"

    def session(self) -> Session:
        """A session at the beginning of the scene."""
        behaviors = {name: [make() for make in makers] for name, makers in self.behaviors.items()}
        groups = [make() for make in self.groups]
        fluids = None
        if self.fluids:
            from poise.wading import Fluids  # Slow to import, and few scenes have any.

            fluids = Fluids(*self.fluids)
        return Session(
            self.characters, self.setting, behaviors=behaviors, groups=groups, substep=self.substep, fluids=fluids
        )
