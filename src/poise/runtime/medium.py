"""Fluids in a session: what a session knows of them, and how a compliant root comes to wade."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from poise.behaviors.root import CompliantRoot, PhysicalRoot, VelocityLaw, VelocityRoot
from poise.characters.character import Character
from poise.characters.ground import phases_of
from poise.errors import InputError
from poise.locomotion.gait import gait_of
from poise.runtime.record import Recording
from poise.signals import FluidSheet, Ground
from poise.world.world import World

__all__ = ["Medium", "compliant_roots"]


class Medium(Protocol):
    """What characters go through in a session; `poise.wading.Fluids` is one."""

    def law(self, character: Character, ground: Ground, tick: float) -> VelocityLaw | None:
        """The law of a character that goes over a ground, in ticks of so many seconds; None where it has none."""
        ...

    def hold(self, world: World) -> None:
        """Let it push the props of a world that has just been built, at every substep."""
        ...

    def sheets(self, characters: Mapping[str, Character], recording: Recording) -> tuple[FluidSheet, ...]:
        """Its surfaces as what was played has moved them."""
        ...


def compliant_roots(
    characters: Mapping[str, Character],
    given: Mapping[str, Character],
    ground: Ground,
    tick: float,
    fluids: Medium | None,
) -> dict[str, CompliantRoot]:
    """The roots of those who yield, by name, with a second law where there are fluids.

    Args:
        characters: As the session plays them, set onto its ground.
        given: As they were given.
        ground: Of the session.
        tick: Of the session [s].
        fluids: What stands there.

    Raises:
        InputError: A root that follows its clip whatever the forces shall become another.
    """
    roots: dict[str, CompliantRoot] = {}
    for name, who in characters.items():
        options = who.options
        if options.root != "kinematic":
            usual = options.root_drive, options.stepping, gait_of(phases_of(given[name])), who.floor
            law = fluids.law(given[name], ground, tick) if fluids is not None else None
            roots[name] = PhysicalRoot(*usual) if law is None else VelocityRoot(law, *usual)
        elif options.root_changes:
            raise InputError("'root_changes' go with a compliant or a physical root", place=name)
    return roots
