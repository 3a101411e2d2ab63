"""A root that yields: what pushes the body moves it, and its feet catch it.

While nothing comes near, the root sleeps: everything but the physical limbs is `MOTION` and has the clip's values. When
something comes near or touches, pelvis, trunk, neck and clavicles are let go from where they are, as fast as they are: the
pelvis is `PASSIVE` and carried by the wrench of `control.root`, the trunk `TORQUE`, and the legs follow by inverse kinematics
from the feet that `locomotion.stepping` plans, substep by substep. When all is quiet and back in place they are led onto
their motion again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.behavior import Contribution
from poise.behaviors.reference import Reference
from poise.behaviors.root import _kernels
from poise.behaviors.root.aside import displaced, pushed_off
from poise.behaviors.root.at_ease import stand_at_ease
from poise.behaviors.root.back import led_back, ready_to_sleep
from poise.behaviors.root.feed import Feed
from poise.behaviors.root.flesh import flesh_of, sunk_in
from poise.behaviors.root.hurdles import Hurdles
from poise.behaviors.root.leg_contacts import LegContacts
from poise.behaviors.root.legs import Legs
from poise.behaviors.root.near import Nearness
from poise.behaviors.root.pressed import Pressed
from poise.behaviors.root.recovery import Recovery, thrown_off
from poise.behaviors.root.rising import rises
from poise.behaviors.root.standing_feet import stand_astray
from poise.behaviors.root.state import RootState, turned_inertia
from poise.behaviors.root.strength import TrunkStrength
from poise.behaviors.root.substeps import Substeps
from poise.behaviors.root.tenser import Tenser
from poise.behaviors.root.waiting import waited
from poise.behaviors.root.yielding_legs import YieldingLegs
from poise.body.coordinates import body_frames
from poise.body.layout import turn_columns
from poise.body.trajectory import note_motion
from poise.control.falling import Falling
from poise.control.root import ROOTS, Root, RootDrive, lean_against, leg_shares
from poise.errors import InputError, unknown_name
from poise.ik import relaxed_positions
from poise.locomotion.gait import Gait
from poise.locomotion.stepping import STEPS, StepMoment, StepOptions, StepPlanner
from poise.signals import Mode
from poise.world.command import Attach, Detach, LeadLimbs, SetVelocities, Soften
from poise.world.dynamics import CharacterDynamics
from poise.world.view import WorldView

__all__ = ["CompliantRoot"]

Array = NDArray[np.float64]


class CompliantRoot:
    """The root of one character; see the module. `around.surrounded` puts it around the character's other behaviors.

    Args:
        drive: How it is held.
        stepping: How it steps.
        gait: Of the clip.
        floor: Height of the ground that the clip was made on [m].

    `refusal` is why it cannot be physical, if so; `beside` is how fast the pelvis goes beside its motion [m/s], `catches` what
    slows that down at most [m/s²].
    """

    refusal: str = "it has no balance of its own"

    def __init__(self, drive: RootDrive, stepping: StepOptions, gait: Gait, floor: float) -> None:
        self._drive, self._stepping, self._gait, self._floor = drive, stepping, gait, floor

    def start(self, view: WorldView, reference: Reference) -> None:
        """Take note of whose root it is.

        Raises:
            InputError: The character lacks legs, feet or arms, or its pelvis does not follow its clip.
        """
        plan, count, drive = reference.plan, len(reference.rows), self._drive
        if reference.modes[0] != Mode.MOTION:
            raise InputError("a compliant root needs a pelvis that follows the clip", place="root")
        self._reference, self._plan, self._tick, self._h = reference, plan, reference.tick, view.substep
        self._times = view.substep * np.arange(1.0, count + 1)
        self._legs = Legs(plan, count)
        self._near = Nearness(view, reference, drive.noticing)
        self._shares = leg_shares(plan, drive.bearing)
        dynamics = CharacterDynamics(plan, view.gravity)
        dynamics.weigh(self._shares)
        start = reference.trajectory.moment(0.0)
        self._weight = plan.total_mass * view.gravity
        matrix = reference.dynamics.mass_matrix(start.positions)[3:6, 3:6]
        turn = turned_inertia(matrix, plan.neutral[0])
        most = np.repeat([drive.bearing.extra, drive.bearing.extra_torque], 3)
        self._feed = Feed(dynamics, self._weight * most, count)
        self._gains = self._drive.on(plan.total_mass, turn, view.gravity, plan.neutral[0])
        frames = self._keys = body_frames(plan, reference.trajectory.keys)
        high = max(float(np.median(frames.positions[:, 0, 2])) - self._floor, 0.3)
        spots, pendulum = frames.positions[:, self._legs.feet], float(np.sqrt(view.gravity / high))
        self.planner = StepPlanner(self._gait, spots, self._legs.bones, pendulum, count, self._tick, self._stepping)
        arms = [b for arm in plan.with_role("left_upper_arm", "right_upper_arm") for b in plan.subtree(arm)]
        self._upper = np.setdiff1d(np.arange(1, len(plan)), self._legs.bodies)
        self._trunk, self._rest = np.setdiff1d(self._upper, arms), relaxed_positions(plan)
        self.state = RootState.of(start.positions, start.velocities)
        self.state.steps, self.state.memory = self.planner.state, self._legs.memory
        self._hurdles = Hurdles(view, reference, self._legs, spots, self.planner, self._floor)
        self.state.hurdles = self._hurdles.state
        contacts = LegContacts(view, reference, self._legs, drive.yielding)
        self._yields = YieldingLegs(reference, self._legs, contacts, (self._weight, self._shares), drive.yielding)
        self.state.legs = self._yields.state
        self._clip, self._shown = reference.rows.copy(), np.empty((count, 7))
        self._away, self._heading = np.zeros(3), np.array([1.0, 0.0])
        self.beside, self.catches = np.zeros(2), self._drive.force * view.gravity
        self._recovery = Recovery(plan, drive.recovering, self._tick)
        self._strength = TrunkStrength(reference, self._trunk, drive.bearing.roomy)
        tense = np.where(np.isin(self._trunk, plan.with_role("neck", "head")), drive.neck, drive.trunk)
        self._tenser = Tenser(self._trunk - 1, tense, len(plan) - 1)
        self._pressed = Pressed(view, reference.name, self._legs.bodies, drive.bearing.shoves * self._weight)
        self._substeps = Substeps(self._gains, self._legs, self._pressed, self._clip, self._h)

    # Whether it sleeps

    @property
    def awake(self) -> bool:
        """Whether the root yields."""
        return self.state.awake

    @property
    def flesh(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Bodies that touch as flesh does, and those that the clip itself has in the ground somewhere."""
        sunk = sunk_in(self._plan, self._keys, self._floor - self._drive.bearing.sinks)
        return flesh_of(self._plan, self._legs.feet), sunk

    def check(self, root: Root) -> None:
        """Raise `InputError` where it cannot become that."""
        if root not in ROOTS:
            raise unknown_name("root", root, ROOTS)
        if root == "physical" and self.refusal:
            raise InputError(f"cannot be physical: {self.refusal}", source=self._reference.name, place="root")
        if self.state.fell:
            raise InputError("fell, and nobody gets up again", source=self._reference.name, place="root")

    def become(self, root: Root) -> None:
        """Let the root follow its clip, yield or be physical, as soon as it can without a jump.

        Raises:
            InputError: It cannot.
        """
        self.check(root)
        self.state.may = root != "kinematic"

    @property
    def falling(self) -> Falling:
        """When it falls, and how."""
        return self._drive.falling

    @property
    def may_fall(self) -> bool:
        """Whether it lets its body fall that it does not catch."""
        return self._drive.falls and self.state.awake

    @property
    def is_physical(self) -> bool:
        """Whether nothing holds the pelvis."""
        return False

    @property
    def lost(self) -> bool:
        """Whether it is physical and nothing can keep it up any more."""
        return False

    def let_go(self, wanted: Contribution) -> None:
        """Hold the body no more, from now on."""
        self.state.awake = self.state.may = False
        self.state.fell = True
        self._take_over(wanted)

    def _see(self, view: WorldView) -> None:
        """Take note of where the body is and how fast it goes."""
        self._view, name = view, self._reference.name
        self._here, self._speeds = view.positions(name), view.velocities(name)
        self.planner.state = self.state.steps

    def _called(self) -> bool:
        """Whether anything is near or touches, or the clip's time is slowed down: a walk that stops ends on both feet."""
        speed = float(np.linalg.norm(self._speeds[:3]))
        clock = self._reference.clock
        steps_over = self._hurdles.ahead(clock.now(self._reference.time), self._clip[-1, :2])
        return clock.pace != 1.0 or steps_over or self._near.touched() or self._near.near(speed)

    def _wake(self, wanted: Contribution) -> None:
        """Let go of everything that follows the clip, where it is and as fast as it is."""
        reference, state, begin = self._reference, self.state, self._reference.time
        if begin == 0.0:
            # A body that is stepped has its velocity half a substep before its place.
            moment = reference.clip_moment(begin)
            self._speeds = moment.velocities - 0.5 * self._h * moment.accelerations
            wanted.commands.append(SetVelocities(reference.name, self._speeds))
        modes = wanted.edit_modes()
        trunk = self._trunk[modes[self._trunk] == Mode.MOTION]
        state.freed = np.append(0, trunk)
        modes[0], modes[trunk] = int(Mode.PASSIVE), int(Mode.TORQUE)
        state.woke = begin if begin - state.back >= self._drive.resting.returns else -np.inf
        state.awake, state.quiet, state.back, state.bent = True, 0.0, -np.inf, np.zeros((0, 3))
        self._take_over(wanted)
        self._strength.strengthen(wanted)
        self.planner.reset()
        state.steps = self.planner.state
        state.target[:], state.speed[:] = self._here[:7], self._speeds[:6]
        self._feed.wake(wanted, state)
        state.lean, state.pace = np.zeros(2), 1.0
        state.moved[:], state.aside[:], self._legs.memory[:] = 0.0, 0.0, 0.0

    def _take_over(self, wanted: Contribution) -> None:
        """Light legs and what is called before each substep, as the state says."""
        name, awake = self._reference.name, self.state.awake
        loose = self._yields.forget(wanted)
        if awake:
            wanted.commands += [*self._yields.commands(*self.flesh), Attach(name, self._substeps.act)]
            wanted.leaves_clip = True
        else:
            none = np.zeros(0, dtype=np.int64)
            wanted.commands += [LeadLimbs(name, none, np.ones_like(self._shares)), Detach(name, self._substeps.act)]
            if loose:
                wanted.commands.append(Soften(name, *self.flesh))

    def _sleep(self, wanted: Contribution) -> None:
        """Follow the motion again, led onto it from where it is and as fast as it is."""
        state = self.state
        bodies = np.concatenate([state.freed, self._legs.bodies])
        state.away = led_back(wanted, self._here, self._speeds, state.freed, self._h)
        state.back, state.awake = self._reference.time, False
        wanted.edit_modes()[state.freed] = int(Mode.MOTION)
        self._take_over(wanted)
        columns = np.concatenate([np.arange(3), turn_columns(bodies)])
        wanted.edit_before()[columns] = self._here[columns]

    # In front of other behaviors

    def look(self, view: WorldView, reference: Reference) -> Contribution:
        """Plan the feet, and put the root of the pose where it really is, for other behaviors to see."""
        wanted, state = Contribution(reference), self.state
        wanted.carries = state.may
        self._see(view)
        self._clip[:] = reference.rows
        if not state.awake:
            if not (state.may and self._called()):
                return wanted
            self._wake(wanted)
        self._plan_feet(wanted)
        return wanted

    def _plan_feet(self, wanted: Contribution) -> None:
        reference, state, plan, legs, planner = self._reference, self.state, self._plan, self._legs, self.planner
        real, speeds, begin = self._here, self._speeds, self._reference.time
        _kernels.planar_offset(state.clip, real, plan.neutral[0], self._away, self._heading)
        before = reference.clip_moment(begin).velocities[:2].copy()
        pace = reference.clock.rates(begin + self._tick)[0]
        frames = body_frames(plan, self._clip)
        time = reference.clock.now(begin + self._tick)
        speed = self.beside = speeds[:2] - before
        moment = StepMoment(
            begin, time, pace, self._clip[-1, :7], self._away, speed, self._heading,
            np.ascontiguousarray(frames.positions[:, legs.feet]), frames.positions[-1, legs.hips],
            rises(self._view, planner, time), self._hurdles.over(time, self._clip[-1, :2], planner.capture(self._away, speed)),
        )  # fmt: skip
        if self._yields.state.yields.any():
            places = body_frames(plan, state.clip[None]).positions[0, legs.feet, :2]
            stand_astray(self._yields, planner, places, (begin, time))
        begun = planner.plan(moment)
        # Who steps farther or less far on purpose is not held back.
        held = self._away[:2] - (planner.state.offset[:2] if self._hurdles.busy else 0.0)
        state.pace = waited(state.pace, held, before / max(pace, 0.2), planner.flies, self._tick, self._drive.waiting)
        wanted.pace = 1.0
        legs.goals[:, 0] = planner.feet
        _kernels.turn_feet(frames.rotations, legs.feet, planner.turns, planner.flat, plan.neutral, legs.turns)
        if state.woke == begin:
            state.bent = legs.lack(self._clip[0])
        legs.bend(state.bent, (begin - state.woke + self._times) / self._drive.resting.feet)
        steps = planner.state
        if self._yields.act(wanted, real, speeds, self._clip[0], (steps.swing[2] > 0.0) | (steps.kind > 0)):
            wanted.commands += self._yields.commands(*self.flesh)
        self._pressed.legs = self._yields.led_geoms
        self._stand_at_ease(wanted)
        thrown = thrown_off(speed, speeds[:2] - state.speed[:2], real[:2] - state.target[:2])
        meant = 0.0 < planner.state.stop[1] < 1.0 or self._near.handles()
        self._recovery.act(state.recovery, wanted, thrown, self._heading, planner.feet, meant=meant)
        self._root = np.ascontiguousarray(wanted.rows[:, :7])
        self._show(wanted.edit_pose(moves=False))
        if begun is not None:
            wanted.tell(begin, STEPS[begun[0]], f"{reference.name} {('left', 'right')[begun[1]]}")

    def _stand_at_ease(self, wanted: Contribution) -> None:
        """A clip that has stopped ends standing: upright, arms hanging."""
        stand_at_ease(wanted, self.planner.state.stop, self._upper, self._rest)

    def _show(self, rows: Array) -> None:
        """Other behaviors see the pose where the body really is."""
        away = self._away.tolist()
        if max(map(abs, away)) > 1e-6:
            x, y = self.state.clip[:2].tolist()
            c, s = float(np.cos(away[2])), float(np.sin(away[2]))
            motion = np.array([away[0] + x - (c * x - s * y), away[1] + y - (s * x + c * y), away[2]])
            _kernels.carry(motion, self._root, self._shown)
            rows[:, :7] = self._shown

    # Behind them

    def lead(self, view: WorldView, reference: Reference) -> Contribution:
        """Aim the root, and say what wrench the intended motion needs."""
        wanted, state = Contribution(reference), self.state
        self._see(view)
        self._hurdles.note(reference.hurdles)
        if not state.awake and state.may and self._sent(view):
            self._wake(wanted)
            self._plan_feet(wanted)
        if state.awake:
            self._aim_root(wanted)
        else:
            self._note(wanted.rows)
            self._come_back(wanted)
        state.clip[:] = self._clip[-1]
        return wanted

    def _sent(self, view: WorldView) -> bool:
        """Whether others want the pelvis beside its motion, or something presses the body."""
        own = self._reference
        return bool(np.count_nonzero(own.force[:6]) or np.count_nonzero(own.displacement)) or view.is_pressed(own.name)

    def _aim_root(self, wanted: Contribution) -> None:
        state, rows = self.state, wanted.edit_pose(moves=False)
        rows[:, :7] = self._root
        self._note(rows)
        self._aim(wanted)
        self._stiffen_trunk(wanted)
        if state.pace != 1.0:
            wanted.pace = state.pace
        self._substeps.begin(self._feed.wrenches, state.lean, self._recovery.hold(state.recovery, self._reference.time))
        self._may_sleep(wanted)

    def _stiffen_trunk(self, wanted: Contribution) -> None:
        """The trunk is as tense as its drive says."""
        self._tenser.tense(wanted.edit_gains(), self._reference.tension.frequency)

    def _note(self, rows: Array) -> None:
        """Keep up with how the clip and the intended pose move."""
        for (last, mean, rates, before), pose in zip(self.state.motions, (self._clip, rows), strict=True):
            note_motion(pose, before, self._tick, last, mean, rates)
            before[:] = pose[-1]

    def _beside(self) -> tuple[Array, float]:
        """Where the intended root is beside its motion, level (2,) and up [m]."""
        level, height = displaced(self.planner.state.offset, self._reference.displacement, self._drive.bearing.lowest)
        return level, height - self._recovery.sinks(self.state.recovery)

    def _aim(self, wanted: Contribution) -> None:
        state = self.state
        turn, (x, y) = float(self.planner.state.offset[2]), self._clip[-1, :2].tolist()
        c, s = float(np.cos(turn)), float(np.sin(turn))
        level, height = self._beside()
        ahead, left = level.tolist()
        motion = np.array([ahead + x - (c * x - s * y), left + y - (s * x + c * y), turn, height])
        _kernels.intend(self._root, state.moved, motion, state.target, state.speed, self._h, self._substeps.aims)
        state.moved[:] = motion
        wanted.edit_pose(moves=False)[:, :7] = self._substeps.aims[0]
        state.lean = lean_against(self._gains, state.lean, level - self._away[:2], self.beside, self._tick)
        self._feed.advance(wanted, state, self._clip, self._root)
        self._feed.wrenches[:, :3] += pushed_off(
            state.aside, self._reference.displacement, self._weight, self._view.gravity, self._tick
        )

    def _may_sleep(self, wanted: Contribution) -> None:
        state = self.state
        calm = (
            (state.steps.is_home and state.recovery.is_still and self._yields.rests(self._reference.time))
            and not self._reference.displacement.any()
            and state.pace == 1.0
            and ready_to_sleep(wanted, self._here, self._speeds, state, self._h, self._drive.resting)
        )
        state.quiet = state.quiet + self._tick if calm else 0.0
        if state.quiet > self._drive.resting.quiet:
            if state.may and self._called():
                state.quiet = 0.0
            else:
                self._sleep(wanted)
                self._come_back(wanted)

    def _come_back(self, wanted: Contribution) -> None:
        """Lead what fell asleep onto its motion."""
        state, since, lasts = self.state, self._reference.time - self.state.back, self._drive.resting.returns
        if since < lasts:
            stands = body_frames(self._plan, wanted.rows)
            rows = wanted.edit_pose()
            _kernels.come_back(rows, state.freed, *state.away, since + self._times, lasts)
            self._legs.stand(rows, stands)
