"""SMPL motions made up for tests, and where a plain reading of the models' formula puts their joints."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.motion import Skeleton

Array = NDArray[np.float64]

BODY = "pelvis left_hip right_hip spine1 left_knee right_knee spine2 left_ankle right_ankle spine3 left_foot right_foot neck "
BODY += "left_collar right_collar head left_shoulder right_shoulder left_elbow right_elbow left_wrist right_wrist"
FINGERS = [f"{finger}{number}" for finger in ("index", "middle", "pinky", "ring", "thumb") for number in (1, 2, 3)]
HANDS = " ".join(f"{side}_{finger}" for side in ("left", "right") for finger in FINGERS)
NAMES = {
    66: BODY.split(),
    72: f"{BODY} left_hand right_hand".split(),
    156: f"{BODY} {HANDS}".split(),
    165: f"{BODY} jaw left_eye_smplhf right_eye_smplhf {HANDS}".split(),
}
_TREE = [-1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 12, 13, 14, 16, 17, 18, 19]


def parents_of(width: int) -> list[int]:
    """What each joint hangs on, as the models' files have it."""
    before = {66: [], 72: [20, 21], 156: [], 165: [15, 15, 15]}[width]
    tree = _TREE + before
    if width > 72:
        for wrist in (20, 21):
            for _ in range(5):
                tree += [wrist, len(tree), len(tree) + 1]
    return tree


def motion(width: int = 156, frames: int = 12, seed: int = 3) -> dict[str, Any]:
    """Entries of an AMASS file in which every joint turns anyhow, about somebody who stands with z up."""
    rng = np.random.default_rng(seed)
    poses = np.cumsum(rng.normal(0.0, 0.05, (frames, width)), axis=0) + rng.normal(0.0, 0.4, width)
    poses[:, :3] = np.array([np.pi / 2, 0.0, 0.0]) + rng.normal(0.0, 0.05, (frames, 3))
    trans = np.array([0.3, -0.2, 0.95]) + np.cumsum(rng.normal(0.0, 0.01, (frames, 3)), axis=0)
    return {"poses": poses, "trans": trans, "mocap_framerate": np.array(60.0), "gender": np.array("male")}


def standing(width: int = 156, frames: int = 8) -> dict[str, Any]:
    """Entries of somebody in T-pose who stands on z = 0 and walks off towards -y, which is where AMASS' people face."""
    poses = np.zeros((frames, width))
    poses[:, 0] = np.pi / 2
    trans = np.zeros((frames, 3))
    trans[:, 1], trans[:, 2] = -0.02 * np.arange(frames), 0.545 * 1.756
    return {"poses": poses, "trans": trans, "mocap_framerate": np.array(120.0), "gender": np.array("male")}


def save(path: Path, entries: dict[str, Any], **changes: Any) -> Path:
    """Write entries, with changes; what is None is left out."""
    merged = {key: value for key, value in (entries | changes).items() if value is not None}
    np.savez(path, **merged)
    return path


def plain_positions(entries: dict[str, Any], skeleton: Skeleton) -> dict[str, Array]:
    """World positions (T, 3) of each joint in the file's world: bones of `skeleton` in the models' own axes, turned by SciPy.

    A model's x is to the left, its y up, its z forward.
    """
    poses = np.asarray(entries["poses"], dtype=np.float64)
    names, parents = NAMES[poses.shape[1]], parents_of(poses.shape[1])
    turns, places = list[Rotation](), list[Array]()
    for joint, (name, parent) in enumerate(zip(names, parents, strict=True)):
        forward, left, up = skeleton.offsets[skeleton.index(name)]
        turn = Rotation.from_rotvec(poses[:, 3 * joint : 3 * joint + 3])
        if parent < 0:
            turns.append(turn)
            places.append(np.asarray(entries["trans"], dtype=np.float64))
        else:
            turns.append(turns[parent] * turn)
            places.append(places[parent] + turns[parent].apply([left, up, forward]))
    return dict(zip(names, places, strict=True))
