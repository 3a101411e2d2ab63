"""Balls that are thrown so that they get somewhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.world.props import Ball
from poise.world.scene import SceneSpec

__all__ = ["rise", "thrown"]

Array = NDArray[np.float64]


def rise(flight: float, gravity: float = SceneSpec.gravity) -> Array:
    """What a throw rises with beside its mean velocity, and comes down with, for a flight [s]; shape (3,) [m/s]."""
    return np.array([0.0, 0.0, 0.5 * gravity * flight])


def thrown(
    name: str,
    target: Array,
    course: Array,
    flight: float,
    *,
    time: float,
    mass: float,
    radius: float = 0.1,
    gravity: float = SceneSpec.gravity,
) -> Ball:
    """A ball whose middle gets to a place in free flight.

    Args:
        name: Its name.
        target: Where to [m], shape (3,).
        course: Mean velocity on the way [m/s], shape (3,).
        flight: How long that takes [s].
        time: When it is let go [s].
        mass: [kg].
        radius: [m].
        gravity: [m/s²].
    """
    start, velocity = target - flight * course, course + rise(flight, gravity)
    return Ball(
        name=name,
        position=(float(start[0]), float(start[1]), float(start[2])),
        velocity=(float(velocity[0]), float(velocity[1]), float(velocity[2])),
        time=time,
        radius=radius,
        mass=mass,
    )
