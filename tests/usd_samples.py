"""USD files for tests, and USD's own word on where joints and points are."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("pxr", reason="usd-core is not installed")

from pxr import Gf, Sdf, Usd, UsdGeom, UsdShade, UsdSkel, UsdValidation, Vt

Array = NDArray[np.float64]


def in_poise(stage: Usd.Stage, points: Array) -> Array:
    """World points of a stage in metres with z up, x where glTF has z."""
    points = points * UsdGeom.GetStageMetersPerUnit(stage)
    if UsdGeom.GetStageUpAxis(stage) == "Z":
        points = np.stack([points[..., 0], points[..., 2], -points[..., 1]], axis=-1)
    return points[..., [2, 0, 1]]


class OwnWord:
    """A stage asked through UsdSkelCache, the library's own reading of skeleton, animation and skin."""

    def __init__(self, file: Path) -> None:
        self.stage = Usd.Stage.Open(str(file))
        self._cache = UsdSkel.Cache()
        roots = [prim for prim in self.stage.Traverse() if prim.IsA(UsdSkel.Root)]
        for root in roots:
            self._cache.Populate(UsdSkel.Root(root), Usd.PrimDefaultPredicate)
        self.skeleton = next(prim for prim in self.stage.Traverse() if prim.IsA(UsdSkel.Skeleton))
        self.query = self._cache.GetSkelQuery(UsdSkel.Skeleton(self.skeleton))
        self.joints = [str(token) for token in self.query.GetJointOrder()]

    def places(self, time: float) -> Array:
        """Joints (J, 3) in Poise's world at a time code."""
        found = self.query.ComputeJointWorldTransforms(UsdGeom.XformCache(time))
        return in_poise(self.stage, np.array(found)[:, 3, :3])

    def points(self, mesh: str, time: float) -> Array:
        """Vertices (V, 3) of a mesh in Poise's world at a time code."""
        prim = self.stage.GetPrimAtPath(mesh)
        skinning = self._cache.GetSkinningQuery(prim)
        points = UsdGeom.Mesh(prim).GetPointsAttr().Get(time)
        skinning.ComputeSkinnedPoints(self.query.ComputeSkinningTransforms(time), points, time)
        world = np.array(UsdGeom.XformCache(time).GetLocalToWorldTransform(self.skeleton))
        flat = np.array(points, dtype=np.float64) @ world[:3, :3] + world[3, :3]
        return in_poise(self.stage, flat)


def complaints(file: Path) -> set[str]:
    """What the validators that USD ships find in a file; the paths of files taken out."""
    validators = UsdValidation.ValidationRegistry().GetOrLoadAllValidators()
    found = UsdValidation.ValidationContext(validators).Validate(Usd.Stage.Open(str(file)))
    return {f"{error.GetName()}: {error.GetMessage().replace(str(file), 'FILE')}" for error in found}


def turned(rng: np.random.Generator, place: Array, scale: Array) -> Array:
    """A transform with a random turn, translation in the last row."""
    rotation = Gf.Rotation(Gf.Vec3d(*rng.normal(size=3)), float(rng.uniform(-150.0, 150.0)))
    matrix = np.array(Gf.Matrix4d().SetRotate(rotation))
    matrix[:3] *= np.array([*scale, 1.0])[:3, None]
    matrix[3, :3] = place
    return matrix


JOINTS = ["Hips", "Hips/Leg", "Hips/Leg/Foot", "Hips/Arm", "Hips/Arm/Hand", "Hips/Arm/Hand/Tip"]
PARENTS = [-1, 0, 1, 0, 3, 4]


def random_rig(file: Path, seed: int) -> None:
    """A skinned, animated character that uses what UsdSkel allows: units, z up, prims that move, mirrored and scaled joints,
    a pose at rest that is not the bind pose, an animation of some joints in its own order, a mesh with its own list of joints.
    """
    rng = np.random.default_rng(seed)
    stage = Usd.Stage.CreateNew(str(file))
    UsdGeom.SetStageMetersPerUnit(stage, (0.01, 1.0, 0.0254)[seed % 3])
    UsdGeom.SetStageUpAxis(stage, ("Y", "Z")[seed % 2])
    stage.SetTimeCodesPerSecond(24.0)
    world = UsdGeom.Xform.Define(stage, "/World")
    world.AddTransformOp().Set(Gf.Matrix4d(*turned(rng, rng.normal(size=3), np.ones(3)).tolist()))
    root = UsdSkel.Root.Define(stage, "/World/Character")
    if seed % 2:
        move = root.AddTranslateOp()
        for time in (1, 9):
            move.Set(Gf.Vec3d(*rng.normal(size=3)), time)
    skeleton = UsdSkel.Skeleton.Define(stage, "/World/Character/Rig")
    scales = np.ones((6, 3))
    scales[0] = 0.5
    scales[3] = (-1.0, 1.0, 1.0) if seed % 2 else (-1.0, -1.0, -1.0)
    scales[4] = (1.0, 1.0, 1.0) if seed % 2 else (-2.0, -2.0, -2.0)
    scales[5] = (1.0, -1.0, 1.0)
    places = rng.normal(size=(6, 3))
    rest = np.array([turned(rng, place, scale) for place, scale in zip(places, scales, strict=True)])
    bind = np.array([turned(rng, rng.normal(size=3), np.ones(3)) for _ in JOINTS])
    skeleton.CreateJointsAttr(JOINTS)
    skeleton.CreateRestTransformsAttr(Vt.Matrix4dArray.FromNumpy(rest))
    skeleton.CreateBindTransformsAttr(Vt.Matrix4dArray.FromNumpy(bind))
    animation = UsdSkel.Animation.Define(stage, "/World/Character/Walk")
    order = [4, 0, 3, 1]
    animation.CreateJointsAttr([JOINTS[at] for at in order])
    animation.CreateScalesAttr(Vt.Vec3hArray.FromNumpy(scales[order].astype(np.float16)))
    for time in range(1, 10):
        quats = rng.normal(size=(4, 4)).astype(np.float32)
        quats /= np.linalg.norm(quats, axis=1, keepdims=True)
        animation.CreateRotationsAttr().Set(Vt.QuatfArray.FromNumpy(quats), time)
        moved = (places[order] + 0.1 * rng.normal(size=(4, 3))).astype(np.float32)
        animation.CreateTranslationsAttr().Set(Vt.Vec3fArray.FromNumpy(moved), time)
    UsdSkel.BindingAPI.Apply(root.GetPrim()).CreateAnimationSourceRel().SetTargets([animation.GetPath()])
    _random_mesh(stage, rng, skeleton)
    stage.Save()


def _random_mesh(stage: Usd.Stage, rng: np.random.Generator, skeleton: UsdSkel.Skeleton) -> None:
    mesh = UsdGeom.Mesh.Define(stage, "/World/Character/Skin")
    mesh.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(rng.normal(size=(12, 3)).astype(np.float32)))
    mesh.CreateFaceVertexCountsAttr([4, 5, 3])
    mesh.CreateFaceVertexIndicesAttr(list(range(12)))
    binding = UsdSkel.BindingAPI.Apply(mesh.GetPrim())
    binding.CreateSkeletonRel().SetTargets([skeleton.GetPath()])
    binding.CreateJointsAttr([JOINTS[at] for at in (5, 2, 0, 4)])
    binding.CreateJointIndicesPrimvar(False, 3).Set(Vt.IntArray.FromNumpy(rng.integers(0, 4, 36).astype(np.int32)))
    weights = rng.dirichlet(np.ones(3), 12).astype(np.float32)
    binding.CreateJointWeightsPrimvar(False, 3).Set(Vt.FloatArray.FromNumpy(weights.reshape(-1)))
    shape = turned(rng, rng.normal(size=3), np.array([1.5, 0.7, -1.2]))
    binding.CreateGeomBindTransformAttr(Gf.Matrix4d(*shape.tolist()))
    colors = {"red": (1.0, 0.0, 0.0), "blue": (0.0, 0.0, 1.0)}
    for (name, color), faces in zip(colors.items(), ([0, 2], [1]), strict=True):
        material = UsdShade.Material.Define(stage, f"/World/Character/{name}")
        shader = UsdShade.Shader.Define(stage, f"/World/Character/{name}/surface")
        shader.CreateIdAttr("UsdPreviewSurface")
        shader.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*color))
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        subset = UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).CreateMaterialBindSubset(name, faces)
        UsdShade.MaterialBindingAPI.Apply(subset.GetPrim()).Bind(material)
