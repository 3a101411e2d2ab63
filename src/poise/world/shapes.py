"""What a world looks like without its characters: shapes with their colors, and the bodies they belong to."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.world.heightfield_mesh import Relief, reliefs_of
from poise.world.kinematics import world_frames
from poise.world.world import World

__all__ = ["WorldShape", "body_paths", "ground_surfaces", "prop_bodies", "prop_shapes"]

Array = NDArray[np.float64]

_KINDS = {2: "sphere", 3: "capsule", 6: "box"}
"""MuJoCo's numbers for kinds of geoms (mjtGeom)."""


class WorldShape(NamedTuple):
    """A shape of a body, 0 being the world itself.

    Args:
        kind: "sphere", "capsule" or "box".
        size: As MuJoCo has it [m], shape (3,).
        position: In its body's frame [m], shape (3,).
        rotation: There, shape (4,).
        color: Red, green, blue from 0 to 1.
        body: Number of its body.
    """

    kind: str
    size: Array
    position: Array
    rotation: Array
    color: tuple[float, float, float]
    body: int


def prop_bodies(world: World) -> list[int]:
    """Numbers of the bodies that belong to no character, without the world itself."""
    taken = {int(body) for layout in world.layouts.values() for body in layout.bodies}
    return [body for body in range(1, world.model.nbody) if body not in taken]


def prop_shapes(world: World) -> tuple[WorldShape, ...]:
    """Spheres, capsules and boxes that belong to no character."""
    model, bodies, shapes = world.model, {0, *prop_bodies(world)}, list[WorldShape]()
    for geom in range(model.ngeom):
        body, kind = int(model.geom_bodyid[geom]), int(model.geom_type[geom])
        if body in bodies and kind in _KINDS:
            red, green, blue = (float(value) for value in model.geom_rgba[geom, :3])
            size, place, turn = (np.array(each[geom]) for each in (model.geom_size, model.geom_pos, model.geom_quat))
            shapes.append(WorldShape(_KINDS[kind], size, place, turn, (red, green, blue), body))
    return tuple(shapes)


def ground_surfaces(world: World) -> tuple[Relief, ...]:
    """The height fields of a world."""
    return reliefs_of(world.model)


def body_paths(world: World, positions: Array) -> tuple[Array, Array]:
    """Positions [m] (T, bodies, 3) and orientations (T, bodies, 4) of all bodies at generalized positions (T, nq)."""
    return world_frames(world.model, positions)
