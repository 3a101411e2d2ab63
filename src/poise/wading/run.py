"""A whole way waded: a character with a clip goes in, the same character with the waded clip comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized
from poise.characters.character import Character
from poise.locomotion.abstract_body import BodyServo
from poise.motion.edit import retime
from poise.runtime.clock import Clock
from poise.signals import Ground
from poise.wading.gait import Gait
from poise.wading.options import WadingOptions
from poise.wading.record import WadingRecord, recorded
from poise.wading.wader import Wader
from poise.world.query import TerrainGround

__all__ = ["Waded", "wade"]

Array = NDArray[np.float64]

_LONGEST = 3.0
"""A way takes at most this many times as long as its clip, and a while; one who does not get on is then given up."""
_WHILE = 5.0


@dataclass(frozen=True, eq=False)
class Waded:
    """Who waded, with the motion that came of it, and how it went.

    Args:
        character: The character; its clip is the waded one.
        record: Its way.
        options: How it waded.
        servo: What moved it.
        source: Who it was before; the record's rows are of its plan.
    """

    character: Character
    record: WadingRecord
    options: WadingOptions
    servo: BodyServo
    source: Character


def wade(
    character: Character,
    options: WadingOptions,
    ground: Ground | None = None,
    *,
    longest: float | None = None,
    changes: Sequence[float] = (),
) -> Waded:
    """Wade through a whole clip.

    Args:
        character: Who wades; its clip walks or runs (`going` makes it fit where it walks in place).
        options: How.
        ground: What it walks on; the clip's own floor where None.
        longest: When to stop at the latest [s]; by default three times the clip's length and 5 s.
        changes: When the clip's gait changes [s], as `walks_where_slow` tells it.

    Raises:
        InputError: The clip shows no steps, or the character has no feet.
    """
    floor = TerrainGround((), character.floor) if ground is None else ground
    gait = Gait.of(character, floor, changes)
    clock = Clock.for_rate(character.clip.rate)
    mesh = character.skin
    wader = Wader(gait, mesh, floor, options, clock.tick)
    limit = _LONGEST * gait.duration + _WHILE if longest is None else longest
    moments, rows = [], [wader.row]
    while not wader.done and wader.now < limit:
        moments.append(wader.advance())
        rows.append(wader.row)
    record = recorded(clock.tick, moments, rows)
    return Waded(
        _with_motion(gait.character, record, clock.ticks_per_frame), record, options, wader.servo, gait.character
    )


def _with_motion(character: Character, record: WadingRecord, every: int) -> Character:
    """The character with the recorded poses as its clip, at the clip's own rate; what is no body is as in the clip then."""
    times = np.append(0.0, record.clip_time)[::every]
    base = retime(character.clip, np.minimum(times, character.clip.duration), character.clip.rate)
    clip = clip_from_generalized(character.plan, record.rows[::every], base)
    # Built anew, so that joints may go as far as this motion takes them; it is smooth already.
    return Character.from_clip(
        clip, replace(character.options, cutoff=None, contacts=None, terrain=False), character.mesh
    )
