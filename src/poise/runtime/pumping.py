"""Pumping a swing with a body that is all animation: the swing of Isaacs and Cohen 1987 in van Welbergen 2009, Sec. 3.5.

The pelvis rides on the board, everything else follows a pose between leaning forward with the legs tucked and leaning back with
the legs stretched. Leaning back as the swing goes forward does work on it at every turn; the swing itself is physics alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from poise.hybrid.partition import whole
from poise.math import quat
from poise.runtime.frame import Event
from poise.signals import Mode

if TYPE_CHECKING:
    from poise.runtime.actor import Actor
    from poise.runtime.session import Session

__all__ = ["Pump"]

Array = NDArray[np.float64]

_FULL = 0.35
"""Rate of the swing at which the lean is nearly full [rad/s]."""
_FOLLOW = 9.0
"""Natural frequency of the lean, critically damped [rad/s]."""


class Pump:
    """Rides a swing.

    Args:
        swing: Name of the swing's body and hinge.
        poses: Generalized positions from leaning forward to leaning back, shape (n, nq); the pelvis is the same in all.
        effort: Share of the lean used; 0 sits still.
        nudge: Rate the swing begins with [rad/s].
    """

    def __init__(self, swing: str, poses: Array, effort: float = 1.0, nudge: float = 0.25) -> None:
        self.swing, self.poses, self.effort, self.nudge = swing, poses, effort, nudge
        self._lean = np.zeros(2)

    def begin(self, session: Session, actor: Actor) -> None:
        """Sit down, hold on, and give the swing a nudge."""
        self._session, self._actor = session, actor
        world, plan = session.world, actor.character.plan
        self._at = int(world.model.jnt_dofadr[world.model.joint(self.swing).id])
        self._angle_at = int(world.model.jnt_qposadr[world.model.joint(self.swing).id])
        modes = whole(plan, Mode.MOTION)
        modes[0] = int(Mode.PASSIVE)
        session.assign_modes(actor, modes)
        start = self._pose(0.0)
        pivot = np.array(world.model.body(self.swing).pos)
        axis = quat.rotate(np.array(world.model.body(self.swing).quat), np.array([1.0, 0.0, 0.0]))
        velocities = np.zeros(plan.velocity_count)
        velocities[:3] = np.cross(self.nudge * axis, start[:3] - pivot)
        velocities[3:6] = quat.rotate(quat.conj(start[3:7]), self.nudge * axis)
        world.data.qvel[self._at] = self.nudge
        world.place(actor.layout.name, start, velocities)
        world.weld(f"{actor.layout.name}/{plan.names[0]}")
        actor.rows[:] = start

    def _pose(self, lean: float) -> Array:
        """The pose at a lean from -1, forward, to 1, back."""
        place = 0.5 * (float(np.clip(lean, -1.0, 1.0)) + 1.0) * (len(self.poses) - 1)
        low = min(int(place), len(self.poses) - 2)
        pose = (1.0 - place + low) * self.poses[low] + (place - low) * self.poses[low + 1]
        turns = pose[3:].reshape(-1, 4)
        turns /= np.linalg.norm(turns, axis=1, keepdims=True)
        return np.asarray(pose)

    @property
    def angle(self) -> float:
        """Of the swing from hanging straight [rad]."""
        return float(self._session.world.data.qpos[self._angle_at])

    def act(self, begin: float) -> tuple[Event, ...]:
        """Lean with the swing's rate."""
        actor, h = self._actor, self._session.clock.substep
        wanted = self.effort * np.tanh(float(self._session.world.data.qvel[self._at]) / _FULL)
        for row in actor.rows:
            self._lean[1] += h * _FOLLOW * (_FOLLOW * (wanted - self._lean[0]) - 2.0 * self._lean[1])
            self._lean[0] += h * self._lean[1]
            row[7:] = self._pose(self._lean[0])[7:]
            row[:7] = self._session.world.data.qpos[actor.layout.positions][:7]
        actor.changed = True
        return ()

    def save(self) -> Array:
        """See `Stage.save`."""
        return self._lean.copy()

    def restore(self, saved: Array) -> None:
        """See `Stage.restore`."""
        self._lean[:] = saved
