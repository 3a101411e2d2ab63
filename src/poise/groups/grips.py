"""Hands that close round what they hold, and open when they let it go; physics has rigid ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math.easing import smoothstep
from poise.qp import Controller

__all__ = ["eased", "held", "moved"]

Array = NDArray[np.float64]

_TIME = 0.2
"""How long a hand takes to close or to open [s]."""


def held(controller: Controller, name: str) -> Array:
    """What the hands of somebody hold now: 1 and the curvature of it [1/m], or 0 and 0, shape (2, 2)."""
    grips = np.zeros((2, 2))
    for touch in controller.touches.values():
        contact = touch.contact
        for hand, side in enumerate(("left", "right")):
            if f"{name}/{side}_hand" in (contact.first, contact.second) and touch.release is None:
                grips[hand] = 1.0, 1.0 / contact.radius
    return grips


def moved(grips: Array, wanted: Array, seconds: float) -> Array:
    """Grips a while later, closing and opening evenly; a hand that opens still has the shape of what it held."""
    most = seconds / _TIME
    closed = grips[:, 0] + np.clip(wanted[:, 0] - grips[:, 0], -most, most)
    return np.stack([closed, np.where(wanted[:, 0] > 0.0, wanted[:, 1], grips[:, 1])], axis=1)


def eased(grips: Array) -> Array:
    """The same, beginning and ending gently."""
    return np.stack([smoothstep(grips[:, 0]), grips[:, 1]], axis=1)
