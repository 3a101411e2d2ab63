"""Fluids: how heavy they are and how they resist (Bermudez 2018, Sec. 5.2 and Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from poise import parameters
from poise.errors import unknown_name

__all__ = ["FLUIDS", "Fluid", "Sigmoid", "fluid_of_density", "named_fluid"]

Color = tuple[float, float, float]


@dataclass(frozen=True)
class Sigmoid:
    """a / (1 + exp(-b (ρ - c))) of a density ρ: the form of both parts of Eq. 8.

    Args:
        height: a, in the unit of what it gives.
        steepness: b [m³/kg].
        middle: c [kg/m³].
    """

    height: float
    steepness: float
    middle: float

    def __call__(self, density: float) -> float:
        """Its value at a density [kg/m³]."""
        return float(self.height / (1.0 + np.exp(-self.steepness * (density - self.middle))))


BASE_COEFFICIENT = Sigmoid(1.1, 0.01, 500.0)
"""C_D0 of Eq. 8: next to nothing in air, 1.09 in water as a blunt body of the textbook has, 1.1 in what is denser."""
OFFSET_FORCE = Sigmoid(233.4, 0.0062, 2320.0)
"""B of Eq. 8 [N] on `REFERENCE_AREA`: nothing in water; in mud and goo what leaves one walk the speeds of Table 1."""


@dataclass(frozen=True, kw_only=True)
class Fluid:
    """What a body moves through.

    Args:
        name: What to call it.
        color: Of its surface in pictures, linear red, green, blue.

    Raises:
        InputError: A number is not finite or out of range.
    """

    name: str
    density: float = parameters.number(low=1e-3, high=20_000.0, unit="kg/m³", says="density of the fluid")
    coefficient: float = parameters.number(
        low=0.0, high=100.0, says="the drag coefficient that remains at speed", source="C_D0 of Eq. 8"
    )
    offset: float = parameters.number(
        0.0,
        0.0,
        1e5,
        "N",
        says="force on a reference area at 1 m/s, as of a paste that has to be cut",
        source="B of Eq. 8",
    )
    viscous: float = parameters.number(
        0.0,
        says="share of it that grows with the speed, as of a paste that flows",
        source="Bingham; 0 is Eq. 8, where B is constant",
    )
    color: Color = (0.10, 0.32, 0.42)
    opacity: float = parameters.number(0.45, says="of its surface in pictures")

    def __post_init__(self) -> None:
        parameters.check(self, f"fluid {self.name}")


VISCOUS = 1.0
"""Share of B that grows with the speed in fluids of which only the density is known: pastes that flow. What yields only
(Bingham) leaves fast walkers too much of their speed and slow ones too little, since k grows with the speed."""


def fluid_of_density(name: str, density: float, *, color: Color = (0.10, 0.32, 0.42), opacity: float = 0.45) -> Fluid:
    """A fluid of which only the density [kg/m³] is known: C_D0 and B by Eq. 8's two sigmoids, B viscous."""
    return Fluid(
        name=name,
        density=density,
        coefficient=BASE_COEFFICIENT(density),
        offset=OFFSET_FORCE(density),
        viscous=VISCOUS,
        color=color,
        opacity=opacity,
    )


FLUIDS: Mapping[str, Fluid] = {
    # A sigmoid that fits water gives nothing for air; a body in wind has the textbook's coefficient all the same.
    "air": Fluid(name="air", density=1.2, coefficient=1.1, color=(0.8, 0.9, 1.0), opacity=0.0),
    "water": fluid_of_density("water", 1000.0),
    "mud": fluid_of_density("mud", 1840.0, color=(0.13, 0.075, 0.035), opacity=0.97),
    "goo": fluid_of_density("goo", 2750.0, color=(0.12, 0.34, 0.04), opacity=0.9),
    "oil": Fluid(
        name="oil", density=900.0, coefficient=1.25, offset=2.0, viscous=1.0, color=(0.05, 0.035, 0.01), opacity=0.9
    ),
    # Settled snow: light, but it has to be broken and pushed aside (a yield stress of about 1 kPa).
    "snow": Fluid(name="snow", density=300.0, coefficient=1.1, offset=60.0, color=(0.85, 0.88, 0.92), opacity=1.0),
}
"""By name. Water, mud and goo are Table 1's."""


def named_fluid(name: str) -> Fluid:
    """The fluid called `name`; raises `InputError` with the names there are."""
    if name not in FLUIDS:
        raise unknown_name("fluid", name, FLUIDS)
    return FLUIDS[name]
