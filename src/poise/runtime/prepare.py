"""What is done to a clip before physics sees it: a stray rest frame is set aside and capture noise is filtered."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.errors import InputError
from poise.math.filters import butterworth, lowpass, lowpass_rotations
from poise.motion.clip import Clip
from poise.motion.edit import motion_start, trim

__all__ = ["DEFAULT_CUTOFF", "Prepared", "prepare", "restore_length"]

DEFAULT_CUTOFF = 12.0
"""Cut-off [Hz]; human movement has nearly all of its power below 6 Hz (Winter)."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A clip ready for physics.

    Args:
        source: The clip as read.
        clip: What physics follows.
        skipped: Frames of the source before the clip's first.
        notes: What was done, one line each.
    """

    source: Clip
    clip: Clip
    skipped: int
    notes: tuple[str, ...]


def prepare(source: Clip, cutoff: float | None = DEFAULT_CUTOFF) -> Prepared:
    """Set a rest frame aside and filter at `cutoff` [Hz], None for not at all.

    Clips of less than 60 frames per second carry no noise above 12 Hz worth taking out and are filtered only when their
    rate allows the cut-off.

    Raises:
        InputError: The cut-off is not positive.
    """
    if cutoff is not None and cutoff <= 0.0:
        raise InputError(f"the filter's cut-off must be positive; got {cutoff:g} Hz")
    notes: list[str] = []
    skipped = motion_start(source)
    clip = trim(source, skipped, len(source)) if skipped else source
    if skipped:
        which = "frame 0 is" if skipped == 1 else f"frames 0 to {skipped - 1} are"
        notes.append(f"{which} a rest pose that does not belong to the motion; exported as in the source")
    if cutoff is not None and 0.4 * clip.rate > cutoff:
        passes = butterworth(cutoff, clip.rate)
        rotations = lowpass_rotations(clip.rotations, passes)
        clip = replace(clip, rotations=rotations, translations=lowpass(clip.translations, passes))
        notes.append(f"low-pass filtered at {cutoff:g} Hz")
    return Prepared(source, clip, skipped, tuple(notes))


def restore_length(prepared: Prepared, result: Clip) -> Clip:
    """Put the frames that were set aside back in front of a result."""
    if not prepared.skipped:
        return result
    source, count = prepared.source, prepared.skipped
    return result.with_motion(
        np.concatenate([source.rotations[:count], result.rotations]),
        np.concatenate([source.translations[:count], result.translations]),
    )
