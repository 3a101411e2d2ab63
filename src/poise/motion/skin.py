"""A mesh that hangs on a skeleton: vertices, weights, bind transforms, and where the vertices are in a pose.

Linear blend skinning: a vertex v that follows joints j with weights w stands in the world at
`Σ w_j (q_j (inverse_bind_j v) q_j* + p_j)`, where q_j, p_j are the joint's orientation and position.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.motion.pose import forward_kinematics
from poise.motion.skeleton import Skeleton

__all__ = ["INFLUENCES", "Material", "SkinnedMesh", "bind_at", "merge_repeats", "skin", "vertex_normals"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

INFLUENCES = 4
"""Joints that a vertex may follow."""


def vertex_normals(vertices: ArrayLike, triangles: Indices) -> Array:
    """Unit normals (V, 3): the mean of the adjacent triangles' normals, weighted by area; up where there is none."""
    points = np.asarray(vertices, dtype=np.float64)
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    faces = np.cross(b - a, c - a)
    corners, count = triangles.ravel(), len(points)
    sums = [np.bincount(corners, np.repeat(faces[:, axis], 3), minlength=count) for axis in range(3)]
    return _unit(np.stack(sums, axis=1))


def _unit(vectors: Array) -> Array:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Array = np.where(length > 1e-30, vectors / np.maximum(length, 1e-30), np.array([0.0, 0.0, 1.0]))
    return unit


def merge_repeats(joints: Indices, weights: Array) -> Array:
    """The weights (V, N) with all that a vertex gives to one of its joints (V, N) put where it occurs first."""
    merged = weights.copy()
    for later in range(1, weights.shape[1]):
        for first in range(later):
            again = (joints[:, first] == joints[:, later]) & (merged[:, later] > 0.0) & (merged[:, first] > 0.0)
            merged[again, first] += merged[again, later]
            merged[again, later] = 0.0
    return merged


def bind_at(skeleton: Skeleton) -> Array:
    """Inverse bind transforms (J, 4, 4) of a mesh modelled around the skeleton's bind pose."""
    identity = np.tile([1.0, 0.0, 0.0, 0.0], (len(skeleton), 1))
    transforms = np.tile(np.eye(4), (len(skeleton), 1, 1))
    transforms[:, :3, 3] = -forward_kinematics(skeleton, identity, skeleton.offsets)[1]
    return transforms


class Material(NamedTuple):
    """What a material looks like.

    Args:
        color: Red, green, blue from 0 to 1, linear; multiplies the image.
        image: A PNG or JPEG file that texture coordinates point into, from its upper left corner, or None.
        holes: Whether the image's transparent parts are not there.
    """

    color: tuple[float, float, float]
    image: bytes | None = None
    holes: bool = False


@dataclass(frozen=True, eq=False)
class SkinnedMesh:
    """Triangles that follow joints, in the design's frame (Z up, metres).

    Args:
        vertices: Positions in the mesh's bind space [m], shape (V, 3).
        triangles: Vertices of each triangle, counter-clockwise seen from outside, shape (F, 3).
        joints: The joints each vertex follows, shape (V, 4); made 0 where the weight is 0.
        weights: How much it follows each, shape (V, 4), not negative; made to sum to one, a joint that occurs twice
            keeps the sum in its first place.
        inverse_bind: From bind space to each joint's frame, shape (J, 4, 4), affine. `bind_at(skeleton)` where the
            mesh was modelled around the skeleton's bind pose.
        normals: Unit normals in bind space, shape (V, 3); `vertex_normals` where None.
        uvs: Texture coordinates, shape (V, 2), or None.
        triangle_materials: Number of each triangle's material in the file it came from, shape (F,), -1 for none.
        materials: What each of that file's materials looks like; empty where they are not known.

    Raises:
        InputError: Shapes disagree, an index is outside, a weight is negative or sums to zero, a number is not finite.
    """

    vertices: Array
    triangles: Indices
    joints: Indices
    weights: Array
    inverse_bind: Array
    normals: Array | None = None
    uvs: Array | None = None
    triangle_materials: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    materials: tuple[Material, ...] = ()

    def __repr__(self) -> str:
        return f"<SkinnedMesh of {len(self.triangles)} triangles on {len(self.inverse_bind)} joints>"

    def __post_init__(self) -> None:
        def keep(name: str, value: object, kind: type) -> None:
            object.__setattr__(self, name, np.array(value, dtype=kind, order="C"))

        for name in ("vertices", "weights", "inverse_bind"):
            keep(name, getattr(self, name), np.float64)
        for name in ("triangles", "joints", "triangle_materials"):
            keep(name, getattr(self, name), np.int64)
        if len(self.triangle_materials) == 0:
            keep("triangle_materials", np.full(len(self.triangles), -1), np.int64)
        self._validate()
        weights = merge_repeats(self.joints, self.weights)
        keep("weights", weights / weights.sum(axis=1, keepdims=True), np.float64)
        keep("joints", np.where(self.weights > 0.0, self.joints, 0), np.int64)
        given = self.normals
        keep("normals", vertex_normals(self.vertices, self.triangles) if given is None else _unit(given), np.float64)
        if self.uvs is not None:
            keep("uvs", self.uvs, np.float64)
        for array in (
            self.vertices,
            self.triangles,
            self.joints,
            self.weights,
            self.inverse_bind,
            self.triangle_materials,
        ):
            array.setflags(write=False)

    def _validate(self) -> None:
        count, faces = len(self.vertices), len(self.triangles)
        shapes = {
            "vertices": (self.vertices.shape, (count, 3)),
            "triangles": (self.triangles.shape, (faces, 3)),
            "joints": (self.joints.shape, (count, INFLUENCES)),
            "weights": (self.weights.shape, (count, INFLUENCES)),
            "inverse_bind": (self.inverse_bind.shape, (len(self.inverse_bind), 4, 4)),
            "triangle_materials": (self.triangle_materials.shape, (faces,)),
        }
        if self.normals is not None:
            shapes["normals"] = (np.shape(self.normals), (count, 3))
        if self.uvs is not None:
            shapes["uvs"] = (np.shape(self.uvs), (count, 2))
        for name, (shape, expected) in shapes.items():
            if shape != expected:
                raise InputError(f"{name} of a skinned mesh must have shape {expected}; got {shape}")
        for name, indices, end in (
            ("triangles", self.triangles, count),
            ("joints", self.joints, len(self.inverse_bind)),
        ):
            if indices.size and not 0 <= indices.min() <= indices.max() < end:
                raise InputError(f"{name} of a skinned mesh must lie in 0…{end - 1}")
        arrays = (self.vertices, self.weights, self.inverse_bind, self.normals, self.uvs)
        if not all(np.isfinite(array).all() for array in arrays if array is not None):
            raise InputError("a skinned mesh must consist of finite numbers")
        if count == 0 or (self.weights < 0.0).any() or (self.weights.sum(axis=1) <= 0.0).any():
            raise InputError("a skinned mesh needs vertices, each with weights of at least 0 and a sum above 0")

    def __len__(self) -> int:
        return len(self.vertices)


def skin(mesh: SkinnedMesh, rotations: ArrayLike, positions: ArrayLike) -> Array:
    """Where the vertices are when the joints are in the given places (linear blend skinning).

    Args:
        mesh: The mesh.
        rotations: World orientations of the joints, wxyz, shape (T, J, 4) or (J, 4).
        positions: World positions of the joints [m], shape (T, J, 3) or (J, 3).

    Returns:
        World positions of the vertices [m], shape (T, V, 3) or (V, 3).

    Raises:
        InputError: The joints are not as many as the mesh was bound to.
    """
    # Slow to import (docs/architecture.md, decision 12).
    from poise.motion._kernels import blend_skin

    world_q, world_p = np.asarray(rotations, dtype=np.float64), np.asarray(positions, dtype=np.float64)
    count = len(mesh.inverse_bind)
    if world_q.shape[-2:] != (count, 4) or world_p.shape != (*world_q.shape[:-1], 3) or world_q.ndim not in (2, 3):
        raise InputError(
            f"a mesh bound to {count} joints needs rotations (…, {count}, 4) and positions (…, {count}, 3); "
            f"got {world_q.shape} and {world_p.shape}"
        )
    frames = world_q.reshape(-1, count, 4)
    out = np.empty((len(frames), len(mesh), 3))
    blend_skin(
        np.ascontiguousarray(frames),
        np.ascontiguousarray(world_p.reshape(-1, count, 3)),
        mesh.inverse_bind,
        mesh.vertices,
        mesh.joints,
        mesh.weights,
        out,
    )
    return out.reshape(*world_q.shape[:-2], len(mesh), 3)
