"""Skeleton, the prims above it and its animations, as nodes and tracks."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdSkel

__all__ = ["Rig", "read_rig"]

Array = NDArray[np.float64]

MOST_JOINTS = 10_000
MOST_NUMBERS = 60_000_000
PARTS = {"translations": ("translation", 3), "rotations": ("rotation", 4), "scales": ("scale", 3)}


class Rig:
    """Nodes in glTF's manner: prims from the top down to the Skeleton, then its joints.

    `nodes` are dictionaries of name, parent, matrix (16 numbers, as USD and glTF both store them) and path, the prim or the
    joint's token; `first` is the node of the first joint, `joints` the tokens.
    """

    def __init__(self) -> None:
        self.nodes: list[dict[str, Any]] = []
        self.joints: list[str] = []
        self.first = 0
        self.skeleton: Usd.Prim | None = None
        self.animations: list[dict[str, Any]] = []
        self.notes: list[str] = []


def transform_at(prim: Usd.Prim, time: Usd.TimeCode) -> Array:
    """The prim's local transform, (4, 4) with the translation in the last row."""
    form = UsdGeom.Xformable(prim)
    return np.array(form.GetLocalTransformation(time) if form else np.eye(4), dtype=np.float64)


def _check_finite(what: str, values: Array) -> Array:
    if not np.isfinite(values).all():
        raise ValueError(f"{what} has a number that is not finite")
    return values


def _skeletons(stage: Usd.Stage) -> list[UsdSkel.Skeleton]:
    return [
        UsdSkel.Skeleton(prim) for prim in stage.Traverse(Usd.TraverseInstanceProxies()) if prim.IsA(UsdSkel.Skeleton)
    ]


def _tokens(attribute: Usd.Attribute, where: str) -> list[str]:
    tokens = [str(token) for token in attribute.Get() or ()]
    if len(tokens) > MOST_JOINTS:
        raise ValueError(f"{where} has {len(tokens)} joints; at most {MOST_JOINTS} are read")
    if len(set(tokens)) < len(tokens) or not all(tokens):
        raise ValueError(f"{where} names a joint twice or not at all")
    return tokens


def _parents(tokens: list[str]) -> list[int]:
    """The nearest joint above each by its path; -1 for none."""
    place = {token.strip("/"): at for at, token in enumerate(tokens)}
    parents = []
    for token in tokens:
        above = token.strip("/")
        parent = -1
        while "/" in above and parent < 0:
            above = above.rsplit("/", 1)[0]
            parent = place.get(above, -1)
        parents.append(parent)
    return parents


def _matrices(attribute: Usd.Attribute, count: int, where: str) -> Array | None:
    values = attribute.Get()
    if not values:
        return None
    if len(values) != count:
        raise ValueError(f"{where} has {len(values)} {attribute.GetName()} for {count} joints")
    matrices = _check_finite(f"{where}: {attribute.GetName()}", np.array(values, dtype=np.float64))
    if not np.allclose(matrices[:, :, 3], [0.0, 0.0, 0.0, 1.0], atol=1e-6):
        raise ValueError(f"{where}: {attribute.GetName()} has a matrix that is not affine")
    return matrices


def _local(bind: Array, parents: list[int]) -> Array:
    """Local transforms of joints whose places at bind time are given."""
    local = bind.copy()
    for joint, parent in enumerate(parents):
        if parent >= 0:
            local[joint] = bind[joint] @ np.linalg.inv(bind[parent])
    return local


def _stands_alone(prim: Usd.Prim) -> bool:
    """Whether nothing above moves the prim."""
    form = UsdGeom.Xformable(prim)
    return prim.GetParent().IsPseudoRoot() or (bool(form) and form.GetResetXformStack())


def _add_prims(rig: Rig, prim: Usd.Prim) -> None:
    """Nodes from the top, or from the last that does not follow what is above it, down to `prim`."""
    chain = [prim]
    while not _stands_alone(chain[0]):
        chain.insert(0, chain[0].GetParent())
    for at, each in enumerate(chain):
        matrix = _check_finite(str(each.GetPath()), transform_at(each, Usd.TimeCode.EarliestTime()))
        node = {
            "name": each.GetName(),
            "parent": at - 1,
            "matrix": matrix.ravel().tolist(),
            "path": str(each.GetPath()),
        }
        rig.nodes.append(node)


def _add_joints(rig: Rig, names: list[str], parents: list[int], matrices: Array) -> None:
    rig.first = first = len(rig.nodes)
    for at, (name, parent) in enumerate(zip(names, parents, strict=True)):
        above = first + parent if parent >= 0 else first - 1
        rig.nodes.append(
            {"name": name, "parent": above, "matrix": matrices[at].ravel().tolist(), "path": rig.joints[at]}
        )


def _shortest(tokens: list[str]) -> list[str]:
    """The end of each path that no other path has, its parts joined by underscores: a leaf's name may occur again elsewhere."""
    paths = [token.strip("/").split("/") for token in tokens]
    names = [path[-1] for path in paths]
    for length in range(2, max(map(len, paths), default=0) + 1):
        often = {name for name, count in Counter(names).items() if count > 1}
        if not often:
            break
        names = ["_".join(path[-length:]) if name in often else name for name, path in zip(names, paths, strict=True)]
    return names


def _names(skeleton: UsdSkel.Skeleton, tokens: list[str]) -> list[str]:
    given = [str(name) for name in skeleton.GetJointNamesAttr().Get() or ()]
    return given if len(given) == len(tokens) else _shortest(tokens)


def _read_skeleton(rig: Rig, skeleton: UsdSkel.Skeleton) -> None:
    where = str(skeleton.GetPath())
    rig.skeleton = skeleton.GetPrim()
    rig.joints = _tokens(skeleton.GetJointsAttr(), where)
    if not rig.joints:
        raise ValueError(f"{where} has no joints")
    parents = _parents(rig.joints)
    if any(parent >= at for at, parent in enumerate(parents)):
        raise ValueError(f"{where} has a joint before the joint above it")
    rest = _matrices(skeleton.GetRestTransformsAttr(), len(parents), where)
    if rest is None:
        bind = _matrices(skeleton.GetBindTransformsAttr(), len(parents), where)
        if bind is None:
            raise ValueError(f"{where} has neither restTransforms nor bindTransforms")
        rest = _local(bind, parents)
        rig.notes.append(f"{where} has no restTransforms; it rests in its bind pose")
    _add_prims(rig, rig.skeleton)
    _add_joints(rig, _names(skeleton, rig.joints), parents, rest)


def _samples(attribute: Usd.Attribute) -> list[float]:
    return list(attribute.GetTimeSamples()) or [0.0]


def _track(prim: Usd.Prim, name: str, count: int, arrays: dict[str, Any], label: str) -> dict[str, Any] | None:
    """One of an animation's arrays over time, (T, joints, 3 or 4); None where it has none."""
    attribute = prim.GetAttribute(name)
    part, width = PARTS[name]
    if not attribute or not attribute.HasAuthoredValue():
        return None
    times = _samples(attribute)
    if len(times) * count * width > MOST_NUMBERS:
        raise ValueError(f"{prim.GetPath()} is too long: {len(times)} samples of {count} joints")
    values = np.empty((len(times), count, width))
    for at, time in enumerate(times):
        row = attribute.Get(time)
        if row is None or len(row) != count:
            found = 0 if row is None else len(row)
            raise ValueError(f"{prim.GetPath()}: {name} has {found} values for {count} joints at time {time:g}")
        values[at] = np.array(row, dtype=np.float64).reshape(count, width)  # a rotation as x, y, z, w
    arrays[label], arrays[f"{label}t"] = values, np.array(times, dtype=np.float64)
    return {"part": part, "array": label, "still": not attribute.GetTimeSamples()}


def _is_animation(prim: Usd.Prim) -> bool:
    return bool(prim.IsA(UsdSkel.Animation))


def bound_animation(skeleton: Usd.Prim) -> Usd.Prim | None:
    """The animation that plays the skeleton; its own binding or that of a prim above it."""
    prim = skeleton
    while not prim.IsPseudoRoot():
        relation = prim.GetRelationship("skel:animationSource")
        if relation and relation.HasAuthoredTargets():
            targets = relation.GetForwardedTargets()
            found = prim.GetStage().GetPrimAtPath(targets[0]) if targets else None
            return found if found and _is_animation(found) else None
        prim = prim.GetParent()
    return None


def _read_animation(rig: Rig, prim: Usd.Prim, arrays: dict[str, Any]) -> None:
    where, number = str(prim.GetPath()), len(rig.animations)
    tokens = _tokens(UsdSkel.Animation(prim).GetJointsAttr(), where)
    place = {token.strip("/"): rig.first + at for at, token in enumerate(rig.joints)}
    nodes = [place.get(token.strip("/"), -1) for token in tokens]
    tracks = []
    for name in PARTS:
        track = _track(prim, name, len(tokens), arrays, f"a{number}{name}")
        if track is not None:
            tracks.append({**track, "nodes": nodes})
    rig.animations.append({"name": prim.GetName(), "path": where, "tracks": tracks})


def _read_moving_prims(rig: Rig, stage: Usd.Stage, arrays: dict[str, Any]) -> None:
    """Prims above the joints that move take part in every animation, since a stage has one time."""
    for number, node in enumerate(rig.nodes[: rig.first]):
        prim = stage.GetPrimAtPath(node["path"])
        form = UsdGeom.Xformable(prim)
        times = list(form.GetTimeSamples()) if form else []
        if len(times) < 2:
            continue
        if len(times) * 16 > MOST_NUMBERS:
            raise ValueError(f"{prim.GetPath()} is too long: {len(times)} samples")
        label = f"p{number}"
        arrays[label] = np.array([transform_at(prim, Usd.TimeCode(time)) for time in times])
        arrays[f"{label}t"] = np.array(times, dtype=np.float64)
        if not rig.animations:
            rig.animations.append({"name": "stage", "path": "", "tracks": []})
        for animation in rig.animations:
            animation["tracks"].append({"part": "matrix", "array": label, "still": False, "nodes": [number]})


def _first_pose(animation: Usd.Prim) -> tuple[list[str], Array]:
    """Joints of an animation without a skeleton, and their transforms when it begins."""
    view = UsdSkel.Animation(animation)
    tokens = _tokens(view.GetJointsAttr(), str(animation.GetPath()))
    matrices = np.tile(np.eye(4), (len(tokens), 1, 1))
    found = view.GetTransforms(Usd.TimeCode.EarliestTime())
    if not tokens or found is None or len(found) != len(tokens):
        raise ValueError(f"{animation.GetPath()} lacks joints, translations, rotations or scales")
    matrices[:] = np.array(found, dtype=np.float64)
    return tokens, _check_finite(str(animation.GetPath()), matrices)


def _read_lone_animation(rig: Rig, animation: Usd.Prim) -> None:
    """The joints of an animation that has no skeleton, in parents-first order."""
    tokens, matrices = _first_pose(animation)
    rig.joints = tokens
    parents = _parents(tokens)
    if any(parent >= at for at, parent in enumerate(parents)):
        raise ValueError(f"{animation.GetPath()} has a joint before the joint above it")
    rig.nodes.append({"name": animation.GetName(), "parent": -1, "matrix": np.eye(4).ravel().tolist(), "path": ""})
    _add_joints(rig, _shortest(tokens), parents, matrices)
    rig.notes.append("the file has an animation and no skeleton; its first pose is taken for the pose at rest")


def read_rig(stage: Usd.Stage, arrays: dict[str, Any]) -> Rig:
    """The largest skeleton of a stage with all animations that fit it; its arrays go into `arrays`.

    Raises:
        ValueError: There is none, or something about it is wrong.
    """
    rig = Rig()
    skeletons = _skeletons(stage)
    animations = [prim for prim in stage.Traverse(Usd.TraverseInstanceProxies()) if _is_animation(prim)]
    if skeletons:
        largest = max(skeletons, key=lambda each: len(each.GetJointsAttr().Get() or ()))
        others = [str(each.GetPath()) for each in skeletons if each.GetPath() != largest.GetPath()]
        if others:
            rig.notes.append(f"the skeleton {largest.GetPath()} is read; left out: {', '.join(others[:5])}")
        _read_skeleton(rig, largest)
        bound = bound_animation(largest.GetPrim())
        animations.sort(key=lambda prim: bound is None or prim.GetPath() != bound.GetPath())
    elif animations:
        _read_lone_animation(rig, animations[0])
    else:
        raise ValueError("it has no skeleton (UsdSkel) and no animation of one")
    own = {token.strip("/") for token in rig.joints}
    for prim in animations:
        tokens = {str(token).strip("/") for token in UsdSkel.Animation(prim).GetJointsAttr().Get() or ()}
        if tokens & own:
            _read_animation(rig, prim, arrays)
    _read_moving_prims(rig, stage, arrays)
    return rig
