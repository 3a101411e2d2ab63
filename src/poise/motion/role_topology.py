"""Limbs from the shape of the bind pose alone, for skeletons whose names say nothing.

Two mirrored chains that hang down are legs, two mirrored chains further up the trunk are arms; in each chain the two
longest neighboring bones are thigh and shank, or upper arm and forearm. Only a skeleton with both is taken for a
person.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.motion.skeleton import Skeleton

__all__ = ["limbs_from_shape"]

Array = NDArray[np.float64]

_TOLERANCE = 0.1
"""Two chains mirror each other when they agree to this share of their length."""

_MOST_LIMBS = 64
"""A joint with more children is none of a body's: all pairs of them would be compared."""
_ARM = ("clavicle", "upper_arm", "forearm", "hand")
_LEG = ("", "thigh", "shank", "foot", "toes")


@dataclass(frozen=True)
class _Chain:
    """A limb: its joints from the trunk outwards, and their bind positions with the tip at the end."""

    joints: tuple[int, ...]
    points: Array

    @property
    def bones(self) -> Array:
        return np.asarray(np.linalg.norm(np.diff(self.points, axis=0), axis=-1))

    @property
    def length(self) -> float:
        return float(self.bones.sum())


def limbs_from_shape(skeleton: Skeleton) -> dict[str, int]:
    """Limb roles such as "left_thigh" and their joints; empty when this is no standing figure with arms and legs.

    The side comes from where the toes point; without toes the figure is taken to face +X.
    """
    positions = _bind_positions(skeleton)
    pairs = _mirrored_pairs(skeleton, positions)
    legs = max((p for p in pairs if _hangs(p[1])), key=lambda p: p[1].length, default=None)
    if legs is None:
        return {}
    above = set(skeleton.descendants(legs[0])) - {legs[0]}
    arms = max((p for p in pairs if p[0] in above - _members(legs)), key=lambda p: p[1].length, default=None)
    left = _left_direction(legs[1], legs[2])
    if arms is None or left is None:
        return {}
    roles: dict[str, int] = {}
    for (_, a, b), parts in ((legs, _LEG), (arms, _ARM)):
        a_is_left = float((a.points.mean(axis=0) - b.points.mean(axis=0)) @ left) > 0.0
        for chain, is_left in ((a, a_is_left), (b, not a_is_left)):
            side = "left" if is_left else "right"
            roles.update({f"{side}_{part}": joint for part, joint in _parts(chain, parts).items()})
    return roles


def _bind_positions(skeleton: Skeleton) -> Array:
    positions = skeleton.offsets.copy()
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        positions[joint] += positions[parent]
    return positions


def _mirrored_pairs(skeleton: Skeleton, positions: Array) -> list[tuple[int, _Chain, _Chain]]:
    """Every joint with two children whose longest chains mirror each other."""
    pairs = []
    ends, levels = _farthest_ends(skeleton), _levels(skeleton)
    for joint, children in enumerate(skeleton.children):
        if len(children) > _MOST_LIMBS:
            continue
        counts = {child: levels[ends[child].joint] - levels[child] + 1 for child in children}
        twins = [pair for pair in combinations(children, 2) if counts[pair[0]] == counts[pair[1]] > 1]
        chains = {child: _chain(skeleton, positions, child, ends[child]) for pair in twins for child in pair}
        for a, b in ((chains[first], chains[second]) for first, second in twins):
            size = max(a.length, b.length)
            if size == 0.0:
                continue
            tip_a, tip_b = a.points[-1] - positions[joint], b.points[-1] - positions[joint]
            reach = abs(np.linalg.norm(tip_a) - np.linalg.norm(tip_b))
            apart = np.linalg.norm(a.points.mean(axis=0) - b.points.mean(axis=0))
            if max(abs(a.length - b.length), reach, abs(tip_a[2] - tip_b[2])) < _TOLERANCE * size < 3.0 * apart:
                pairs.append((joint, a, b))
    return pairs


class _End(NamedTuple):
    """Where the longest chain below a joint ends: how far from the root along the bones, at which joint or end site of it."""

    far: float
    joint: int
    site: int


def _levels(skeleton: Skeleton) -> list[int]:
    """How many joints lie above each."""
    levels = [0] * len(skeleton)
    for joint, parent in enumerate(skeleton.parents.tolist()[1:], start=1):
        levels[joint] = levels[parent] + 1
    return levels


def _farthest_ends(skeleton: Skeleton) -> list[_End]:
    """The end of the longest chain from each joint; of ends as far away the first: joints before end sites."""
    parents, lengths = skeleton.parents.tolist(), np.linalg.norm(skeleton.offsets, axis=1).tolist()
    far = [0.0] * len(skeleton)
    for joint in range(1, len(skeleton)):
        far[joint] = far[parents[joint]] + lengths[joint]
    ends = [_End(far[joint], joint, -1) for joint in range(len(skeleton))]
    for site, (parent, offset) in enumerate(zip(skeleton.end_parents.tolist(), skeleton.end_offsets, strict=True)):
        reach = far[parent] + float(np.linalg.norm(offset))
        if reach > ends[parent].far:
            ends[parent] = _End(reach, parent, site)
    for joint in range(len(skeleton) - 1, 0, -1):
        above = ends[parents[joint]]
        if ends[joint].far > above.far or (ends[joint].far == above.far and _sooner(ends[joint], above)):
            ends[parents[joint]] = ends[joint]
    return ends


def _sooner(first: _End, second: _End) -> bool:
    return (first.site >= 0, first.site, first.joint) < (second.site >= 0, second.site, second.joint)


def _chain(skeleton: Skeleton, positions: Array, start: int, end: _End) -> _Chain:
    """The chain from `start` to an end below it."""
    joints = [end.joint]
    while joints[-1] != start:
        joints.append(int(skeleton.parents[joints[-1]]))
    joints.reverse()
    points = positions[joints]
    if end.site >= 0 and np.any(skeleton.end_offsets[end.site] != 0.0):
        points = np.vstack([points, points[-1] + skeleton.end_offsets[end.site]])
    return _Chain(tuple(joints), points)


def _hangs(chain: _Chain) -> bool:
    return bool(chain.points[0, 2] - chain.points[-1, 2] > 0.6 * chain.length)


def _members(pair: tuple[int, _Chain, _Chain]) -> set[int]:
    return set(pair[1].joints) | set(pair[2].joints)


def _left_direction(a: _Chain, b: _Chain) -> Array | None:
    """Horizontal unit vector to the figure's left, or None when nothing tells front from back."""
    lateral = a.points.mean(axis=0) - b.points.mean(axis=0)
    toes = sum(chain.points[-1] - chain.points[-2] for chain in (a, b))
    forward = np.array([toes[0], toes[1], 0.0])
    if np.linalg.norm(forward) < 0.5 * np.linalg.norm(toes):
        if abs(lateral[1]) < abs(lateral[0]):
            return None
        forward = np.array([1.0, 0.0, 0.0])
    left = np.cross([0.0, 0.0, 1.0], forward)
    return np.asarray(left / np.linalg.norm(left))


def _parts(chain: _Chain, parts: tuple[str, ...]) -> dict[str, int]:
    """Parts of a chain, `parts[1]` and `parts[2]` being its two longest neighboring bones."""
    bones = chain.bones
    if len(bones) < 2:
        return {}
    upper = int(np.argmax(np.minimum(bones[:-1], bones[1:])))
    found = {part: upper - 1 + index for index, part in enumerate(parts) if part}
    return {part: chain.joints[at] for part, at in found.items() if 0 <= at < len(chain.joints)}
