"""A root that yields: what pushes the body moves it, and its feet catch it.

While nothing comes near, the root sleeps: everything but the physical limbs is `MOTION` and has the clip's values. When
something comes near or touches, pelvis, trunk, neck and clavicles are let go from where they are, as fast as they are: the
pelvis is `PASSIVE` and carried by the wrench of `control.root`, the trunk `TORQUE`, and the legs follow by inverse kinematics
from the feet that `locomotion.stepping` plans, substep by substep. When all is quiet and back in place they are led onto
their motion again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.trajectory import note_motion
from poise.control.root import lean_against, leg_shares, root_wrench
from poise.errors import InputError
from poise.ik import relaxed_positions
from poise.locomotion.gait import gait_of
from poise.locomotion.stepping import STEPS, StepMoment, StepPlanner
from poise.math import quat
from poise.runtime.frame import Event
from poise.runtime.ground import phases_of
from poise.runtime.root import _kernels
from poise.runtime.root.back import led_back, ready_to_sleep
from poise.runtime.root.legs import Legs
from poise.runtime.root.near import Nearness
from poise.runtime.root.state import RootState
from poise.signals import Mode
from poise.world.cut import ARMATURE
from poise.world.dynamics import CharacterDynamics

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["CompliantRoot"]

Array = NDArray[np.float64]

_ROOMY = 1.5
"""Muscles that carry the trunk of a clip are at least this many times as strong as the clip itself needs them: else a lively
dance would sink by 10 cm."""
_SAMPLES = 600
"""Moments of a clip at which that is asked."""
_BEHIND, _WAITS = 0.03, 0.2
"""A body held back by more than the first lets its clip wait, by the second entirely [m]."""
_SLOWEST, _PACE_RATE = 0.15, 2.0
"""Never slower than this, and by no more a second."""
_WALKS = 0.4
"""A clip whose root goes slower than this stands and need not wait [m/s]."""
_EXTRA = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 0.3])
"""Wrench at most that other stages' changes of the pose are given, in body weights and body weights at 1 m."""


class CompliantRoot:
    """The root of one character; see the module. `stages.surrounded` puts it around the character's other stages."""

    def begin(self, session: Session, actor: Actor) -> None:
        """See `Stage.begin`.

        Raises:
            InputError: The character lacks legs, feet or arms, or its pelvis does not follow its clip.
        """
        plan, options = actor.character.plan, actor.character.options
        if actor.modes[0] != Mode.MOTION:
            raise InputError("a compliant root needs a pelvis that follows the clip", place="root")
        self._session, self._actor, self._world, self._plan = session, actor, session.world, plan
        self._tick, self._h, count = session.clock.tick, session.clock.substep, session.clock.substeps
        self._legs = Legs(plan, count)
        self._near = Nearness(session, actor)
        self._shares = leg_shares(plan)
        self._dynamics = CharacterDynamics(plan, session.setting.gravity)
        self._dynamics.weigh(self._shares)
        start = actor.trajectory.moment(0.0)
        self._weight = plan.total_mass * session.setting.gravity
        matrix = actor.dynamics.mass_matrix(start.positions)[3:6, 3:6]
        turn = _turned_inertia(matrix, plan.neutral[0])
        self._gains = options.root_drive.on(plan.total_mass, turn, session.setting.gravity, plan.neutral[0])
        frames = body_frames(plan, actor.trajectory.keys)
        high = max(float(np.median(frames.positions[:, 0, 2])) - actor.character.floor, 0.3)
        self.planner = StepPlanner(
            gait_of(phases_of(actor.character)),
            frames.positions[:, self._legs.feet],
            self._legs.bones,
            float(np.sqrt(session.setting.gravity / high)),
            count,
            self._tick,
            options.stepping,
        )
        arms = [b for arm in plan.with_role("left_upper_arm", "right_upper_arm") for b in plan.subtree(arm)]
        self._trunk = np.setdiff1d(np.arange(1, len(plan)), np.concatenate([self._legs.bodies, arms]))
        self._rest = relaxed_positions(plan)
        self._upper = np.setdiff1d(np.arange(1, len(plan)), self._legs.bodies)
        self.state = RootState.of(start.positions, start.velocities)
        self.state.steps, self.state.memory = self.planner.state, self._legs.memory
        self._clip, self._count = actor.rows.copy(), 0
        self._feeds = np.zeros((count, 6))
        self._aims = (np.zeros((count, 7)), np.zeros((count, 7)), np.zeros((count, 6)), np.zeros((count, 6)))
        self._wrench, self._away, self._heading = np.zeros(6), np.zeros(3), np.array([1.0, 0.0])
        self._leg_columns = (actor.layout.velocities.start + 3 + 3 * self._legs.bodies[:, None] + np.arange(3)).ravel()
        self._widened: Array | None = None

    # Whether it sleeps

    @property
    def awake(self) -> bool:
        """Whether the root yields."""
        return self.state.awake

    def allow(self, may: bool) -> None:
        """Let the root yield, or let it follow the clip as soon as it is back on it."""
        self.state.may = may

    def _called(self) -> bool:
        """Whether anything is near or touches, or the clip's time is slowed down: a walk that stops ends on both feet."""
        speed = float(np.linalg.norm(self._world.data.qvel[self._actor.layout.velocities][:3]))
        return self._actor.clock.pace != 1.0 or self._near.touched() or self._near.near(speed)

    def _wake(self, begin: float) -> None:
        """Let go of everything that follows the clip, where it is and as fast as it is."""
        actor, state, layout = self._actor, self.state, self._actor.layout
        data = self._world.data
        if self._session.count == 0:
            # A body that is stepped has its velocity half a substep before its place.
            moment = actor.clip_moment(begin)
            data.qvel[layout.velocities] = moment.velocities - 0.5 * self._h * moment.accelerations
        modes = actor.modes.copy()
        trunk = self._trunk[modes[self._trunk] == Mode.MOTION]
        state.freed = np.append(0, trunk)
        modes[0], modes[trunk] = int(Mode.PASSIVE), int(Mode.TORQUE)
        state.awake, state.quiet, state.back = True, 0.0, -np.inf
        self._take_over(modes)
        self._strengthen()
        self.planner.reset()
        state.steps = self.planner.state
        state.target[:], state.speed[:] = data.qpos[layout.positions][:7], data.qvel[layout.velocities][:6]
        state.feed[:] = self._dynamics.inverse(*actor.clip_moment(begin))[:6]
        state.extra[:], state.lean, state.pace = 0.0, np.zeros(2), 1.0
        state.moved[:] = 0.0
        self._legs.memory[:] = 0.0

    def _take_over(self, modes: NDArray[np.int64]) -> None:
        """Modes, light legs and what is called before each substep, as the state says."""
        actor, awake = self._actor, self.state.awake
        legs = actor.layout.bodies[self._legs.bodies] if awake else np.zeros(0, dtype=np.int64)
        self._world.lead(actor.layout.name, legs, self._shares if awake else np.ones_like(self._shares))
        self._session.assign_modes(actor, modes)
        hooks = self._world.before_substep
        if awake and self._substep not in hooks:
            hooks.append(self._substep)
            actor.released[:] = True
        elif not awake and self._substep in hooks:
            hooks.remove(self._substep)

    def _strengthen(self) -> None:
        """Muscles of the trunk are strong enough for the clip itself."""
        if self._widened is None:
            actor, peak = self._actor, np.zeros(len(self._plan))
            every = max(1, len(actor.trajectory.keys) // _SAMPLES)
            for time in actor.character.clip.times[::every]:
                torques = actor.dynamics.inverse(*actor.trajectory.moment(float(time)))[3:].reshape(-1, 3)
                np.maximum(peak, np.linalg.norm(torques, axis=1), out=peak)
            self._widened = _ROOMY * peak
        self._actor.strengths[self._trunk] = np.maximum(self._plan.strengths, self._widened)[self._trunk]

    def _sleep(self, begin: float) -> None:
        """Follow the motion again, led onto it from where it is and as fast as it is."""
        actor, state, data = self._actor, self.state, self._world.data
        bodies = np.concatenate([state.freed, self._legs.bodies])
        state.away = led_back(actor, data, bodies, self._h)
        state.back, state.awake = begin, False
        modes = actor.modes.copy()
        modes[state.freed] = int(Mode.MOTION)
        self._take_over(modes)
        columns = np.concatenate([np.arange(3), (3 + 4 * bodies[:, None] + np.arange(4)).ravel()])
        actor.before[columns] = data.qpos[actor.layout.positions][columns]

    # In front of other stages

    def look(self, begin: float) -> tuple[Event, ...]:
        """Plan the feet, and put the root of the pose where it really is, for other stages to see."""
        actor, state = self._actor, self.state
        self._clip[:] = actor.rows
        if not state.awake:
            if not (state.may and self._called()):
                return ()
            self._wake(begin)
        return self._plan_feet(begin)

    def _plan_feet(self, begin: float) -> tuple[Event, ...]:
        actor, state, plan, legs, planner = self._actor, self.state, self._plan, self._legs, self.planner
        data, layout = self._world.data, actor.layout
        real, speeds = data.qpos[layout.positions], data.qvel[layout.velocities]
        _kernels.planar_offset(state.clip, real, plan.neutral[0], self._away, self._heading)
        before = actor.clip_moment(begin).velocities[:2].copy()
        pace = actor.clock.rates(begin + self._tick)[0]
        frames = body_frames(plan, self._clip)
        time = float(actor.clock.at(begin + self._tick))
        speed = self._beside = speeds[:2] - before
        moment = StepMoment(
            begin, time, pace, self._clip[-1, :7], self._away, speed, self._heading,
            np.ascontiguousarray(frames.positions[:, legs.feet]), frames.positions[-1, legs.hips], self._rises(time),
        )  # fmt: skip
        begun = planner.plan(moment)
        self._let_wait(before / max(pace, 0.2), pace)
        legs.goals[:, 0] = planner.feet
        for foot in range(2):
            body = int(legs.feet[foot])
            turns = np.ascontiguousarray(frames.rotations[:, body])
            _kernels.turn_feet(turns, foot, planner.turns, planner.flat, plan.neutral[body], legs.turns)
        self._stand_at_ease()
        self._root = np.ascontiguousarray(actor.rows[:, :7])
        self._tell(actor.rows)
        if begun is None:
            return ()
        return (Event(begin, STEPS[begun[0]], f"{layout.name} {('left', 'right')[begun[1]]}"),)

    def _rises(self, time: float) -> Array:
        """How much higher the ground is where each foot lands than where the clip has it [m], shape (2,)."""
        if not self._session.setting.terrain or self.planner.state.is_home:
            return np.zeros(2)
        spots = self.planner.landing_spots(time)[:, :2]
        landing = self.planner.state.landing
        c, s = np.cos(landing[:, 2]), np.sin(landing[:, 2])
        there = (
            np.stack([c * spots[:, 0] - s * spots[:, 1], s * spots[:, 0] + c * spots[:, 1]], axis=1) + landing[:, :2]
        )
        return np.nan_to_num(self._session.ground.height(there) - self._session.ground.height(spots))

    def _let_wait(self, course: Array, pace: float) -> None:
        """A body that is held back lets its clip's time wait, but not in flight."""
        state, clock, speed = self.state, self._actor.clock, float(np.hypot(*course))
        want = 1.0
        if speed > _WALKS:
            behind = -float(self._away[:2] @ course) / speed
            want = 1.0 - min(max((behind - _BEHIND) / _WAITS, 0.0), 1.0 - _SLOWEST)
        if not self.planner.state.swing[2].all():
            most = _PACE_RATE * self._tick
            state.pace += min(max(want - state.pace, -most), most)
        clock.pace = 1.0

    def _stand_at_ease(self) -> None:
        """A clip that has stopped ends standing: upright, arms hanging."""
        stop, actor, plan = self.planner.state.stop, self._actor, self._plan
        if stop[1] == stop[2] == 0.0:
            return
        count = len(actor.rows)
        shares = _eased(stop[2]) + np.arange(1, count + 1) / count * (_eased(stop[1]) - _eased(stop[2]))
        _kernels.relax(actor.rows, self._upper, self._rest, plan.neutral[0], shares)
        actor.changed = True

    def _tell(self, rows: Array) -> None:
        """Other stages see the pose where the body really is."""
        if np.abs(self._away).max() > 1e-6:
            x, y = self.state.clip[:2]
            c, s = np.cos(self._away[2]), np.sin(self._away[2])
            shift = self._away[:2] + self.state.clip[:2] - np.array([c * x - s * y, s * x + c * y])
            turned = np.empty((len(rows), 7))
            _kernels.carry(np.append(shift, self._away[2]), self._root, turned)
            rows[:, :7] = turned

    # Behind them

    def lead(self, begin: float) -> tuple[Event, ...]:
        """Aim the root, and say what wrench the intended motion needs."""
        actor, state = self._actor, self.state
        told: tuple[Event, ...] = ()
        if not state.awake and state.may and actor.force[:6].any():
            self._wake(begin)
            told = self._plan_feet(begin)
        if not state.awake:
            self._note(actor.rows)
            self._come_back(begin)
            state.clip[:] = self._clip[-1]
            return told
        actor.rows[:, :7] = self._root
        self._note(actor.rows)
        self._aim(begin)
        ratio = actor.character.options.root_drive.trunk / actor.tension.frequency
        actor.stiffness[self._trunk - 1] *= ratio**2
        actor.damping[self._trunk - 1] *= ratio
        if state.pace != 1.0:
            actor.clock.pace = min(actor.clock.pace, state.pace)
        self._may_sleep(begin)
        state.clip[:] = self._clip[-1]
        self._count = 0
        return told

    def _note(self, rows: Array) -> None:
        """Keep up with how the clip and the intended pose move."""
        for (last, mean, rates, before), pose in zip(self.state.motions, (self._clip, rows), strict=True):
            note_motion(pose, before, self._tick, last, mean, rates)
            before[:] = pose[-1]

    def _aim(self, begin: float) -> None:
        actor, state = self._actor, self.state
        offset = self.planner.state.offset
        x, y = self._clip[-1, :2]
        c, s = np.cos(offset[2]), np.sin(offset[2])
        motion = np.array([offset[0] + x - (c * x - s * y), offset[1] + y - (s * x + c * y), offset[2], offset[3]])
        _kernels.intend(self._root, state.moved, motion, state.target, state.speed, self._h, self._aims)
        state.moved[:] = motion
        actor.rows[:, :7] = self._aims[0]
        state.lean = lean_against(self._gains, state.lean, offset[:2] - self._away[:2], self._beside, self._tick)
        self._feed(begin)

    def _feed(self, begin: float) -> None:
        """What the clip itself needs, exact at the ends of ticks, and what other stages' changes need beside it."""
        actor, state, count = self._actor, self.state, len(self._feeds)
        share = (np.arange(count) / count)[:, None]
        end = self._dynamics.inverse(*actor.clip_moment(begin + self._tick))[:6]
        self._feeds[:] = state.feed + share * (end - state.feed)
        state.feed[:] = end
        if actor.changed or state.extra.any():
            middle, wrenches = (count - 1) // 2, []
            plain = actor.rows[middle].copy()
            plain[:7] = self._root[middle]
            for (_, mean, rates, _), pose in zip(state.motions, (self._clip[middle], plain), strict=True):
                wrenches.append(self._dynamics.inverse(pose, mean, rates)[:6])
            extra = np.clip(wrenches[1] - wrenches[0], -self._weight * _EXTRA, self._weight * _EXTRA)
            extra[np.abs(extra) < 1e-6] = 0.0
            self._feeds += state.extra + share * (extra - state.extra)
            state.extra[:] = extra

    def _may_sleep(self, begin: float) -> None:
        state = self.state
        calm = (
            state.steps.is_home and state.pace == 1.0 and ready_to_sleep(self._actor, self._world.data, state, self._h)
        )
        state.quiet = state.quiet + self._tick if calm else 0.0
        if state.quiet > 0.5:
            if state.may and self._called():
                state.quiet = 0.0
            else:
                self._sleep(begin)
                self._come_back(begin)

    def _come_back(self, begin: float) -> None:
        """Lead what fell asleep onto its motion."""
        state = self.state
        if begin - state.back < _kernels.RETURNS:
            bodies = np.concatenate([state.freed, self._legs.bodies])
            times = begin - state.back + self._session.substep_times
            _kernels.come_back(self._actor.rows, bodies, *state.away, times)
            self._actor.changed = True

    # Every substep

    def _substep(self, drive: Array) -> None:
        row, self._count = self._count, self._count + 1
        data, layout, legs, state = self._world.data, self._actor.layout, self._legs, self.state
        place, speed = data.qpos[layout.positions], data.qvel[layout.velocities]
        _, targets, speeds, rates = self._aims
        root_wrench(
            self._gains, place[:7], speed[:6], targets[row], speeds[row], self._feeds[row], state.lean, self._wrench
        )
        at = layout.velocities.start
        data.qfrc_applied[at : at + 6] += self._wrench
        legs.row[0] = self._clip[row]
        ik = (legs.compiled, legs.settings, legs.poles, legs.weights, legs.memory, legs.errors)
        _kernels.lead_legs(
            place, speed, rates[row], self._h, ARMATURE, legs.row, legs.bodies, legs.goals[row], legs.turns[row], ik,
            legs.forces,
        )  # fmt: skip
        data.qfrc_applied[self._leg_columns] = legs.forces.ravel()

    def save(self) -> Any:
        """See `Stage.save`."""
        self.state.steps = self.planner.state
        return self.state.copied(), self._actor.strengths.copy()

    def restore(self, saved: Any) -> None:
        """See `Stage.restore`."""
        state, strengths = saved
        self.state = state.copied()
        self.planner.state = self.state.steps
        self._legs.memory = self.state.memory
        self._actor.strengths[:] = strengths
        self._take_over(self._actor.modes.copy())


def _turned_inertia(matrix: Array, neutral: Array) -> Array:
    """Moments of inertia about forward, left and up of the neutral pelvis, from those in its own frame, shape (3,)."""
    turn = quat.to_matrix(neutral)
    return np.asarray((turn @ matrix @ turn.T).diagonal())


def _eased(share: float) -> float:
    return float(share**3 * (10.0 - 15.0 * share + 6.0 * share**2))
