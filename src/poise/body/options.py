"""How a character is weighed: what a user may say of its body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from poise import parameters
from poise.body.mass import MASS_TABLES

__all__ = ["AXES", "BODY_MASS_INDEX", "BodyOptions"]

AXES = ("motion", "rest")
"""What may tell how limbs are turned about their bones."""
BODY_MASS_INDEX = 22.5
"""Of somebody whose mass is not said [kg/m²]."""


@dataclass(frozen=True, kw_only=True)
class BodyOptions:
    """How to weigh a character."""

    table: str = parameters.choice("deleva_male", *MASS_TABLES, says="mass table: how heavy each part is")
    mass: float | None = parameters.number(
        None, 0.1, 1000.0, "kg", none=f"{BODY_MASS_INDEX:g} kg/m² times stature squared", says="total mass"
    )
    stature: float | None = parameters.number(
        None, 0.1, 10.0, "m", none="estimated from legs and trunk", says="standing height: gives mass and girths"
    )
    axes: Literal["motion", "rest"] = parameters.choice(
        "motion",
        *AXES,
        says="what tells how limbs are turned about their bones: the motion where it does, or the rest pose alone",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "body")
