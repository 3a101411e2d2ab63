"""What fluids do to a skin, summed over all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.fluid import (
    DragForm,
    FluidVolume,
    added_mass,
    buoyancy,
    drag_on,
    drag_torque,
    submerged_part,
    turning_damping,
)

__all__ = ["FluidLoad", "SkinMotion", "fluid_load"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class SkinMotion(NamedTuple):
    """A moving skin.

    Args:
        triangles: All that could be in a fluid, shape (F, 3).
        vertices: Where they are [m], shape (V, 3).
        before: Where they were a step ago, shape (V, 3).
        step: [s].
        places: Of its joints' bind spaces now; see `BodySkin.places`.
        fullness: Volume of the body over what the skin encloses: clothes and armor make a skin larger than who is in it.
    """

    triangles: Indices
    vertices: Array
    before: Array
    step: float
    places: Array
    fullness: float = 1.0


class FluidLoad(NamedTuple):
    """What fluids do to a body.

    Args:
        force: Drag [N], shape (3,).
        damping: By how much it falls per velocity [kg/s], shape (3, 3).
        torque: Of the drag about the center of mass (Eq. 7) [N m], shape (3,).
        center: Center of pressure [m], shape (3,); NaN without drag.
        volume: Under the surface [m³].
        lift: Buoyancy [N].
        along: Mass of fluid that moves along [kg].
        turning: By how much the torque falls per rate of turning about the vertical and across [N m s].
    """

    force: Array
    damping: Array
    torque: Array
    center: Array
    volume: float
    lift: float
    along: float
    turning: tuple[float, float]


def fluid_load(
    skin: SkinMotion,
    volumes: Sequence[FluidVolume],
    about: Array,
    time: float,
    *,
    form: DragForm = DragForm.YIELD,
    drags: bool = True,
    bears: bool = True,
) -> FluidLoad:
    """What some volumes of fluid do to a moving skin.

    Args:
        skin: The skin.
        volumes: The fluids.
        about: Center of mass, about which torque is taken [m], shape (3,).
        time: [s].
        form: How drag is taken.
        drags: Whether there is drag.
        bears: Whether there is buoyancy and added mass.
    """
    force, damping, torque, weighted = np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    yaws, pitches = 0.0, 0.0
    total, volume, lift, along = 0.0, 0.0, 0.0, 0.0
    for each in volumes if len(skin.triangles) else ():
        under = each.depths(skin.vertices, time)
        if drags:
            drag = drag_on(
                skin.vertices, skin.before, skin.triangles, each, skin.step, time=time, form=form, under=under
            )
            if drag.total > 0.0:
                force, damping = force + drag.force, damping + drag.damping
                torque, (yaw, pitch) = torque + drag_torque(drag, about), turning_damping(drag, about)
                yaws, pitches = yaws + yaw, pitches + pitch
                weighted, total = weighted + drag.total * drag.center, total + drag.total
        if bears:
            part = submerged_part(skin.vertices, skin.triangles, each, time, under=under)
            part = part._replace(volume=skin.fullness * max(part.volume, 0.0))
            volume += part.volume
            lift += buoyancy(part, each.fluid.density)
            along += added_mass(part, each.fluid.density)
    center = weighted / total if total > 0.0 else np.full(3, np.nan)
    return FluidLoad(force, damping, torque, center, volume, lift, along, (yaws, pitches))
