"""A character at work in a world: the arrays it fills every tick."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.trajectory import Moment, Trajectory, note_motion
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.tension import Gains, Tension, ramped
from poise.runtime.character import Character
from poise.runtime.pace import ClipClock, ClipTime
from poise.signals import Effort, Mode, Target
from poise.world.dynamics import CharacterDynamics
from poise.world.layout import CharacterLayout

__all__ = ["Actor", "ActorState"]

Array = NDArray[np.float64]

_RISES = 0.2
"""How long the tension of a muscle takes to rise that begins to work [s]."""
_STOP = Tension(frequency=25.0, damping_ratio=1.0)
"""Stiffness of the soft stops at the ends of a joint's range."""


class ActorState(NamedTuple):
    """What an actor remembers from tick to tick.

    Args:
        modes: Who moves each joint, shape (B,).
        tension: How tense the muscles are or will be.
        ramp: Where tension is on its way: frequency [Hz], share of it that each muscle has (B-1,), gains, and whether it has to
            go on.
        pose: Kinematic pose, shape (nq,).
        velocities: Mean ones over the last tick, shape (nv,).
        clock: The time of its clip.
    """

    modes: NDArray[np.int64]
    tension: Tension
    ramp: tuple[float, Array, Gains, bool]
    pose: Array
    velocities: Array
    clock: ClipTime


class Actor:
    """Fills one character's part of the drive and the effort.

    Each tick begins with the clip's pose, the tension's gains, no extra load and no extra force; stages
    (`poise.runtime.stage`) then write into `rows`, `stiffness`, `damping`, `load` and `force`.

    Args:
        character: Who it is.
        layout: Where it sits in the world.
        substeps: Substeps in a tick.
        tick: Length of a tick [s].
        gravity: [m/s²].

    Attributes:
        rows: The kinematic skeleton: generalized positions at the end of each substep, shape (n, nq). Whoever changes them
            says so by `changed`, so that velocity and load are taken from them rather than from the clip.
        before: The kinematic skeleton at the beginning of the tick, shape (nq,).
        kinematic: The kinematic skeleton at the end of the last tick that was split, shape (nq,). (Where a joint is beyond its
            range, the stop rewrites `rows`, which are the muscles' target from then on.)
        source: The input skeleton at the end of the tick, shape (nq,).
        stiffness: Of the muscles [N m/rad], shape (B-1,).
        damping: [N m s/rad], shape (B-1,).
        load: Torque that muscles carry beside that of the intended motion, body frames [N m], shape (B-1, 3).
        force: Generalized force beside the muscles [N, N m], shape (nv,).
        strengths: Largest torque of each joint's muscles [N m], shape (B,).
        clock: The time of its clip, whose pace stages may set.
    """

    def __init__(
        self, character: Character, layout: CharacterLayout, substeps: int, tick: float, gravity: float
    ) -> None:
        plan = character.plan
        self.character, self.layout = character, layout
        self.trajectory = Trajectory(plan, character.clip)
        self.dynamics = CharacterDynamics(plan, gravity)
        self.modes = character.modes.copy()
        self.released = self.modes != Mode.MOTION
        self.muscles = MuscleState.of(plan)
        self.inertias = effective_inertias(self.dynamics, len(plan))
        self.stops = _STOP.gains(self.inertias).stiffness
        start = self.trajectory.moment(0.0)
        self.rows = np.tile(start.positions, (substeps, 1))
        self.before, self.source, self.kinematic = (start.positions.copy() for _ in range(3))
        self._mean, self._last = start.velocities.copy(), start.velocities.copy()
        self._rates = np.zeros_like(self._mean)
        self.changed, self._tick = False, tick
        self.clock = ClipClock(tick)
        self.stiffness, self.damping = np.zeros(len(plan) - 1), np.zeros(len(plan) - 1)
        self.load, self.force = np.zeros((len(plan) - 1, 3)), np.zeros(plan.velocity_count)
        self.strengths = plan.strengths.copy()
        self.tension = character.options.tension
        self._frequency, self._shares, self._ramps = self.tension.frequency, np.ones(len(plan) - 1), False
        self._gains = self.tension.gains(self.inertias)
        self._refresh()

    def set_tension(self, tension: Tension) -> None:
        """Change how tense the muscles are; frequencies get there by and by (`control.ramped`)."""
        self.tension, self._ramps = tension, True

    def set_to_work(self, modes: NDArray[np.int64]) -> None:
        """Let the tension of those muscles rise from nothing that will begin to work when modes are set, shape (B,)."""
        begin = (modes[1:] == Mode.TORQUE) & (self.modes[1:] != Mode.TORQUE)
        self._shares, self._ramps = np.where(begin, 0.0, self._shares), True

    def _ramp(self) -> None:
        """Bring the gains on by a tick."""
        self._frequency = ramped(self._frequency, self.tension.frequency, self._tick)
        self._shares = np.minimum(self._shares + self._tick / _RISES, 1.0)
        stiffness, damping = replace(self.tension, frequency=self._frequency).gains(self.inertias)
        self._gains = Gains(self._shares**2 * stiffness, self._shares * damping)
        self._ramps = self._frequency != self.tension.frequency or bool((self._shares < 1.0).any())

    def set_modes(self, modes: NDArray[np.int64]) -> None:
        """Take note of who moves each joint, shape (B,)."""
        self.modes[:] = modes
        self.released |= modes != Mode.MOTION
        self._refresh()

    def _refresh(self) -> None:
        self._active = self.modes[1:] == Mode.TORQUE
        self._any_active = bool(self._active.any())

    def save(self) -> ActorState:
        """A copy of what is remembered from tick to tick."""
        ramp = (self._frequency, self._shares, self._gains, self._ramps)
        pose, velocities = self.kinematic.copy(), self._mean.copy()
        return ActorState(self.modes.copy(), self.tension, ramp, pose, velocities, self.clock.save())

    def restore(self, saved: ActorState) -> None:
        """Go back to what `save` gave."""
        self.set_modes(saved.modes)
        self.tension = saved.tension
        self._frequency, self._shares, self._gains, self._ramps = saved.ramp
        self.kinematic[:], self._mean[:] = saved.pose, saved.velocities
        self.clock.restore(saved.clock)

    def sample(self, times: Array) -> None:
        """Begin a tick whose substeps end at `times` [s] with what the clip and the tension say."""
        self.before[:] = self.kinematic
        self.clock.begin(float(times[-1]))
        self.trajectory.rows(self.clock.at(times), self.rows)
        self.source[:] = self.rows[-1]
        self.changed = False
        if self._ramps:
            self._ramp()
        self.stiffness[:], self.damping[:] = self._gains
        self.load[:] = 0.0
        self.force[:] = 0.0

    def clip_moment(self, time: float) -> Moment:
        """The clip's motion at a time of this tick [s], at its pace; the arrays are overwritten by the next call."""
        moment = self.trajectory.moment(float(self.clock.at(time)))
        pace, change = self.clock.rates(time)
        if pace != 1.0 or change != 0.0:
            moment.accelerations[:] = pace**2 * moment.accelerations + change * moment.velocities
            moment.velocities[:] *= pace
        return moment

    def moment(self, middle: float) -> Moment:
        """The kinematic skeleton's motion in the middle of the tick; the arrays are overwritten by the next call.

        Where a stage changed it, velocities are the tick's mean and accelerations their difference from the last tick's.
        """
        if not self.changed:
            return self.clip_moment(middle)
        return Moment(self.rows[(len(self.rows) - 1) // 2], self._mean, self._rates)

    def split(self, drive_positions: Array, middle: float) -> Target | None:
        """Hand the kinematic skeleton to the drive, and to the muscles as a target; None when no muscle is at work.

        Velocity and load are taken in the middle of the tick, since they are held over it.
        """
        drive_positions[:, self.layout.positions] = self.rows
        self.kinematic[:] = self.rows[-1]
        note_motion(self.rows, self.before, self._tick, self._last, self._mean, self._rates)
        if not self._any_active:
            return None
        moment = self.moment(middle)
        return Target(
            rotations=self.rows[:, 7:].reshape(len(self.rows), -1, 4),
            velocity=moment.velocities[6:].reshape(-1, 3),
            stiffness=self.stiffness,
            damping=self.damping,
            load=self._load(moment)[6:].reshape(-1, 3) + self.load,
            limit=self.strengths[1:],
        )

    def _load(self, moment: Moment) -> Array:
        if self.tension.load == "gravity":
            return self.dynamics.load(moment.positions)
        if self.tension.load == "none":
            return np.zeros_like(moment.velocities)
        return self.dynamics.inverse(*moment)

    def control(self, target: Target | None, positions: Array, effort: Effort) -> None:
        """Turn the target into muscle parameters, controls and applied forces, given the world's positions (nq,)."""
        layout = self.layout
        effort.applied[layout.velocities] = self.force
        if target is None:
            effort.stiffness[layout.muscles] = 0.0
            effort.damping[layout.muscles] = 0.0
            return
        own = positions[layout.positions]
        muscles = self.muscles
        limit_muscles(muscles, self._active, own[7:].reshape(-1, 4), target, self.stops)
        effort.stiffness[layout.muscles] = muscles.stiffness
        effort.damping[layout.muscles] = muscles.damping
        effort.controls[:, layout.controls] = target.rotations.reshape(len(self.rows), -1)
        effort.applied[layout.velocities][6:] += muscles.applied.ravel()


def effective_inertias(dynamics: CharacterDynamics, bodies: int) -> Array:
    """Largest moment of inertia about each joint of what hangs on it, in the neutral pose [kg m²], shape (B-1,)."""
    neutral = np.zeros(7 + 4 * (bodies - 1))
    neutral[3::4] = 1.0
    matrix = dynamics.mass_matrix(neutral)
    blocks = [matrix[6 + 3 * j : 9 + 3 * j, 6 + 3 * j : 9 + 3 * j] for j in range(bodies - 1)]
    return np.array([np.linalg.eigvalsh(block)[-1] for block in blocks])
