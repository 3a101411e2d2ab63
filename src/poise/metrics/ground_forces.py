"""What the ground would have to exert for a body to move as it does."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.metrics._arrays import Array, numbers
from poise.metrics.balance import GRAVITY, centre_of_mass
from poise.metrics.bodies import Bodies
from poise.metrics.energy import angular_momentum

__all__ = ["GroundReaction", "ground_reaction", "mean_over"]


class GroundReaction(NamedTuple):
    """Force and centre of pressure of a ground that alone carries a body.

    Args:
        force: [N], shape (T, 3).
        centre: Where on the ground it would have to act [m], shape (T, 2); infinite where it carries nothing.
    """

    force: Array
    centre: Array


def mean_over(values: Array, frames: int) -> Array:
    """Running mean of rows (T, K) over so many frames; at the ends over what there is of them."""
    kernel = np.ones(max(frames, 1))
    weight = np.convolve(np.ones(len(values)), kernel, "same")
    return np.stack([np.convolve(column, kernel, "same") / weight for column in values.T], axis=1)


def ground_reaction(bodies: Bodies, rate: float, floor: ArrayLike = 0.0, *, window: float = 0.0) -> GroundReaction:
    """The force `M (c̈ + g)` and the point on the ground about which it leaves the moment `Ḣ` of the angular momentum.

    Rates are central differences of momenta, which jitter in a captured motion; `window` takes means over so long.

    Args:
        bodies: The whole body.
        rate: Frames per second [Hz].
        floor: Height of the ground [m], a number or shape (T,).
        window: Time over which forces and moments are meant [s].

    Source: the zero-moment point of Vukobratovic and Borovac 2004.

    Raises:
        InputError: There are fewer than three frames, or the rate is not positive.
    """
    if len(bodies.positions) < 3 or not rate > 0.0:
        raise InputError(
            f"a ground reaction takes three frames and a positive rate; got {len(bodies.positions)} at {rate}"
        )
    centre = centre_of_mass(bodies.positions, bodies.masses)
    speed = centre_of_mass(bodies.velocities, bodies.masses)
    force = np.gradient(speed, 1.0 / rate, axis=0)
    force[:, 2] += GRAVITY
    force *= bodies.masses.sum()
    moment = np.gradient(angular_momentum(bodies), 1.0 / rate, axis=0)
    frames = round(window * rate)
    force, moment = mean_over(force, frames), mean_over(moment, frames)
    height = centre[:, 2] - numbers("the floor", floor)
    with np.errstate(divide="ignore", invalid="ignore"):
        away = (
            np.stack([-moment[:, 1] - height * force[:, 0], moment[:, 0] - height * force[:, 1]], axis=1) / force[:, 2:]
        )
    return GroundReaction(force, np.where(force[:, 2:] > 0.0, centre[:, :2] + away, np.inf))
