"""The motion as it came out, on a character's own skeleton and at its own rate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.behaviors import Reference
from poise.body.coordinates import clip_from_generalized
from poise.motion.clip import Clip
from poise.motion.edit import retime
from poise.runtime.character import Character
from poise.runtime.prepare import restore_length
from poise.runtime.record import Recording

__all__ = ["Outcome", "result_clip"]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What is needed to write a character's motion.

    Args:
        character: Who it is, its clip set onto the ground where there is terrain.
        as_given: Whether its clip is the one that was given.
        reference: What it was meant to do.
        physical: Bodies whose blend weight was not 0 at some time, shape (B,).
        ticks_per_frame: Ticks in one frame of the clip.
    """

    character: Character
    as_given: bool
    reference: Reference
    physical: NDArray[np.bool_]
    ticks_per_frame: int


def result_clip(outcome: Outcome, recording: Recording, columns: slice) -> Clip:
    """The motion of a recording as a clip; see `Session.result`.

    Args:
        outcome: Whose.
        recording: What happened.
        columns: Where the character's numbers are in the recording's positions.
    """
    who, every = outcome.character, outcome.ticks_per_frame
    rows = recording.output[::every, columns][: len(who.clip)]
    base = who.clip.with_motion(who.clip.rotations[: len(rows)], who.clip.translations[: len(rows)])
    lags = np.append(0.0, outcome.reference.clock.lags)[::every][: len(rows)]
    if lags.any():
        base = retime(who.clip, np.clip(base.times - lags, 0.0, who.clip.duration), who.clip.rate)
    moved = clip_from_generalized(who.plan, rows, base)
    if outcome.as_given and not lags.any():
        moved = _with_source_values(outcome, moved, _edited(recording, columns))
    return restore_length(who.prepared, moved)


def _with_source_values(outcome: Outcome, moved: Clip, edited: NDArray[np.bool_]) -> Clip:
    prepared = outcome.character.prepared
    part = slice(prepared.skipped, prepared.skipped + len(moved))
    own = (outcome.reference.released & outcome.physical) | edited
    joints = outcome.character.plan.joints[own]
    rotations = prepared.source.rotations[part].copy()
    rotations[:, joints] = moved.rotations[:, joints]
    translations = moved.translations if own[0] else prepared.source.translations[part]
    return moved.with_motion(rotations, translations)


def _edited(recording: Recording, columns: slice) -> NDArray[np.bool_]:
    """Bodies whose kinematic pose is not the clip's at some time, shape (B,)."""
    differs = np.any(recording.kinematic[:, columns] != recording.source[:, columns], axis=0)
    return np.append(differs[:7].any(), differs[7:].reshape(-1, 4).any(axis=1))
