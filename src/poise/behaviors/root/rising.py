"""How much higher the ground is where feet land that do not land where their clip has them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.stepping import StepPlanner
from poise.locomotion.stepping.plane import carried_places
from poise.world.view import WorldView

__all__ = ["rises"]

Array = NDArray[np.float64]


def rises(view: WorldView, planner: StepPlanner, time: float) -> Array:
    """How much higher the ground is where each foot lands than where the clip has it [m], shape (2,).

    Args:
        view: The world.
        planner: Of the feet.
        time: Of the clip [s].
    """
    if not view.terrain or planner.state.is_home:
        return np.zeros(2)
    spots = planner.landing_spots(time)[:, :2]
    there = carried_places(planner.state.landing, spots)
    return np.nan_to_num(view.ground.height(there) - view.ground.height(spots))
