"""Which nodes of a file are the joints of its character.

Those that skins name; without a skin the bones of a VRM humanoid; without one the nodes that are animated or carry a
mesh; without any, all. What lies on the way up to their common ancestor belongs to them, so that there is one root.
"""

from __future__ import annotations

from typing import Any

from poise.errors import InputError
from poise.io.bvh_text import MAX_JOINTS
from poise.io.gltf.entry import Entry
from poise.io.gltf.nodes import Nodes
from poise.io.humanoid import ROLE, humanoid_role
from poise.motion.roles import ROLES

__all__ = ["choose_joints", "declared_roles", "humanoid_bones", "moving_nodes", "skin_joints"]


def skin_joints(root: Entry) -> list[list[int]]:
    """Per skin, its joints as nodes; raises `InputError` where a skin has none."""
    skins = []
    for skin in root.objects("skins"):
        joints = skin.indices("joints", root.count("nodes"), "nodes")
        if not joints:
            raise skin.bad("the skin has 0 joints; expected at least one", "joints")
        skins.append(joints)
    return skins


def humanoid_bones(root: Entry) -> dict[int, str]:
    """Nodes of the humanoid bones of a VRM 1.0, VRM 0.x or VRM animation file, and what they are called there."""
    count = root.count("nodes")
    extensions = root.member("extensions")
    for name in ("VRMC_vrm", "VRMC_vrm_animation"):
        humanoid = extensions.member(name).member("humanoid")
        bones: dict[str, Any] = humanoid.member("humanBones").value if "humanBones" in humanoid else {}
        if bones:
            place = humanoid.member("humanBones")
            return {place.member(bone).index("node", count, "nodes"): bone for bone in bones}
    older = extensions.member("VRM").member("humanoid")
    return {
        bone.index("node", count, "nodes"): bone.text("bone", "") if "bone" in bone else ""
        for bone in older.objects("humanBones")
    }


def declared_roles(root: Entry, joints: list[int]) -> tuple[str | None, ...]:
    """The role that the file declares each joint to have: by its humanoid table, else what Poise kept of another format's."""
    bones = humanoid_bones(root)
    if bones:
        return tuple(humanoid_role(bones.get(node, "")) for node in joints)
    kept = [root.item("nodes", node).value.get("extras") for node in joints]
    return tuple(_role_of(extras) for extras in kept)


def _role_of(extras: Any) -> str | None:
    """What stands in a node's extras, if it is a role; whatever else is there is the file's own affair."""
    role = extras.get(ROLE) if isinstance(extras, dict) else None
    return role if role in ROLES else None


def moving_nodes(root: Entry) -> set[int]:
    """Nodes that some animation turns or moves."""
    moving = set()
    for animation in root.objects("animations"):
        for channel in animation.objects("channels"):
            target = channel.member("target")
            if "node" in target and target.text("path") in ("rotation", "translation"):
                moving.add(target.index("node", root.count("nodes"), "nodes"))
    return moving


def _named(root: Entry, moving: set[int]) -> tuple[list[int], bool]:
    """The nodes that make the character, and whether the file itself says that they are joints."""
    skins = skin_joints(root)
    if skins:
        return sorted({joint for joints in skins for joint in joints}), True
    bones = humanoid_bones(root)
    if bones:
        return sorted(set(bones)), True
    meshes = {node for node, entry in enumerate(root.objects("nodes")) if "mesh" in entry}
    return sorted(moving | meshes) or list(range(root.count("nodes"))), False


def _tops(nodes: Nodes) -> list[int]:
    """The top of each node's tree."""
    tops = list(range(len(nodes)))
    for node in nodes.order:
        if nodes.parents[node] >= 0:
            tops[node] = tops[nodes.parents[node]]
    return tops


def _largest_tree(named: list[int], nodes: Nodes, tops: list[int], notes: list[str]) -> list[int]:
    """The named nodes of the tree that has most of them."""
    trees: dict[int, list[int]] = {}
    for node in named:
        trees.setdefault(tops[node], []).append(node)
    largest = max(trees, key=lambda top: len(trees[top]))
    others = [repr(nodes.names[top]) for top in trees if top != largest]
    if others:
        listed = ", ".join(others[:5]) + (", …" if len(others) > 5 else "")
        notes.append(f"the tree of node {nodes.names[largest]!r} is read; left out are the trees of {listed}")
    return trees[largest]


def _common_ancestor(named: list[int], nodes: Nodes) -> int:
    common = nodes.path(named[0])
    for node in named[1:]:
        on_way = set(nodes.path(node))
        common = [each for each in common if each in on_way]
    return common[-1]


def choose_joints(root: Entry, nodes: Nodes) -> tuple[list[int], list[str]]:
    """The joints of the character as nodes, the root first and parents before children, and notes.

    Raises:
        InputError: There are none or too many, or a skin or bone names a node that is not there.
    """
    notes: list[str] = []
    moving = moving_nodes(root)
    named, by_file = _named(root, moving)
    if len(named) > MAX_JOINTS:
        raise InputError(f"the character has {len(named)} joints; at most {MAX_JOINTS} are read", place="nodes")
    tops = _tops(nodes)
    members = set(_largest_tree(named, nodes, tops, notes))
    top = _common_ancestor(sorted(members), nodes)
    if by_file:  # what moves above or among the joints moves them too
        above = nodes.path(top)
        top = next((node for node in above if node in moving), top)
        place = {top}
        for node in nodes.order:
            if nodes.parents[node] in place:
                place.add(node)
        members |= moving & place
    chosen = {top}
    for node in sorted(members):
        while node not in chosen:
            chosen.add(node)
            node = nodes.parents[node]
    if len(chosen) > MAX_JOINTS:
        raise InputError(f"the character has {len(chosen)} joints; at most {MAX_JOINTS} are read", place="nodes")
    return [node for node in nodes.order if node in chosen], notes
