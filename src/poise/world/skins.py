"""Characters' own skins in a picture: meshes of MuJoCo's whose vertices are set anew for every picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.motion.skin import SkinnedMesh, vertex_normals
from poise.world.layout import CharacterLayout

__all__ = ["SkinPart", "add_skins", "carriers", "move_part"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_HIDDEN_GROUP = 3
"""Geoms of this group are not drawn; rays meet them all the same."""


@dataclass(frozen=True, eq=False)
class SkinPart:
    """What one body carries of a character's skin.

    Args:
        character: Whose skin.
        body: Which body of it.
        asset: Name of the mesh in the model.
        vertices: Of the whole skin's, those of the part, shape (V,).
    """

    character: str
    body: int
    asset: str
    vertices: Indices


def carriers(plan: BodyPlan) -> Indices:
    """Body that each joint rides on, shape (J,)."""
    result = np.zeros(len(plan.skeleton), np.int64)
    own = {int(joint): body for body, joint in enumerate(plan.joints)}
    for joint, parent in enumerate(plan.skeleton.parents):
        result[joint] = own.get(joint, result[parent] if parent >= 0 else 0)
    return result


def add_skins(
    spec: mj.MjSpec, skins: Mapping[str, SkinnedMesh], layouts: Mapping[str, CharacterLayout]
) -> list[SkinPart]:
    """Put a mesh per body of each skin into a model for pictures, where it replaces the body's colliders.

    Args:
        spec: What the model will be compiled from.
        skins: By character.
        layouts: Where each character sits in the model.
    """
    parts = []
    for name, mesh in skins.items():
        plan = layouts[name].plan
        strongest = np.take_along_axis(mesh.joints, mesh.weights.argmax(axis=1)[:, None], axis=1)[:, 0]
        normals = vertex_normals(mesh.vertices, mesh.triangles)
        body_of = carriers(plan)[strongest[mesh.triangles[:, 0]]]
        for body, label in enumerate(plan.names):
            for geom in spec.body(f"{name}/{label}").geoms:
                geom.group = _HIDDEN_GROUP
            vertices, corners = np.unique(mesh.triangles[body_of == body], return_inverse=True)
            if not len(vertices):
                continue
            part = SkinPart(name, body, f"skin of {name}/{label}", vertices)
            asset = spec.add_mesh(name=part.asset, inertia=mj.mjtMeshInertia.mjMESH_INERTIA_SHELL)
            asset.uservert, asset.userface = mesh.vertices[vertices].ravel(), corners.ravel()
            asset.usernormal, asset.userfacenormal = normals[vertices].ravel(), corners.ravel()
            parts.append(part)
    return parts


def move_part(model: mj.MjModel, part: SkinPart, vertices: Array, normals: Array) -> int:
    """Set where a part's vertices are; returns the number of its mesh, which is then to be uploaded."""
    number = int(model.mesh(part.asset).id)
    start, first = int(model.mesh_vertadr[number]), int(model.mesh_normaladr[number])
    model.mesh_vert[start : start + len(part.vertices)] = vertices[part.vertices]
    model.mesh_normal[first : first + len(part.vertices)] = normals[part.vertices]
    return number
