"""A body of fluid: where it is, how high it stands and how it flows."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from poise.errors import InputError
from poise.fluid import _kernels
from poise.fluid.flow import Turbulence, Wave, flow_modes
from poise.fluid.fluids import Fluid

__all__ = ["FluidVolume"]

Array = NDArray[np.float64]

_BOUNDLESS = 1e9


@dataclass(frozen=True, kw_only=True)
class FluidVolume:
    """Fluid in an upright box without lid; what is under the surface and inside its sides is submerged.

    Args:
        fluid: What it is.
        level: Height of its calm surface [m].
        depth: From there to the bottom [m]; only waves ask for it.
        center: Middle of its extent [m].
        size: Lengths along its heading and across [m]; None for everywhere.
        yaw: Its heading from x [rad].
        current: Velocity all of it has [m/s], in the world.
        waves: On its surface.
        turbulence: In it.

    Raises:
        InputError: A number is not finite or out of range.
    """

    fluid: Fluid
    level: float
    depth: float = 1.0
    center: tuple[float, float] = (0.0, 0.0)
    size: tuple[float, float] | None = None
    yaw: float = 0.0
    current: tuple[float, float, float] = (0.0, 0.0, 0.0)
    waves: tuple[Wave, ...] = ()
    turbulence: Turbulence | None = field(default=None)

    def __post_init__(self) -> None:
        numbers = [self.level, self.depth, *self.center, *(self.size or (1.0, 1.0)), self.yaw, *self.current]
        source = f"volume of {self.fluid.name}"
        if not np.isfinite(numbers).all():
            raise InputError("level, depth, center, size, yaw and current must be finite numbers", source=source)
        if self.depth <= 0.0 or min(self.size or (1.0, 1.0)) <= 0.0:
            raise InputError(f"depth and size must be positive; got {self.depth:g} and {self.size}", source=source)
        if np.linalg.norm(self.current) > 10.0:
            raise InputError(f"a current of more than 10 m/s carries everything off; got {self.current}", source=source)

    @cached_property
    def extent(self) -> Array:
        """Middle (2), cosine and sine of its heading, half its sizes (2), level: what compiled loops are given, shape (7,)."""
        along, across = self.size or (_BOUNDLESS, _BOUNDLESS)
        return np.array([*self.center, np.cos(self.yaw), np.sin(self.yaw), 0.5 * along, 0.5 * across, self.level])

    @cached_property
    def modes(self) -> Array:
        """Its waves and eddies for compiled loops, shape (M, 10); see `flow_modes`."""
        return flow_modes(self.waves, self.turbulence, self.depth)

    def depths(self, points: ArrayLike, time: float = 0.0) -> Array:
        """How far below the surface points (..., 3) are [m], negative above it; -1e9 beside the volume."""
        given = np.ascontiguousarray(points, dtype=np.float64)
        out = np.empty(given.shape[:-1])
        _kernels.depths(given.reshape(-1, 3), self.extent, self.modes, time, out.reshape(-1))
        return out

    def flow(self, points: ArrayLike, time: float = 0.0) -> Array:
        """Velocity of the fluid at points (..., 3) in the world [m/s], wherever they are, shape (..., 3)."""
        given = np.ascontiguousarray(points, dtype=np.float64)
        out = np.empty(given.shape)
        current = np.array(self.current, dtype=np.float64)
        _kernels.flows(given.reshape(-1, 3), self.level, current, self.modes, time, out.reshape(-1, 3))
        return out

    @property
    def surge(self) -> float:
        """How far its surface may rise over its level [m]."""
        return float(sum(wave.amplitude for wave in self.waves))
