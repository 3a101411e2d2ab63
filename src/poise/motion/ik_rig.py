"""Rigs whose feet or hands do not hang on their limb: joined for everything that follows, parted again for the file.

Animators let feet hang from the root, where handles move them, and meshes follow them all the same. A body needs them on
the shin. `join_limbs` hangs them there, in the same places of the world at every frame; `part_limbs` is the way back.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.role_guess import assign_roles
from poise.motion.role_names import read_names
from poise.motion.skeleton import Skeleton

__all__ = ["join_limbs", "part_limbs"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_LIMBS = ((("thigh", "shank"), ("foot", "ankle"), "foot"), (("upper_arm", "forearm"), ("hand",), "hand"))
"""Of each limb what it must have, the words of the part that may hang elsewhere, and its role."""


def join_limbs(clip: Clip) -> tuple[Clip, Indices]:
    """The clip with feet and hands on their limbs, and where each of its joints was in the file, shape (J,).

    A clip whose limbs are whole, or whose names do not tell, comes back as it is.
    """
    skeleton = clip.skeleton
    moved = _apart(skeleton)
    if not moved:
        return clip, np.arange(len(skeleton))
    parents = skeleton.parents.copy()
    for joint, parent in moved.items():
        parents[joint] = parent
    note = "hung on their limbs, for the body only, as in an IK rig: " + ", ".join(
        f"{skeleton.names[joint]} on {skeleton.names[parent]}" for joint, parent in moved.items()
    )
    note += " (--roles names other joints in their place)"
    hierarchy = tuple(
        (name, skeleton.names[parent] if parent >= 0 else "")
        for name, parent in zip(skeleton.names, skeleton.parents, strict=True)
    )
    source = replace(clip.source, notes=(*clip.source.notes, note), hierarchy=hierarchy)
    return _rehung(replace(clip, source=source), parents)


def part_limbs(clip: Clip) -> Clip:
    """A clip that `join_limbs` made, hung again as its file has it; any other clip as it is."""
    hierarchy, skeleton = clip.source.hierarchy, clip.skeleton
    if not hierarchy or {name for name, _ in hierarchy} != set(skeleton.names):
        return clip
    parents = np.full(len(skeleton), -1)
    for name, above in hierarchy:
        parents[skeleton.index(name)] = skeleton.index(above) if above else -1
    order = np.array([skeleton.index(name) for name, _ in hierarchy])
    return _rehung(replace(clip, source=replace(clip.source, hierarchy=())), parents, order)[0]


def _apart(skeleton: Skeleton) -> dict[int, int]:
    """Joints that are named as ends of a limb that has none, and the last joint of that limb."""
    roles, _ = assign_roles(skeleton)
    labels, found = read_names(skeleton.names), dict[int, int]()
    for side in ("left", "right"):
        for limb, words, end in _LIMBS:
            chain = [roles.index(f"{side}_{part}") for part in limb if f"{side}_{part}" in roles]
            if len(chain) < len(limb) or f"{side}_{end}" in roles:
                continue
            below = set(skeleton.descendants(chain[-1]))
            named = [
                j for j, label in enumerate(labels) if label.side == side and label.part in words and j not in below
            ]
            tops = [j for j in named if not set(skeleton.path(j)[:-1]) & set(named)]
            if len(tops) == 1 and tops[0] not in skeleton.path(chain[0]):
                found[tops[0]] = chain[-1]
    return found


def _rehung(clip: Clip, parents: Indices, order: Indices | None = None) -> tuple[Clip, Indices]:
    """The clip with other parents, every joint where it was in the world, in `order` or else parents before children."""
    skeleton, changed = clip.skeleton, np.flatnonzero(parents != clip.skeleton.parents)
    world_q, world_p = clip.world()
    above = parents[changed]
    rotations = clip.rotations.copy()
    rotations[:, changed] = quat.mul(quat.conj(world_q[:, above]), world_q[:, changed])
    local = clip.local_positions()
    local[:, changed] = quat.rotate(quat.conj(world_q[:, above]), world_p[:, changed] - world_p[:, above])
    identity = np.tile(quat.IDENTITY, (len(skeleton), 1))
    bind = forward_kinematics(skeleton, identity, skeleton.offsets)[1]
    offsets = skeleton.offsets.copy()
    offsets[changed] = bind[changed] - bind[above]
    order = _parents_first(parents) if order is None else order
    place = np.argsort(order)
    channels, declared = clip.source.channels, skeleton.declared
    rehung = Skeleton(
        tuple(skeleton.names[joint] for joint in order),
        np.where(parents[order] < 0, -1, place[parents[order]]),
        offsets[order],
        place[skeleton.end_parents],
        skeleton.end_offsets,
        tuple(declared[joint] for joint in order) if declared else (),
    )
    translated = np.union1d(clip.translated, changed)
    translated = translated[np.argsort(place[translated])]
    source = clip.source
    if len(channels) == len(order):
        source = replace(source, channels=tuple(channels[joint] for joint in order))
    moved = replace(
        clip,
        skeleton=rehung,
        rotations=rotations[:, order],
        translations=local[:, translated],
        translated=place[translated],
        source=source,
    )
    return moved, order


def _parents_first(parents: Indices) -> Indices:
    """Joints depth first, those that hang on one joint in their order."""
    order, waiting = list[int](), [int(np.flatnonzero(parents < 0)[0])]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(int(child) for child in np.flatnonzero(parents == order[-1])[::-1])
    return np.array(order, dtype=np.int64)
