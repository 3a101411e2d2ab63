"""How deep fluid stands against a body: by a word or in metres."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from poise.errors import InputError, likeliest

if TYPE_CHECKING:
    from poise.characters.character import Character

__all__ = ["DEPTHS", "check_depth", "depth_against"]

DEPTHS: Mapping[str, tuple[str, str, float]] = {
    "ankle": ("foot", "shank", 0.12),
    "calf": ("foot", "shank", 0.55),
    "knee": ("foot", "shank", 1.0),
    "thigh": ("shank", "thigh", 0.5),
    "waist": ("shank", "thigh", 1.12),
    "chest": ("thigh", "upper_arm", 0.72),
}
"""By word: the joints between which it stands, and how far up from the lower to the upper one."""

_ANKLE = 0.08
"""An ankle is no higher than this share of the stature; some skeletons have its joint halfway up the shank."""


def check_depth(depth: str | float) -> None:
    """Raise `InputError` where a depth is neither one of `DEPTHS` nor a number."""
    if depth not in DEPTHS:
        _metres(depth)


def _metres(depth: str | float) -> float:
    try:
        return float(depth)
    except ValueError:
        raise InputError(
            f"a depth is a number of metres or one of {', '.join(DEPTHS)}; got {depth!r}{likeliest(str(depth), DEPTHS)}"
        ) from None


def depth_against(character: Character, depth: str | float) -> float:
    """How high fluid stands over the ground [m].

    Args:
        character: Whom it stands against, with limbs as they mostly are in its clip.
        depth: One of `DEPTHS`, or metres.

    Raises:
        InputError: It is neither, or not between 0 and the body's height.
    """
    if isinstance(depth, str) and depth in DEPTHS:
        lower, upper, share = DEPTHS[depth]
        low, high = _height(character, lower), _height(character, upper)
        level = low + share * (high - low)
        return min(level, _ANKLE * character.plan.stature) if depth == "ankle" else level
    value = _metres(depth)
    highest = character.plan.stature
    if not 0.0 < value <= highest:
        raise InputError(f"a depth to wade in lies between 0 and the body's height, {highest:.2f} m; got {value:g} m")
    return value


def _height(character: Character, part: str) -> float:
    """Median height of a joint of both sides over the ground [m]."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.body.coordinates import body_frames, generalized_from_clip

    plan = character.plan
    keys = generalized_from_clip(plan, character.clip)
    frames = body_frames(plan, keys[:: max(1, len(keys) // 200)])
    pair = frames.positions[:, [plan.with_role(f"{side}_{part}")[0] for side in ("left", "right")], 2]
    # Of feet the one that stands, of everything else the middle.
    heights = pair.min(axis=1) if part == "foot" else pair.mean(axis=1)
    return float(np.median(heights)) - character.floor
