"""What a compliant root remembers from tick to tick."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root.hurdles import HurdleState
from poise.behaviors.root.recovery import RecoveryState
from poise.behaviors.root.yielding_legs import YieldState
from poise.locomotion.stepping import StepState
from poise.math import quat

__all__ = ["RootState", "turned_inertia"]

Array = NDArray[np.float64]


@dataclass
class RootState:
    """See the fields.

    Args:
        clip: The clip's pose at the end of the last tick, shape (nq,).
        target: The intended root then, shape (7,).
        speed: How fast it went, shape (6,).
        feed: Wrench that the clip's motion needed then, shape (6,).
        extra: Wrench that what other behaviors changed needs beside it, shape (6,).
        motions: Mean velocities, those before and their change of the clip's and of the intended pose, and the poses at the
            end of the last tick, for `note_motion`.
        freed: Bodies that gave up following their motion when the root woke, the pelvis first, shape (m,).
        awake: Whether the root yields.
        may: Whether it may wake at all.
        fell: Whether its body fell.
        changes: How many of its changes at set times are over.
        quiet: How long nothing has been near and everything back in place [s].
        pace: How fast the body lets its clip's time run.
        lean: Level force against what lasts [N], shape (2,).
        moved: Motion of the intended root (x, y, yaw, height) at the end of the last tick, shape (4,).
        aside: How far others wanted the root beside its motion, level and up [m], and how fast that changes [m/s], at the
            end of the last tick, shape (2, 3).
        recovery: What is left of a push.
        legs: Of legs that give way.
        hurdles: Of what feet go over.
        steps: Of the planner.
        memory: Of the legs' inverse kinematics.
        woke: When it woke where its motion was [s], for legs to come from that to where they are led.
        bent: How far their joints were from there, rotation vectors [rad], shape (n, 3).
        back: When the return to the motion began [s].
        away: How far the pelvis and the bodies that fell asleep were from their motion then, and how fast they came nearer.
    """

    clip: Array
    target: Array
    speed: Array
    feed: Array
    extra: Array
    motions: tuple[tuple[Array, Array, Array, Array], tuple[Array, Array, Array, Array]]
    freed: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    awake: bool = False
    may: bool = True
    fell: bool = False
    changes: int = 0
    quiet: float = 0.0
    pace: float = 1.0
    lean: Array = field(default_factory=lambda: np.zeros(2))
    moved: Array = field(default_factory=lambda: np.zeros(4))
    aside: Array = field(default_factory=lambda: np.zeros((2, 3)))
    recovery: RecoveryState = field(default_factory=RecoveryState)
    legs: YieldState = field(default_factory=YieldState.at_rest)
    hurdles: HurdleState = field(default_factory=HurdleState)
    steps: StepState = field(default_factory=StepState.at_rest)
    memory: Array = field(default_factory=lambda: np.zeros(0))
    woke: float = -np.inf
    bent: Array = field(default_factory=lambda: np.zeros((0, 3)))
    back: float = -np.inf
    away: tuple[Array, Array] = field(default_factory=lambda: (np.zeros((0, 3)), np.zeros((0, 3))))

    @classmethod
    def of(cls, pose: Array, velocities: Array) -> RootState:
        """At the beginning of a motion: pose (nq,) and velocities (nv,)."""
        one, other = ((velocities.copy(), velocities.copy(), np.zeros_like(velocities), pose.copy()) for _ in range(2))
        return cls(pose.copy(), pose[:7].copy(), velocities[:6].copy(), np.zeros(6), np.zeros(6), (one, other))


def turned_inertia(matrix: Array, neutral: Array) -> Array:
    """Moments of inertia about forward, left and up of the neutral pelvis, from those in its own frame, shape (3,)."""
    turn = quat.to_matrix(neutral)
    return np.asarray((turn @ matrix @ turn.T).diagonal())
