"""Who may touch whom, as collision bits.

Two things of infinite mass (what is `MOTION`, and what is fixed to the world) never meet: the force between them would
mean nothing. Everything that can give way meets both kinds. Plants neither meet one another nor the ground they grow
from; the ground meets whatever can fall on it.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

__all__ = ["Surface", "bits", "paint"]

_FIRM, _LOOSE, _GROUND, _PLANT = 1, 2, 4, 8


class Surface(Enum):
    """What kind of thing a geom belongs to."""

    GROUND = "ground"
    FIXED = "fixed"
    PLANT = "plant"
    BODY = "body"


def bits(surface: Surface, *, yields: bool, sunk: bool = False) -> tuple[int, int]:
    """The geom's own bits and the bits it meets (MuJoCo's contype and conaffinity).

    Args:
        surface: What the geom belongs to.
        yields: Whether forces can move it; only a `BODY` can be either.
        sunk: Whether the ground lets it through.
    """
    if surface is Surface.GROUND:
        return _GROUND, 0
    if surface is Surface.PLANT:
        return _PLANT, _FIRM | _LOOSE
    if surface is Surface.FIXED or not yields:
        return _FIRM, _LOOSE
    return _LOOSE, _FIRM | _LOOSE | (0 if sunk else _GROUND)


def paint(geom: Any, surface: Surface) -> None:
    """Set a geom's bits; a `BODY` starts as one that yields."""
    geom.contype, geom.conaffinity = bits(surface, yields=True)
