"""The motion as it came out, on a character's own skeleton and at its own rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import clip_from_generalized, generalized_from_clip, pose_from_generalized
from poise.body.fingers import close_hands
from poise.characters.character import Character
from poise.characters.own_values import change_shares, led_elsewhere, with_own_values
from poise.characters.prepare import restore_length
from poise.motion.clip import Clip
from poise.motion.edit import retime, trim
from poise.motion.pose import Pose
from poise.repair import put_back

__all__ = ["Outcome", "result_clip", "result_pose"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is needed to write a character's motion.

    Args:
        character: Who it is, its clip set onto the ground where there is terrain.
        columns: Where its numbers are among the world's generalized positions.
        as_given: Whether its clip is the one that was given.
        physical: Bodies that were ever moved by anything but the clip and come out so, shape (B,).
        lags: How far the clip was behind the session at the end of each tick [s].
        ticks_per_frame: Ticks in one frame of the clip.
        on_purpose: Whether behaviors change poses where nothing pushes.
    """

    character: Character
    columns: slice
    as_given: bool
    physical: NDArray[np.bool_]
    lags: tuple[float, ...]
    ticks_per_frame: int
    on_purpose: bool = True


def result_clip(
    outcome: Outcome,
    skeletons: tuple[Array, Array, Array],
    grips: Array,
    touched: NDArray[np.bool_],
    first: int = 0,
) -> Clip:
    """The motion of a recording as a clip; see `Session.result`.

    Args:
        outcome: Whose.
        skeletons: Generalized positions of the world as they come out, the kinematic skeletons and the input skeletons, shape
            (N+1, nq) each.
        grips: How its hands hold, shape (N+1, 2, 2).
        touched: Which of its bodies something touched in each tick, shape (N, B).
        first: Number of the first of these states; a later one than 0 gives the clip from the next frame on.
    """
    output, columns = skeletons[0], outcome.columns
    who, every = outcome.character, outcome.ticks_per_frame
    begin = -(-first // every)
    rows = output[begin * every - first :: every, columns][: max(len(who.clip) - begin, 0)]
    frames = slice(begin, begin + len(rows))
    base = who.clip.with_motion(who.clip.rotations[frames], who.clip.translations[frames])
    lags = np.append(0.0, outcome.lags)[begin * every :: every][: len(rows)]
    if lags.any():
        times = begin / who.clip.rate + base.times
        base = retime(who.clip, np.clip(times - lags, 0.0, who.clip.duration), who.clip.rate)
    moved = clip_from_generalized(who.plan, rows, base)
    held = grips[begin * every - first :: every][: len(rows)]
    if first:
        return _holding(moved, held)
    if outcome.as_given:
        moved = _with_own_values(outcome, moved, skeletons, touched, lags)
    if outcome.as_given and not lags.any():
        as_read = trim(who.prepared.source, who.prepared.skipped, who.prepared.skipped + len(moved))
        moved = put_back(who.prepared.mended, as_read, moved)
    return restore_length(who.prepared, _holding(moved, held))


def _holding(clip: Clip, grips: Array) -> Clip:
    rotations = close_hands(clip.skeleton, clip.rotations, grips)
    return clip if rotations is clip.rotations else clip.with_motion(rotations, clip.translations)


def result_pose(outcome: Outcome, output: Array, grips: Array, time: float) -> Pose:
    """A character's pose on its own skeleton.

    Args:
        outcome: Whose.
        output: Generalized positions of the world as they come out, shape (nq,).
        grips: How its hands hold, shape (2, 2).
        time: Of the clip, for what rides on bodies [s].
    """
    who = outcome.character
    frame = int(np.clip(round(time * who.clip.rate), 0, len(who.clip) - 1))
    base = who.clip.pose(frame)
    rotations, translations = pose_from_generalized(
        who.plan,
        output[outcome.columns],
        base.rotations,
        base.translations,
        pelvis_moves=int(who.plan.joints[0]) in who.clip.translated,
    )
    held = close_hands(who.clip.skeleton, rotations[None], grips[None])[0]
    return Pose(who.clip.skeleton, held, translations)


def _with_own_values(
    outcome: Outcome, moved: Clip, skeletons: tuple[Array, Array, Array], touched: NDArray[np.bool_], lags: Array
) -> Clip:
    """The clip's own values wherever it still is the clip: see `own_values`."""
    who, every, count = outcome.character, outcome.ticks_per_frame, len(moved)
    output, kinematic, source = (each[::every, outcome.columns][:count] for each in skeletons)
    followed = trim(who.clip, 0, count)
    led = led_elsewhere(source, generalized_from_clip(who.plan, followed))
    changes = change_shares(
        who.plan,
        outcome.physical,
        (output, kinematic, source),
        _by_frame(touched, every, count) | led | (lags != 0.0)[:, None],
        who.clip.rate,
        on_purpose=outcome.on_purpose,
    )
    own = trim(who.prepared.mended.clip, 0, count)
    return with_own_values(who.plan, (own, followed, moved), changes, lags != 0.0)


def _by_frame(touched: NDArray[np.bool_], every: int, count: int) -> NDArray[np.bool_]:
    """What touched in the ticks that end in each frame, shape (T, B); nothing yet in the first."""
    frames = np.zeros((count, touched.shape[1]), dtype=np.bool_)
    for frame in range(1, count):
        frames[frame] = touched[(frame - 1) * every : frame * every].any(axis=0)
    return frames
