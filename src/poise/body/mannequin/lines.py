"""Bones as lines: from each joint to its children and end sites; helpers that sit on a bone take their stretch of it."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.bind import BindPose
from poise.body.mannequin.parts import Bone
from poise.motion.skeleton import Skeleton

__all__ = ["child_lines", "joint_lines"]

Array = NDArray[np.float64]

_SHORT = 1e-6
"""Bones shorter than this [m] have no direction and carry no skin."""


def child_lines(skeleton: Skeleton, pose: BindPose, top: int, leave_out: Collection[int] = ()) -> list[Bone]:
    """Lines of `top` and of everything below it, without the joints in `leave_out` and what hangs on them."""
    below = [j for j in skeleton.descendants(top) if not set(skeleton.path(j)) & set(leave_out)]
    lines = [line for joint in below for line in joint_lines(skeleton, pose, joint, leave_out)]
    owners = {line.joint for line in lines}
    return lines + [stub for joint in below if joint not in owners for stub in _stub(skeleton, pose, joint)]


def joint_lines(skeleton: Skeleton, pose: BindPose, joint: int, leave_out: Collection[int] = ()) -> list[Bone]:
    """Lines from a joint to its children and end sites, cut where a helper without children sits on one (twist bones)."""
    start = pose.positions[joint]
    children = [child for child in skeleton.children[joint] if child not in leave_out]
    ends = [pose.ends[e] for e in np.flatnonzero(skeleton.end_parents == joint)]
    ends += [pose.positions[child] for child in children if not _is_leaf(skeleton, child)]
    leaves = [child for child in children if _is_leaf(skeleton, child)]
    helpers = {c for c in leaves if any(_on_line(start, end, pose.positions[c]) > 0.0 for end in ends)}
    ends += [pose.positions[child] for child in leaves if child not in helpers]
    lines = []
    for end in ends:
        if np.linalg.norm(end - start) < _SHORT:
            continue
        on = [(_on_line(start, end, pose.positions[helper]), helper) for helper in helpers]
        cuts = [(0.0, joint), *sorted(cut for cut in on if cut[0] > 0.0), (1.0, -1)]
        for (a, owner), (b, _) in pairwise(cuts):
            lines.append(Bone(owner, start + a * (end - start), start + b * (end - start)))
    return lines


def _is_leaf(skeleton: Skeleton, joint: int) -> bool:
    return not skeleton.children[joint] and not np.any(skeleton.end_parents == joint)


def _on_line(start: Array, end: Array, place: Array) -> float:
    """Where on the line a place lies, 0 to 1; 0 where it does not lie on it."""
    along = end - start
    square = float(along @ along)
    if square < _SHORT**2:
        return 0.0
    share = float((place - start) @ along) / square
    away = float(np.linalg.norm(place - start - share * along))
    return share if 0.1 < share < 0.95 and away < 0.12 * np.sqrt(square) else 0.0


def _stub(skeleton: Skeleton, pose: BindPose, joint: int) -> list[Bone]:
    """A leaf without an end site goes on a little in the direction of the bone that carries it."""
    parent = int(skeleton.parents[joint])
    if parent < 0 or not _is_leaf(skeleton, joint):
        return []
    along = pose.positions[joint] - pose.positions[parent]
    if np.linalg.norm(along) < _SHORT:
        return []
    return [Bone(joint, pose.positions[joint], pose.positions[joint] + 0.4 * along)]
