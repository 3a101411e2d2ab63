"""The models of an FBX file: what hangs on what, and their transforms at rest."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.errors import InputError
from poise.io.fbx.tree import FbxNode, text_of

__all__ = ["Scene", "geometric_matrix", "local_matrix", "read_scene"]

Array = NDArray[np.float64]

ORDERS = ("xyz", "xzy", "yzx", "yxz", "zxy", "zyx")
"""By FBX's number, the axes in the order in which they are applied, about fixed axes."""


@dataclass(frozen=True, eq=False)
class Scene:
    """What the objects of a file are and how they are connected.

    Args:
        objects: By number.
        models: Numbers of the models, in the file's order.
        parents: Model above each model, where there is one.
        below: Numbers of all objects that are connected to each one.
        up: Axis that is up, 0, 1 or 2.
        metres: Metres per unit of the file.
    """

    objects: dict[int, FbxNode]
    models: tuple[int, ...]
    parents: dict[int, int]
    below: dict[int, list[int]] = field(default_factory=dict)
    up: int = 1
    metres: float = 0.01

    def under(self, number: int, kind: str) -> list[int]:
        """Objects of a kind that are connected to object `number`."""
        return [each for each in self.below.get(number, []) if self.objects[each].name == kind]


def read_scene(root: FbxNode) -> Scene:
    """The scene of a parsed file; raises `InputError` where there are no models."""
    objects = {}
    for section in root.all("Objects"):
        for node in section.children:
            if node.values and isinstance(node.values[0], int):
                objects[node.values[0]] = node
    below: dict[int, list[int]] = {}
    parents: dict[int, int] = {}
    for section in root.all("Connections"):
        for link in section.all("C"):
            if len(link.values) < 3 or text_of(link.values[0]) != "OO" or link.values[1] not in objects:
                continue
            child, parent = link.values[1], link.values[2]
            below.setdefault(parent, []).append(child)
            if parent in objects and objects[parent].name == objects[child].name == "Model":
                parents.setdefault(child, parent)
    models = tuple(number for number, node in objects.items() if node.name == "Model")
    if not models:
        raise InputError("the FBX has no models")
    settings = root.first("GlobalSettings")
    table = {} if settings is None else settings.properties()
    up = int(table.get("UpAxis", (1,))[0])
    return Scene(objects, models, parents, below, up, 0.01 * float(table.get("UnitScaleFactor", (1.0,))[0]))


def _vector(table: dict[str, tuple[object, ...]], name: str, default: float = 0.0) -> Array:
    values = np.array(table.get(name, (default,) * 3)[:3], dtype=np.float64)
    if values.shape != (3,) or not np.isfinite(values).all():
        raise InputError(f"found {name} of {table[name]}; expected three finite numbers")
    return values


def _shift(vector: Array) -> Array:
    matrix = np.eye(4)
    matrix[:3, 3] = vector
    return matrix


def _turn(degrees: Array, order: str = "xyz") -> Array:
    matrix = np.eye(4)
    angles = [degrees["xyz".index(axis)] for axis in order]
    matrix[:3, :3] = Rotation.from_euler(order, angles, degrees=True).as_matrix()
    return matrix


def local_matrix(model: FbxNode) -> Array:
    """From a model's frame to that of the model above it, shape (4, 4).

    T Roff Rp Rpre R Rpost⁻¹ Rp⁻¹ Soff Sp S Sp⁻¹, as Autodesk's documentation of FBX node transforms has it.
    """
    table = model.properties()
    order = ORDERS[min(max(int(table.get("RotationOrder", (0,))[0]), 0), 5)]
    pivot, scale_pivot = _shift(_vector(table, "RotationPivot")), _shift(_vector(table, "ScalingPivot"))
    before, after = _turn(_vector(table, "PreRotation")), _turn(_vector(table, "PostRotation"))
    scale = np.diag([*_vector(table, "Lcl Scaling", 1.0), 1.0])
    moved = _shift(_vector(table, "Lcl Translation")) @ _shift(_vector(table, "RotationOffset"))
    turned = pivot @ before @ _turn(_vector(table, "Lcl Rotation"), order) @ np.linalg.inv(after) @ np.linalg.inv(pivot)
    scaled = _shift(_vector(table, "ScalingOffset")) @ scale_pivot @ scale @ np.linalg.inv(scale_pivot)
    return np.asarray(moved @ turned @ scaled)


def geometric_matrix(model: FbxNode) -> Array:
    """What is done to a model's own mesh and not to what hangs below it, shape (4, 4)."""
    table = model.properties()
    scale = np.diag([*_vector(table, "GeometricScaling", 1.0), 1.0])
    turn = _turn(_vector(table, "GeometricRotation"))
    return np.asarray(_shift(_vector(table, "GeometricTranslation")) @ turn @ scale)
