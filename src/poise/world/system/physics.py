"""The same bodies as a `System`'s in MuJoCo's own contact physics, moved by nothing but torques."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.math import quat
from poise.world.divergence import forward, gave_up
from poise.world.props import Wall
from poise.world.system.build import system_spec
from poise.world.system.system import State, System
from poise.world.things import Thing

__all__ = ["Grip", "Pad", "Physics"]

Array = NDArray[np.float64]

_SURROUNDINGS, _PEOPLE, _THINGS = 1, 2, 4
"""Collision bits."""
_SUBSTEP = 0.001
"""Aimed at [s]."""
_PAD = 0.008
"""Half thickness of a palm [m]."""
_FIRM = ((0.004, 1.0), (0.95, 0.99, 0.001, 0.5, 2.0))
"""MuJoCo's `solref` and `solimp` of contacts: soles give by a tenth of a millimetre under a person's weight."""


class Grip(NamedTuple):
    """A hand that can be closed round a thing: its name, and the two bodies."""

    name: str
    thing: str
    hand: str


class Pad(NamedTuple):
    """A flat palm that can press: whose, its corners in the hand's frame [m], shape (4, 3), and the way into the hand."""

    hand: str
    corners: Array
    inward: Array


class Physics:
    """People and things in full contact physics, with nothing between them but forces.

    Soles stand on the ground and on walls by friction, palms press on things; a hand that holds a bar is fixed to it while it
    does, since it has no fingers here. Nobody meets another person or their own body.

    Args:
        plans: The people, by name.
        things: What they handle.
        gravity: Downward [m/s²].
        walls: What else there is to stand on.
        grips: What hands may hold.
        pads: Palms that press.
        friction: Of soles and palms.
    """

    def __init__(
        self,
        plans: Mapping[str, BodyPlan],
        things: Sequence[Thing],
        gravity: float,
        walls: Sequence[Wall] = (),
        grips: Sequence[Grip] = (),
        pads: Sequence[Pad] = (),
        friction: float = 0.7,
    ) -> None:
        spec = system_spec(plans, things, gravity)
        for wall in walls:
            geom = spec.worldbody.add_geom(name=wall.name, type=mj.mjtGeom.mjGEOM_BOX, size=wall.size)
            geom.pos, geom.quat = wall.position, quat.exp(np.array([0.0, 0.0, wall.yaw]))
        for number, pad in enumerate(pads):
            _add_pad(spec, f"pad {number}", pad)
        for grip in grips:
            weld = spec.add_equality(
                name=grip.name, type=mj.mjtEq.mjEQ_WELD, objtype=mj.mjtObj.mjOBJ_BODY, active=False
            )
            weld.name1, weld.name2 = grip.thing, grip.hand
        model = self.model = spec.compile()
        model.opt.timestep, model.opt.integrator = _SUBSTEP, mj.mjtIntegrator.mjINT_IMPLICITFAST
        model.opt.cone, model.opt.impratio = mj.mjtCone.mjCONE_ELLIPTIC, 10.0
        model.dof_armature[:] = 0.0
        model.geom_friction[:, 0] = friction
        model.geom_solref[:], model.geom_solimp[:] = _FIRM
        model.eq_solref[:], model.eq_solimp[:] = _FIRM
        self._grips = [grip.name for grip in grips]
        self._part_people({grip.hand for grip in grips} | {pad.hand for pad in pads}, plans)
        self.data = mj.MjData(model)

    def _part_people(self, holding: set[str], plans: Mapping[str, BodyPlan]) -> None:
        model = self.model
        for number in range(model.ngeom):
            name = model.body(model.geom_bodyid[number]).name
            owner = name.split("/")[0]
            bits = (_SURROUNDINGS, 0)
            if model.geom(number).name.startswith("pad "):
                bits = (0, _THINGS)
            elif name in holding:
                bits = (0, _SURROUNDINGS)
            elif owner in plans:
                bits = (_PEOPLE, _SURROUNDINGS)
            elif number and name != "world":
                bits = (_THINGS, _SURROUNDINGS | _PEOPLE)
            model.geom_contype[number], model.geom_conaffinity[number] = bits

    def state(self) -> State:
        """Generalized positions and velocities, as the system's of the same people and things; a copy."""
        return self.data.qpos.copy(), self.data.qvel.copy()

    def begin(self, system: System) -> None:
        """Be where a system is."""
        self.data.qpos[:], self.data.qvel[:] = system.state()
        self.weigh_as(system)
        forward(self.model, self.data)

    def weigh_as(self, system: System) -> None:
        """Take on a system's masses."""
        model, other = self.model, system.model
        model.body_mass[:], model.body_inertia[:] = other.body_mass, other.body_inertia
        model.body_subtreemass[:] = other.body_subtreemass

    def hold(self, held: Sequence[str]) -> None:
        """Have just these grips closed; one that closes now holds the thing as it is now."""
        model, data = self.model, self.data
        for number, name in enumerate(self._grips):
            if name in held and not data.eq_active[number]:
                first, second = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
                back = quat.conj(data.xquat[first])
                away = quat.rotate(back, data.xpos[second] - data.xpos[first])
                # Anchor in the second body, its place in the first, its turn in the first, share of torque.
                model.eq_data[number, :11] = [0.0, 0.0, 0.0, *away, *quat.mul(back, data.xquat[second]), 1.0]
            data.eq_active[number] = name in held

    def advance(self, dofs: NDArray[np.int64], torques: Array, seconds: float) -> None:
        """Let torques [N m] act on degrees of freedom for a while [s]."""
        count = max(1, round(seconds / _SUBSTEP))
        self.model.opt.timestep = seconds / count
        self.data.qfrc_applied[:] = 0.0
        self.data.qfrc_applied[dofs] = torques
        try:
            mj.mj_step(self.model, self.data, count)
        except mj.FatalError as error:
            raise gave_up(self.model, self.data, error) from None


def _add_pad(spec: mj.MjSpec, name: str, pad: Pad) -> None:
    """A thin box behind the corners of a palm."""
    corners, middle = np.asarray(pad.corners), np.mean(pad.corners, axis=0)
    length, width = corners[0] - corners[2], corners[0] - corners[1]
    half = [0.5 * float(np.linalg.norm(length)), 0.5 * float(np.linalg.norm(width)), _PAD]
    axes = np.stack([length / np.linalg.norm(length), width / np.linalg.norm(width)])
    turn = np.column_stack([*axes, np.cross(*axes)])
    body = spec.body(pad.hand)
    geom = body.add_geom(name=name, type=mj.mjtGeom.mjGEOM_BOX, size=half, mass=0.0)
    geom.pos, geom.quat = middle + _PAD * np.asarray(pad.inward), quat.from_matrix(turn)
