"""A mesh over a skin that comes out by and by, onto a stage: blend shapes that the skeleton's animation weighs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from poise.io.usd.native.mesh_out import add_surface, float3

__all__ = ["FILM", "add_film", "free_path"]

FILM = "poise_film"
"""What the customData of such a mesh have, so that it is not read as a part of the skin."""


def free_path(stage: Usd.Stage, above: Sdf.Path, name: str) -> Sdf.Path:
    """A path below one that nothing has yet."""
    number, path = 1, above.AppendChild(name)
    while stage.GetPrimAtPath(path):
        number += 1
        path = above.AppendChild(f"{name}_{number}")
    return path


def add_film(
    stage: Usd.Stage,
    skeleton: UsdSkel.Skeleton,
    animation: UsdSkel.Animation,
    film: dict[str, Any],
    arrays: dict[str, NDArray[Any]],
    codes: NDArray[np.float64],
) -> None:
    """The film.

    Args:
        stage: Where to.
        skeleton: What it follows.
        animation: Of the skeleton.
        film: Its name, its joints, its color with opacity.
        arrays: `film_points`, `film_normals` (3 F, 3), `film_joints`, `film_weights` (3 F, 4); of all steps one after the other
            which corners move, `film_own` (n,), how far, `film_moved` (n, 3), and how many they are, `film_counts` (K,).
        codes: Time codes: the beginning, then of each step, shape (K + 1,).
    """
    root = UsdSkel.Root.Find(skeleton.GetPrim())
    if not root:
        return  # Without one nothing is skinned at all.
    path = free_path(stage, root.GetPath(), film["name"])
    mesh = UsdGeom.Mesh.Define(stage, path)
    prim, count = mesh.GetPrim(), len(arrays["film_points"])
    prim.SetCustomDataByKey(FILM, True)
    points = float3(arrays["film_points"])
    mesh.CreatePointsAttr(points)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(count // 3, 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(np.arange(count, dtype=np.int32)))
    mesh.CreateSubdivisionSchemeAttr("none")
    mesh.CreateNormalsAttr(float3(arrays["film_normals"]))
    mesh.SetNormalsInterpolation("vertex")
    binding = UsdSkel.BindingAPI.Apply(prim)
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    _follow(binding, film["joints"], arrays)
    *color, opacity = film["color"]
    material = add_surface(stage, path.AppendChild("Look"), color, opacity=opacity, roughness=0.3)
    UsdShade.MaterialBindingAPI.Apply(prim).Bind(material)
    if len(arrays["film_counts"]):
        names = _shapes(stage, binding, arrays)
        _weigh(animation, names, codes)


def _follow(binding: UsdSkel.BindingAPI, joints: list[str], arrays: dict[str, NDArray[Any]]) -> None:
    """Which joints it follows, of a list of its own."""
    used, numbers = np.unique(np.where(arrays["film_weights"] > 0.0, arrays["film_joints"], -1), return_inverse=True)
    offset = int(used[0] == -1)
    binding.CreateJointsAttr([joints[at] for at in used[offset:].tolist()])
    numbers = np.maximum(numbers.reshape(-1) - offset, 0)
    width = arrays["film_weights"].shape[1]
    binding.CreateJointIndicesPrimvar(False, width).Set(Vt.IntArray.FromNumpy(numbers.astype(np.int32)))
    weights = np.ascontiguousarray(arrays["film_weights"].reshape(-1), dtype=np.float32)
    binding.CreateJointWeightsPrimvar(False, width).Set(Vt.FloatArray.FromNumpy(weights))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))


def _shapes(stage: Usd.Stage, binding: UsdSkel.BindingAPI, arrays: dict[str, NDArray[Any]]) -> list[str]:
    """A blend shape for each step; what the animation calls them."""
    path, names, targets = binding.GetPath(), [], []
    ends = np.cumsum(arrays["film_counts"])
    for step, (end, size) in enumerate(zip(ends.tolist(), arrays["film_counts"].tolist(), strict=True), start=1):
        shape = UsdSkel.BlendShape.Define(stage, path.AppendChild(f"Step_{step}"))
        shape.CreateOffsetsAttr(float3(arrays["film_moved"][end - size : end]))
        shape.CreatePointIndicesAttr(Vt.IntArray.FromNumpy(arrays["film_own"][end - size : end].astype(np.int32)))
        names.append(f"{path.name}_{step}")
        targets.append(shape.GetPath())
    binding.CreateBlendShapesAttr(names)
    binding.CreateBlendShapeTargetsRel().SetTargets(targets)
    return names


def _weigh(animation: UsdSkel.Animation, names: list[str], codes: NDArray[np.float64]) -> None:
    """Each step comes out from the step before it to its own time; shapes that the animation had before go on."""
    tokens, weights = animation.CreateBlendShapesAttr(), animation.CreateBlendShapeWeightsAttr()
    before = [str(each) for each in tokens.Get() or []]
    times = sorted({*weights.GetTimeSamples(), *codes.tolist()})
    had = [list(weights.Get(time) or [0.0] * len(before)) for time in times]
    tokens.Set([*before, *names])
    weights.Clear()
    for time, old in zip(times, had, strict=True):
        own = [float(np.interp(time, codes[step : step + 2], [0.0, 1.0])) for step in range(len(names))]
        weights.Set(Vt.FloatArray([*old, *own]), time)
