"""Limbs from the shape of the bind pose alone, for skeletons whose names say nothing.

Two mirrored chains that hang down are legs, two mirrored chains further up the trunk are arms; in each chain the two
longest neighboring bones are thigh and shank, or upper arm and forearm. Only a skeleton with both is taken for a
person.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from poise.motion.skeleton import Skeleton

__all__ = ["limbs_from_shape"]

Array = NDArray[np.float64]

_TOLERANCE = 0.1
"""Two chains mirror each other when they agree to this share of their length."""

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
    chains = {joint: _longest_chain(skeleton, positions, joint) for joint in range(1, len(skeleton))}
    for joint, children in enumerate(skeleton.children):
        for a, b in combinations([chains[child] for child in children], 2):
            size = max(a.length, b.length)
            if len(a.joints) != len(b.joints) or len(a.joints) < 2 or size == 0.0:
                continue
            tip_a, tip_b = a.points[-1] - positions[joint], b.points[-1] - positions[joint]
            reach = abs(np.linalg.norm(tip_a) - np.linalg.norm(tip_b))
            apart = np.linalg.norm(a.points.mean(axis=0) - b.points.mean(axis=0))
            if max(abs(a.length - b.length), reach, abs(tip_a[2] - tip_b[2])) < _TOLERANCE * size < 3.0 * apart:
                pairs.append((joint, a, b))
    return pairs


def _longest_chain(skeleton: Skeleton, positions: Array, start: int) -> _Chain:
    """The chain from `start` to the farthest joint or end site below it, measured along the bones."""
    reach = {start: 0.0}
    for joint in skeleton.descendants(start)[1:]:
        reach[joint] = reach[int(skeleton.parents[joint])] + float(np.linalg.norm(skeleton.offsets[joint]))
    ends: list[tuple[float, int, Array]] = [(far, joint, positions[joint]) for joint, far in reach.items()]
    for parent, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        if int(parent) in reach:
            ends.append((reach[int(parent)] + float(np.linalg.norm(offset)), int(parent), positions[parent] + offset))
    _, last, tip = max(ends, key=lambda end: end[0])
    path = skeleton.path(last)
    joints = tuple(path[path.index(start) :])
    points = positions[list(joints)]
    if np.any(tip != points[-1]):
        points = np.vstack([points, tip])
    return _Chain(joints, points)


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
