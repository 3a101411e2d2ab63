"""Wading as a law of the compliant root: who meets fluid in a running session goes on as a wader."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root.velocity import Begin, Order
from poise.body.coordinates import BodyFrames
from poise.characters.character import Character
from poise.errors import InputError
from poise.fluid import FluidVolume
from poise.locomotion.soles import BALL, HEEL
from poise.locomotion.steps import Placement
from poise.math import quat
from poise.signals import Ground
from poise.wading.entering import Asked, Entry
from poise.wading.gait import Gait
from poise.wading.options import WadingOptions
from poise.wading.record import WadingMoment, WadingRecord, recorded
from poise.wading.wader import Wader

__all__ = ["WadingLaw"]

Array = NDArray[np.float64]

_REACH = 0.8
"""No foot is farther from its pelvis than this, in statures."""


class WadingLaw:
    """The wader of one character, for as long as it is in fluid; see `behaviors.root.velocity.VelocityLaw`.

    Args:
        character: Whose clip walks or runs, on flat ground.
        options: How it wades, and in what.
        ground: What it walks on.
        tick: Of the session [s].

    Raises:
        InputError: The clip shows no steps, or the character has no feet.
    """

    def __init__(self, character: Character, options: WadingOptions, ground: Ground, tick: float) -> None:
        gait = Gait.of(character, ground)
        mesh = character.skin
        self.wader, self._crossing = Wader(gait, mesh, ground, options, tick), options.crossing
        self._soles, self._reach = gait.soles, _REACH * character.plan.stature
        self._points = [sole.points(np.array([HEEL, BALL]), np.zeros(2)) for sole in gait.soles]
        self._moments: list[WadingMoment] = []
        self._rows: list[Array] = []
        self._dry = self._free = 0.0

    @classmethod
    def for_walker(cls, character: Character, options: WadingOptions, ground: Ground, tick: float) -> WadingLaw | None:
        """The law of a character, None where its clip shows no steps or it has no feet: such a one does not wade."""
        try:
            return cls(character, options, ground, tick)
        except InputError:
            return None

    @property
    def row(self) -> Array:
        """See `VelocityLaw`."""
        return self.wader.row

    @property
    def pace(self) -> float:
        """See `VelocityLaw`."""
        return self.wader.pace

    @property
    def is_over(self) -> bool:
        """See `VelocityLaw`."""
        if self.wader.done:
            return True
        if self._dry < self._crossing.dry or self._free <= 0.0:
            return False
        return self._free > self._crossing.waits or all(goal.share >= 1.0 for goal in self.wader.steps.goals)

    @property
    def record(self) -> WadingRecord | None:
        """How it went while it waded; None where it did not."""
        if not self._moments:
            return None
        return recorded(self.wader.step, self._moments, self._rows)

    def meets(self, row: Array, time: float) -> bool:
        """See `VelocityLaw`; whose clip has ended stands where it is."""
        if self.wader.done or not any(self._near(volume, row) for volume in self.wader.options.volumes):
            return False
        return self._touches(self.wader.posture.frames(row[None]), time)

    def _near(self, volume: FluidVolume, row: Array) -> bool:
        """Whether feet could be in a fluid at all; most of the time nobody need look closer."""
        reach = self._reach
        x, y, cosine, sine, along, across, level = volume.extent
        away, aside = float(row[0] - x), float(row[1] - y)
        if row[2] - reach > level + volume.surge:
            return False
        ahead, left = cosine * away + sine * aside, cosine * aside - sine * away
        return bool(abs(ahead) < along + reach and abs(left) < across + reach)

    def _touches(self, frames: BodyFrames, time: float) -> bool:
        points = np.concatenate(
            [
                frames.positions[0, sole.body] + quat.rotate(frames.rotations[0, sole.body], own)
                for sole, own in zip(self._soles, self._points, strict=True)
            ]
        )
        return any(
            bool((volume.depths(points, time) > -self._crossing.nears).any()) for volume in self.wader.options.volumes
        )

    def begin(self, start: Begin) -> None:
        """See `VelocityLaw`."""
        x, y, yaw = start.motion
        placement = Placement(float(yaw), np.array([x, y]))
        clip = placement.turned(self.wader.gait.travel.velocity(start.clip_time))
        feet, turns = start.feet
        velocity = start.pace * clip + start.speed
        self.wader.enter(Entry(start.time, start.clip_time, start.pace, placement, velocity, feet, turns))
        self._dry = self._free = 0.0
        if not self._rows:
            self._rows.append(self.wader.row)

    def advance(self, order: Order) -> Array:
        """See `VelocityLaw`."""
        wader, tick, crossing = self.wader, self.wader.step, self._crossing
        moment = wader.advance(order.pushed, Asked(order.clip_time, order.pace, order.aside))
        self._moments.append(moment)
        self._rows.append(wader.row)
        wet = any(moment.force.tolist()) or self._touches(wader.frames, wader.now)
        self._dry = 0.0 if wet else self._dry + tick
        turned = max(map(abs, (*wader.body.angles.tolist(), wader.behind)))
        held = wader.pace < crossing.free * min(order.pace, 1.0) or turned > crossing.upright
        self._free = 0.0 if held else self._free + tick
        return wader.row

    def shares(self) -> tuple[float, float]:
        """See `VelocityLaw`."""
        left, right = self.wader.steps.goals
        return left.share, right.share

    def keepsake(self) -> tuple[Any, ...]:
        """Everything that changes from tick to tick."""
        return self.wader.keepsake(), len(self._moments), len(self._rows), self._dry, self._free

    def take_back(self, saved: tuple[Any, ...]) -> None:
        """Go back to what `keepsake` gave."""
        wader, moments, rows, self._dry, self._free = saved
        self.wader.take_back(wader)
        del self._moments[moments:], self._rows[rows:]
