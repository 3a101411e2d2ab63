"""The joints of a USD skeleton as nodes of a glTF document.

Joints may mirror, which Poise's do not: some rigs model one side and mirror the other by a scale below 0. Such a scale is a
turn times -1 in all directions, and -1 commutes with turns. So the same places are had without it where the positions of the
joints below are negated, and where the skin's bind transforms are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.math import quat

__all__ = ["BIND", "JOINT", "PRIM", "SIGNS", "Joints", "end_sites", "from_matrices", "joint_nodes"]

Array = NDArray[np.float64]

PRIM, JOINT, SIGNS, BIND = "usd_prim", "usd_joint", "usd_signs", "usd_bind"
"""What a node's `extras` call its prim or its joint, the signs of a mirrored joint's own scale and of its position, and where
the joint stands when the skin is bound."""
_SHEAR = 1e-3
_SAME_SCALE = 2e-3
"""A scale that an animation, in 16 bits, holds within this part is the one at rest."""


class Joints(NamedTuple):
    """Nodes of the joints, and what became of mirrored ones.

    Args:
        nodes: In the file's order.
        above: 1, or -1 where what is above the joint mirrors, shape (J,).
        own: The same with the joint's own scale, shape (J,).
    """

    nodes: list[dict[str, Any]]
    above: Array
    own: Array


def from_matrices(matrices: Array) -> tuple[Array, Array, Array]:
    """Translations (T, 3), rotations wxyz (T, 4) and scales (T, 3) of transforms (T, 4, 4), translation in the last row.

    Where there is shear the nearest rotation is taken; the scales of one that mirrors are all negative.
    """
    linear = matrices[:, :3, :3].transpose(0, 2, 1)
    scales = np.linalg.norm(linear, axis=1)
    scales = np.where(np.linalg.det(linear)[:, None] < 0.0, -scales, scales)
    left, _, right = np.linalg.svd(linear / np.where(scales == 0.0, 1.0, scales)[:, None, :])
    return matrices[:, 3, :3], quat.from_matrix(left @ right), scales


def _animated_scales(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> Array:
    """Sizes of the scales (nodes, 3) with which the first animation begins; NaN where it has none."""
    scales = np.full((len(header["nodes"]), 3), np.nan)
    for take in header["animations"][:1]:
        for track in take["tracks"]:
            if track["part"] == "scale":
                nodes = np.array(track["nodes"], np.int64)
                scales[nodes[nodes >= 0]] = np.abs(arrays[track["array"]][0][nodes >= 0])
    return scales


def joint_nodes(header: dict[str, Any], arrays: dict[str, NDArray[Any]], notes: list[str]) -> Joints:
    """A node per joint, none of them mirrored."""
    first = header["first"]
    joints = header["nodes"][first:]
    matrices = np.array([node["matrix"] for node in joints], np.float64).reshape(-1, 4, 4)
    places, rotations, scales = from_matrices(matrices)
    rebuilt = quat.to_matrix(rotations) * scales[:, None, :]
    apart = np.abs(rebuilt - matrices[:, :3, :3].transpose(0, 2, 1)).max(axis=(1, 2))
    mirrors, sizes = np.sign(scales[:, 0]), np.abs(scales)
    played = _animated_scales(header, arrays)[first:]
    same = np.all(np.abs(played - sizes) <= _SAME_SCALE * sizes, axis=1, keepdims=True)
    sizes = np.where(same, played, sizes)
    above, own = np.ones(len(joints)), np.ones(len(joints))
    nodes = []
    for at, joint in enumerate(joints):
        above[at] = own[joint["parent"] - first] if joint["parent"] >= first else 1.0
        own[at] = above[at] * (-1.0 if mirrors[at] < 0.0 else 1.0)
        if apart[at] > _SHEAR * sizes[at].max():
            notes.append(f"joint {joint['name']!r} rests with shear; its nearest rotation is taken")
        w, x, y, z = rotations[at].tolist()
        extras: dict[str, Any] = {JOINT: joint["path"]}
        if min(above[at], own[at]) < 0.0:
            extras[SIGNS] = [above[at] * own[at], above[at]]
        place = {
            "translation": (above[at] * places[at]).tolist(),
            "rotation": [x, y, z, w],
            "scale": sizes[at].tolist(),
        }
        nodes.append({"name": joint["name"], **place, "extras": extras})
    return Joints(nodes, above, own)


def end_sites(header: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> set[int]:
    """Joints, as numbers in the file's list, that are called an end, that nothing moves and that move nothing."""
    first, count = header["first"], header["joints"]
    used = {node["parent"] for node in header["nodes"]}
    for animation in header["animations"]:
        used |= {node for track in animation["tracks"] for node in track["nodes"]}
    for mesh in header["meshes"]:
        joints, weights = arrays[f"{mesh['label']}joints"], arrays[f"{mesh['label']}weights"]
        used |= {first + int(joint) for joint in np.unique(joints[weights > 0.0])}
    names = [node["name"].lower().rstrip("_0123456789") for node in header["nodes"][first:]]
    ends = {at for at in range(count) if first + at not in used and names[at].endswith("_end")}
    return ends if len(ends) < count else set()
