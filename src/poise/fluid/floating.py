"""Rigid bodies in a fluid: what bears, drags and slows them, and what of the fluid moves along."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.fluid.drag import DragForm, drag_law
from poise.fluid.volume import FluidVolume

__all__ = ["FloatingMesh", "Floats", "box_mesh", "float_on", "merged", "sphere_mesh"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]

_ROUND = 0.47 / 1.1
"""Drag coefficient of a sphere over that of a blunt body, which fluids have (Hoerner 1965)."""
_ALONG = 0.5
"""Mass of fluid that has to be speeded up with a body, over the mass displaced: that of a sphere (Lamb 1932)."""
_FINE = 2
"""How often the faces of an icosahedron are divided for a sphere."""


class FloatingMesh(NamedTuple):
    """A closed mesh in the frame of a rigid body.

    Args:
        vertices: [m], shape (V, 3).
        triangles: Counter-clockwise seen from outside, shape (F, 3).
        volume: [m³].
        bluntness: Its drag coefficient over a blunt body's.
        bound: No vertex is farther from the body's origin [m].
    """

    vertices: Array
    triangles: Indices
    volume: float
    bluntness: float
    bound: float


class Floats(NamedTuple):
    """What a fluid does to a rigid body.

    Args:
        wrench: Force in the world [N] (3), torque about the body's origin in its own frame [N m] (3).
        volume: Under the surface [m³].
        along: Mass of fluid that moves along [kg].
        damping: By how much drag falls per velocity at most [kg/s].
    """

    wrench: Array
    volume: float
    along: float
    damping: float


def sphere_mesh(radius: float) -> FloatingMesh:
    """A sphere of a radius [m], with its very volume."""
    vertices, triangles = _ball()
    return FloatingMesh(radius * vertices, triangles, 4.0 / 3.0 * np.pi * radius**3, _ROUND, 1.01 * radius)


@lru_cache(maxsize=1)
def _ball() -> tuple[Array, Indices]:
    # Slow to import (docs/architecture.md, decision 12).
    import trimesh

    ball = trimesh.creation.icosphere(_FINE)
    larger = (4.0 / 3.0 * np.pi / float(ball.volume)) ** (1.0 / 3.0)
    return larger * np.asarray(ball.vertices, dtype=np.float64), np.asarray(ball.faces, dtype=np.int64)


def box_mesh(half: Array) -> FloatingMesh:
    """A box of half extents (3,) [m]; each side has eight triangles, so that one that turns is held back."""
    # Slow to import (docs/architecture.md, decision 12).
    import trimesh

    box = trimesh.creation.box(2.0 * np.asarray(half)).subdivide()
    vertices, triangles = np.asarray(box.vertices, dtype=np.float64), np.asarray(box.faces, dtype=np.int64)
    return FloatingMesh(vertices, triangles, float(8.0 * np.prod(half)), 1.0, float(np.linalg.norm(half)))


def merged(*meshes: FloatingMesh) -> FloatingMesh:
    """Several as one body; where they overlap it counts twice."""
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    return FloatingMesh(
        np.concatenate([mesh.vertices for mesh in meshes]),
        np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)]),
        sum(mesh.volume for mesh in meshes),
        max(mesh.bluntness for mesh in meshes),
        max(mesh.bound for mesh in meshes),
    )


def float_on(
    mesh: FloatingMesh, positions: Array, velocities: Array, volume: FluidVolume, step: float, time: float
) -> Floats:
    """What a volume does to a rigid body: buoyancy, drag, and the waves it sends away where it bobs.

    Args:
        mesh: Its shape.
        positions: Place [m] (3) and orientation wxyz (4).
        velocities: Linear in the world [m/s] (3), angular in its own frame [rad/s] (3).
        volume: The fluid.
        step: Over which its motion is looked at [s].
        time: Of waves and eddies [s].
    """
    # Slow to import (docs/architecture.md, decision 12).
    from poise.fluid import _floating

    law = drag_law(volume, DragForm.YIELD, step, time)
    law[0] *= mesh.bluntness
    state, density = np.concatenate([positions, velocities]), volume.fluid.density
    out, flows = np.empty(8), (volume.extent, np.array(volume.current), volume.modes)
    _floating.float_rigid(mesh.vertices, mesh.triangles, state, np.array([mesh.volume, density]), law, flows, out)
    return Floats(out[:6], float(out[6]), _ALONG * density * float(out[6]), float(out[7]))
