"""The cut between motion and physics: which joints follow a drive, and how they are made to.

A `MOTION` joint gets a huge rotor inertia A on its coordinates (`dof_armature`) and the generalized force A times the
acceleration its drive asks for. It then follows the drive to rounding, also under contact, and acts on contacts as an
infinite mass; and because a rotor's inertia is felt on its own coordinate alone, the rest of the body feels the true
reaction. That is exact hybrid dynamics (Featherstone, Rigid Body Dynamics Algorithms, ch. 9) without a second engine.
Alvarado 2022 (trunk `MOTION`, arms `TORQUE`) and van Welbergen 2009 (trunk and legs `TORQUE`, arms `MOTION`) are two
values of one array.

Three traps, each a test: the solver's stopping rule scales with the trace of the mass matrix, so the tolerance is 1e-14;
the model's derived constants must not be computed again with the armature in place (contact stiffness comes from them); and
joints MuJoCo calls simple take their mass from `dof_M0`, which is written too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.errors import unknown_name
from poise.signals import Mode
from poise.world import _kernels
from poise.world.masks import Surface, bits

__all__ = ["ARMATURE", "Cut"]

Array = NDArray[np.float64]

ARMATURE = 1e10
"""Rotor inertia of `MOTION` coordinates [kg m² or kg]."""
_BITS = np.array([[bits(Surface.BODY, yields=yields, sunk=sunk) for sunk in (False, True)] for yields in (False, True)])
"""Bits of a body's geoms, by whether it yields and whether it is sunk, shape (2, 2, 2)."""


class Cut:
    """The mode of every joint of a model, and the forces that drive the `MOTION` ones.

    Args:
        model: The compiled model; its armature, `dof_M0` and collision bits are rewritten by mode changes.
        surfaces: What each geom belongs to; only a `BODY` changes its bits with the mode.
        armature: Rotor inertia of `MOTION` coordinates.
    """

    def __init__(self, model: mj.MjModel, surfaces: Mapping[int, Surface], armature: float = ARMATURE) -> None:
        self._model = model
        self._armature = armature
        self._own_armature = np.array(model.dof_armature)
        self.own_mass: Array = np.array(model.dof_M0)
        """What joints MuJoCo calls simple take for their mass, without rotor inertia, shape (nv,)."""
        self._simple = np.flatnonzero(model.dof_simplenum > 0)
        self._bodies = np.array([geom for geom, surface in surfaces.items() if surface is Surface.BODY], dtype=np.int64)
        self._names = tuple(model.joint(j).name for j in range(model.njnt))
        self._modes = np.full(model.njnt, int(Mode.PASSIVE))
        self._scratch, self._timestep = np.zeros(model.nv), float(model.opt.timestep)
        self._led = np.zeros(model.nbody, dtype=bool)
        self._sunk = np.zeros(model.nbody, dtype=bool)
        self._rotors = np.zeros(model.nv)
        self.changes = 0
        """How often modes were set: what was told from the model before holds no longer."""
        self._apply()

    @property
    def modes(self) -> NDArray[np.int64]:
        """Mode of every joint, shape (njnt,); a copy."""
        return self._modes.copy()

    def mode(self, joint: str) -> Mode:
        """Mode of the joint called `joint`."""
        return Mode(self._modes[self._joint(joint)])

    def set(self, joints: str | Iterable[str], mode: Mode) -> None:
        """Change the mode of joints by name; positions and velocities stay the same numbers."""
        for name in [joints] if isinstance(joints, str) else joints:
            self._modes[self._joint(name)] = int(mode)
        self._apply()

    def assign(self, joints: NDArray[np.int64], modes: NDArray[np.int64]) -> None:
        """Change the mode of joints by index."""
        self._modes[joints] = modes
        self._apply()

    @property
    def led(self) -> NDArray[np.bool_]:
        """Whether each body is led by somebody (`lead`), shape (nbody,); a copy."""
        return self._led.copy()

    @property
    def sunk(self) -> NDArray[np.bool_]:
        """Whether the ground does not stop each body (`sink`), shape (nbody,); a copy."""
        return self._sunk.copy()

    @property
    def rotors(self) -> Array:
        """Rotor inertia of coordinates that obey physics (`lead`) [kg m²], shape (nv,); a copy."""
        return self._rotors.copy()

    def set_all(
        self,
        modes: NDArray[np.int64],
        led: NDArray[np.bool_] | None = None,
        sunk: NDArray[np.bool_] | None = None,
        rotors: Array | None = None,
    ) -> None:
        """Set the mode of every joint (njnt,), which bodies are led and sunk (nbody,), and rotors (nv,); None leaves that."""
        self._modes[:] = modes
        if rotors is not None:
            self._rotors[:] = rotors
        if led is not None:
            self._led[:] = led
        if sunk is not None:
            self._sunk[:] = sunk
        self._apply()

    def scale_simple(self, body: int, share: float) -> None:
        """A body's mass was multiplied: those joints MuJoCo calls simple take theirs from a table of its own."""
        mine = self._simple[self._model.dof_bodyid[self._simple] == body]
        self.own_mass[mine] *= share
        self._apply()

    def burden(self, start: int, along: Array) -> None:
        """Let something be speeded up with coordinates that obey physics, from `start` on: masses or moments of inertia (n,).

        It weighs nothing, like the fluid around a body; every change of modes takes it away again.
        """
        coordinates = slice(start, start + len(along))
        self._model.dof_armature[coordinates] = self._own_armature[coordinates] + along
        simple = self._model.dof_simplenum[coordinates] > 0
        mine = self.own_mass[coordinates] + along
        self._model.dof_M0[coordinates] = np.where(simple, mine, self._model.dof_M0[coordinates])

    def lead(self, bodies: NDArray[np.int64], led: NDArray[np.int64], rotors: Array) -> None:
        """Of `bodies`, let those in `led` count as what does not yield, whatever carries them.

        Somebody leads them to where they belong at every substep (legs to planted feet). `rotors` are moments of inertia that
        the ball joints of the bodies have of their own while nobody drives them [kg m²], shape (n,).
        """
        self._led[bodies] = False
        self._led[led] = True
        for body, rotor in zip(bodies, rotors, strict=True):
            start, count = self._model.body_dofadr[body], self._model.body_dofnum[body]
            self._rotors[start : start + count] = rotor
        self._apply()

    def sink(self, bodies: NDArray[np.int64], sunk: NDArray[np.int64]) -> None:
        """Of `bodies` that yield, let the ground not stop those in `sunk`: their motion has them in it."""
        self._sunk[bodies] = False
        self._sunk[sunk] = True
        self._apply()

    def _joint(self, name: str) -> int:
        if name not in self._names:
            raise unknown_name("joint", name, self._names)
        return self._names.index(name)

    def _apply(self) -> None:
        model = self._model
        self.changes += 1
        driven = self._modes == Mode.MOTION
        extra = np.where(driven[model.dof_jntid], self._armature, self._rotors)
        model.dof_armature[:] = self._own_armature + extra
        model.dof_M0[self._simple] = (self.own_mass + extra)[self._simple]
        joints = np.flatnonzero(driven)
        self._kinds = np.array(model.jnt_type[joints], dtype=np.int64)
        self._position_at = np.array(model.jnt_qposadr[joints], dtype=np.int64)
        self._velocity_at = np.array(model.jnt_dofadr[joints], dtype=np.int64)
        self._repaint(driven)

    def _repaint(self, driven: NDArray[np.bool_]) -> None:
        """A geom yields if any joint between it and the world does, and nobody leads it."""
        model = self._model
        yields = np.zeros(model.nbody, dtype=bool)
        _kernels.carried(model.body_parentid, model.body_jntadr, model.body_jntnum, driven, yields)
        yields &= ~self._led
        bodies = model.geom_bodyid[self._bodies]
        painted = _BITS[yields[bodies].astype(np.int64), self._sunk[bodies].astype(np.int64)]
        model.geom_contype[self._bodies], model.geom_conaffinity[self._bodies] = painted.T

    def drive_forces(self, positions: Array, velocities: Array, targets: Array, forces: Array) -> None:
        """Add to `forces` (n, nv) what brings `MOTION` joints to `targets` (n, nq), one row per substep.

        Args:
            positions: Generalized positions now, shape (nq,).
            velocities: Generalized velocities now, shape (nv,).
            targets: Generalized positions at the end of each substep, shape (n, nq).
            forces: Generalized forces per substep, shape (n, nv); written.
        """
        self._scratch[:] = velocities
        _kernels.drive_forces(
            (self._kinds, self._position_at, self._velocity_at),
            self._armature,
            self._timestep,
            positions,
            self._scratch,
            targets,
            forces,
        )
