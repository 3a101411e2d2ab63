"""A take whose ground drifts, set level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from poise.body.build import build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_drift
from poise.body.options import BodyOptions
from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.roles import Roles

__all__ = ["levelled"]


def levelled(clip: Clip, roles: Roles, options: BodyOptions) -> Clip:
    """The clip without the steady drift of the level its feet stand at; as it is where there is none.

    Raises:
        InputError: It has no body, or its root has no position channels.
    """
    plan = build_body(clip, roles, options)
    drift = ground_drift(plan, body_frames(plan, generalized_from_clip(plan, clip)), clip.rate)
    if not drift.any():
        return clip
    root = np.flatnonzero(clip.translated == 0)
    if not len(root):
        raise InputError(f"the clip {clip.name} cannot be set level: its root joint has no position channels")
    translations = clip.translations.copy()
    translations[:, root[0], 2] -= drift
    note = f"set level: the ground drifted by {100.0 * drift[-1]:.0f} cm over the take"
    moved = clip.with_motion(clip.rotations, translations)
    return replace(moved, source=replace(clip.source, notes=(*clip.source.notes, note)))
