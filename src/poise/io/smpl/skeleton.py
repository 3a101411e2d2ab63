"""Joints of SMPL bodies: names and order as published with the models, offsets from our own proportions."""

from __future__ import annotations

import numpy as np

from poise.io.smpl.proportions import ENDS, OFFSETS, PARENTS
from poise.motion.skeleton import Skeleton

__all__ = ["BODY", "FACE", "FINGERS", "JOINTS", "smpl_skeleton"]

BODY = (
    *("pelvis", "left_hip", "right_hip", "spine1", "left_knee", "right_knee", "spine2", "left_ankle", "right_ankle"),
    *("spine3", "left_foot", "right_foot", "neck", "left_collar", "right_collar", "head"),
    *("left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist"),
)
_HANDS = ("left_hand", "right_hand")
FACE = ("jaw", "left_eye_smplhf", "right_eye_smplhf")
FINGERS = tuple(
    f"{side}_{finger}{number}"
    for side in ("left", "right")
    for finger in ("index", "middle", "pinky", "ring", "thumb")
    for number in (1, 2, 3)
)

JOINTS: dict[str, tuple[str, ...]] = {
    "SMPL": BODY + _HANDS,
    "SMPL-H": BODY + FINGERS,
    "SMPL-X": BODY + FACE + FINGERS,
    "SMPL body": BODY,
}
"""Per model, the joints that a pose turns, in its order."""


def smpl_skeleton(names: tuple[str, ...], stature: float) -> Skeleton:
    """Somebody of `stature` [m] in T-pose, facing x, soles on z = 0, with the joints `names`, one of `JOINTS`.

    They come depth first, a limb after the other, as in every other skeleton that is played; SMPL has them by their depth.
    """
    names = _depth_first(names)
    parents = [_parent(name) for name in names]
    ends = [name for name in names if _part(name) in ENDS and (name == "head" or name not in parents)]
    return Skeleton(
        names,
        np.array([names.index(parent) if parent else -1 for parent in parents]),
        stature * np.array([_sided(name, OFFSETS) for name in names]),
        np.array([names.index(name) for name in ends]),
        stature * np.array([_sided(name, ENDS) for name in ends]),
    )


def _depth_first(names: tuple[str, ...]) -> tuple[str, ...]:
    order, waiting = list[str](), [names[0]]
    while waiting:
        order.append(waiting.pop())
        waiting += [name for name in names[::-1] if _parent(name) == order[-1]]
    return tuple(order)


def _part(name: str) -> str:
    """A joint's name without its side."""
    return name.removeprefix("left_").removeprefix("right_")


def _parent(name: str) -> str:
    """The joint that one hangs on, on its own side where there are two; "" for the root."""
    parent, side = PARENTS.get(_part(name), ""), name[: -len(_part(name))]
    return parent if side + parent not in _SIDED else side + parent


def _sided(name: str, offsets: dict[str, tuple[float, float, float]]) -> tuple[float, float, float]:
    x, y, z = offsets[_part(name)]
    return (x, -y if name.startswith("right_") else y, z)


_SIDED = {name for names in JOINTS.values() for name in names if name != _part(name)}
