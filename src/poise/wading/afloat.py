"""Props in a session's fluids: they float, sink and drift."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.fluid import FloatingMesh, FluidVolume, box_mesh, float_on, merged, sphere_mesh
from poise.math import quat
from poise.world.free_props import FreeProp, FreeProps, Solid

__all__ = ["Afloat", "prop_mesh"]

Array = NDArray[np.float64]


class Afloat:
    """Called before every substep of a world.

    The slope of the drag is put into the mass of what moves along, times the step: so light things are stable in thick fluid.

    Args:
        props: What may come into fluid.
        volumes: What stands there.
    """

    def __init__(self, props: FreeProps, volumes: Sequence[FluidVolume]) -> None:
        self._props, self._volumes = props, tuple(volumes)
        self.shapes = tuple((prop, prop_mesh(prop)) for prop in props.props)
        """Each with its mesh in its own frame."""

    def __call__(self, target: Array) -> None:
        """Push what is in fluid over the next substep."""
        props = self._props
        for (prop, mesh), loose in zip(self.shapes, props.loose(), strict=True):
            if loose:
                self._push(prop, mesh)

    def _push(self, prop: FreeProp, mesh: FloatingMesh) -> None:
        props, step = self._props, self._props.substep
        positions, velocities = props.state(prop)
        wrench, along = np.zeros(6), np.zeros(6)
        for volume in self._volumes:
            if positions[2] - mesh.bound > volume.level + volume.surge or not _is_near(volume, positions, mesh.bound):
                continue
            floats = float_on(mesh, positions, velocities, volume, step, props.time)
            wrench += floats.wrench
            along[:3] += floats.along + step * floats.damping
            along[3:] += step * floats.damping * mesh.bound**2
        # What has come out again has nothing to speed up but itself.
        props.push(prop, wrench, along)


def _is_near(volume: FluidVolume, place: Array, bound: float) -> bool:
    x, y, cosine, sine, along, across, _ = volume.extent
    away, aside = float(place[0] - x), float(place[1] - y)
    return bool(
        abs(cosine * away + sine * aside) < along + bound and abs(cosine * aside - sine * away) < across + bound
    )


def prop_mesh(prop: FreeProp) -> FloatingMesh:
    """The shape of a prop, in its frame."""
    return merged(*(_placed(solid) for solid in prop.solids))


def _placed(solid: Solid) -> FloatingMesh:
    own = sphere_mesh(float(solid.size[0])) if solid.kind == "sphere" else box_mesh(solid.size)
    vertices = quat.rotate(solid.rotation, own.vertices) + solid.position
    return own._replace(vertices=vertices, bound=own.bound + float(np.linalg.norm(solid.position)))
