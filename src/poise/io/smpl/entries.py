"""What an AMASS or SMPL .npz holds: a pose per frame, where the root is, how fast it was recorded, and of whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.body_model import check_finite
from poise.io.npz_entries import load_entries
from poise.io.smpl.proportions import STATURES
from poise.io.smpl.skeleton import BODY, FACE, FINGERS, JOINTS
from poise.io.taken import check_rate

__all__ = ["KEYS", "SmplMotion", "read_entries"]

Array = NDArray[np.float64]
Entries = dict[str, NDArray[Any]]

KEYS = frozenset(("poses", "root_orient", "pose_body", "trans"))
"""Entries by which such a file is known; a clip of Poise has none of them."""
_RATES = ("mocap_framerate", "mocap_frame_rate")
_PARTS = ("root_orient", "pose_body", "pose_jaw", "pose_eye", "pose_hand")
"""What `poses` is made of in SMPL-X files, in that order."""


@dataclass(frozen=True)
class SmplMotion:
    """A motion of a body model.

    Args:
        model: A key of `JOINTS`.
        turns: Axis times angle [rad] of each joint in its parent's axes, shape (T, J, 3).
        places: Of the root in the file's world [m], shape (T, 3).
        rate: Frames per second [Hz].
        gender: A key of `STATURES`.
    """

    model: str
    turns: Array
    places: Array
    rate: float
    gender: str


def read_entries(content: bytes) -> SmplMotion:
    """The motion in the bytes of a .npz; nothing is unpickled, and entries that are not needed are not looked into.

    Raises:
        InputError: With the entry, what was wrong and what is allowed.
    """
    entries = load_entries(content, ("poses", *_PARTS, "trans", *_RATES, "gender"))
    poses, key = _poses(entries)
    places = _table(entries, "trans", {3})
    if len(places) != len(poses):
        raise InputError(f"the entry has {len(places)} frames, and {key} has {len(poses)}", place="entry 'trans'")
    model = next(name for name, joints in JOINTS.items() if 3 * len(joints) == poses.shape[1])
    return SmplMotion(model, poses.reshape(len(poses), -1, 3), places, _rate(entries), _gender(entries))


def _poses(entries: Entries) -> tuple[Array, str]:
    """Turns of all joints behind one another (T, 3 J), and the entry that says how many frames there are."""
    if "poses" in entries:
        return _table(entries, "poses", {3 * len(joints) for joints in JOINTS.values()}), "poses"
    root = _table(entries, "root_orient", {3}, "; without it a file needs poses")
    parts = [root, _table(entries, "pose_body", {3 * len(BODY) - 3})]
    if "pose_hand" in entries:
        if "pose_jaw" in entries and "pose_eye" in entries:
            parts += [_table(entries, "pose_jaw", {3}), _table(entries, "pose_eye", {3 * len(FACE) - 3})]
        parts.append(_table(entries, "pose_hand", {3 * len(FINGERS)}))
    lengths = [len(part) for part in parts]
    if len(set(lengths)) > 1:
        raise InputError(f"root_orient and the poses of body, face and hands have {lengths} frames; expected as many")
    return np.concatenate(parts, axis=1), "root_orient"


def _table(entries: Entries, key: str, widths: set[int], hint: str = "") -> Array:
    """Numbers of shape (T, one of `widths`)."""
    allowed = f"expected numbers of shape (frames >= 1, {' | '.join(map(str, sorted(widths)))})"
    place = f"entry {key!r}"
    if key not in entries:
        raise InputError(f"the entry is missing; {allowed}{hint}", place=place)
    array = entries[key]
    if array.dtype.kind not in "fiu" or array.ndim != 2 or len(array) == 0 or array.shape[1] not in widths:
        raise InputError(f"the entry has type {array.dtype} and shape {array.shape}; {allowed}", place=place)
    return check_finite(array.astype(np.float64), place)


def _rate(entries: Entries) -> float:
    key = next((key for key in _RATES if key in entries), None)
    if key is None:
        raise InputError("the entry is missing; expected frames per second [Hz]", place=f"entry {' or '.join(_RATES)}")
    array = entries[key]
    if array.dtype.kind not in "fiu" or array.size != 1:
        raise InputError(
            f"the entry has type {array.dtype} and shape {array.shape}; expected one number, frames per second [Hz]",
            place=f"entry {key!r}",
        )
    try:
        return check_rate(float(array.reshape(())))
    except InputError as error:
        raise InputError(error.problem, place=f"entry {key!r}") from None


def _gender(entries: Entries) -> str:
    """Whose stature is the likeliest; what is none of the words that AMASS has is neutral."""
    array = entries.get("gender")
    if array is None:
        return "neutral"
    if array.dtype.kind not in "US" or array.size != 1:
        raise InputError(
            f"the entry has type {array.dtype} and shape {array.shape}; expected one word, such as "
            f"{', '.join(STATURES)}",
            place="entry 'gender'",
        )
    word = array.reshape(()).item()
    text = (word.decode("latin-1") if isinstance(word, bytes) else str(word)).lower()
    return text if text in STATURES else "neutral"
