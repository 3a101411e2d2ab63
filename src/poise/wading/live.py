"""Wading while a session runs: the abstract body answers what pushes its character then and there.

`wade` works a whole way out before a session plays it. Here the same wader goes on by one tick of the session at a time: what
touched the character in the tick before (a plant its hand pushes aside, a ball), and what other behaviors push it with, are
forces on the body of Eq. 1, whose steps, lean and pace follow from the next tick on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.between import alike, between
from poise.behaviors.reference import Reference
from poise.behaviors.root.pushed import Pushed
from poise.characters.character import Character
from poise.errors import InputError
from poise.signals import Ground, Mode
from poise.wading.gait import Gait
from poise.wading.options import WadingOptions
from poise.wading.wader import Wader
from poise.world.query import TerrainGround
from poise.world.view import WorldView

__all__ = ["LiveWading", "LiveWadingState"]

Array = NDArray[np.float64]


@dataclass
class LiveWadingState:
    """What a live wader remembers.

    Args:
        wader: The wader; None before the session begins.
        row: Its pose at the end of the last tick, shape (nq,).
        way: How far that went over the tick, shape (nq,).
    """

    wader: Wader | None
    row: Array
    way: Array


class LiveWading(Behavior[LiveWadingState]):
    """Moves a character through fluids while a session runs.

    The session plays `character`, whose clip was set onto the ground. Behaviors that push come before it.

    Args:
        character: Who wades; its clip walks or runs.
        options: How; `pushes` may be left to the session.
        ground: What it walks on; the clip's own floor where None.
        feels: Whether it answers what the session pushes it with.

    Raises:
        InputError: The clip shows no steps, or the character has no feet.
    """

    claims: ClassVar[frozenset[Part]] = frozenset({"pelvis"})

    def __init__(
        self, character: Character, options: WadingOptions, ground: Ground | None = None, *, feels: bool = True
    ) -> None:
        self._ground = TerrainGround((), character.floor) if ground is None else ground
        self._gait, self._options, self._feels = Gait.of(character, self._ground), options, feels
        self.character = self._gait.character
        """Who the session is to play."""
        self.state = LiveWadingState(None, np.zeros(0), np.zeros(0))

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """See `Behavior.start`.

        Raises:
            InputError: The session plays another body, or one whose pelvis does not follow its motion.
        """
        if reference.plan is not self.character.plan:
            raise InputError("the session must play the live wader's own character", place=reference.name)
        if reference.modes[0] != Mode.MOTION:
            raise InputError("a live wader needs a pelvis that follows its motion", place=reference.name)
        who = self.character
        mesh = who.skin
        wader = Wader(self._gait, mesh, self._ground, self._options, reference.tick)
        self._pushes = Pushed(
            view, reference, who.options.root_drive.bearing.pushed * who.plan.total_mass * view.gravity
        )
        self.state = LiveWadingState(wader, reference.rows[0].copy(), np.zeros(len(wader.row)))
        return Contribution(reference)

    def step(self, view: WorldView, reference: Reference, state: LiveWadingState) -> Contribution:
        """The wader's next tick."""
        wanted, wader = Contribution(reference), state.wader
        assert wader is not None
        first = wader.now == 0.0
        wader.advance(
            self._pushes.felt(reference.force[:2], view.positions(reference.name)[:3]) if self._feels else None
        )
        row = alike(wader.row, state.row)
        way = row - state.row
        rows = wanted.edit_pose()
        between(state.row, way if first else state.way, row, way, rows)
        state.row, state.way = row, way
        wanted.pace, wanted.leaves_clip = min(wader.pace, 1.0), True
        return wanted
