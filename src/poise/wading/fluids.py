"""Fluids that stand in a session: the law each character gets of them, and the surfaces that are shown afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.characters.character import Character
from poise.fluid import FluidVolume
from poise.runtime.record import Recording
from poise.signals import FluidSheet, Ground
from poise.wading.afloat import Afloat
from poise.wading.law import WadingLaw
from poise.wading.options import WadingOptions
from poise.wading.water import Floated, Mover, Went, moved_sheet
from poise.world.free_props import FreeProps
from poise.world.world import World

__all__ = ["Fluids"]

Array = NDArray[np.float64]


class Fluids:
    """Makes those wade who meet fluid in a session and have a compliant root.

        Session({"walker": walker}, setting, fluids=Fluids(stream, pool))

    Args:
        volumes: What stands there.
        options: How people wade; its own volumes come before the others.
    """

    def __init__(self, *volumes: FluidVolume, options: WadingOptions | None = None) -> None:
        chosen = options or WadingOptions()
        self.options = replace(chosen, volumes=(*chosen.volumes, *volumes))
        self._afloat: Afloat | None = None
        self._shown: tuple[Array, tuple[FluidSheet, ...]] | None = None

    @property
    def volumes(self) -> tuple[FluidVolume, ...]:
        """What stands there."""
        return self.options.volumes

    def law(self, character: Character, ground: Ground, tick: float) -> WadingLaw | None:
        """How a character wades that goes over a ground; None where its clip shows no steps.

        Args:
            character: Who, its clip as it was made.
            ground: Of the session.
            tick: Of the session [s].
        """
        return WadingLaw.for_walker(character, self.options, ground, tick)

    def hold(self, world: World) -> None:
        """Let balls and boxes of a world float, sink and drift in it."""
        props = FreeProps(world)
        if props.props and self.volumes:
            self._afloat = Afloat(props, self.volumes)
            world.before_substep.append(self._afloat)

    def sheets(self, characters: Mapping[str, Character], recording: Recording) -> tuple[FluidSheet, ...]:
        """The surfaces as everybody and everything that was in them moved them.

        Args:
            characters: Who was there, by name.
            recording: What was played.
        """
        if self._shown is not None and np.array_equal(self._shown[0], recording.output):
            return self._shown[1]
        waders = []
        for name, who in characters.items():
            skin = who.skin
            waders.append(Went(who, skin, recording.output[:, recording.outcomes[name].columns]))
        ways = np.concatenate([each.rows[:, :2] for each in waders])
        floated = self._floated(recording)
        movers: list[Mover] = [*waders, *floated]
        sheets = tuple(
            moved_sheet(
                _name(number, volume),
                movers,
                np.concatenate([ways, *(each.places_in(volume) for each in floated)]),
                volume,
                recording.tick,
            )
            for number, volume in enumerate(self.volumes)
            if volume.fluid.opacity > 0.0
        )
        self._shown = recording.output, sheets
        return sheets

    def _floated(self, recording: Recording) -> list[Floated]:
        if self._afloat is None:
            return []
        ways = [(mesh, recording.positions[:, prop.columns]) for prop, mesh in self._afloat.shapes]
        highest = max(volume.level + volume.surge for volume in self.volumes)
        return [Floated(mesh, rows) for mesh, rows in ways if rows[:, 2].min() < highest + mesh.bound]


def _name(number: int, volume: FluidVolume) -> str:
    return f"{volume.fluid.name}{number or ''}"
