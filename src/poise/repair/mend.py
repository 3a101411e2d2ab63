"""A copy of a clip without what tracking lost, lines that say what that was, and the way back for the output."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math import quat
from poise.motion.clip import Clip
from poise.repair.glitches import Glitches, find_glitches
from poise.repair.repeats import count_repeats, without_repeats

__all__ = ["Mended", "bridged", "mend", "put_back", "untouched"]

Array = NDArray[np.float64]

_MOST = 0.4
"""Share of frames that may be lost."""
_LINES = 6


@dataclass(frozen=True, eq=False)
class Mended:
    """A clip and its mended copy.

    Args:
        clip: The copy; the clip itself where nothing was lost.
        glitches: What was found.
        shift: How far the copy is from the clip over the ground [m], shape (T, 3).
        notes: What was found, one line each.
    """

    clip: Clip
    glitches: Glitches
    shift: Array
    notes: tuple[str, ...]


def mend(clip: Clip, first: int = 0) -> Mended:
    """A copy that goes on between what is lost, and without jumps of the place.

    Args:
        clip: The motion.
        first: The number of its first frame in the file, for the lines.

    Raises:
        InputError: Too much of it is lost.
    """
    notes = list[str]()
    times = count_repeats(clip)
    if times > 1:
        notes.append(
            f"every frame is there {times} times: {clip.rate / times:g} Hz written as {clip.rate:g}; the physics goes "
            "smoothly between them (--keep-glitches plays it)"
        )
        clip = without_repeats(clip, times)
    glitches, shift = find_glitches(clip), np.zeros((len(clip), 3))
    if not glitches:
        return Mended(clip, glitches, shift, tuple(notes))
    if glitches.frames.mean() > _MOST:
        raise InputError(
            f"{100.0 * glitches.frames.mean():.0f} % of the frames are lost: where the body is jumps again and again; is the "
            "unit or the frame rate wrong, or is this no motion? (--keep-glitches takes it as it is)"
        )
    for frame, jump in glitches.jumps:
        shift[frame:, :2] -= jump
    if 0 not in clip.translated:
        shift[:] = 0.0
    mended = Mended(clip, glitches, shift, (*notes, *_mending_notes(clip, glitches, first)))
    return replace(mended, clip=bridged(mended, clip))


def bridged(mended: Mended, clip: Clip) -> Clip:
    """Any clip of the same frames, or of fewer, without what was lost: moved by the shift, and going on between the rest."""
    glitches, count = mended.glitches, len(clip)
    if not glitches:
        return clip
    root = np.flatnonzero(clip.translated == 0)
    translations, rotations = clip.translations.copy(), clip.rotations.copy()
    if len(root):
        translations[:, root[0]] += mended.shift[:count]
    if not glitches.frames[:count].all():
        _bridge_places(translations, glitches.frames[:count])
    for joint in np.flatnonzero(glitches.joints[:count].any(axis=0)):
        rotations[:, joint] = _bridged_turns(rotations[:, joint], glitches.joints[:count, joint])
    return clip.with_motion(rotations, translations)


def untouched(clip: Clip) -> Mended:
    """The clip as its own copy, whatever is in it."""
    count = len(clip)
    nothing = Glitches(np.zeros(count, bool), np.zeros((count, len(clip.skeleton)), bool), (), np.zeros(count))
    return Mended(clip, nothing, np.zeros((count, 3)), ())


def put_back(mended: Mended, source: Clip, result: Clip) -> Clip:
    """A result on the copy as the clip's own: back at its places, and the clip itself where it was lost.

    Args:
        mended: The clip's copy.
        source: The clip as read, without filter.
        result: What came of the copy, as many frames or fewer.
    """
    glitches, count = mended.glitches, len(result)
    if not glitches:
        return result
    lost, frames = glitches.joints[:count], glitches.frames[:count]
    rotations = np.where(lost[..., None], source.rotations[:count], result.rotations)
    translations = result.translations.copy()
    root = np.flatnonzero(result.translated == 0)
    if len(root):
        translations[:, root[0]] -= mended.shift[:count]
    if np.array_equal(result.translated, source.translated):
        translations = np.where(frames[:, None, None], source.translations[:count], translations)
    return result.with_motion(rotations, translations)


def _bridge_places(translations: Array, lost: NDArray[np.bool_]) -> None:
    good, frames = np.flatnonzero(~lost), np.arange(len(lost))
    for slot in range(translations.shape[1]):
        for axis in range(3):
            translations[lost, slot, axis] = np.interp(frames[lost], good, translations[good, slot, axis])


def _bridged_turns(rotations: Array, lost: NDArray[np.bool_]) -> Array:
    """Rotations (T, 4) that go the short way between the good ones."""
    good = np.flatnonzero(~lost)
    if not len(good):
        return rotations
    result = rotations.copy()
    after = np.clip(np.searchsorted(good, np.flatnonzero(lost)), 0, len(good) - 1)
    before = np.clip(after - 1, 0, None)
    frames = np.flatnonzero(lost)
    left = np.where(frames < good[0], good[after], good[before])
    right = np.where(frames > good[-1], good[-1], good[after])
    left = np.where(frames > good[-1], good[-1], left)
    share = (frames - left) / np.maximum(right - left, 1)
    turn = quat.log(quat.mul(quat.conj(rotations[left]), rotations[right]))
    result[lost] = quat.mul(rotations[left], quat.exp(share[:, None] * turn))
    return result


def _mending_notes(clip: Clip, glitches: Glitches, first: int) -> Iterator[str]:
    kept = "the physics goes on between its neighbors, the output keeps it (--keep-glitches plays it)"
    jumped = [frame for frame, _ in glitches.jumps]
    lines = []
    for frame, jump in glitches.jumps:
        far = float(np.linalg.norm(jump))
        lines.append(
            f"from frame {first + frame} on the body is {far:.2g} m elsewhere: the physics closes the gap, the output has it "
            "(--keep-glitches plays it)"
        )
    for start, stop in _runs(glitches.frames):
        if any(start <= frame <= stop for frame in jumped):
            continue
        off = float(glitches.off[start:stop].max())
        lines.append(f"{_span(first, start, stop)} lost (the root is {off:.2g} m off): {kept}")
    alone = glitches.joints & ~glitches.frames[:, None]
    for joint in np.flatnonzero(alone.any(axis=0)):
        runs = _runs(alone[:, joint])
        where = "; ".join(_span(first, *run).removesuffix(" is").removesuffix(" are") for run in runs[:3])
        more = f" and {len(runs) - 3} more" if len(runs) > 3 else ""
        lines.append(f"the rotation of {clip.skeleton.names[joint]} pops in {where}{more}: {kept}")
    yield from lines[:_LINES]
    if len(lines) > _LINES:
        yield f"… and {len(lines) - _LINES} more places where tracking was lost, treated alike"


def _runs(flags: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


def _span(first: int, start: int, stop: int) -> str:
    one = stop - start == 1
    return f"frame {first + start} is" if one else f"frames {first + start}–{first + stop - 1} are"
