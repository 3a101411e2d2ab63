"""The way of a cycle that was made in place, from the foot that stands: it must not slide, so the body moves instead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math.smoothing import smoothed

__all__ = ["StanceTravel", "stance_travel"]

Array = NDArray[np.float64]

_NEAR = 0.02
"""A sole counts as standing the less the higher it is over the ground: by this scale [m]. Treadmill feet rise 5 cm and more."""
_CALM = 0.06
"""Standard deviation over time of the smoothing of the velocity [s]; shorter than a double stance."""
_WALKS = 0.35
"""Mean speed of the standing foot from which a clip that stays in place is a cycle in place [m/s]; people who stand, talk and
dance keep under 0.2."""
_STAYS = 0.3
"""How far the pelvis of a cycle in place gets at most [m]."""
_RETURNS = 0.1
"""How far from where it began it ends at most [m]; who falls over does not return."""


@dataclass(frozen=True, eq=False)
class StanceTravel:
    """How a body would have moved if the foot that stands did not slide.

    Args:
        displacement: Way over the ground since frame 0, to be added to the clip's [m], shape (T, 2).
        speed: Mean speed of that way [m/s].
        heading: Direction of the whole way from x towards y [rad].
        in_place: Whether the clip is a cycle made in place: it stays where it is while its standing foot slides.
    """

    displacement: Array
    speed: float
    heading: float
    in_place: bool


def stance_travel(soles: Array, pelvis: Array, floor: float, rate: float) -> StanceTravel:
    """Read the way from the soles: minus the velocity of what is on the ground, calmed, summed over time.

    Args:
        soles: Points of both soles in the world [m], shape (T, K, 3).
        pelvis: Where the pelvis is [m], shape (T, 3).
        floor: Height of the ground [m].
        rate: Frames per second [Hz].
    """
    if len(soles) < 3:
        return StanceTravel(np.zeros((len(soles), 2)), 0.0, 0.0, False)
    velocity = np.gradient(soles[..., :2], 1.0 / rate, axis=0)
    weights = np.exp(-(((soles[..., 2] - floor) / _NEAR) ** 2))
    total = weights.sum(axis=1)
    slid = np.einsum("tk,tkc->tc", weights, velocity) / np.maximum(total, 1e-12)[:, None]
    stands = total > 0.05
    if not stands.any():
        return StanceTravel(np.zeros((len(soles), 2)), 0.0, 0.0, False)
    frames = np.arange(len(soles))
    # In flight the body goes on as the feet left it and will find it.
    known = np.stack([np.interp(frames, frames[stands], slid[stands, axis]) for axis in range(2)], axis=1)
    calmed = -smoothed(known, _CALM * rate)
    way = np.concatenate([np.zeros((1, 2)), np.cumsum(0.5 * (calmed[1:] + calmed[:-1]), axis=0) / rate])
    speed = float(np.linalg.norm(way[-1]) * rate / (len(way) - 1))
    from_start = np.linalg.norm(pelvis - pelvis[0], axis=1)
    stays = float(from_start.max()) < _STAYS and float(from_start[-1]) < _RETURNS
    return StanceTravel(way, speed, float(np.arctan2(way[-1, 1], way[-1, 0])), stays and speed > _WALKS)
