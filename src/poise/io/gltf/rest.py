"""From a file's local transforms to Poise's and back.

A node has a rotation at rest, a Poise joint has none: in the bind pose every rotation is the identity. With R the
rotation of a node in the world at rest, Poise's world rotation is q R*, so its local one is R_parent q_local R*, and an
offset is R_parent S_parent t, S being the scale that the nodes above have. Both are exact and so is the way back.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import Axes
from poise.io.bvh_text import unique_names
from poise.io.gltf.entry import Entry
from poise.io.gltf.joints import declared_roles
from poise.io.gltf.nodes import Nodes
from poise.math import quat
from poise.motion.skeleton import Skeleton

__all__ = ["Rest", "make_rest", "make_skeleton"]

Array = NDArray[np.float64]

UNEVEN = 1e-3
"""Scales that differ by more than this part are no uniform scale."""
SHORTEST_END = 1e-9
"""Nodes nearer to their joint are no end sites (file units)."""
LARGEST_FIGURE = 10.0
"""A skeleton longer than this is remarked on [m]."""


@dataclass(frozen=True, eq=False)
class Rest:
    """The rest pose of J joints, for turning local transforms of the file into Poise's and back.

    Args:
        joints: The node of each joint.
        axes: The change of frame.
        rotations: World rotation of each node, shape (J, 4).
        above_rotations: World rotation of the node above each, shape (J, 4).
        above_linear: Rotation with scale of the node above each, shape (J, 3, 3).
        origin: World position of the node above the root, shape (3,), file units.
    """

    joints: tuple[int, ...]
    axes: Axes
    rotations: Array
    above_rotations: Array
    above_linear: Array
    origin: Array

    def rotations_in(self, local: Array) -> Array:
        """Local rotations of the file, (..., J, 4), as Poise's."""
        return self.axes.rotations_in(quat.mul(self.above_rotations, quat.mul(local, quat.conj(self.rotations))))

    def rotations_out(self, local: Array) -> Array:
        """Local rotations of Poise, (..., J, 4), as the file's."""
        turned = quat.mul(self.axes.rotations_out(local), self.rotations)
        return quat.mul(quat.conj(self.above_rotations), turned)

    def positions_in(self, local: Array, joints: NDArray[np.int64]) -> Array:
        """Local positions of the file, (..., K, 3), of the given K joints as Poise's [m]."""
        moved = np.einsum("kij,...kj->...ki", self.above_linear[joints], local)
        return self.axes.lengths_in(moved + (joints == 0)[:, None] * self.origin)

    def positions_out(self, local: Array, joints: NDArray[np.int64]) -> Array:
        """Local positions of Poise [m], (..., K, 3), of the given K joints as the file's."""
        moved = self.axes.lengths_out(local) - (joints == 0)[:, None] * self.origin
        result: Array = np.einsum("kij,...kj->...ki", np.linalg.inv(self.above_linear[joints]), moved)
        return result


def _check_scales(root: Entry, nodes: Nodes, joints: list[int], notes: list[str]) -> None:
    """Refuse mirrored and flat joints; note those whose scale differs along the axes and is felt below."""
    inside = set(joints)
    on_way = list(dict.fromkeys([*nodes.path(joints[0]), *joints]))
    for node in on_way:
        scale = nodes.scales[node]
        if np.prod(scale) <= 0.0 or np.abs(scale).min() < 1e-9:
            key = "scale" if "scale" in root.item("nodes", node) else "matrix"
            raise root.item("nodes", node).bad(
                f"found {np.array2string(scale, precision=4, separator=', ')}; a joint's scale must be above 0 and not "
                "mirror, apply it before export",
                key,
            )
        felt = any(child in inside for child in nodes.children[node])
        if felt and np.ptp(np.abs(scale)) > UNEVEN * np.abs(scale).max():
            notes.append(
                f"node {nodes.names[node]!r} is scaled by {np.round(scale, 4).tolist()}; what turns below it keeps the "
                "stretch that it has at rest"
            )


def make_rest(root: Entry, nodes: Nodes, joints: list[int], axes: Axes, notes: list[str]) -> Rest:
    """The rest pose of the given nodes.

    Raises:
        InputError: A joint is mirrored or scaled to nothing.
    """
    _check_scales(root, nodes, joints, notes)
    above = [nodes.parents[node] for node in joints]
    turned = [quat.IDENTITY if node < 0 else nodes.world_rotations[node] for node in above]
    worlds = [np.eye(4) if node < 0 else nodes.world[node] for node in above]
    return Rest(
        tuple(joints),
        axes,
        nodes.world_rotations[joints],
        np.array(turned),
        np.array([world[:3, :3] for world in worlds]),
        worlds[0][:3, 3],
    )


def _ends(root: Entry, nodes: Nodes, joints: list[int]) -> list[tuple[int, int]]:
    """End sites as pairs of joint and node: the plain nodes below joints that have no joint below."""
    inside, ends = set(joints), []
    for joint, node in enumerate(joints):
        if not any(child in inside for child in nodes.children[node]):
            for child in nodes.children[node]:
                entry = root.item("nodes", child)
                plain = not any(key in entry for key in ("mesh", "skin", "camera", "extensions", "children"))
                if plain and np.linalg.norm(nodes.translations[child]) > SHORTEST_END:
                    ends.append((joint, child))
    return ends


def make_skeleton(root: Entry, nodes: Nodes, rest: Rest, notes: list[str]) -> Skeleton:
    """The skeleton whose bind pose is the nodes' rest pose, each joint turned so that its rotation is the identity."""
    joints = list(rest.joints)
    place = {node: joint for joint, node in enumerate(joints)}
    parents = np.array([place.get(nodes.parents[node], -1) for node in joints], dtype=np.int64)
    parents[0] = -1
    names, name_notes = unique_names([nodes.names[node] for node in joints])
    notes.extend(name_notes)
    offsets = rest.positions_in(nodes.translations[joints], np.arange(len(joints)))
    ends = _ends(root, nodes, joints)
    end_offsets = [nodes.world[child, :3, 3] - nodes.world[joints[joint], :3, 3] for joint, child in ends]
    declared = declared_roles(root, joints)
    skeleton = Skeleton(
        names,
        parents,
        offsets,
        np.array([joint for joint, _ in ends], dtype=np.int64),
        rest.axes.lengths_in(np.array(end_offsets, dtype=np.float64).reshape(-1, 3)),
        declared if any(declared) else (),
    )
    size = float(np.ptp(rest.axes.lengths_in(nodes.world[joints, :3, 3]), axis=0).max())
    if size > LARGEST_FIGURE:
        notes.append(f"the skeleton is {size:.4g} m long; --unit says what its unit is, if not metres")
    return skeleton
