"""Arms whose names say nothing ("AL1", "AL2", …): two chains alike beside the head, and in each the hinge that is the elbow."""

from __future__ import annotations

from collections.abc import Container

import numpy as np
from numpy.typing import NDArray

from poise.motion.skeleton import Skeleton

__all__ = ["arms_from_shape"]

Array = NDArray[np.float64]

_ALIKE = 0.1
"""Two arms agree in length to this share."""
_ACROSS = 0.8
"""Cosine between a hinge and the bone above it below which it bends the arm; above it turns the bone about itself."""


def arms_from_shape(skeleton: Skeleton, axes: dict[int, Array], taken: Container[int], left: Array) -> dict[int, str]:
    """Roles of upper arms and forearms by joint; empty where no two chains of three hinges or more are alike.

    Args:
        skeleton: The robot's bodies in its zero pose; each joint is at the anchor of its first hinge.
        axes: Axis of the last hinge of each joint that has one, shape (3,).
        taken: Joints that belong to legs.
        left: Direction to the robot's left, shape (3,).
    """
    places = skeleton.offsets.copy()
    for joint, parent in enumerate(skeleton.parents[1:], start=1):
        places[joint] += places[parent]
    chains = []
    for leaf in range(len(skeleton)):
        chain = _chain(skeleton, leaf, axes)
        if not skeleton.children[leaf] and len(chain) >= 3 and not any(joint in taken for joint in chain):
            chains.append(chain)
    found: tuple[float, list[int], list[int]] | None = None
    for number, one in enumerate(chains):
        for other in chains[number + 1 :]:
            sizes = [_length(places, chain) for chain in (one, other)]
            apart = (
                float((places[one] - places[other][: len(one)]).mean(axis=0) @ left) if len(one) == len(other) else 0.0
            )
            if abs(sizes[0] - sizes[1]) < _ALIKE * max(sizes) and abs(apart) > 0.3 * max(sizes):
                pair = (one, other) if apart > 0.0 else (other, one)
                if found is None or min(sizes) > found[0]:
                    found = (min(sizes), *pair)
    if found is None:
        return {}
    roles: dict[int, str] = {}
    for side, chain in zip(("left", "right"), found[1:], strict=True):
        elbow = _elbow(skeleton, places, chain, axes)
        if elbow is None:
            return {}
        roles |= {chain[elbow - 1]: f"{side}_upper_arm", chain[elbow]: f"{side}_forearm"}
    return roles


def _chain(skeleton: Skeleton, leaf: int, axes: dict[int, Array]) -> list[int]:
    """Joints with hinges from the last branch down to `leaf`."""
    chain = [leaf]
    while skeleton.parents[chain[-1]] >= 0 and len(skeleton.children[int(skeleton.parents[chain[-1]])]) == 1:
        chain.append(int(skeleton.parents[chain[-1]]))
    return [joint for joint in chain[::-1] if joint in axes]


def _length(places: Array, chain: list[int]) -> float:
    return float(np.linalg.norm(np.diff(places[chain], axis=0), axis=1).sum())


def _elbow(skeleton: Skeleton, places: Array, chain: list[int], axes: dict[int, Array]) -> int | None:
    """Place in a chain of the hinge that is farthest from both of its ends and does not turn the bone about itself."""
    ends = [
        places[joint] + skeleton.end_offsets[end]
        for end, joint in enumerate(skeleton.end_parents)
        if joint == chain[-1]
    ]
    tip = ends[0] if ends else places[chain[-1]]
    best, most = None, 0.0
    for place, joint in enumerate(chain[2:], start=2):
        upper, lower = places[joint] - places[chain[0]], tip - places[joint]
        far = min(float(np.linalg.norm(upper)), float(np.linalg.norm(lower)))
        across = abs(float(axes[joint] @ upper)) < _ACROSS * float(np.linalg.norm(upper))
        if across and far > most:
            best, most = place, far
    return best
