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
from poise.world.obstacle_query import _kernels
from poise.world.props import Prop, Wall
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
        geoms = np.array([geom for geom, _ in found], dtype=np.int64)
        owners = np.array([owner for _, owner in found], dtype=np.int64)
        bodies = np.array(model.geom_bodyid[geoms], dtype=np.int64)
        sizes = model.geom_size[geoms]
        shapes = np.column_stack([model.geom_type[geoms], model.geom_rbound[geoms], sizes])
        thinnest = np.where(shapes[:, 0] == _kernels.BOX, sizes.min(axis=1, initial=np.inf), sizes[:, 0])
        self._thick = 2.0 * thinnest > _HIDES
        data = world.data
        self._shapes = (shapes, geoms, owners, data.geom_xpos, data.geom_xmat)
        self._motion = (bodies, np.array(model.body_rootid[bodies], dtype=np.int64), data.cvel, data.subtree_com)
        self._scratch: dict[int, tuple[Nearest, Array]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take note of where everything is now."""
        self._world.refresh()

    def nearest(self, spots: Array, reaches: Array, leads: Array | None = None) -> Nearest:
        """See `Surroundings.nearest`; the arrays are overwritten by the next call with as many spots."""
        count = len(spots)
        if count not in self._scratch:
            shape = (count, len(self.names))
            empty = Nearest(np.zeros(shape), *(np.zeros((*shape, 3)) for _ in range(3)))
            self._scratch[count] = empty, np.zeros(count)
        result, none = self._scratch[count]
        # Of one layout, since the kernel would be compiled once more for another.
        places = np.ascontiguousarray(spots)
        _kernels.nearest(self._shapes, self._motion, places, reaches, none if leads is None else leads, tuple(result))
        return result

    def hidden(self, eye: Array, points: Array, which: NDArray[np.int64]) -> NDArray[np.bool_]:
        """See `Surroundings.hidden`."""
        result = np.zeros(len(points), dtype=np.bool_)
        _kernels.hidden(self._shapes, self._thick, eye, points, which, result)
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
