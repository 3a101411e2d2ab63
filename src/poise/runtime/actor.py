"""A character at work in a world: the arrays it fills every tick."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.trajectory import Moment, Trajectory
from poise.control.muscles import MuscleState, limit_muscles
from poise.control.tension import Tension
from poise.runtime.character import Character
from poise.signals import Effort, Mode, Target
from poise.world.dynamics import CharacterDynamics
from poise.world.layout import CharacterLayout

__all__ = ["Actor"]

Array = NDArray[np.float64]

_STOP = Tension(frequency=25.0, damping_ratio=1.0)
"""Stiffness of the soft stops at the ends of a joint's range."""


class Actor:
    """Fills one character's part of the drive and the effort.

    Args:
        character: Who it is.
        layout: Where it sits in the world.
        substeps: Substeps in a tick.
        gravity: [m/s²].
    """

    def __init__(self, character: Character, layout: CharacterLayout, substeps: int, gravity: float) -> None:
        plan = character.plan
        self.character, self.layout = character, layout
        self.trajectory = Trajectory(plan, character.clip)
        self.dynamics = CharacterDynamics(plan, gravity)
        self.modes = character.modes.copy()
        self.released = self.modes != Mode.MOTION
        self.muscles = MuscleState.of(plan)
        self.inertias = effective_inertias(self.dynamics, len(plan))
        self.stops = _STOP.gains(self.inertias).stiffness
        self.rows = np.zeros((substeps, plan.position_count))
        self._reference = np.zeros(plan.velocity_count)
        self.set_tension(character.options.tension)
        self._refresh()

    def set_tension(self, tension: Tension) -> None:
        """Change how tense the muscles are."""
        self.tension = tension
        self._gains = tension.gains(self.inertias)

    def set_modes(self, modes: NDArray[np.int64]) -> None:
        """Take note of who moves each joint, shape (B,)."""
        self.modes[:] = modes
        self.released |= modes != Mode.MOTION
        self._refresh()

    def _refresh(self) -> None:
        self._active = self.modes[1:] == Mode.TORQUE
        self._any_active = bool(self._active.any())

    def sample(self, times: Array) -> None:
        """Take the clip's generalized positions at the end of each substep."""
        self.trajectory.rows(times, self.rows)

    def split(self, drive_positions: Array, middle: float) -> Target | None:
        """Hand the clip to the drive, and to the muscles as a target; None when no joint has muscles at work.

        Velocity and load are taken in the middle of the tick, since they are held over it.
        """
        drive_positions[:, self.layout.positions] = self.rows
        if not self._any_active:
            return None
        moment = self.trajectory.moment(middle)
        return Target(
            rotations=self.rows[:, 7:].reshape(len(self.rows), -1, 4),
            velocity=moment.velocities[6:].reshape(-1, 3),
            stiffness=self._gains.stiffness,
            damping=self._gains.damping,
            load=self._load(moment)[6:].reshape(-1, 3),
            limit=self.character.plan.strengths[1:],
        )

    def _load(self, moment: Moment) -> Array:
        if self.tension.load == "gravity":
            return self.dynamics.load(moment.positions)
        return self.dynamics.inverse(*moment)

    def control(self, target: Target | None, positions: Array, effort: Effort) -> None:
        """Turn the target into muscle parameters, controls and applied torques, given the world's positions (nq,)."""
        layout = self.layout
        if target is None:
            effort.stiffness[layout.muscles] = 0.0
            effort.damping[layout.muscles] = 0.0
            effort.applied[layout.velocities] = 0.0
            return
        own = positions[layout.positions]
        muscles = self.muscles
        limit_muscles(muscles, self._active, own[7:].reshape(-1, 4), target, self.stops)
        effort.stiffness[layout.muscles] = muscles.stiffness
        effort.damping[layout.muscles] = muscles.damping
        effort.controls[:, layout.controls] = target.rotations.reshape(len(self.rows), -1)
        effort.applied[layout.velocities][6:] = muscles.applied.ravel()


def effective_inertias(dynamics: CharacterDynamics, bodies: int) -> Array:
    """Largest moment of inertia about each joint of what hangs on it, in the neutral pose [kg m²], shape (B-1,)."""
    neutral = np.zeros(7 + 4 * (bodies - 1))
    neutral[3::4] = 1.0
    matrix = dynamics.mass_matrix(neutral)
    blocks = [matrix[6 + 3 * j : 9 + 3 * j, 6 + 3 * j : 9 + 3 * j] for j in range(bodies - 1)]
    return np.array([np.linalg.eigvalsh(block)[-1] for block in blocks])
