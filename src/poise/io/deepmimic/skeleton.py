"""The humanoid that DeepMimic's motions move (Peng et al. 2018): 15 joints, elbows and knees with one axis, no fingers.

Lengths are those of its published character, humanoid3d, to the millimetre. A motion file does not repeat them.
"""

from __future__ import annotations

import numpy as np

from poise.io.axes import Axes
from poise.motion.skeleton import Skeleton

__all__ = ["HINGES", "TURNS", "humanoid3d"]

Offset = tuple[float, float, float]

_MIDDLE: dict[str, tuple[str, Offset]] = {
    "root": ("", (0.0, 0.0, 0.0)),
    "chest": ("root", (0.0, 0.236, 0.0)),
    "neck": ("chest", (0.0, 0.224, 0.0)),
}
_RIGHT: tuple[dict[str, tuple[str, Offset]], ...] = (
    {
        "shoulder": ("chest", (-0.024, 0.243, 0.183)),
        "elbow": ("shoulder", (0.0, -0.275, 0.0)),
        "wrist": ("elbow", (0.0, -0.259, 0.0)),
    },
    {
        "hip": ("root", (0.0, 0.0, 0.085)),
        "knee": ("hip", (0.0, -0.422, 0.0)),
        "ankle": ("knee", (0.0, -0.410, 0.0)),
    },
)
"""Per joint of arm and leg, what it hangs on and where [m] in the file's axes: x forward, y up, z to the right."""
_ENDS: dict[str, Offset] = {"neck": (0.0, 0.27, 0.0), "ankle": (0.134, -0.05, 0.0), "wrist": (0.0, -0.08, 0.0)}
"""Crown, tip of the foot at its sole, end of the hand."""

HINGES = ("elbow", "knee")
"""Joints that turn about z alone; wrists do not turn at all, all others freely."""
TURNS = (
    *("root", "chest", "neck"),
    *(f"{side}_{part}" for side in ("right", "left") for part in ("hip", "knee", "ankle", "shoulder", "elbow")),
)
"""Joints in the order in which a frame turns them."""


def _part(name: str) -> str:
    """A joint's name without its side."""
    return name.removeprefix("left_").removeprefix("right_")


def humanoid3d() -> Skeleton:
    """The skeleton at its bind pose, standing with hanging arms, in Poise's frame [m]; it faces y, as its files' x is."""
    rows = [(name, parent, offset) for name, (parent, offset) in _MIDDLE.items()]
    for limb in _RIGHT:  # arms first, so that joints come depth first
        for side, sign in (("right_", 1.0), ("left_", -1.0)):
            for part, (above, (x, y, z)) in limb.items():
                rows.append((side + part, above if above in _MIDDLE else side + above, (x, y, sign * z)))
    names = tuple(name for name, _, _ in rows)
    ends = [name for name in names if _part(name) in _ENDS]
    axes = Axes("y", 1.0)
    return Skeleton(
        names,
        np.array([names.index(parent) if parent else -1 for _, parent, _ in rows]),
        axes.lengths_in(np.array([offset for _, _, offset in rows])),
        np.array([names.index(name) for name in ends]),
        axes.lengths_in(np.array([_ENDS[_part(name)] for name in ends])),
    )
