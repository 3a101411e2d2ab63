"""How a member of a crowd hangs together: springs towards slightly bent legs with flat feet, arms and head driven.

The springs are those of the paper's balance law (`poise.control.balance.PublishedBalance`), which acts on top of them; the
trunk's is ours.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.balance import BalanceOptions, Footing
from poise.body.coordinates import body_frames
from poise.body.ground import ground_height
from poise.body.plan import BodyPlan
from poise.control.balance import CarriedBody, PublishedBalance
from poise.math import quat
from poise.world.sprung import Sprung

__all__ = ["STANDING", "sprung"]

Array = NDArray[np.float64]

STANDING = BalanceOptions(law="published", multiplier=2.0)
"""With the paper's multiplier of 1 our character stands too, but bows by another degree and a half."""
_TRUNK = (300.0, 30.0)
"""Stiffness [N m/rad] and damping [N m s/rad] of the trunk, which the paper leaves to the limbs it carries."""
_PRESSED = 1e-6
"""How deep soles begin in the ground [m]: at nothing at all, rounding would decide which of their points touch."""


def sprung(plan: BodyPlan, driven: NDArray[np.int64], options: BalanceOptions = STANDING) -> Sprung:
    """How the plan's character stands.

    Args:
        plan: The character, as `poise.body.fold.fifteen_bodies` has it.
        driven: Bodies that follow a gesture.
        options: The paper's one multiplier on all springs and dampers, and how much hips are lower than with straight knees.

    Raises:
        InputError: A leg is missing.
    """
    body, stiffness = CarriedBody(plan), options.multiplier
    springs = PublishedBalance(body, stiffness).springs
    gains, hinges = np.zeros((len(plan), 2)), dict[int, Array]()
    forward, left = (quat.rotate(quat.conj(plan.neutral), axis) for axis in ([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]))
    gains[list(plan.with_role("spine"))] = stiffness * np.array(_TRUNK)
    for thigh, shank, foot in body.legs:
        gains[thigh], gains[shank], gains[foot] = springs
        hinges[int(shank)] = left[shank][None]
        hinges[int(foot)] = np.stack([left[foot], forward[foot]])
    return Sprung(_standing(body, options.bend), gains[1:, 0], gains[1:, 1], hinges, driven)


def _standing(body: CarriedBody, bend: float) -> Array:
    """The neutral pose over feet that are flat on a floor at height 0 and touch it."""
    plan = body.plan
    row = np.zeros(plan.position_count)
    row[3::4] = 1.0
    row[3:7] = plan.neutral[0]
    row[2] -= ground_height(plan, body_frames(plan, row[None]))
    Footing(body, row, 0.0, bend).pose(row)
    row[2] -= _PRESSED
    return row
