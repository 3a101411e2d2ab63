"""Frames that are there several times over, as where 30 Hz were written as 60 by writing each twice."""

from __future__ import annotations

import numpy as np

from poise.motion.clip import Clip
from poise.motion.edit import resample

__all__ = ["count_repeats", "without_repeats"]

_MOST = 8
_FEWEST = 6
"""Changes that must be seen."""
_SURE = 0.95


def count_repeats(clip: Clip) -> int:
    """How often each frame stands there; 1 where they differ, or stand still for another reason."""
    changed = np.any(clip.rotations[1:] != clip.rotations[:-1], axis=(1, 2))
    changed |= np.any(clip.translations[1:] != clip.translations[:-1], axis=(1, 2))
    at = np.flatnonzero(changed) + 1
    if len(at) < _FEWEST:
        return 1
    for times in range(_MOST, 1, -1):
        phases = np.bincount(at % times, minlength=times)
        full = len(at) >= _SURE * (len(clip) / times - 1)
        if full and phases.max() >= _SURE * len(at):
            return times
    return 1


def without_repeats(clip: Clip, times: int) -> Clip:
    """The clip with one of every `times` frames, and smooth between them at the rate it had."""
    changed = np.flatnonzero(np.any(clip.rotations[1:] != clip.rotations[:-1], axis=(1, 2)))
    phase = int(np.bincount((changed + 1) % times, minlength=times).argmax())
    kept = np.arange(phase, len(clip), times)
    some = clip.with_motion(clip.rotations[kept], clip.translations[kept], rate=clip.rate / times)
    smooth = resample(some, clip.rate)
    frames = np.clip(np.arange(len(clip)) - phase, 0, len(smooth) - 1)
    return clip.with_motion(smooth.rotations[frames], smooth.translations[frames])
