"""How far hands are from the surface of what they are about."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.reproductions.alvarado2022.played import Played
from poise.world.obstacle_query import Obstacles

__all__ = ["hand_gaps"]

Array = NDArray[np.float64]

_ALONG = np.linspace(0.0, 1.0, 9)[:, None]
_FAR = 0.5


def hand_gaps(played: Played, side: str, states: NDArray[np.int64]) -> Array:
    """Distance from a hand's surface to each obstacle at some states [m], negative where they overlap, shape (n, P).

    Infinite for what is farther away than half a metre. The world is left at the last of these states.
    """
    world = played.session.world
    around = Obstacles(world, played.session.setting.props)
    hand = played.bodies(f"{side}_hand")[0]
    capsules = body_capsules(played.plan, played.actual)
    (mine,) = np.flatnonzero(capsules.bodies == hand)
    result = np.zeros((len(states), len(around.names)))
    for row, state in enumerate(states):
        positions = played.recording.positions[state]
        world.set_state(positions)
        around.refresh()
        spots = capsules.starts[state, mine] + _ALONG * (capsules.ends[state, mine] - capsules.starts[state, mine])
        nearest = around.nearest(spots, np.full(len(spots), _FAR))
        result[row] = nearest.distance.min(axis=0) - capsules.radii[mine]
    return result
