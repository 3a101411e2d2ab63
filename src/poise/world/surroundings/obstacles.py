"""What stands around in a world, as a person in it would meet it: closest points, how they move, what hides them.

Props are spheres, capsules and boxes, for which closest points are closed forms; one compiled pass over all shapes with a
bounding sphere first costs less than MuJoCo's general distance (GJK) for the few that are near, and gives the same
(tested).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.signals import Nearest
from poise.world.props import Prop, Wall
from poise.world.surroundings import _kernels
from poise.world.world import World

__all__ = ["Obstacles"]

Array = NDArray[np.float64]

_HIDES = 0.04
"""What is thinner than this hides nothing [m]."""


class Obstacles:
    """The props of a world; implements `poise.signals.Surroundings`.

    Args:
        world: Where they are.
        props: Which they are.
    """

    def __init__(self, world: World, props: Sequence[Prop]) -> None:
        self._world = world
        self.names = tuple(prop.name for prop in props)
        self.kinds = tuple(type(prop).__name__.lower() for prop in props)
        self.masses: Array = np.array([np.inf if isinstance(prop, Wall) else prop.mass for prop in props])
        model = world.model
        found = _shapes(model, {name: index for index, name in enumerate(self.names)})
        self._geoms = np.array([geom for geom, _ in found], dtype=np.int64)
        self._owners = np.array([owner for _, owner in found], dtype=np.int64)
        self._bodies = np.array(model.geom_bodyid[self._geoms], dtype=np.int64)
        self._roots = np.array(model.body_rootid[self._bodies], dtype=np.int64)
        sizes = model.geom_size[self._geoms]
        self._shapes = np.column_stack([model.geom_type[self._geoms], model.geom_rbound[self._geoms], sizes])
        thinnest = np.where(self._shapes[:, 0] == _kernels.BOX, sizes.min(axis=1, initial=np.inf), sizes[:, 0])
        self._thick = 2.0 * thinnest > _HIDES
        self._scratch: dict[int, Nearest] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take note of where everything is now."""
        model, data = self._world.model, self._world.data
        mj.mj_kinematics(model, data)
        mj.mj_comPos(model, data)
        mj.mj_comVel(model, data)
        self._places = data.geom_xpos[self._geoms]
        self._turns = data.geom_xmat[self._geoms]
        self._twists = data.cvel[self._bodies]
        self._pivots = data.subtree_com[self._roots]

    def nearest(self, spots: Array, reaches: Array, leads: Array | None = None) -> Nearest:
        """See `Surroundings.nearest`; the arrays are overwritten by the next call with as many spots."""
        count = len(spots)
        if count not in self._scratch:
            shape = (count, len(self.names))
            self._scratch[count] = Nearest(np.zeros(shape), *(np.zeros((*shape, 3)) for _ in range(3)))
        result = self._scratch[count]
        _kernels.nearest(
            self._shapes,
            self._places,
            self._turns,
            self._owners,
            self._twists,
            self._pivots,
            np.ascontiguousarray(spots),
            np.ascontiguousarray(reaches, dtype=np.float64),
            np.zeros(count) if leads is None else leads,
            *result,
        )
        return result

    def hidden(self, eye: Array, points: Array, which: NDArray[np.int64]) -> NDArray[np.bool_]:
        """See `Surroundings.hidden`."""
        result = np.zeros(len(points), dtype=np.bool_)
        _kernels.hidden(
            self._shapes,
            self._places,
            self._turns,
            self._owners,
            self._thick,
            np.ascontiguousarray(eye),
            np.ascontiguousarray(points),
            which,
            result,
        )
        return result


def _shapes(model: mj.MjModel, owners: Mapping[str, int]) -> list[tuple[int, int]]:
    """Geoms that belong to an obstacle, with its index: those of its bodies, or of its name where it is fixed."""
    found = []
    for geom in range(model.ngeom):
        body = model.body(int(model.geom_bodyid[geom])).name
        for name in (model.geom(geom).name, body, body.split("/")[0]):
            if name in owners:
                found.append((geom, owners[name]))
                break
    return found
