"""Pumping a swing with a body that is all animation: the swing of Isaacs and Cohen 1987 in van Welbergen 2009, Sec. 3.5.

The pelvis rides on the board, everything else follows a pose between leaning forward with the legs tucked and leaning back with
the legs stretched. Leaning back as the swing goes forward does work on it at every turn; the swing itself is physics alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.behaviors.behavior import Behavior, Contribution, Part
from poise.behaviors.reference import Reference
from poise.hybrid.partition import whole
from poise.math import quat
from poise.signals import Mode
from poise.world.command import Place, Spin, Weld
from poise.world.view import WorldView

__all__ = ["Pump", "PumpOptions", "PumpState"]

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PumpOptions:
    """How somebody pumps a swing."""

    effort: float = parameters.number(1.0, 0.0, 1.0, says="share of the lean used; 0 sits still")
    nudge: float = parameters.number(0.25, -5.0, 5.0, "rad/s", says="rate the swing begins with")
    full: float = parameters.number(
        0.35, 0.01, 10.0, "rad/s", says="rate of the swing at which the lean is nearly full"
    )
    follows: float = parameters.number(
        9.0,
        0.1,
        100.0,
        "rad/s",
        says="natural frequency of the lean",
        source="critically damped",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "pump")


@dataclass
class PumpState:
    """The lean from -1, forward, to 1, back, and its rate [1/s], shape (2,)."""

    lean: Array = field(default_factory=lambda: np.zeros(2))


class Pump(Behavior[PumpState]):
    """Rides a swing.

    Args:
        swing: Name of the swing's body and hinge.
        poses: Generalized positions from leaning forward to leaning back, shape (n, nq); the pelvis is the same in all.
        options: How.
    """

    claims = frozenset[Part]({"pelvis", "hands"})

    def __init__(self, swing: str, poses: Array, options: PumpOptions | None = None) -> None:
        self.swing, self.poses, self.options = swing, poses, options or PumpOptions()
        self.state = PumpState()

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        """Sit down, hold on, and give the swing a nudge."""
        self._view, plan = view, reference.plan
        wanted, seat = Contribution(reference), self._pose(0.0)
        wanted.modes = whole(plan, Mode.MOTION)
        wanted.modes[0] = int(Mode.PASSIVE)
        hinge = view.hinge(self.swing)
        velocities = np.zeros(plan.velocity_count)
        velocities[:3] = np.cross(self.options.nudge * hinge.axis, seat[:3] - hinge.pivot)
        velocities[3:6] = quat.rotate(quat.conj(seat[3:7]), self.options.nudge * hinge.axis)
        wanted.commands += [
            Spin(self.swing, self.options.nudge),
            Place(reference.name, seat, velocities),
            Weld(f"{reference.name}/{plan.names[0]}"),
        ]
        wanted.edit_pose()[:] = seat
        return wanted

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
        return self._view.hinge(self.swing).angle

    def step(self, view: WorldView, reference: Reference, state: PumpState) -> Contribution:
        """Lean with the swing's rate."""
        wanted, h, lean, follows = Contribution(reference), view.substep, state.lean, self.options.follows
        aim = self.options.effort * np.tanh(view.hinge(self.swing).rate / self.options.full)
        seat = view.positions(reference.name)[:7]
        for row in wanted.edit_pose():
            lean[1] += h * follows * (follows * (aim - lean[0]) - 2.0 * lean[1])
            lean[0] += h * lean[1]
            row[7:] = self._pose(float(lean[0]))[7:]
            row[:7] = seat
        return wanted
