"""The ways to act on the world from outside: who moves what, welds, balls, a pool, and forces worked out at every substep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.signals import Mode
from poise.world.world import World

__all__ = [
    "Attach",
    "Command",
    "Detach",
    "Guide",
    "LeadLimbs",
    "OwnState",
    "Place",
    "Press",
    "Remove",
    "SetMass",
    "SetVelocities",
    "Soften",
    "Spawn",
    "Spin",
    "SubstepForce",
    "Take",
    "Throw",
    "Weld",
    "WorldCommand",
]

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class OwnState:
    """One character's part of the world as it is before a substep.

    Args:
        positions: Generalized positions, shape (nq,); to be read.
        velocities: Generalized velocities, shape (nv,); to be read.
        applied: Generalized force over the substep [N, N m], shape (nv,); to be added to.
        damping: Viscous damping of each coordinate, implicit in the step, shape (nv,); to be written.
    """

    positions: Array
    velocities: Array
    applied: Array
    damping: Array


class SubstepForce(Protocol):
    """A force that is worked out anew before every substep."""

    def __call__(self, own: OwnState, target: Array) -> None:
        """Add to `own.applied`, or set `own.damping`.

        Args:
            own: The character as it is.
            target: Where its drive leads at the substep's end, shape (nq,).
        """
        ...


@dataclass(frozen=True, eq=False)
class Place:
    """Put a character at generalized positions (nq of it), with velocities (nv of it) or at rest."""

    character: str
    positions: Array
    velocities: Array | None = None


@dataclass(frozen=True)
class Weld:
    """Fix what a weld of the scene can fix as it is now, or let it go."""

    name: str
    held: bool = True


@dataclass(frozen=True, eq=False)
class Throw:
    """Let a held free body go with a linear velocity (3,) [m/s]."""

    body: str
    velocity: Array


@dataclass(frozen=True, eq=False)
class Spawn:
    """Put a body of the pool (`SceneSpec.pool`) at a place (3,) [m] with a linear velocity (3,) [m/s]."""

    body: str
    position: Array
    velocity: Array = field(default_factory=lambda: np.zeros(3))


@dataclass(frozen=True)
class Remove:
    """Take a body of the pool away; it can be put somewhere again."""

    body: str


@dataclass(frozen=True)
class Spin:
    """Give a hinge a rate [rad/s]."""

    hinge: str
    rate: float


@dataclass(frozen=True, eq=False)
class Press:
    """Let a constant force in the world (3,) [N] act on a body's center of mass from now on; a character's is "name/body"."""

    body: str
    force: Array


@dataclass(frozen=True)
class SetMass:
    """Change the mass of a body [kg]; its moments of inertia change with it. A character's is "name/body"."""

    body: str
    mass: float


@dataclass(frozen=True, eq=False)
class Guide:
    """Lead a driven joint through coordinates at the ends of the present tick's substeps, shape (n, k): its first k numbers.

    A ball's joint has the ball's name and begins with its place [m].
    """

    joint: str
    path: Array


@dataclass(frozen=True)
class Take:
    """Set who moves joints that belong to no character."""

    joints: tuple[str, ...]
    mode: Mode


@dataclass(frozen=True, eq=False)
class SetVelocities:
    """Give a character generalized velocities (nv of it)."""

    character: str
    velocities: Array


@dataclass(frozen=True, eq=False)
class LeadLimbs:
    """Let some of a character's bodies be led by a force of their own at every substep: see `World.lead`.

    Args:
        character: Whose.
        bodies: Numbers in its plan; none gives all back.
        shares: Factor on the mass of each of its bodies, shape (B,).
        rotors: Moment of inertia that the joint of each of its bodies has beside that, whoever carries it [kg m²], shape (B,);
            None for none.
    """

    character: str
    bodies: Indices
    shares: Array
    rotors: Array | None = None


@dataclass(frozen=True, eq=False)
class Soften:
    """Let some of a character's bodies, by their numbers in its plan, touch as flesh does: see `World.soften`.

    Args:
        character: Whose.
        bodies: Which.
        sunk: Which of all the ground does not stop, since the clip itself has them in it.
    """

    character: str
    bodies: Indices
    sunk: Indices


@dataclass(frozen=True)
class Attach:
    """Let a force act on a character before every substep from now on."""

    character: str
    force: SubstepForce


@dataclass(frozen=True)
class Detach:
    """Let a force that was attached act no longer, nor any damping of its character's joints that it set."""

    character: str
    force: SubstepForce


Command = (
    Place
    | Weld
    | Throw
    | Spawn
    | Remove
    | Spin
    | Press
    | SetMass
    | Guide
    | Take
    | SetVelocities
    | LeadLimbs
    | Soften
    | Attach
    | Detach
)


class WorldCommand:
    """Acts on one world.

    Args:
        world: The world.
        drive: Generalized positions that `MOTION` joints are led through in the present tick, shape (n, nq).
    """

    def __init__(self, world: World, drive: Array) -> None:
        self._world, self._drive = world, drive
        self.after_modes: dict[str, Callable[[], None]] = {}
        """What has to be brought up to date when a character's joints change hands, by character."""
        model = world.model
        self._starts = {
            model.joint(joint).name: (int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint]))
            for joint in range(model.njnt)
        }
        self._hooks: dict[tuple[str, SubstepForce], Callable[[Array], None]] = {}
        self._undamped: dict[tuple[str, SubstepForce], Array] = {}

    def set_modes(self, character: str, modes: NDArray[np.int64]) -> None:
        """Set who moves each joint of a character, shape (B,); positions and velocities stay the same numbers."""
        self._world.cut.assign(self._world.layout(character).joints, modes)
        if character in self.after_modes:
            self.after_modes[character]()

    def do(self, order: Command) -> None:
        """Carry out a command.

        Raises:
            InputError: It names something the world has not.
        """
        world = self._world
        match order:
            case Place():
                world.place(order.character, order.positions, order.velocities)
            case SetVelocities():
                world.velocities[world.layout(order.character).velocities] = order.velocities
            case Weld():
                world.weld(order.name, order.held)
            case Throw():
                world.throw(order.body, order.velocity)
            case Spawn():
                world.pool.spawn(order.body, order.position, order.velocity)
            case Remove():
                world.pool.remove(order.body)
            case Take():
                world.cut.set(order.joints, order.mode)
            case LeadLimbs():
                world.lead(
                    order.character, world.layout(order.character).bodies[order.bodies], order.shares, order.rotors
                )
            case Soften():
                numbers = world.layout(order.character).bodies
                world.soften(numbers[order.bodies])
                world.cut.sink(numbers, numbers[order.sunk])
            case Attach() | Detach():
                self._hook(order)
            case Guide():
                at = self._joint(order.joint)[0]
                self._drive[:, at : at + order.path.shape[1]] = order.path
            case Spin():
                world.velocities[self._joint(order.hinge)[1]] = order.rate
            case Press():
                self._world.data.xfrc_applied[world.body_number(order.body), :3] = order.force
            case SetMass():
                world.set_mass(order.body, order.mass)

    def _hook(self, order: Attach | Detach) -> None:
        key = (order.character, order.force)
        hooks = self._world.before_substep
        if isinstance(order, Attach):
            hook = self._hooks.setdefault(key, self._hook_for(order))
            if hook not in hooks:
                self._undamped[key] = self._world.model.dof_damping[
                    self._world.layout(order.character).velocities
                ].copy()
                hooks.append(hook)
        elif self._hooks.get(key) in hooks:
            hooks.remove(self._hooks[key])
            self._world.model.dof_damping[self._world.layout(order.character).velocities] = self._undamped[key]

    def _hook_for(self, order: Attach) -> Callable[[Array], None]:
        layout, model, data = self._world.layout(order.character), self._world.model, self._world.data
        own = OwnState(
            data.qpos[layout.positions],
            data.qvel[layout.velocities],
            data.qfrc_applied[layout.velocities],
            model.dof_damping[layout.velocities],
        )
        columns, force = layout.positions, order.force
        return lambda target: force(own, target[columns])

    def _joint(self, name: str) -> tuple[int, int]:
        """Where a joint's numbers begin in (nq,) and (nv,)."""
        if name not in self._starts:
            raise unknown_name("joint", name, self._starts)
        return self._starts[name]
