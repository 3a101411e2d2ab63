"""Characters' skins in a picture: meshes of MuJoCo's whose vertices are set anew for every picture."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import mujoco as mj
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.body.plan import BodyPlan
from poise.motion.skin import Material, SkinnedMesh, vertex_normals
from poise.world.layout import CharacterLayout
from poise.world.skin_borders import Borders, cut_at_borders

__all__ = ["DrawnSkin", "SkinPart", "add_skins", "carriers", "move_part", "shown_color"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_HIDDEN_GROUP = 3
"""Geoms of this group are not drawn; rays meet them all the same."""
_LARGEST_IMAGE = 1024
"""Longest edge of a texture [pixels]."""
_FEWEST = 4
"""Vertices that a mesh needs to be one for MuJoCo."""


def carriers(plan: BodyPlan) -> Indices:
    """Body that each joint rides on, shape (J,)."""
    result = np.zeros(len(plan.skeleton), np.int64)
    own = {int(joint): body for body, joint in enumerate(plan.joints)}
    for joint, parent in enumerate(plan.skeleton.parents):
        result[joint] = own.get(joint, result[parent] if parent >= 0 else 0)
    return result


@dataclass(frozen=True, eq=False)
class SkinPart:
    """What is drawn alike of a character's skin: what one body carries, or what is of one material.

    Args:
        character: Whose skin.
        body: Which body of it, whose color says who moves it; None where the skin has colors of its own.
        color: Of the part where it has its own, else white; red, green, blue from 0 to 1 as a screen shows them.
        asset: Name of the mesh in the model.
        material: Name of the material with its image in the model, if it has one.
        vertices: Of the drawn skin's, those of the part, shape (V,).
    """

    character: str
    body: int | None
    color: tuple[float, float, float]
    asset: str
    material: str | None
    vertices: Indices


@dataclass(frozen=True, eq=False)
class DrawnSkin:
    """A skin as it is drawn: in its own materials where it has some, else each body in a color, with clean borders."""

    mesh: SkinnedMesh
    plan: BodyPlan

    @cached_property
    def borders(self) -> Borders:
        """Its triangles; uncut, and by material instead of body, where it has materials of its own."""
        mesh = self.mesh
        if mesh.materials:
            none = np.zeros((0, 3))
            return Borders(mesh.triangles, mesh.triangle_materials, none.astype(np.int64), none)
        weights = np.zeros((len(mesh), len(self.plan)))
        np.add.at(weights, (np.arange(len(mesh))[:, None], carriers(self.plan)[mesh.joints]), mesh.weights)
        return cut_at_borders(mesh.triangles, weights)

    def placed(self, vertices: Array) -> tuple[Array, Array]:
        """Where the drawn vertices are [m] and their normals, from where the skin's own (V, 3) are."""
        normals = self.borders.with_points(vertex_normals(vertices, self.mesh.triangles))
        return self.borders.with_points(vertices), normals / np.linalg.norm(normals, axis=1, keepdims=True)


def shown_color(material: Material) -> tuple[float, float, float]:
    """A material's color as a screen shows it."""
    red, green, blue = (float(value) ** (1.0 / 2.2) for value in material.color)
    return red, green, blue


def add_skins(
    spec: mj.MjSpec, skins: Mapping[str, DrawnSkin], layouts: Mapping[str, CharacterLayout]
) -> list[SkinPart]:
    """Put the meshes of each skin into a model for pictures, where they replace the bodies' colliders.

    Args:
        spec: What the model will be compiled from.
        skins: By character.
        layouts: Where each character sits in the model.
    """
    parts = []
    for name, skin in skins.items():
        for label in layouts[name].plan.names:
            for geom in spec.body(f"{name}/{label}").geoms:
                geom.group = _HIDDEN_GROUP
        points, normals = skin.placed(skin.mesh.vertices)
        for key in np.unique(skin.borders.bodies):
            triangles = skin.borders.triangles[skin.borders.bodies == key]
            vertices, corners = np.unique(triangles, return_inverse=True)
            if len(vertices) < _FEWEST:
                continue
            part = _part(spec, name, skin.mesh, int(key), vertices)
            asset = spec.add_mesh(name=part.asset, inertia=mj.mjtMeshInertia.mjMESH_INERTIA_SHELL)
            asset.uservert, asset.userface = points[vertices].ravel(), corners.ravel()
            asset.usernormal, asset.userfacenormal = normals[vertices].ravel(), corners.ravel()
            if part.material is not None and skin.mesh.uvs is not None:
                asset.usertexcoord, asset.userfacetexcoord = skin.mesh.uvs[vertices].ravel(), corners.ravel()
            parts.append(part)
    return parts


def _part(spec: mj.MjSpec, name: str, mesh: SkinnedMesh, key: int, vertices: Indices) -> SkinPart:
    asset = f"skin {key} of {name}"
    if not mesh.materials:
        return SkinPart(name, key, (1.0, 1.0, 1.0), asset, None, vertices)
    material = mesh.materials[key] if 0 <= key < len(mesh.materials) else Material((0.8, 0.8, 0.8))
    image = None if material.image is None or mesh.uvs is None else _unpacked(material.image)
    if image is None:
        return SkinPart(name, None, shown_color(material), asset, None, vertices)
    texture = spec.add_texture(
        name=asset, type=mj.mjtTexture.mjTEXTURE_2D, width=image.width, height=image.height, nchannel=3
    )
    texture.data = image.tobytes()
    made = spec.add_material(name=asset, specular=0.0, shininess=0.0, reflectance=0.0)
    made.textures[mj.mjtTextureRole.mjTEXROLE_RGB] = asset
    return SkinPart(name, None, shown_color(material), asset, asset, vertices)


def _unpacked(content: bytes) -> Image.Image | None:
    """A picture of a size for textures, lower row first as MuJoCo has it; None where it is none."""
    try:
        image = Image.open(io.BytesIO(content)).convert("RGB")
    except (OSError, ValueError, SyntaxError):
        return None
    image.thumbnail((_LARGEST_IMAGE, _LARGEST_IMAGE))
    return image


def move_part(model: mj.MjModel, part: SkinPart, points: Array, normals: Array) -> int:
    """Set where a part's vertices are, of all the drawn skin's; returns the number of its mesh, which is to be uploaded."""
    number = int(model.mesh(part.asset).id)
    start, first = int(model.mesh_vertadr[number]), int(model.mesh_normaladr[number])
    model.mesh_vert[start : start + len(part.vertices)] = points[part.vertices]
    model.mesh_normal[first : first + len(part.vertices)] = normals[part.vertices]
    return number
