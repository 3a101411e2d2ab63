"""The people of a group as characters of a session, who hold the pose they are in or have a clip to follow."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized, generalized_from_clip
from poise.body.fingers import hands_at_ease
from poise.body.humanoid import humanoid
from poise.characters.character import Character
from poise.characters.prepare import prepare
from poise.errors import InputError
from poise.groups.tracking.follower import Follower
from poise.math import quat

if TYPE_CHECKING:
    from poise.groups.group import Group

__all__ = ["characters_of"]

_SAME = 1e-6
"""Turns that differ by less are the same [rad]."""


def characters_of(group: Group, seconds: float, rate: float) -> dict[str, Character]:
    """See `Group.characters`."""
    result: dict[str, Character] = {}
    for name, base in group.bases.items():
        who = group.people[name]
        if isinstance(who, Follower):
            begins = group.controller.time == 0.0
            result[name] = _as_it_begins(who.wanted(), group.system.row(name)) if begins else who.wanted()
            continue
        if not np.isfinite(seconds) or seconds <= 0.0:
            raise InputError(f"a scene lasts longer than 0 s; got {seconds:g}")
        still = humanoid(who.stature, seconds=seconds, rate=rate, name=name, fingers=True)
        still = still.with_motion(hands_at_ease(still.skeleton, still.rotations), still.translations)
        rows = np.tile(group.system.row(name), (len(still), 1))
        clip = clip_from_generalized(base.plan, rows, still)
        result[name] = replace(base, prepared=prepare(clip, None, mending=False))
    return result


def _as_it_begins(who: Character, row: NDArray[np.float64]) -> Character:
    """Somebody whose clip begins in the pose of a row, as that of who has something in their hands."""
    rows = generalized_from_clip(who.plan, who.clip)
    turned = quat.angle_between(rows[0, 3:].reshape(-1, 4), row[3:].reshape(-1, 4))
    if turned.max() < _SAME:
        return who
    rows[0] = row
    clip = clip_from_generalized(who.plan, rows, who.clip)
    return replace(who, prepared=replace(who.prepared, clip=clip))
