"""Two clips measured alike, each on the body of its own skeleton."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from poise.body import build_body
from poise.body.capsules import ground_height
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.metrics import Motion, compare
from poise.motion.clip import Clip
from poise.motion.edit import motion_start, trim
from poise.motion.roles import guess_roles
from poise.report.quality import motion_of

__all__ = ["compare_clips"]


def compare_clips(first: Clip, second: Clip, roles: Mapping[str, str | None] | None = None) -> dict[str, Any]:
    """Every metric of both clips and the difference, as plain values.

    Rest frames before the motion are left out. Tracking errors need the same joints, rate and number of frames.

    Args:
        first: A clip.
        second: Another, on any skeleton.
        roles: Joint names whose role is given rather than guessed, in either.

    Raises:
        InputError: A skeleton lacks the roles a body needs.
    """
    return compare(_measured(first, roles), _measured(second, roles))


def _measured(clip: Clip, roles: Mapping[str, str | None] | None) -> Motion:
    clip = trim(clip, motion_start(clip), len(clip))
    own = {name: role for name, role in (roles or {}).items() if name in clip.skeleton.names}
    plan = build_body(clip, guess_roles(clip.skeleton, own or None))
    floor = ground_height(plan, body_frames(plan, generalized_from_clip(plan, clip)))
    return motion_of(plan, clip, floor)
