"""Who pumps a swing: every number of it changes how the swing goes, and no lean adds nothing."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from poise.behaviors.pumping import Pump, PumpOptions
from poise.errors import InputError
from poise.scenes.playground import swing


@cache
def height(options: PumpOptions) -> float:
    """Largest angle of the swing in the sixth to twelfth second [rad]."""
    session = swing().session()
    (pump,) = (each for each in session.behaviors if isinstance(each, Pump))
    pump.options = options
    angles = []
    while session.count * session.clock.tick < 12.0:
        session.tick()
        angles.append(abs(pump.angle))
    return float(np.max(angles[len(angles) // 2 :]))


@pytest.mark.parametrize(("name", "value"), [("effort", 0.0), ("full", 5.0), ("follows", 1.0)])
def test_who_leans_less_late_or_not_at_all_gets_less_high(name: str, value: float) -> None:
    assert height(PumpOptions(**{name: value})) < 0.8 * height(PumpOptions())


def test_what_is_out_of_range_is_refused() -> None:
    with pytest.raises(InputError, match=r"pump\.effort: must be a number from 0 to 1"):
        PumpOptions(effort=2.0)
