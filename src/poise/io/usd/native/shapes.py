"""Meshes that follow the skeleton: triangles, weights, texture coordinates, materials."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Usd, UsdGeom, UsdShade, UsdSkel

from poise.io.usd.native.film_out import FILM
from poise.io.usd.native.materials import Materials
from poise.io.usd.native.rig import Rig

__all__ = ["read_meshes"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

INFLUENCES = 4
MOST_CORNERS = 1 << 24
MOST_WEIGHTS = 1 << 25


def _bound_skeleton(prim: Usd.Prim) -> Usd.Prim | None:
    skeleton = UsdSkel.BindingAPI(prim).GetInheritedSkeleton()
    return skeleton.GetPrim() if skeleton else None


def _fan(counts: Indices, corners: int, where: str) -> tuple[Indices, Indices]:
    """Corners (F, 3) of the triangles that faces are fanned into, and each one's face."""
    if (counts < 0).any() or counts.sum() != corners or corners > MOST_CORNERS:
        raise ValueError(f"{where}: faceVertexCounts do not fit {corners} faceVertexIndices")
    starts = np.cumsum(counts) - counts
    pieces = np.maximum(counts - 2, 0)
    owner = np.repeat(np.arange(len(counts)), pieces)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
    first = starts[owner]
    return np.stack([first, first + within + 1, first + within + 2], axis=1), owner


def _coordinates(prim: Usd.Prim, vertices: Indices) -> Array | None:
    """Texture coordinates (corners, 2) in glTF's sense, from the image's upper left; None where there are none."""
    view = UsdGeom.PrimvarsAPI(prim)
    typed = [each for each in view.GetPrimvarsWithValues() if each.GetTypeName().type.typeName == "VtArray<GfVec2f>"]
    named = {each.GetPrimvarName(): each for each in typed}
    found = named.get("st") or (typed[0] if typed else None)
    if found is None:
        return None
    values = found.ComputeFlattened(Usd.TimeCode.EarliestTime())
    table = np.array(values if values else [], dtype=np.float64).reshape(-1, 2)
    kind = found.GetInterpolation()
    if kind in ("vertex", "varying") and len(table) > vertices.max(initial=-1):
        table = table[vertices]
    elif kind == "constant" and len(table):
        table = np.tile(table[0], (len(vertices), 1))
    if len(table) != len(vertices) or not np.isfinite(table).all():
        return None
    return np.stack([table[:, 0], 1.0 - table[:, 1]], axis=1)


def _weights(prim: Usd.Prim, rig: Rig, count: int, where: str) -> tuple[Indices, Array]:
    """The strongest joints (V, 4) of each vertex, as nodes' places in the rig, and their weights."""
    binding = UsdSkel.BindingAPI(prim)
    indices, shares = binding.GetJointIndicesPrimvar(), binding.GetJointWeightsPrimvar()
    joints = np.array(indices.ComputeFlattened(Usd.TimeCode.EarliestTime()) or [], dtype=np.int64)
    weights = np.array(shares.ComputeFlattened(Usd.TimeCode.EarliestTime()) or [], dtype=np.float64)
    width = indices.GetElementSize()
    if width < 1 or len(joints) != len(weights) or not len(joints) or len(joints) % width or len(joints) > MOST_WEIGHTS:
        raise ValueError(
            f"{where}: {len(joints)} jointIndices and {len(weights)} jointWeights do not fit {count} points"
        )
    joints, weights = joints.reshape(-1, width), weights.reshape(-1, width)
    if indices.GetInterpolation() == "constant":
        joints, weights = np.tile(joints[0], (count, 1)), np.tile(weights[0], (count, 1))
    if len(joints) != count:
        raise ValueError(f"{where}: jointIndices of {len(joints)} points for {count}")
    own = [str(token) for token in UsdSkel.BindingAPI(prim).GetJointsAttr().Get() or rig.joints]
    place = {token: at for at, token in enumerate(rig.joints)}
    table = np.array([place.get(token, -1) for token in own], dtype=np.int64)
    if joints.min() < 0 or joints.max() >= len(table) or (table[joints] < 0).any():
        raise ValueError(f"{where} follows a joint that its skeleton does not have")
    if not np.isfinite(weights).all():
        raise ValueError(f"{where}: jointWeights has a number that is not finite")
    joints, weights = table[joints], np.maximum(weights, 0.0)
    if width < INFLUENCES:
        more = ((0, 0), (0, INFLUENCES - width))
        joints, weights = np.pad(joints, more), np.pad(weights, more)
    order = np.argsort(-weights, axis=1, kind="stable")[:, :INFLUENCES]
    joints, weights = np.take_along_axis(joints, order, axis=1), np.take_along_axis(weights, order, axis=1)
    total = weights.sum(axis=1, keepdims=True)
    if (total <= 0.0).any():
        raise ValueError(f"{where}: point {int(np.argmin(total[:, 0]))} follows no joint")
    return joints, weights / total


def _face_looks(mesh: UsdGeom.Mesh, faces: int, looks: Materials) -> Indices:
    """The number of each face's material; -1 for none."""
    prim = mesh.GetPrim()
    whole = looks.of(prim)
    table = np.full(faces, whole, dtype=np.int64)
    for subset in UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets():
        indices = np.array(subset.GetIndicesAttr().Get() or [], dtype=np.int64)
        inside = indices[(indices >= 0) & (indices < faces)]
        table[inside] = looks.of(subset.GetPrim())
    return table


def _split(vertices: Indices, coordinates: Array | None) -> tuple[Indices, Indices, Array | None]:
    """One vertex for every place on the image: the point of each, each corner's vertex, coordinates per vertex."""
    if coordinates is None:
        return np.arange(vertices.max(initial=-1) + 1), vertices, None
    keys = np.column_stack([vertices.astype(np.float64), coordinates])
    unique, corner = np.unique(keys, axis=0, return_inverse=True)
    return unique[:, 0].astype(np.int64), corner.reshape(-1), unique[:, 1:]


def _points(mesh: UsdGeom.Mesh, where: str) -> Array:
    found = mesh.GetPointsAttr().Get(Usd.TimeCode.EarliestTime())
    points = np.array(found or [], dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(points).all():
        raise ValueError(f"{where}: points has a number that is not finite")
    return points


def _read_mesh(
    mesh: UsdGeom.Mesh, rig: Rig, looks: Materials, arrays: dict[str, Any], label: str
) -> dict[str, Any] | None:
    prim, where = mesh.GetPrim(), str(mesh.GetPath())
    points = _points(mesh, where)
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get(Usd.TimeCode.EarliestTime()) or [], dtype=np.int64)
    vertices = np.array(mesh.GetFaceVertexIndicesAttr().Get(Usd.TimeCode.EarliestTime()) or [], dtype=np.int64)
    if not len(points) or not len(vertices):
        return None
    if vertices.min() < 0 or vertices.max() >= len(points):
        raise ValueError(f"{where}: faceVertexIndices must lie in 0…{len(points) - 1}")
    triangles, owner = _fan(counts, len(vertices), where)
    joints, weights = _weights(prim, rig, len(points), where)
    shape = np.array(UsdSkel.BindingAPI(prim).GetGeomBindTransformAttr().Get() or np.eye(4), dtype=np.float64)
    if not np.isfinite(shape).all():
        raise ValueError(f"{where}: geomBindTransform has a number that is not finite")
    kept, corners, coordinates = _split(vertices, _coordinates(prim, vertices))
    if mesh.GetOrientationAttr().Get() == "leftHanded":
        triangles = triangles[:, [0, 2, 1]]
    arrays[f"{label}vertices"], arrays[f"{label}triangles"] = points[kept], corners[triangles]
    arrays[f"{label}joints"], arrays[f"{label}weights"] = joints[kept], weights[kept]
    arrays[f"{label}looks"] = _face_looks(mesh, len(counts), looks)[owner]
    if coordinates is not None:
        arrays[f"{label}uvs"] = coordinates
    if UsdSkel.BindingAPI(prim).GetBlendShapesAttr().HasAuthoredValue():
        rig.notes.append(f"{where} has blend shapes, which are not read")
    return {"name": prim.GetName(), "label": label, "shape": shape.ravel().tolist()}


def _hidden(prim: Usd.Prim) -> bool:
    view = UsdGeom.Imageable(prim)
    return view.ComputeVisibility() == "invisible" or view.ComputePurpose() in ("proxy", "guide")


def read_meshes(stage: Usd.Stage, rig: Rig, looks: Materials, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """Every mesh that follows the rig's skeleton; the others are told of.

    Raises:
        ValueError: Something about a mesh is wrong.
    """
    meshes, left_out = list[dict[str, Any]](), list[str]()
    if rig.skeleton is None:
        return meshes
    for prim in stage.Traverse(Usd.TraverseInstanceProxies()):
        if not prim.IsA(UsdGeom.Gprim) or _hidden(prim) or prim.GetCustomDataByKey(FILM):
            continue
        bound = _bound_skeleton(prim)
        follows = bound is not None and bound.GetPath() == rig.skeleton.GetPath()
        weighted = UsdSkel.BindingAPI(prim).GetJointIndicesPrimvar().HasAuthoredValue()
        if not (prim.IsA(UsdGeom.Mesh) and follows and weighted):
            left_out.append(str(prim.GetPath()))
            continue
        mesh = _read_mesh(UsdGeom.Mesh(prim), rig, looks, arrays, f"m{len(meshes)}")
        if mesh is not None:
            meshes.append(mesh)
    if left_out:
        more = f", … ({len(left_out)} in all)" if len(left_out) > 5 else ""
        rig.notes.append(f"left out, as no mesh that follows the skeleton: {', '.join(left_out[:5])}{more}")
    return meshes
