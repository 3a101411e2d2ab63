"""Surfaces of fluids in a picture: meshes of MuJoCo's whose vertices are set anew for every picture."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco as mj
import numpy as np

from poise.motion.skin import vertex_normals
from poise.signals import FluidSheet

__all__ = ["add_sheets", "move_sheet"]

_RELIEF = 2.5
"""Waves are shaded as if they were so much steeper: there is no reflected sky here that would show them."""
_WRINKLE = 0.01
"""A mesh that is compiled must not be flat [m]."""


def add_sheets(spec: mj.MjSpec, sheets: Sequence[FluidSheet]) -> None:
    """Put a mesh per surface into a model for pictures."""
    for sheet in sheets:
        vertices, triangles = sheet.vertices(0.0), sheet.triangles()
        vertices[::2, 2] += _WRINKLE
        asset = spec.add_mesh(name=_asset(sheet), inertia=mj.mjtMeshInertia.mjMESH_INERTIA_SHELL)
        asset.uservert, asset.userface = vertices.ravel(), triangles.ravel()
        asset.usernormal, asset.userfacenormal = vertex_normals(vertices, triangles).ravel(), triangles.ravel()


def move_sheet(model: mj.MjModel, sheet: FluidSheet, time: float) -> int:
    """Set where a surface is at a time [s]; returns the number of its mesh, which is then to be uploaded."""
    number = int(model.mesh(_asset(sheet)).id)
    vertices = sheet.vertices(time)
    normals = vertex_normals(vertices, sheet.triangles())
    normals[:, :2] *= _RELIEF
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    start, first = int(model.mesh_vertadr[number]), int(model.mesh_normaladr[number])
    model.mesh_vert[start : start + len(vertices)] = np.asarray(vertices, dtype=np.float32)
    model.mesh_normal[first : first + len(normals)] = normals
    return number


def _asset(sheet: FluidSheet) -> str:
    return f"surface of {sheet.name}"
