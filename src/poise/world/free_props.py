"""Props that nothing holds: what pushes them from all sides, and what moves along with them."""

from __future__ import annotations

from typing import NamedTuple

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.signals import Mode
from poise.world.world import World

__all__ = ["FreeProp", "FreeProps", "Solid"]

Array = NDArray[np.float64]

_KINDS = {int(mj.mjtGeom.mjGEOM_SPHERE): "sphere", int(mj.mjtGeom.mjGEOM_BOX): "box"}


class Solid(NamedTuple):
    """A part of a prop: what kind, its radius or half extents [m] (3,), and where it is in the prop (3,) and (4,)."""

    kind: str
    size: Array
    position: Array
    rotation: Array


class FreeProp(NamedTuple):
    """A prop that moves freely.

    Args:
        name: Of its joint and body.
        solids: What it is made of.
        positions: Where its seven generalized positions begin.
        velocities: Where its six velocities begin.
        joint: Its number.
    """

    name: str
    solids: tuple[Solid, ...]
    positions: int
    velocities: int
    joint: int

    @property
    def columns(self) -> slice:
        """Its seven columns of the world's generalized positions."""
        return slice(self.positions, self.positions + 7)


class FreeProps:
    """The props of a world that move freely, made of spheres and boxes alone.

    Args:
        world: Where they are.
    """

    def __init__(self, world: World) -> None:
        self._world, model = world, world.model
        theirs = {int(body) for layout in world.layouts.values() for body in layout.bodies}
        self.props: tuple[FreeProp, ...] = tuple(
            prop
            for joint in np.flatnonzero(model.jnt_type == mj.mjtJoint.mjJNT_FREE)
            if int(model.jnt_bodyid[joint]) not in theirs and (prop := _prop(model, int(joint))) is not None
        )

    @property
    def substep(self) -> float:
        """[s]."""
        return self._world.timestep

    @property
    def time(self) -> float:
        """Now [s]."""
        return float(self._world.data.time)

    def loose(self) -> NDArray[np.bool_]:
        """Which of them nobody holds or leads now."""
        modes = self._world.cut.modes
        return np.array([modes[prop.joint] == Mode.PASSIVE for prop in self.props], dtype=bool)

    def state(self, prop: FreeProp) -> tuple[Array, Array]:
        """Where one is (7,) and how fast: linear in the world [m/s], angular in its own frame [rad/s] (6,); now, to be read."""
        at, rate = prop.positions, prop.velocities
        return self._world.positions[at : at + 7], self._world.velocities[rate : rate + 6]

    def push(self, prop: FreeProp, wrench: Array, along: Array) -> None:
        """Push one over the next substep.

        Args:
            prop: Which.
            wrench: Force in the world [N] (3), torque about its joint in its own frame [N m] (3).
            along: Mass [kg] (3) and moments of inertia [kg m²] (3) that have to be speeded up with it and weigh nothing.
        """
        at = prop.velocities
        self._world.data.qfrc_applied[at : at + 6] += wrench
        self._world.cut.burden(at, along)


def _prop(model: mj.MjModel, joint: int) -> FreeProp | None:
    body = int(model.jnt_bodyid[joint])
    first, count = int(model.body_geomadr[body]), int(model.body_geomnum[body])
    geoms = range(first, first + count)
    if not count or any(int(model.geom_type[geom]) not in _KINDS for geom in geoms):
        return None
    solids = tuple(
        Solid(
            _KINDS[int(model.geom_type[geom])],
            np.array(model.geom_size[geom]),
            np.array(model.geom_pos[geom]),
            np.array(model.geom_quat[geom]),
        )
        for geom in geoms
    )
    starts = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
    return FreeProp(model.body(body).name, solids, *starts, joint)
