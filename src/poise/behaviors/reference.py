"""What a character is meant to do in a tick: its clip, and what behaviors made of it so far."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.clip_clock import ClipClock, ClipTime
from poise.body.layout import plan_layout, spin_slice
from poise.body.plan import BodyPlan
from poise.body.trajectory import Moment, Trajectory, note_motion
from poise.control.tension import Gains, Tension, keep_upright, let_go, ramped
from poise.motion.clip import Clip
from poise.signals import Dynamics, Mode

__all__ = ["Reference", "ReferenceState", "effective_inertias"]

Array = NDArray[np.float64]


@dataclass
class ReferenceState:
    """What a reference remembers from tick to tick.

    Args:
        modes: Who moves each joint (`poise.signals.Mode`), shape (B,).
        released: Whether each joint was ever moved by anything but its drive, shape (B,).
        tension: How tense the muscles are or will be.
        frequency: Of the muscles now, on its way to the tension's [Hz].
        shares: Share of that frequency that each muscle has, shape (B-1,).
        gains: What comes of it.
        strengths: Largest torque of each joint's muscles [N m], shape (B,).
        relax: Share of their load that arms let go now, on its way to the tension's.
        ramps: Whether frequency, shares or `relax` are still on their way.
        kinematic: The kinematic skeleton at the end of the last tick, shape (nq,). (Where a joint is beyond its range, its stop
            rewrites `rows`, which are the muscles' target from then on.)
        source: The input skeleton then, shape (nq,).
        velocities: Mean velocities of the kinematic one over the last tick, shape (nv,).
        grips: How far each hand is closed and round what (`poise.body.fingers.close_hands`), shape (2, 2).
        clock: The time of the clip.
    """

    modes: NDArray[np.int64]
    released: NDArray[np.bool_]
    tension: Tension
    frequency: float
    shares: Array
    gains: Gains
    relax: float
    ramps: bool
    strengths: Array
    kinematic: Array
    source: Array
    velocities: Array
    grips: Array
    clock: ClipTime


class Reference:
    """One character's intended motion in the present tick. Behaviors read it and write into their own `Contribution` only.

    Each tick begins with the clip's pose, the tension's gains, no extra load and no extra force; contributions are merged into
    it one after the other (`poise.behaviors.merge`), so each behavior sees what those before it made.

    Args:
        name: The character.
        plan: Its body.
        clip: What it plays.
        dynamics: What-if questions about it.
        modes: Who moves each joint at first, shape (B,).
        tension: Of its muscles.
        timing: Substeps in a tick, and length of a tick [s].

    Attributes:
        time: Beginning of the tick [s].
        times: End of each substep [s], shape (n,).
        rows: The kinematic skeleton: generalized positions at the end of each substep, shape (n, nq).
        turns: Of them, the joint coordinates below the pelvis, shape (n, B-1, 4).
        before: The kinematic skeleton at the beginning of the tick, shape (nq,).
        source: The input skeleton at the end of the tick, shape (nq,).
        changed: Whether the pose is no longer the clip's.
        displacement: How far the pelvis shall be beside its motion at the tick's end, level and up [m], shape (3,).
        hurdles: Which obstacles are known to be there, for legs that step over what is low, shape (P,); None for none.
        carries: Whether legs carry the pelvis there.
        stiffness: Of the muscles [N m/rad], shape (B-1,).
        damping: [N m s/rad], shape (B-1,).
        relaxed: Share of its load that each muscle lets go, 0 to 1, shape (B-1,).
        lets_go: Whether any may let go of any.
        load: Torque that muscles carry beside that of the intended motion, body frames [N m], shape (B-1, 3).
        force: Generalized force beside the muscles [N, N m], shape (nv,).
        clock: The time of its clip, whose pace behaviors may set.
        least: Stiffness with which what each muscle bears does not tip over [N m/rad], shape (B-1,).
        raised: Whether a muscle's stiffness was more than doubled for that, or a pair's so that neither pushes, shape (B-1,).
        inertias: Largest moment of inertia about each joint of what hangs on it [kg m²], shape (B-1,).
    """

    def __init__(
        self,
        name: str,
        plan: BodyPlan,
        clip: Clip,
        dynamics: Dynamics,
        modes: NDArray[np.int64],
        tension: Tension,
        timing: tuple[int, float],
    ) -> None:
        substeps, tick = timing
        self.name, self.plan, self.clip, self.dynamics, self.tick = name, plan, clip, dynamics, tick
        self.trajectory = Trajectory(plan, clip)
        self.inertias = effective_inertias(dynamics, len(plan))
        start = self.trajectory.moment(0.0)
        self.time, self.times = 0.0, np.zeros(substeps)
        self.rows = np.tile(start.positions, (substeps, 1))
        self.turns: Array = self.rows[:, 7:].reshape(substeps, -1, 4)
        self.before = start.positions.copy()
        self._last, self._rates = start.velocities.copy(), np.zeros_like(start.velocities)
        self.changed = False
        self.displacement, self.carries = np.zeros(3), False
        self.hurdles: NDArray[np.bool_] | None = None
        self.clock = ClipClock(tick)
        self.stiffness, self.damping = np.zeros(len(plan) - 1), np.zeros(len(plan) - 1)
        self.load, self.force = np.zeros((len(plan) - 1, 3)), np.zeros(plan.velocity_count)
        arms = [body - 1 for arm in plan.with_role("left_upper_arm", "right_upper_arm") for body in plan.subtree(arm)]
        self._arms, self.relaxed = np.array(arms, dtype=np.int64), np.zeros(len(plan) - 1)
        self.lets_go = False
        self.least, self.raised = np.zeros(len(plan) - 1), np.zeros(len(plan) - 1, dtype=bool)
        self.state = ReferenceState(
            modes=modes.copy(),
            released=modes != Mode.MOTION,
            tension=tension,
            frequency=tension.frequency,
            shares=np.ones(len(plan) - 1),
            gains=tension.gains(self.inertias),
            relax=tension.relax,
            ramps=False,
            strengths=plan.strengths.copy(),
            kinematic=start.positions.copy(),
            source=start.positions.copy(),
            velocities=start.velocities.copy(),
            grips=np.zeros((2, 2)),
            clock=self.clock.save(),
        )
        self._refresh()

    @property
    def modes(self) -> NDArray[np.int64]:
        """Who moves each joint, shape (B,)."""
        return self.state.modes

    @property
    def released(self) -> NDArray[np.bool_]:
        """Whether each joint was ever moved by anything but its drive, shape (B,)."""
        return self.state.released

    @property
    def tension(self) -> Tension:
        """How tense the muscles are or will be."""
        return self.state.tension

    @property
    def strengths(self) -> Array:
        """Largest torque of each joint's muscles [N m], shape (B,)."""
        return self.state.strengths

    @property
    def source(self) -> Array:
        """The input skeleton at the end of the tick, shape (nq,)."""
        return self.state.source

    @property
    def grips(self) -> Array:
        """How far each hand is closed at the end of the tick and round what, shape (2, 2)."""
        return self.state.grips

    @property
    def kinematic(self) -> Array:
        """The kinematic skeleton at the end of the last tick that was finished, shape (nq,)."""
        return self.state.kinematic

    @property
    def muscles_work(self) -> bool:
        """Whether any muscle does."""
        return self._any_active

    @property
    def active(self) -> NDArray[np.bool_]:
        """Whether each muscle works, shape (B-1,)."""
        return self._active

    def set_tension(self, tension: Tension) -> None:
        """Change how tense the muscles are; frequencies and what is let go get there by and by (`control.ramped`)."""
        self.state.tension, self.state.ramps = tension, True

    def set_to_work(self, modes: NDArray[np.int64]) -> None:
        """Let the tension of those muscles rise from nothing that will begin to work when modes are set, shape (B,)."""
        begin = (modes[1:] == Mode.TORQUE) & (self.modes[1:] != Mode.TORQUE)
        self.state.shares, self.state.ramps = np.where(begin, 0.0, self.state.shares), True

    def set_modes(self, modes: NDArray[np.int64]) -> None:
        """Take note of who moves each joint, shape (B,)."""
        self.state.modes[:] = modes
        self.state.released |= modes != Mode.MOTION
        self._refresh()

    def _refresh(self) -> None:
        self._active: NDArray[np.bool_] = self.modes[1:] == Mode.TORQUE
        self._any_active = bool(self._active.any())

    def restored(self) -> None:
        """Bring what follows from the state up to it, after `restore_state`."""
        self.clock.restore(self.state.clock)
        self._refresh()

    def sample(self, begin: float, times: Array) -> None:
        """Begin a tick at `begin` whose substeps end at `times` [s] with what the clip and the tension say."""
        self.time, self.times = begin, times
        self.before[:] = self.state.kinematic
        self.clock.begin(float(times[-1]))
        self.trajectory.rows(self.clock.at(times), self.rows)
        self.state.source[:] = self.rows[-1]
        self.changed = False
        if self.state.ramps:
            self._ramp()
        self.stiffness[:], self.damping[:] = self.state.gains
        if self.lets_go or self.state.relax:
            self.relaxed[self._arms] = self.state.relax
            self.lets_go = bool(np.count_nonzero(self.relaxed))
        self._keep_upright()
        self.load[:] = 0.0
        self.force[:] = 0.0
        self.displacement[:], self.carries, self.hurdles = 0.0, False, None

    def _keep_upright(self) -> None:
        """Raise stiffness to what keeps the clip's pose from tipping over."""
        if not (self.tension.upright and self._any_active):
            self.raised[:], self.least[:] = False, 0.0
            return
        tipping, gains = self.dynamics.tipping(self.rows[-1]), (self.stiffness, self.damping)
        shares = self.state.shares
        keep_upright(tipping, self.plan.parents, self._active, shares, gains, self.least, self.raised)

    def _ramp(self) -> None:
        """Bring the gains on by a tick."""
        state = self.state
        state.frequency = ramped(state.frequency, state.tension.frequency, self.tick)
        state.shares = np.minimum(state.shares + self.tick / state.tension.rises, 1.0)
        stiffness, damping = replace(state.tension, frequency=state.frequency).gains(self.inertias)
        state.gains = Gains(state.shares**2 * stiffness, state.shares * damping)
        state.relax = let_go(state.relax, state.tension.relax, self.tick)
        there = state.frequency == state.tension.frequency and state.relax == state.tension.relax
        state.ramps = not there or bool((state.shares < 1.0).any())

    def clip_moment(self, time: float) -> Moment:
        """The clip's motion at a time of this tick [s], at its pace; the arrays are overwritten by the next call."""
        moment = self.trajectory.moment(self.clock.now(time))
        pace, change = self.clock.rates(time)
        if pace != 1.0 or change != 0.0:
            moment.accelerations[:] = pace**2 * moment.accelerations + change * moment.velocities
            moment.velocities[:] *= pace
        return moment

    def clip_rows(self, times: Array) -> Array:
        """The clip's generalized positions at times of this tick [s], at its pace, shape (T, nq)."""
        rows = np.zeros((len(times), self.rows.shape[1]))
        self.trajectory.rows(self.clock.at(times), rows)
        return rows

    def moment(self, middle: float) -> Moment:
        """The kinematic skeleton's motion in the middle of the tick; the arrays are overwritten by the next call.

        Where a behavior changed it, velocities are the tick's mean and accelerations their difference from the last tick's.
        """
        if not self.changed:
            return self.clip_moment(middle)
        return Moment(self.rows[(len(self.rows) - 1) // 2], self.state.velocities, self._rates)

    def carried(self, moment: Moment) -> Array:
        """What muscles carry of a motion, as their tension says: generalized force, shape (nv,)."""
        if self.tension.load == "none":
            return np.zeros_like(moment.velocities)
        if self.tension.load == "gravity":
            return self.dynamics.load(moment.positions)
        return self.dynamics.inverse(*moment)

    def finish(self) -> None:
        """Everything is merged: take note of the kinematic skeleton and how fast it moves."""
        self.state.kinematic[:] = self.rows[-1]
        note_motion(self.rows, self.before, self.tick, self._last, self.state.velocities, self._rates)
        self.state.clock = self.clock.save()


def effective_inertias(dynamics: Dynamics, bodies: int) -> Array:
    """Largest moment of inertia about each joint of what hangs on it, in the neutral pose [kg m²], shape (B-1,)."""
    neutral = np.zeros(plan_layout(bodies).position_count)
    neutral[3::4] = 1.0
    matrix = dynamics.mass_matrix(neutral)
    blocks = [matrix[spin_slice(body), spin_slice(body)] for body in range(1, bodies)]
    return np.array([np.linalg.eigvalsh(block)[-1] for block in blocks])
