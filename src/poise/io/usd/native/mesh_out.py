"""A skinned mesh with its colors and images onto a stage."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, Vt

__all__ = ["add_mesh", "add_surface", "float3"]


PNG = b"\x89PNG"


def float3(values: NDArray[Any]) -> Vt.Vec3fArray:
    """Numbers (n, 3) as USD has them."""
    return Vt.Vec3fArray.FromNumpy(np.ascontiguousarray(values, dtype=np.float32))


def add_surface(
    stage: Usd.Stage, path: Sdf.Path, color: list[float], *, opacity: float = 1.0, roughness: float = 0.8
) -> UsdShade.Material:
    """A material of one color."""
    material = UsdShade.Material.Define(stage, path)
    shader = UsdShade.Shader.Define(stage, path.AppendChild("Surface"))
    shader.CreateIdAttr("UsdPreviewSurface")
    shader.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(roughness)
    shader.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
    if opacity < 1.0:
        shader.CreateInput("opacity", Sdf.ValueTypeNames.Float).Set(opacity)
    shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*color))
    material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
    return material


def _surface(stage: Usd.Stage, path: Sdf.Path, color: list[float], image: str | None, holes: bool) -> UsdShade.Material:
    material = add_surface(stage, path, color)
    if image is None:
        return material
    shader = UsdShade.Shader.Get(stage, path.AppendChild("Surface"))
    diffuse = shader.GetInput("diffuseColor")
    diffuse.GetAttr().Clear()
    places = UsdShade.Shader.Define(stage, path.AppendChild("Coordinates"))
    places.CreateIdAttr("UsdPrimvarReader_float2")
    places.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
    places.CreateOutput("result", Sdf.ValueTypeNames.Float2)
    texture = UsdShade.Shader.Define(stage, path.AppendChild("Image"))
    texture.CreateIdAttr("UsdUVTexture")
    texture.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(image)
    texture.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
    texture.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*color, 1.0))
    for way in ("wrapS", "wrapT"):
        texture.CreateInput(way, Sdf.ValueTypeNames.Token).Set("repeat")
    texture.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(places.ConnectableAPI(), "result")
    texture.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)
    diffuse.ConnectToSource(texture.ConnectableAPI(), "rgb")
    if holes:
        texture.CreateOutput("a", Sdf.ValueTypeNames.Float)
        shader.CreateInput("opacity", Sdf.ValueTypeNames.Float).ConnectToSource(texture.ConnectableAPI(), "a")
        shader.CreateInput("opacityThreshold", Sdf.ValueTypeNames.Float).Set(0.5)
    return material


def _materials(
    stage: Usd.Stage,
    top: UsdSkel.Root,
    looks: list[dict[str, Any]],
    arrays: dict[str, NDArray[Any]],
    folder: Path | None,
) -> list[UsdShade.Material]:
    """One for each look; images are put into `folder`, and left out where there is none."""
    scope = UsdGeom.Scope.Define(stage, top.GetPath().AppendChild("Materials"))
    found = []
    for at, look in enumerate(looks):
        image = look["image"] if folder is not None else None
        if folder is not None and image is not None:
            content = arrays[image].tobytes()
            kind = "png" if content.startswith(PNG) else "jpg"
            image = f"textures/{image}.{kind}"
            (folder / "textures").mkdir(exist_ok=True)
            (folder / image).write_bytes(content)
        path = scope.GetPath().AppendChild(f"Material_{at}")
        found.append(_surface(stage, path, look["color"], image, look["holes"]))
    return found


def add_mesh(
    stage: Usd.Stage,
    top: UsdSkel.Root,
    skeleton: UsdSkel.Skeleton,
    looks: list[dict[str, Any]],
    arrays: dict[str, NDArray[Any]],
    folder: Path | None,
) -> None:
    """The mesh of a character.

    Args:
        stage: Where to.
        top: The prim above it.
        skeleton: What it follows.
        looks: Its materials: color, the array of the image or None, whether it has holes.
        arrays: `vertices`, `normals` (V, 3), `uvs` (V, 2) if any, `joints`, `weights` (V, K), `triangles` (F, 3), `looks` (F,).
        folder: Where images go.
    """
    mesh = UsdGeom.Mesh.Define(stage, top.GetPath().AppendChild("Body"))
    triangles = arrays["triangles"]
    points = float3(arrays["vertices"])
    mesh.CreatePointsAttr(points)
    mesh.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(points))
    mesh.CreateFaceVertexCountsAttr(Vt.IntArray.FromNumpy(np.full(len(triangles), 3, np.int32)))
    mesh.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(triangles.reshape(-1).astype(np.int32)))
    mesh.CreateSubdivisionSchemeAttr("none")
    mesh.CreateNormalsAttr(float3(arrays["normals"]))
    mesh.SetNormalsInterpolation("vertex")
    if "uvs" in arrays:
        flipped = np.stack([arrays["uvs"][:, 0], 1.0 - arrays["uvs"][:, 1]], axis=1)
        places = UsdGeom.PrimvarsAPI(mesh).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "vertex")
        places.Set(Vt.Vec2fArray.FromNumpy(np.ascontiguousarray(flipped, dtype=np.float32)))
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    width = arrays["joints"].shape[1]
    indices = binding.CreateJointIndicesPrimvar(False, width)
    indices.Set(Vt.IntArray.FromNumpy(arrays["joints"].reshape(-1).astype(np.int32)))
    shares = binding.CreateJointWeightsPrimvar(False, width)
    shares.Set(Vt.FloatArray.FromNumpy(arrays["weights"].reshape(-1).astype(np.float32)))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(1.0))
    _bind(mesh, _materials(stage, top, looks, arrays, folder), arrays["looks"])


def _bind(mesh: UsdGeom.Mesh, materials: list[UsdShade.Material], looks: NDArray[np.int64]) -> None:
    """One material for all, or a subset of the faces for each."""
    used = np.unique(looks).tolist()
    if len(used) == 1:
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(materials[used[0]])
        return
    view = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim())
    for look in used:
        faces = Vt.IntArray.FromNumpy(np.flatnonzero(looks == look).astype(np.int32))
        subset = view.CreateMaterialBindSubset(f"Faces_{look}", faces)
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(materials[look])
    view.SetMaterialBindSubsetsFamilyType(UsdGeom.Tokens.partition)
