"""What is done to a clip before physics: a stray rest frame is set aside, lost moments are mended, noise is filtered."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from poise.characters.options import DEFAULT_CUTOFF
from poise.errors import InputError
from poise.math.filters import butterworth, lowpass, lowpass_rotations
from poise.motion.clip import Clip
from poise.motion.edit import motion_start, trim
from poise.repair import Mended, mend, untouched

__all__ = ["Prepared", "mended", "prepare", "restore_length", "smoothed"]


_FARTHEST = 10_000.0
"""Farther from the origin nobody is [m]; numbers have micrometres there, and squares of speeds none."""


@dataclass(frozen=True, eq=False)
class Prepared:
    """A clip ready for physics.

    Args:
        source: The clip as read.
        clip: What physics follows.
        mended: The source behind the skipped frames without what tracking lost, before the filter.
        skipped: Frames of the source before the clip's first.
        notes: What was done, one line each.
    """

    source: Clip
    clip: Clip
    mended: Mended
    skipped: int
    notes: tuple[str, ...]


def prepare(source: Clip, cutoff: float | None = DEFAULT_CUTOFF, *, mending: bool = True) -> Prepared:
    """Set a rest frame aside, mend what tracking lost, and filter at `cutoff` [Hz], None for not at all.

    Raises:
        InputError: The cut-off is not positive, or too much of the clip is lost.
    """
    return smoothed(mended(source, mending=mending), cutoff)


def mended(source: Clip, *, mending: bool = True) -> Prepared:
    """Set a rest frame aside, and mend what tracking lost.

    Raises:
        InputError: Too much of the clip is lost.
    """
    notes: list[str] = []
    skipped = motion_start(source) if mending else 0
    clip = trim(source, skipped, len(source)) if skipped else source
    if skipped:
        which = "frame 0 is" if skipped == 1 else f"frames 0 to {skipped - 1} are"
        notes.append(
            f"{which} a rest pose that does not belong to the motion; exported as in the source (--keep-glitches plays it)"
        )
    result = mend(clip, skipped) if mending else untouched(clip)
    _refuse_far(result.clip, skipped)
    return Prepared(source, result.clip, result, skipped, (*notes, *result.notes))


def smoothed(prepared: Prepared, cutoff: float | None) -> Prepared:
    """The same, filtered at `cutoff` [Hz], None for not at all.

    Clips of less than 60 frames per second carry no noise above 12 Hz worth taking out and are filtered only when their
    rate allows the cut-off.

    Raises:
        InputError: The cut-off is not positive.
    """
    if cutoff is not None and cutoff <= 0.0:
        raise InputError(f"the filter's cut-off must be positive; got {cutoff:g} Hz")
    clip = prepared.clip
    if cutoff is None or 0.4 * clip.rate <= cutoff:
        return prepared
    passes = butterworth(cutoff, clip.rate)
    rotations = lowpass_rotations(clip.rotations, passes)
    clip = replace(clip, rotations=rotations, translations=lowpass(clip.translations, passes))
    return replace(prepared, clip=clip, notes=(*prepared.notes, f"low-pass filtered at {cutoff:g} Hz"))


def _refuse_far(clip: Clip, skipped: int) -> None:
    """Raise `InputError` where a body goes farther than anybody walks, and where numbers lose their millimetres."""
    far = np.abs(clip.translations).max(axis=(1, 2), initial=0.0)
    frame = int(np.argmax(far))
    if far[frame] > _FARTHEST:
        raise InputError(
            f"the root is {far[frame]:.3g} m away in frame {skipped + frame}; at most {_FARTHEST:g} m are taken: is the "
            "unit right (--unit), or the frame damaged?"
        )


def restore_length(prepared: Prepared, result: Clip) -> Clip:
    """Put the frames that were set aside back in front of a result."""
    if not prepared.skipped:
        return result
    source, count = prepared.source, prepared.skipped
    return result.with_motion(
        np.concatenate([source.rotations[:count], result.rotations]),
        np.concatenate([source.translations[:count], result.translations]),
    )
