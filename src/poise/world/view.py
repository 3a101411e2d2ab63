"""What may be known of the world: read-only, and current by construction."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.signals import Contacts, Ground
from poise.world.contact import pressing
from poise.world.contact_log import NO_CONTACTS
from poise.world.obstacle_query import Obstacles
from poise.world.scene import SceneSpec
from poise.world.scene_dynamics import SceneDynamics
from poise.world.world import World

__all__ = ["Bodies", "Geoms", "Hinge", "WorldView"]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


class Geoms(NamedTuple):
    """All shapes of a world.

    Args:
        names: Of each.
        kinds: MuJoCo's numbers, such as 3 for a capsule, shape (G,).
        sizes: Shape (G, 3) [m].
        bounds: Radius of the sphere around each [m], shape (G,).
        bodies: Which each belongs to, shape (G,).
        positions: In the world [m], shape (G, 3); as of the last `WorldView.refresh`.
        rotations: Matrices row by row, shape (G, 9); as of then.
    """

    names: tuple[str, ...]
    kinds: Indices
    sizes: Array
    bounds: Array
    bodies: Indices
    positions: Array
    rotations: Array


class Bodies(NamedTuple):
    """All bodies of a world; the arrays but the first and the last are as of the last `WorldView.refresh`.

    Args:
        roots: The uppermost body of each one's tree, shape (N,).
        positions: In the world [m], shape (N, 3).
        rotations: Matrices row by row, shape (N, 9).
        twists: Angular and linear velocity about the tree's center of mass, in the world [rad/s, m/s], shape (N, 6).
        centers: Center of mass of each tree [m], shape (N, 3); a body's is its root's.
        inverse_masses: Of what one feels in hitting each [1/kg], 0 for what is fixed, shape (N,).
    """

    roots: Indices
    positions: Array
    rotations: Array
    twists: Array
    centers: Array
    inverse_masses: Array


class Hinge(NamedTuple):
    """A hinge: angle [rad], rate [rad/s], where it is [m] (3,) and about which axis it turns, in the world (3,)."""

    angle: float
    rate: float
    pivot: Array
    axis: Array


class WorldView:
    """Looks at one world.

    Args:
        world: The world.
        spec: What it was made from.
        ground: What there is to stand on.

    Attributes:
        contacts: What touched over the last tick.
        substep: Length of a substep [s].
        gravity: Downward [m/s²].
        ground: What there is to stand on.
        floor: Height of the flat floor [m]; None where there is none.
        terrain: Ground that is not flat.
    """

    def __init__(self, world: World, spec: SceneSpec, ground: Ground) -> None:
        self._world, self._props, self.ground = world, (*spec.props, *spec.pool), ground
        self.floor, self.terrain = spec.floor, tuple(spec.terrain)
        self.contacts: Contacts = NO_CONTACTS
        self.substep = world.timestep
        self.gravity = -float(world.model.opt.gravity[2])
        model, data = world.model, world.data
        # Views of MuJoCo's memory that are asked for in every tick.
        places, speeds = _read_only(data.qpos), _read_only(data.qvel)
        self._positions = {name: places[layout.positions] for name, layout in world.layouts.items()}
        self._velocities = {name: speeds[layout.velocities] for name, layout in world.layouts.items()}
        # A character's bodies are numbered on end.
        bodies = {name: layout.bodies for name, layout in world.layouts.items()}
        self._pressing = {name: data.xfrc_applied[own.min() : own.max() + 1] for name, own in bodies.items()}
        self.geoms = Geoms(
            world.geom_names,
            np.array(model.geom_type, dtype=np.int64),
            np.array(model.geom_size),
            np.array(model.geom_rbound),
            np.array(model.geom_bodyid, dtype=np.int64),
            _read_only(data.geom_xpos),
            _read_only(data.geom_xmat),
        )
        """All shapes."""
        self.bodies = Bodies(
            np.array(model.body_rootid, dtype=np.int64),
            _read_only(data.xpos),
            _read_only(data.xmat),
            _read_only(data.cvel),
            _read_only(data.subtree_com),
            np.array(model.body_invweight0[:, 0]),
        )
        """All bodies."""

    @property
    def characters(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self._world.layouts)

    def positions(self, character: str) -> Array:
        """A character's generalized positions now, shape (nq,); follows the world."""
        return self._positions[self._world.layout(character).name]

    def velocities(self, character: str) -> Array:
        """A character's generalized velocities over the last substep, shape (nv,); follows the world."""
        return self._velocities[self._world.layout(character).name]

    def accelerations(self, character: str) -> Array:
        """A character's generalized accelerations over the last substep, shape (nv,); follows the world."""
        return _read_only(self._world.data.qacc[self._world.layout(character).velocities])

    def body_numbers(self, character: str) -> Indices:
        """Where a character's bodies are among the world's, shape (B,)."""
        return self._world.layout(character).bodies

    @cached_property
    def dynamics(self) -> SceneDynamics:
        """Mass matrix, bias, Jacobians, distances and rays of the whole scene at its present state."""
        return SceneDynamics(self._world)

    @property
    def touches(self) -> bool:
        """Whether anything touched anything in the last substep."""
        return bool(self._world.data.ncon)

    def pressed(self, parts: NDArray[np.bool_], own: NDArray[np.bool_], about: Array) -> Array:
        """See `poise.world.contact.pressing`."""
        return pressing(self._world.model, self._world.data, parts, own, about)

    def is_pressed(self, character: str) -> bool:
        """Whether a force from outside acts on a character's bodies (`world.command.Press`)."""
        return bool(np.count_nonzero(self._pressing[self._world.layout(character).name]))

    def trace_contacts(self) -> None:
        """Ask for `substep_contacts` from the next tick on."""
        self._world.contact_log.traces = True

    @property
    def substep_contacts(self) -> tuple[Contacts, ...]:
        """What touched in each substep of the last tick, in order; empty before it was asked for by `trace_contacts`."""
        return tuple(self._world.contact_log.traced)

    def pressed_by(self, character: str, about: Array) -> Array:
        """What presses a body from outside (`world.command.Press`): force [N] and torque about a place (3,) [N m].

        Shape (6,).
        """
        data, bodies = self._world.data, self._world.layout(character).bodies
        forces = data.xfrc_applied[bodies, :3]
        if not forces.any():
            return np.zeros(6)
        return np.append(forces.sum(axis=0), np.cross(data.xipos[bodies] - about, forces).sum(axis=0))

    def is_welded(self, bodies: Indices) -> bool:
        """Whether any of the world's bodies with these numbers is fixed to another one now."""
        model, fixed = self._world.model, np.asarray(self._world.data.eq_active, dtype=bool)
        return bool(np.isin(bodies, (model.eq_obj1id[fixed], model.eq_obj2id[fixed])).any())

    def refresh(self) -> None:
        """Bring places and velocities of bodies and geoms up to the state; everything else always is."""
        self._world.refresh()

    def obstacles(self) -> Obstacles:
        """The props and the pool, as a person among them would meet them (`poise.signals.Surroundings`)."""
        return Obstacles(self._world, self._props)

    def hinge(self, name: str) -> Hinge:
        """A hinge now; raises `InputError` with the names there are where there is none."""
        model, data = self._world.model, self._world.data
        names = [model.joint(joint).name for joint in range(model.njnt)]
        if name not in names:
            raise unknown_name("hinge", name, names)
        joint = names.index(name)
        body = int(model.jnt_bodyid[joint])
        turn = data.xmat[body].reshape(3, 3)
        return Hinge(
            float(data.qpos[model.jnt_qposadr[joint]]),
            float(data.qvel[model.jnt_dofadr[joint]]),
            data.xpos[body] + turn @ model.jnt_pos[joint],
            turn @ model.jnt_axis[joint],
        )


def _read_only(array: Array) -> Array:
    """The same memory, which cannot be written through this."""
    view = array.view()
    view.flags.writeable = False
    return view
