"""What may stand in a scene file about fluids; see `schema`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from poise.fluid import Fluid, Turbulence, Wave
from poise.scenes.schema_types import Area, Name, Number, Plane, Strict
from poise.scenes.stated import One, Stated, Values

__all__ = ["FluidEntry"]


class FluidEntry(Strict):
    """A body of fluid that people wade through; see `poise.fluid.FluidVolume`."""

    fluid: Name
    """One of `poise.fluid.FLUIDS`, or any name where `density` is said."""
    density: Annotated[float, One(Fluid, "density")] | None = None
    depth: float | str
    """Of its surface over the floor, in metres or by a word of `poise.wading.DEPTHS` against the first character."""
    position: Plane | None = None
    """Middle; without it, it is everywhere."""
    size: Area | None = None
    """Along its yaw and across."""
    yaw: Number = 0.0
    current: Plane = (0.0, 0.0)
    """Along x and y [m/s]."""
    waves: Annotated[tuple[Annotated[Values, Stated(Wave)], ...], Field(max_length=20)] = ()
    eddies: Annotated[Values, Stated(Turbulence)] | None = None
