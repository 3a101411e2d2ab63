"""Time steps: a tick is one control frame and falls on clip frames; a substep is one physics step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["Clock"]

_TICK_RATE = 60.0
_SUBSTEP = 0.002


@dataclass(frozen=True)
class Clock:
    """How a clip's time is divided.

    A tick is the clip's period / ceil(period * 60 Hz), so a whole number of ticks makes a frame; a substep is
    tick / round(tick / 2 ms), so a whole number of substeps makes a tick.

    Args:
        ticks_per_frame: Ticks in one clip frame.
        substeps: Substeps in one tick.
        substep: Length of a substep [s].
    """

    ticks_per_frame: int
    substeps: int
    substep: float

    @property
    def tick(self) -> float:
        """Length of a tick [s]."""
        return self.substeps * self.substep

    @cached_property
    def substep_times(self) -> NDArray[np.float64]:
        """Ends of the substeps of a tick from its beginning [s], shape (n,)."""
        return self.substep * np.arange(1.0, self.substeps + 1)

    @classmethod
    def for_rate(cls, rate: float, substep: float = _SUBSTEP) -> Clock:
        """The clock of a clip with `rate` frames per second, with substeps near `substep` [s].

        Raises:
            InputError: The substep is not between 0.1 and 20 ms.
        """
        if not 1e-4 <= substep <= 0.02:
            raise InputError(f"the substep must lie between 0.1 and 20 ms; got {1e3 * substep:g} ms")
        period = 1.0 / rate
        ticks = max(1, int(np.ceil(period * _TICK_RATE - 1e-9)))
        count = max(1, round(period / ticks / substep))
        return cls(ticks, count, period / ticks / count)
