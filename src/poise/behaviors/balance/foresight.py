"""What the coming motion of arms and head will do to the balance, known before it happens.

The clip is known, so the angular momentum that its kinematic part will take up is found by inverse dynamics on a still lower
body, for every tick at once when the session begins.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.reference import Reference
from poise.body.layout import spin_columns, turn_columns
from poise.control.balance import CarriedBody
from poise.control.balance.preview import preview_weights, previewed
from poise.math import quat
from poise.signals import Mode

__all__ = ["Foresight"]

Array = NDArray[np.float64]


class Foresight:
    """The balance's knowledge of its own arms.

    Args:
        reference: Whose clip.
        body: Its mass.
        row: The pose its lower body stands in, shape (nq,).
        modes: Who moves each joint, shape (B,).
        horizon: How far ahead the clip is looked at [s]; 0 for not at all.
        tick: [s].
    """

    def __init__(
        self, reference: Reference, body: CarriedBody, row: Array, modes: NDArray[np.int64], horizon: float, tick: float
    ) -> None:
        self._tick = tick
        count = round(reference.trajectory.duration / tick) + 1 if horizon > 0.0 else 1
        self.momentum_rates: Array = np.zeros((count, 3))
        self.pressures: Array = np.zeros((count, 2))
        if horizon == 0.0:
            return
        self.momentum_rates = momentum_rates(reference, body, row, modes, tick * np.arange(count, dtype=np.float64))
        weight = body.mass * body.gravity
        shift = np.stack([-self.momentum_rates[:, 1], self.momentum_rates[:, 0]], axis=1) / weight
        frequency = float(np.sqrt(body.gravity / body.centre_of(row)[2]))
        self.pressures = previewed(shift, preview_weights(frequency, horizon, tick)) - shift

    def __deepcopy__(self, memo: dict[int, object]) -> Foresight:
        """Itself: it never changes."""
        return self

    def at(self, time: float) -> tuple[Array, Array]:
        """Shift of the centre of pressure (2,) [m] and rate of angular momentum (3,) [N m] at a time [s]."""
        k = min(round(time / self._tick), len(self.pressures) - 1)
        return self.pressures[k], self.momentum_rates[k]


def momentum_rates(
    reference: Reference, body: CarriedBody, row: Array, modes: NDArray[np.int64], times: Array
) -> Array:
    """Rate of angular momentum about the centre of mass that a clip's kinematic joints ask of a still body [N m], (T, 3)."""
    driven = np.flatnonzero(modes == Mode.MOTION)
    positions_at = turn_columns(driven)
    velocities_at = spin_columns(driven)
    pose, still, moving = row.copy(), np.zeros(body.plan.velocity_count), np.zeros(body.plan.velocity_count)
    rates = np.zeros((len(times), 3))
    for k, time in enumerate(times):
        moment = reference.trajectory.moment(float(time))
        pose[positions_at] = moment.positions[positions_at]
        still[velocities_at] = moment.velocities[velocities_at]
        moving[velocities_at] = moment.accelerations[velocities_at]
        wrench = reference.dynamics.inverse(pose, still, moving)
        arm = body.centre_of(pose) - pose[:3]
        rates[k] = quat.rotate(pose[3:7], wrench[3:6]) - np.cross(arm, wrench[:3])
    return rates
