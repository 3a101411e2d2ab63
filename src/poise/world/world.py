"""The physical world: one MuJoCo model with every character and prop in it, stepped a tick at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown, unknown_name
from poise.signals import Contacts, Drive, Effort, Mode, State
from poise.world.contact import GIVING
from poise.world.contact_log import ContactLog
from poise.world.contact_settings import FLESH
from poise.world.cut import Cut
from poise.world.divergence import Divergence, Lookout, forget_warnings, forward, gave_up
from poise.world.layout import CharacterLayout
from poise.world.masks import Surface
from poise.world.pool import Pool
from poise.world.up_to_date import UpToDate

__all__ = ["Divergence", "Snapshot", "World"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Snapshot:
    """Everything a world needs to go on from an instant exactly as it did before."""

    data: mj.MjData
    modes: NDArray[np.int64]
    gains: tuple[Array, Array]
    welds: Array
    hooks: tuple[Callable[[Array], None], ...]
    model: tuple[Array, ...]
    led: NDArray[np.bool_]
    sunk: NDArray[np.bool_]
    rotors: Array


class World:
    """A compiled scene and its state.

    Args:
        model: The compiled model.
        layouts: Where each character sits in it.
        surfaces: What each geom belongs to.
        armature: Rotor inertia of `MOTION` coordinates; see `poise.world.cut`.
        spec: What the model was compiled from, where pictures shall show characters in their skins.
    """

    def __init__(
        self,
        model: mj.MjModel,
        layouts: Mapping[str, CharacterLayout],
        surfaces: Mapping[int, Surface],
        *,
        armature: float | None = None,
        spec: mj.MjSpec | None = None,
    ) -> None:
        self.model, self.spec = model, spec
        self.data = mj.MjData(model)
        self.layouts = dict(layouts)
        self.cut = Cut(model, surfaces) if armature is None else Cut(model, surfaces, armature)
        self.geom_names = tuple(_geom_name(model, geom) for geom in range(model.ngeom))
        self.contact_log = ContactLog(model)
        self._lookout = Lookout(model, self.data)
        self.timestep = float(model.opt.timestep)
        """Length of a substep [s]."""
        self._forces = np.zeros((0, model.nv))
        # Views of MuJoCo's memory that are needed in every tick.
        self._positions: Array = self.data.qpos
        self._velocities: Array = self.data.qvel
        self._actuated: Array = self.data.qfrc_actuator
        self._applied, self._controls = self.data.qfrc_applied, self.data.ctrl
        self._gains = (model.actuator_gainprm[:, 0], model.actuator_biasprm[:, 1], model.actuator_biasprm[:, 2])
        self.before_substep: list[Callable[[Array], None]] = []
        """Called before each substep with the drive's row for its end (nq,); may add to `data.qfrc_applied`."""
        self.pool = Pool(self, ())
        """What can be put there and taken away."""
        self._look_first()
        self._own_masses = np.array(model.body_mass), np.array(model.body_inertia)
        self._own_contacts = np.array(model.geom_solref), np.array(model.geom_solimp)
        self._watched = False
        """Whether anybody looks around between ticks."""
        self._forward, self._seen = (UpToDate(self.cut, self._positions, self._velocities) for _ in range(2))
        """Whether places and contacts in `data` are those that the next step begins with, and whether places at least are."""

    def _look_first(self) -> None:
        """Bring everything up to date. Several characters are inside one another until they are placed: no contacts then."""
        model, flags = self.model, self.model.opt.disableflags
        if len(self.layouts) > 1:
            model.opt.disableflags = flags | mj.mjtDisableBit.mjDSBL_CONTACT
        mj.mj_forward(model, self.data)
        model.opt.disableflags = flags

    def layout(self, character: str) -> CharacterLayout:
        """Where `character` sits in the world's arrays; raises `InputError` with the known names otherwise."""
        if character not in self.layouts:
            raise unknown_name("character", character, self.layouts)
        return self.layouts[character]

    @property
    def positions(self) -> Array:
        """Generalized positions now, shape (nq,); follows the world."""
        return self._positions

    @property
    def velocities(self) -> Array:
        """Generalized velocities over the last substep, shape (nv,); follows the world."""
        return self._velocities

    def set_state(self, positions: Array, velocities: Array | None = None) -> None:
        """Put everything at generalized positions (nq,), with velocities (nv,) or at rest."""
        self.data.qpos[:] = positions
        self.data.qvel[:] = 0.0 if velocities is None else velocities
        forward(self.model, self.data)
        self._outdate()

    def body_number(self, name: str) -> int:
        """Number of a body; raises `InputError` with the known names where there is none."""
        names = [self.model.body(body).name for body in range(self.model.nbody)]
        if name not in names:
            raise unknown_name("body", name, names)
        return names.index(name)

    def set_mass(self, body: str, mass: float) -> None:
        """Change the mass of a body [kg], its moments of inertia with it; contacts stay as firm as they were.

        Raises:
            InputError: There is no such body, it has no mass of its own, or the mass is not positive.
        """
        number = self.body_number(body)
        model, own = self.model, self._own_masses
        if not (np.isfinite(mass) and mass > 0.0) or own[0][number] <= 0.0:
            raise InputError(f"the mass of a body that can move must be positive; got {mass!r}", place=body)
        share = mass / own[0][number]
        own[0][number], own[1][number] = mass, share * own[1][number]
        # Bodies that somebody leads have lost a part of their mass on purpose (`lead`).
        model.body_mass[number] *= share
        model.body_inertia[number] *= share
        self.cut.scale_simple(number, share)
        self._outdate()

    def momentum(self, body: int) -> Array:
        """Linear [N s] and angular [N m s] momentum of a body and all below it, the latter about their center of mass, (6,)."""
        for update in (mj.mj_kinematics, mj.mj_comPos, mj.mj_comVel, mj.mj_subtreeVel):
            update(self.model, self.data)
        mass = self.model.body_subtreemass[body]
        return np.concatenate([mass * self.data.subtree_linvel[body], self.data.subtree_angmom[body]])

    def touching(self) -> tuple[NDArray[np.int64], Array]:
        """Geoms of the contacts of the last substep, shape (c, 2), and how far apart they are [m], negative inside, (c,)."""
        contact = self.data.contact
        return np.array(contact.geom, dtype=np.int64).reshape(-1, 2), np.array(contact.dist)

    def position_start(self, joint: str) -> int:
        """Where a joint's numbers begin in the generalized positions."""
        return int(self.model.jnt_qposadr[self.model.joint(joint).id])

    def sizes(self) -> tuple[int, int]:
        """How many muscles and how many joints there are."""
        return int(self.model.actuator_gainprm.shape[0]), int(self.model.njnt)

    def rest_drive(self, substeps: int) -> Drive:
        """A drive that stays where everything is now."""
        return Drive(np.tile(self.data.qpos, (substeps, 1)))

    def no_effort(self, substeps: int) -> Effort:
        """Muscles that do nothing for a tick of so many substeps."""
        muscles = self.sizes()[0]
        controls = np.zeros((substeps, self.model.nu))
        return Effort(np.zeros(muscles), np.zeros(muscles), controls, np.zeros(self.model.nv))

    def state(self) -> State:
        """Time, positions and velocities now; copies."""
        return State(float(self.data.time), self._positions.copy(), self._velocities.copy())

    def place(self, character: str, positions: Array, velocities: Array | None = None) -> None:
        """Put a character at generalized `positions` (nq of it), with `velocities` (nv of it) or at rest."""
        self.place_all({character: (positions, velocities)})

    def place_all(self, places: Mapping[str, tuple[Array, Array | None]]) -> None:
        """Put characters at generalized positions with velocities, None for at rest.

        Contacts are looked for once all stand where they belong: on the way there they would be inside one another.

        Raises:
            InputError: There are not as many numbers as a character has, or not all are finite.
            RunError: There are more contacts than there is memory for.
        """
        for character, (positions, velocities) in places.items():
            layout = self.layout(character)
            speeds = np.zeros(layout.plan.velocity_count) if velocities is None else velocities
            for values, where in ((positions, layout.positions), (speeds, layout.velocities)):
                count = where.stop - where.start
                if np.shape(values) != (count,) or not np.isfinite(values).all():
                    raise InputError(f"is put at {count} finite numbers; got {shown(values)}", place=character)
            self.data.qpos[layout.positions], self.data.qvel[layout.velocities] = positions, speeds
        forward(self.model, self.data)
        self._outdate()

    def refresh(self) -> None:
        """Bring places and velocities of all bodies and geoms in `data` up to the state, which they lag behind by a substep."""
        self._watched = True
        if not (self._seen.holds or self._forward.holds):
            for update in (mj.mj_kinematics, mj.mj_comPos, mj.mj_comVel):
                update(self.model, self.data)
            self._seen.note()

    def _outdate(self) -> None:
        """What was worked out of positions and velocities holds no longer."""
        self._forward.forget()
        self._seen.forget()

    def lead(self, character: str, led: NDArray[np.int64], shares: Array, rotors: Array | None = None) -> None:
        """Let some of a character's bodies be led by a drive of their own at every substep.

        Args:
            character: Whose.
            led: MuJoCo bodies that then count as what does not yield (`Cut.lead`) and press with little force, since they
                cannot be pressed back; none gives all back.
            shares: Factor on the mass of each of the character's bodies, shape (B,).
            rotors: See `world.command.LeadLimbs`.
        """
        model, bodies = self.model, self.layout(character).bodies
        mass, inertia = self._own_masses
        model.body_mass[bodies] = shares * mass[bodies]
        model.body_inertia[bodies] = shares[:, None] * inertia[bodies]
        mine, theirs = np.isin(model.geom_bodyid, bodies), np.isin(model.geom_bodyid, led)
        model.geom_priority[mine] = 0
        for own, now in zip(self._own_contacts, (model.geom_solref, model.geom_solimp), strict=True):
            now[mine] = own[mine]
        model.geom_priority[theirs] = 1
        model.geom_solref[theirs], model.geom_solimp[theirs] = GIVING
        self.cut.lead(bodies, led, np.zeros(len(bodies)) if rotors is None else rotors)

    def soften(self, bodies: NDArray[np.int64]) -> None:
        """Let MuJoCo bodies touch as flesh does: over two centimetres and twenty milliseconds more than bare bone would."""
        geoms = np.isin(self.model.geom_bodyid, bodies)
        for firm in ((self.model.geom_solref, self.model.geom_solimp), self._own_contacts):
            firm[0][geoms] = FLESH.time_constant, FLESH.damping_ratio
            firm[1][geoms] = FLESH.impedance

    def throw(self, body: str, velocity: Array) -> None:
        """Let a held free body go with a linear `velocity` (3,) [m/s]."""
        self.cut.set(body, Mode.PASSIVE)
        at = int(self.model.jnt_dofadr[self.model.joint(body).id])
        self.data.qvel[at : at + 6] = [*velocity, 0.0, 0.0, 0.0]

    def weld(self, weld: str, held: bool = True) -> None:
        """Fix the two bodies of a weld to one another as they are now, or let them go.

        Args:
            weld: One of `SceneSpec.welds`.
            held: Whether it holds.

        Raises:
            InputError: The setting has no such weld.
        """
        model, data = self.model, self.data
        names = [model.equality(i).name for i in range(model.neq)]
        if weld not in names:
            raise unknown_name("weld", weld, names)
        number = names.index(weld)
        first, second = int(model.eq_obj1id[number]), int(model.eq_obj2id[number])
        back, turn, away = np.zeros(4), np.zeros(4), np.zeros(3)
        mj.mju_negQuat(back, data.xquat[second])
        mj.mju_rotVecQuat(away, data.xpos[first] - data.xpos[second], back)
        mj.mju_negQuat(back, data.xquat[first])
        mj.mju_mulQuat(turn, back, data.xquat[second])
        # Anchor in the second body, anchor in the first, the second's orientation in the first, share of torque.
        model.eq_data[number, :11] = [*away, 0.0, 0.0, 0.0, *turn, 1.0]
        data.eq_active[number] = held
        self._forward.forget()

    def step(self, drive: Drive, effort: Effort | None = None) -> Contacts:
        """Play one tick: as many substeps as the drive has rows.

        Args:
            drive: Where `MOTION` joints go.
            effort: What the muscles do; None leaves them as they are.

        Returns:
            The contacts of the tick.

        Raises:
            Divergence: A coordinate stopped being a number or ran away; the world then holds the bad state.
            RunError: MuJoCo gave up.
        """
        try:
            self._play(drive, effort)
        except mj.FatalError as error:
            raise gave_up(self.model, self.data, error) from None
        self._lookout.check()
        return self.contact_log.contacts()

    def _play(self, drive: Drive, effort: Effort | None) -> None:
        """Every substep of a tick."""
        model, data, log = self.model, self.data, self.contact_log
        count = len(drive.positions)
        forces = self._force_rows(count, effort)
        forget_warnings()
        log.begin()
        self.cut.drive_forces(self._positions, self._velocities, drive.positions, forces)
        if effort is not None:
            gain, spring, damper = self._gains
            gain[:] = effort.stiffness
            np.negative(effort.stiffness, out=spring)
            np.negative(effort.damping, out=damper)
        applied, ctrl = self._applied, self._controls
        # The first half of a step was taken at the end of the last tick, unless something was changed since.
        step = mj.mj_step2 if self._forward.holds and not self.before_substep else mj.mj_step
        for substep in range(count):
            applied[:] = forces[substep]
            if effort is not None:
                ctrl[:] = effort.controls[substep]
            for hook in self.before_substep:
                hook(drive.positions[substep])
            step(model, data)
            step = mj.mj_step
            if data.ncon or log.traces:
                log.add(data)
        self._take_first_half()

    def _take_first_half(self) -> None:
        """What the next step does before it asks for forces, where somebody looks around in between: they find it done.

        Not where a hook may change what it depends on.
        """
        self._outdate()
        if self._watched and not self.before_substep:
            mj.mj_step1(self.model, self.data)
            self._forward.note()

    def _force_rows(self, count: int, effort: Effort | None) -> Array:
        if len(self._forces) != count:
            self._forces = np.zeros((count, self.model.nv))
        self._forces[:] = 0.0 if effort is None else effort.applied
        return self._forces

    def muscle_torques(self, effort: Effort) -> Array:
        """Generalized force of all muscles at the end of a tick [N m], shape (nv,): spring, damper and carried load."""
        return self._actuated + effort.applied

    def save(self) -> Snapshot:
        """A copy of the full state."""
        gains = (np.array(self.model.actuator_gainprm), np.array(self.model.actuator_biasprm))
        model = tuple(np.array(each) for each in self._rewritten())
        welds, hooks = np.array(self.model.eq_data), tuple(self.before_substep)
        cut = self.cut
        return Snapshot(copy.copy(self.data), cut.modes, gains, welds, hooks, model, cut.led, cut.sunk, cut.rotors)

    def _rewritten(self) -> tuple[Array, ...]:
        """All that commands write in place: masses, how firm contacts are, damping; to be copied and written."""
        model = self.model
        masses = model.body_mass, model.body_inertia, *self._own_masses, self.cut.own_mass
        contacts = model.geom_priority, model.geom_solref, model.geom_solimp, *self._own_contacts
        return *masses, *contacts, model.dof_damping

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a saved state; what follows is the same to the bit.

        Raises:
            InputError: It is of another scene.
        """
        rewritten = self._rewritten()
        if [now.shape for now in rewritten] != [then.shape for then in snapshot.model]:
            raise InputError("what was saved is of another scene, so there is no going back to it here")
        for now, then in zip(rewritten, snapshot.model, strict=True):
            now[:] = then
        self.cut.set_all(snapshot.modes, snapshot.led, snapshot.sunk, snapshot.rotors)
        self.before_substep[:] = snapshot.hooks
        self.model.actuator_gainprm[:], self.model.actuator_biasprm[:] = snapshot.gains
        self.model.eq_data[:] = snapshot.welds
        mj.mj_copyData(self.data, self.model, snapshot.data)
        self._outdate()


def _geom_name(model: mj.MjModel, geom: int) -> str:
    own = model.geom(geom).name
    return str(own or model.body(int(model.geom_bodyid[geom])).name)
