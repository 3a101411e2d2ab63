"""Balls that are still to be thrown: pictures leave them out until shortly before, since nobody is seen to hold them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.runtime import Session
from poise.world.free_props import FreeProps
from poise.world.props import HELD, Ball

__all__ = ["without_waiting_balls"]

Array = NDArray[np.float64]

_SHOWN = 1.0
"""A ball is shown from so long before it is thrown [s]: long enough to see where it comes from."""
_AWAY = 5.0
"""Until then it is drawn so far under the ground [m]."""


def without_waiting_balls(session: Session, rows: Array, times: Array) -> Array:
    """Generalized positions of the world as they are to be drawn.

    Args:
        session: Of which they are.
        rows: As they were recorded, shape (n, nq).
        times: When [s], shape (n,).
    """
    # What is never thrown stays in sight: it hangs in the air, or is led about.
    balls = [prop for prop in session.setting.props if isinstance(prop, Ball) and prop.time < HELD]
    late = {ball.name: ball.time - _SHOWN for ball in balls}
    if not late or max(late.values()) <= 0.0:
        return rows
    drawn = rows.copy()
    for prop in FreeProps(session.world).props:
        waits = times < late.get(prop.name, -np.inf)
        drawn[waits, prop.positions + 2] = (session.setting.floor or 0.0) - _AWAY
    return drawn
