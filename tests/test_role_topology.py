"""Longest chains below every joint, found in one pass, against every path taken by itself."""

from __future__ import annotations

import numpy as np
import pytest

from poise.motion.role_topology import _chain, _farthest_ends, limbs_from_shape
from poise.motion.skeleton import Skeleton


def tree(seed: int) -> Skeleton:
    """Forty joints and some end sites, hung on at random; bones of whole lengths, so that many ends are as far."""
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(max(0, joint - 4), joint)) for joint in range(1, 40))])
    leaves = np.flatnonzero(~np.isin(np.arange(40), parents))
    axes = np.eye(3)[rng.integers(3, size=40)] * rng.integers(1, 3, size=(40, 1))
    sites = np.eye(3)[rng.integers(3, size=len(leaves))] * rng.integers(0, 3, size=(len(leaves), 1))
    return Skeleton(tuple(f"joint_{n}" for n in range(40)), parents, axes, leaves, sites)


@pytest.mark.parametrize("seed", range(20))
def test_ends_are_those_of_every_path_by_itself(seed: int) -> None:
    skeleton = tree(seed)
    places = np.zeros((40, 3))
    for joint in range(1, 40):
        places[joint] = places[skeleton.parents[joint]] + skeleton.offsets[joint]
    ends = _farthest_ends(skeleton)
    for start in range(1, 40):
        below = skeleton.descendants(start)
        far = {joint: sum(np.linalg.norm(skeleton.offsets[j]) for j in skeleton.path(joint)[1:]) for joint in below}
        options = [(far[joint], joint, -1) for joint in below]
        for site, (parent, offset) in enumerate(zip(skeleton.end_parents, skeleton.end_offsets, strict=True)):
            if int(parent) in far:
                options.append((far[int(parent)] + np.linalg.norm(offset), int(parent), site))
        assert ends[start] == max(options, key=lambda end: end[0])
        chain, path = _chain(skeleton, places, start, ends[start]), skeleton.path(ends[start].joint)
        assert chain.joints == tuple(path[path.index(start) :])


def test_a_joint_with_thousands_of_arms_is_no_body() -> None:
    count = 3000
    parents = np.array([-1, *([0] * count), *range(1, count + 1)])
    offsets = np.tile([0.0, 0.0, -1.0], (len(parents), 1))
    names = tuple(f"joint_{n}" for n in range(len(parents)))
    skeleton = Skeleton(names, parents, offsets, np.zeros(0, dtype=np.int64), np.zeros((0, 3)))
    assert limbs_from_shape(skeleton) == {}
