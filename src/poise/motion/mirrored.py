"""Whether a skeleton is its own mirror image, as left-handed data look when they are read as right-handed.

Names say which side is left. From the hips and up follows where front is; toes point there and knees bend there, in every
person and posture. Where both point backwards the data are mirrored (or all sides are named wrongly, which looks the same).
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.roles import Roles

__all__ = ["Handedness", "lateral_axis", "look_at_handedness", "mirror"]

Array = NDArray[np.float64]

_SAMPLES = 64
_BENT = np.radians(12.0)
"""A straighter knee does not tell which way it bends."""
_SURE = 0.8
"""Share of frames that must agree."""


class Handedness(NamedTuple):
    """What a clip's body says about left and right.

    Args:
        toes: Share of frames in which the toes point away from where left, right and up say front is; nan without toes.
        knees: Share of frames with a bent knee in which it bends backwards; nan where none is bent.
    """

    toes: float
    knees: float

    @property
    def mirrored(self) -> bool:
        """Whether toes and knees agree that left is right; nothing is said on one of them alone."""
        return self.toes >= _SURE and self.knees >= _SURE


def look_at_handedness(clip: Clip, roles: Roles) -> Handedness:
    """What toes and knees say; shares are nan where roles are missing."""
    picked = np.unique(np.linspace(0, len(clip) - 1, _SAMPLES).astype(int))
    places = forward_kinematics(clip.skeleton, clip.rotations[picked], clip.local_positions()[picked])
    needed = [f"{side}_{part}" for side in ("left", "right") for part in ("thigh", "shank", "foot")]
    if any(roles.joint(role) is None for role in (*needed, "pelvis")):
        return Handedness(np.nan, np.nan)
    at = {role: places[1][:, roles.joint(role)] for role in needed}
    top = _first(roles, "neck", "head", "left_upper_arm")
    up = places[1][:, top if top is not None else roles.joint("pelvis")] - 0.5 * (at["left_thigh"] + at["right_thigh"])
    front = np.cross(at["left_thigh"] - at["right_thigh"], up)
    toes, knees = [], []
    for side in ("left", "right"):
        hip, knee, ankle = (at[f"{side}_{part}"] for part in ("thigh", "shank", "foot"))
        tip = _toe_tip(clip, roles, side, places)
        if tip is not None:
            toes.append(np.einsum("ti,ti->t", tip - ankle, front) < 0.0)
        upper, lower = knee - hip, ankle - knee
        bend = np.arccos(np.clip(np.einsum("ti,ti->t", _unit(upper), _unit(lower)), -1.0, 1.0))
        # The knee lies in front of the line from hip to ankle.
        ahead = np.einsum("ti,ti->t", _unit(upper) - _unit(lower), front)
        knees.append((ahead < 0.0)[bend > _BENT])
    return Handedness(_share(toes), _share(knees))


def lateral_axis(clip: Clip, roles: Roles) -> int:
    """The horizontal axis (0 or 1) that left and right lie along in the bind pose, or in the first frame where they do not."""
    left, right = roles.joint("left_thigh"), roles.joint("right_thigh")
    identity = np.zeros_like(clip.rotations[0])
    identity[:, 0] = 1.0
    for rotations in (identity, clip.rotations[0]):
        _, positions = forward_kinematics(clip.skeleton, rotations, clip.local_positions()[0])
        across = np.abs(positions[left] - positions[right])
        if max(across[:2]) > across[2]:
            return int(np.argmax(across[:2]))
    return 0


def mirror(clip: Clip, axis: int) -> Clip:
    """The clip seen in a mirror that turns `axis` round; names stay, and the source says what was done (twice is nothing)."""
    lengths, turns = np.ones(3), -np.ones(4)
    lengths[axis], turns[[0, 1 + axis]] = -1.0, 1.0
    skeleton = replace(
        clip.skeleton, offsets=clip.skeleton.offsets * lengths, end_offsets=clip.skeleton.end_offsets * lengths
    )
    return replace(
        clip,
        skeleton=skeleton,
        rotations=clip.rotations * turns,
        translations=clip.translations * lengths,
        source=replace(clip.source, mirrored="" if clip.source.mirrored else "xyz"[axis]),
    )


def _toe_tip(clip: Clip, roles: Roles, side: str, places: tuple[Array, Array]) -> Array | None:
    toes, foot = roles.joint(f"{side}_toes"), roles.joint(f"{side}_foot")
    if toes is not None:
        return np.asarray(places[1][:, toes])
    ends = np.flatnonzero(clip.skeleton.end_parents == foot)
    if not len(ends):
        return None
    return np.asarray(places[1][:, foot] + quat.rotate(places[0][:, foot], clip.skeleton.end_offsets[ends[0]]))


def _first(roles: Roles, *names: str) -> int | None:
    return next((joint for joint in map(roles.joint, names) if joint is not None), None)


def _unit(vectors: Array) -> Array:
    return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=-1, keepdims=True), 1e-12))


def _share(masks: list[NDArray[np.bool_]]) -> float:
    every = np.concatenate(masks) if masks else np.zeros(0, bool)
    return float(every.mean()) if len(every) else float("nan")
