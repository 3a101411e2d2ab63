"""Anything that is not a person: animals, chains, hands, robots. Thickness comes from how much hangs on a bone.

As Leonardo saw in trees, what carries more is thicker. A joint carries the longest branch below it and a third of the
others. The half thickness there is 0.058 D (s / D)^0.6 with s what it carries and D what the root does, at most 0.045 D;
fitted to people, it also suits a dog's trunk, its legs and its tail, or the fingers of a lone hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.bind import BindPose
from poise.body.mannequin.lines import child_lines
from poise.body.mannequin.parts import Bone, Part, ball, sweep
from poise.motion.skeleton import Skeleton

__all__ = ["creature_bones", "creature_parts", "joint_radii"]

Array = NDArray[np.float64]

_SHARE, _POWER, _MOST = 0.058, 0.6, 0.045
_OTHERS = 0.35


def joint_radii(skeleton: Skeleton, local: Array) -> Array:
    """Half thickness around each joint [m], shape (J,).

    Args:
        skeleton: The joints.
        local: Position of each joint in its parent [m], shape (J, 3).
    """
    branches: list[list[float]] = [[] for _ in range(len(skeleton))]
    for joint, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        branches[joint].append(float(np.linalg.norm(offset)))
    carried = np.zeros(len(skeleton))
    for joint in range(len(skeleton) - 1, -1, -1):
        longest = max(branches[joint], default=0.0)
        carried[joint] = longest + _OTHERS * (sum(branches[joint]) - longest)
        if joint:
            branches[skeleton.parents[joint]].append(carried[joint] + float(np.linalg.norm(local[joint])))
    whole = float(carried[0])
    if whole < 1e-9:
        return np.full(len(skeleton), 0.05)
    least = np.maximum(carried, 0.25 * np.linalg.norm(local, axis=1))
    least[0] = whole
    radii: Array = np.minimum(_SHARE * whole * (np.maximum(least, 1e-3 * whole) / whole) ** _POWER, _MOST * whole)
    return radii


def creature_bones(skeleton: Skeleton, pose: BindPose, radii: Array) -> list[Bone]:
    """The lines of all joints; a skeleton of one point gets a short one."""
    lines = child_lines(skeleton, pose, 0) or [Bone(0, pose.positions[0], pose.positions[0] + [0.0, 0.0, 0.05])]
    return [replace(line, radius=float(radii[line.joint])) for line in lines]


def creature_parts(pose: BindPose, bones: Sequence[Bone], radii: Array) -> list[Part]:
    """A round taper along every line, thinnest last."""
    parts = []
    ends = {pose.positions[j].tobytes(): float(radii[j]) for j in range(len(radii))}
    for bone in bones:
        start = float(radii[bone.joint])
        end = ends.get(bone.end.tobytes(), 0.7 * start)
        branch = end < 0.6 * start
        start = min(start, 1.5 * end)
        length = float(np.linalg.norm(bone.end - bone.start))
        across = np.eye(3)[int(np.argmin(np.abs(bone.end - bone.start)))]
        if length < 0.05 * start:
            parts.append(
                (start, ball(bone.end, np.cross(across, np.roll(across, 1)), across, (start,) * 3, 0.4 * start))
            )
            continue
        # Bones in a row melt little, or every joint would bulge; a leg melts well into the trunk.
        blend = (0.6 if branch else 0.15) * min(start, end)
        parts.append((start, sweep(bone.start, bone.end, across, [(0, start, start), (1, end, end)], blend)))
    return [part for _, part in sorted(parts, key=lambda pair: -pair[0])]
