"""DeepMimic motions made up for tests, and where a plain reading puts their joints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

Array = NDArray[np.float64]

# Of humanoid3d: what a joint hangs on, where, and how many numbers turn it; in the order of a frame.
TREE: dict[str, tuple[str, tuple[float, float, float], int]] = {
    "root": ("", (0, 0, 0), 4),
    "chest": ("root", (0, 0.236, 0), 4),
    "neck": ("chest", (0, 0.224, 0), 4),
    "right_hip": ("root", (0, 0, 0.085), 4),
    "right_knee": ("right_hip", (0, -0.422, 0), 1),
    "right_ankle": ("right_knee", (0, -0.41, 0), 4),
    "right_shoulder": ("chest", (-0.024, 0.243, 0.183), 4),
    "right_elbow": ("right_shoulder", (0, -0.275, 0), 1),
    "right_wrist": ("right_elbow", (0, -0.259, 0), 0),
    "left_hip": ("root", (0, 0, -0.085), 4),
    "left_knee": ("left_hip", (0, -0.422, 0), 1),
    "left_ankle": ("left_knee", (0, -0.41, 0), 4),
    "left_shoulder": ("chest", (-0.024, 0.243, -0.183), 4),
    "left_elbow": ("left_shoulder", (0, -0.275, 0), 1),
    "left_wrist": ("left_elbow", (0, -0.259, 0), 0),
}


def frames(count: int = 10, seed: int = 5) -> Array:
    """Rows in which every joint turns anyhow, of somebody upright."""
    rng = np.random.default_rng(seed)
    columns = [
        np.full((count, 1), 1.0 / 30.0),
        np.array([0.1, 0.9, -0.2]) + np.cumsum(rng.normal(0, 0.01, (count, 3)), axis=0),
    ]
    for name, (_, _, width) in TREE.items():
        size = 0.1 if name == "root" else 0.4
        turns = rng.normal(0, size, 3) + np.cumsum(rng.normal(0, 0.05, (count, 3)), axis=0)
        quaternions = Rotation.from_rotvec(turns).as_quat(scalar_first=True)
        columns.append({4: quaternions, 1: turns[:, :1], 0: np.zeros((count, 0))}[width])
    return np.concatenate(columns, axis=1)


def save(path: Path, rows: Any, **more: Any) -> Path:
    path.write_text(
        json.dumps({"Loop": "none", "Frames": rows.tolist() if isinstance(rows, np.ndarray) else rows} | more)
    )
    return path


def plain_positions(rows: Array) -> dict[str, Array]:
    """World positions (T, 3) of each joint in the file's axes."""
    turns, places, at = dict[str, Rotation](), dict[str, Array](), 4
    for name, (parent, offset, width) in TREE.items():
        if width == 4:
            turn = Rotation.from_quat(rows[:, at : at + 4], scalar_first=True)
        else:
            turn = Rotation.from_rotvec(
                np.array([0.0, 0.0, 1.0]) * (rows[:, [at]] if width else np.zeros((len(rows), 1)))
            )
        at += width
        turns[name] = turns[parent] * turn if parent else turn
        places[name] = places[parent] + turns[parent].apply(np.array(offset)) if parent else rows[:, 1:4]
    return places


def standing(count: int = 8) -> Array:
    """Rows of somebody with hanging arms who stands on y = 0 and moves off towards x, where the humanoid faces."""
    rows, at = np.zeros((count, 44)), 4
    for width in (width for _, _, width in TREE.values() if width):
        rows[:, at] = float(width == 4)
        at += width
    rows[:, 0], rows[:, 1], rows[:, 2] = 1.0 / 30.0, 0.02 * np.arange(count), 0.422 + 0.41 + 0.05
    return rows
