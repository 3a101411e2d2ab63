"""Write USD: a motion onto a file's own stage, or a stage of Poise's own."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

from poise.io.usd.native.confine import open_stage
from poise.io.usd.native.files import as_package, as_type, copy_of
from poise.io.usd.native.film_out import add_film, free_path
from poise.io.usd.native.mesh_out import add_mesh, add_surface, float3
from poise.io.usd.native.rig import bound_animation

__all__ = ["make", "make_shapes", "replace"]


def _header(arrays: dict[str, NDArray[Any]]) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(str(arrays["header"]))
    return header


def _animate(
    animation: UsdSkel.Animation, joints: list[str], arrays: dict[str, NDArray[Any]], times: list[float]
) -> None:
    """Samples of every joint: translations (T, J, 3), rotations xyzw (T, J, 4), scales (J, 3)."""
    animation.CreateJointsAttr(joints)
    animation.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(arrays["scales"].astype(np.float16)))
    places, turns = animation.CreateTranslationsAttr(), animation.CreateRotationsAttr()
    translations = np.ascontiguousarray(arrays["translations"], dtype=np.float32)
    rotations = np.ascontiguousarray(arrays["rotations"], dtype=np.float32)
    for at, time in enumerate(times):
        places.Set(Vt.Vec3fArray.FromNumpy(translations[at]), time)
        turns.Set(Vt.QuatfArray.FromNumpy(rotations[at]), time)


def _keep_shapes(old: Usd.Prim | None, animation: UsdSkel.Animation) -> None:
    """Blend shapes of the animation that is replaced go on."""
    if old is None:
        return
    for name in ("blendShapes", "blendShapeWeights"):
        source = old.GetAttribute(name)
        if source and source.HasAuthoredValue():
            source.FlattenTo(animation.GetPrim())


def _own(stage: Usd.Stage, prim: Usd.Prim) -> None:
    """Make every prim above one that may be edited."""
    path = prim.GetPath()
    for above in path.GetPrefixes():
        each = stage.GetPrimAtPath(above)
        if each.IsInstance():
            each.SetInstanceable(False)


def _move(stage: Usd.Stage, path: str, matrices: NDArray[np.float64], times: list[float]) -> None:
    """A prim's transforms over time, in place of those it had."""
    form = UsdGeom.Xformable(stage.GetPrimAtPath(path))
    stands_alone = form.GetResetXformStack()
    operation = form.MakeMatrixXform()
    form.SetResetXformStack(stands_alone)
    operation.GetAttr().Clear()
    for matrix, time in zip(matrices.tolist(), times, strict=True):
        operation.Set(Gf.Matrix4d(*matrix), time)


def _start(stage: Usd.Stage, old: Usd.Prim | None) -> float:
    """The time code at which the motion begins, as that which was there did."""
    samples = UsdSkel.Animation(old).GetRotationsAttr().GetTimeSamples() if old else []
    if samples:
        return float(samples[0])
    return float(stage.GetStartTimeCode()) if stage.HasAuthoredTimeCodeRange() else 0.0


def replace(file: str, suffix: str, arrays: dict[str, NDArray[Any]]) -> bytes:
    """A copy of the file whose skeleton is played by a new animation; all else stays as it was.

    Args:
        file: The original.
        suffix: What to write.
        arrays: `header` with the skeleton, the rate, the joints and the prims above them that move; `translations`,
            `rotations`, `scales` of the joints, `moved` (T, P, 4, 4) of the prims; where the header has a film, what `add_film`
            takes.

    Raises:
        ValueError: The file cannot be taken, or has more than fits into a single one that is no package.
    """
    header = _header(arrays)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "stage"
        folder.mkdir()
        root, _ = copy_of(file, folder)
        if suffix != ".usdz" and sum(each.is_file() for each in folder.rglob("*")) > 1:
            raise ValueError("it refers to files beside it, such as textures; write .usdz, which takes them in")
        stage, _ = open_stage(str(root))
        skeleton = stage.GetPrimAtPath(header["skeleton"])
        _own(stage, skeleton)
        skeleton = stage.GetPrimAtPath(header["skeleton"])
        old = bound_animation(skeleton)
        start = _start(stage, old)
        animation = UsdSkel.Animation.Define(stage, free_path(stage, skeleton.GetPath(), header["name"]))
        step = stage.GetTimeCodesPerSecond() / header["rate"]
        times = [start + at * step for at in range(len(arrays["rotations"]))]
        _animate(animation, header["joints"], arrays, times)
        _keep_shapes(old, animation)
        if "film" in header:
            codes = start + step * header["rate"] * np.append(0.0, header["film"]["times"])
            add_film(stage, UsdSkel.Skeleton(skeleton), animation, header["film"], arrays, codes)
        UsdSkel.BindingAPI.Apply(skeleton).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
        for at, path in enumerate(header["prims"]):
            _move(stage, path, arrays["moved"][:, at], times)
        stage.SetStartTimeCode(times[0])
        stage.SetEndTimeCode(times[-1])
        if suffix != ".usdz":
            return as_type(stage.GetRootLayer(), suffix, Path(place))
        stage.GetRootLayer().Save()
        return as_package(folder, root)


def _matrices(values: NDArray[np.float64]) -> Vt.Matrix4dArray:
    return Vt.Matrix4dArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float64))


def _stage(header: dict[str, Any], layer: Sdf.Layer) -> Usd.Stage:
    stage = Usd.Stage.Open(layer)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.y)
    stage.SetTimeCodesPerSecond(header["rate"])
    stage.SetFramesPerSecond(header["rate"])
    stage.SetStartTimeCode(0.0)
    stage.SetEndTimeCode(header["frames"] - 1.0)
    return stage


def make(suffix: str, arrays: dict[str, NDArray[Any]]) -> bytes:
    """A stage with a skeleton, its animation and, where there is one, its skin, in metres with y up.

    Args:
        suffix: What to write.
        arrays: `header`; `bind` and `rest` (J, 4, 4), `extent` (2, 3), the motion as for `replace`, the mesh as for `add_mesh`.
    """
    header = _header(arrays)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "stage"
        folder.mkdir()
        root = folder / f"{header['character']}.usdc"
        stage = _stage(header, Sdf.Layer.CreateNew(str(root)))
        top = UsdSkel.Root.Define(stage, f"/{header['character']}")
        Usd.ModelAPI(top).SetKind("component")
        stage.SetDefaultPrim(top.GetPrim())
        extent = Vt.Vec3fArray.FromNumpy(arrays["extent"].astype(np.float32))
        top.CreateExtentAttr(extent)
        skeleton = UsdSkel.Skeleton.Define(stage, top.GetPath().AppendChild("Skeleton"))
        skeleton.CreateJointsAttr(header["joints"])
        skeleton.CreateJointNamesAttr(header["names"])
        skeleton.CreateBindTransformsAttr(_matrices(arrays["bind"]))
        skeleton.CreateRestTransformsAttr(_matrices(arrays["rest"]))
        animation = UsdSkel.Animation.Define(stage, skeleton.GetPath().AppendChild(header["name"]))
        _animate(animation, header["moving"], arrays, [float(at) for at in range(header["frames"])])
        binding = UsdSkel.BindingAPI.Apply(skeleton.GetPrim())
        binding.CreateAnimationSourceRel().SetTargets([animation.GetPath()])
        if "vertices" in arrays:
            add_mesh(stage, top, skeleton, header["materials"], arrays, folder if suffix == ".usdz" else None)
        if "film" in header:
            codes = header["rate"] * np.append(0.0, header["film"]["times"])
            add_film(stage, skeleton, animation, header["film"], arrays, codes)
        if suffix != ".usdz":
            return as_type(stage.GetRootLayer(), suffix, Path(place))
        stage.GetRootLayer().Save()
        return as_package(folder, root)


def make_shapes(suffix: str, arrays: dict[str, NDArray[Any]]) -> bytes:
    """A stage with a mesh that changes its shape, in metres with y up.

    Args:
        suffix: What to write.
        arrays: `header` with name, rate (codes per second), frames, how many codes they are apart, and color with opacity;
            `points` and `normals` (T, V, 3), `triangles` (F, 3).
    """
    header = _header(arrays)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place).resolve() / "stage"
        folder.mkdir()
        root = folder / f"{header['name']}.usdc"
        stage = _stage(header, Sdf.Layer.CreateNew(str(root)))
        top = UsdGeom.Xform.Define(stage, f"/{header['name']}")
        Usd.ModelAPI(top).SetKind("component")
        stage.SetDefaultPrim(top.GetPrim())
        mesh = UsdGeom.Mesh.Define(stage, top.GetPath().AppendChild("Surface"))
        triangles = arrays["triangles"].reshape(-1)
        mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(triangles) // 3, 3, np.int32)))
        mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(triangles.astype(np.int32)))
        mesh.CreateSubdivisionSchemeAttr("none")
        mesh.CreateDoubleSidedAttr(True)
        mesh.SetNormalsInterpolation("vertex")
        points, normals, extent = mesh.CreatePointsAttr(), mesh.CreateNormalsAttr(), mesh.CreateExtentAttr()
        for at, (places, facing) in enumerate(zip(arrays["points"], arrays["normals"], strict=True)):
            shape, code = float3(places), header["apart"] * at
            points.Set(shape, code)
            normals.Set(float3(facing), code)
            extent.Set(UsdGeom.PointBased.ComputeExtent(shape), code)
        stage.SetEndTimeCode(header["apart"] * (header["frames"] - 1.0))
        *color, opacity = header["color"]
        look = add_surface(stage, top.GetPath().AppendChild("Look"), color, opacity=opacity, roughness=0.1)
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(look)
        if suffix != ".usdz":
            return as_type(stage.GetRootLayer(), suffix, Path(place))
        stage.GetRootLayer().Save()
        return as_package(folder, root)
