"""What may stand in a scene file about fluids; see `schema`."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from poise.scenes.schema_types import Area, Name, Number, Plane, Strict

__all__ = ["EddiesEntry", "FluidEntry", "WaveEntry"]


class WaveEntry(Strict):
    """See `poise.fluid.Wave`; angles are in degrees."""

    amplitude: Annotated[float, Field(ge=0.0, le=2.0)]
    length: Annotated[float, Field(ge=0.05, le=1e4)]
    heading: Number = 0.0
    """Where it goes to, from x towards y."""
    phase: Number = 0.0


class EddiesEntry(Strict):
    """See `poise.fluid.Turbulence`."""

    speed: Annotated[float, Field(ge=0.0, le=10.0)]
    size: Annotated[float, Field(ge=0.01, le=100.0)] = 0.6
    seed: Annotated[int, Field(ge=0, le=2**31)] = 0


class FluidEntry(Strict):
    """A body of fluid that people wade through; see `poise.fluid.FluidVolume`."""

    fluid: Name
    """One of `poise.fluid.FLUIDS`, or any name where `density` is said."""
    density: Annotated[float, Field(gt=0.0, le=20_000.0)] | None = None
    depth: float | str
    """Of its surface over the floor, in metres or by a word of `poise.wading.DEPTHS` against the first character."""
    position: Plane | None = None
    """Middle; without it, it is everywhere."""
    size: Area | None = None
    """Along its yaw and across."""
    yaw: Number = 0.0
    current: Plane = (0.0, 0.0)
    """Along x and y [m/s]."""
    waves: Annotated[tuple[WaveEntry, ...], Field(max_length=20)] = ()
    eddies: EddiesEntry | None = None
