"""Legs that carry a pelvis from planted feet: inverse kinematics at every substep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.root import _kernels
from poise.body.coordinates import BodyFrames
from poise.body.layout import turn_columns
from poise.body.plan import BodyPlan
from poise.ik.limbs import LimbOptions, LimbSolver
from poise.ik.limbs._kernels import solve_limbs
from poise.locomotion.knees import with_deep_knees
from poise.math.easing import minimum_jerk

__all__ = ["Legs"]

Array = NDArray[np.float64]

_STRAIGHT = 1e-4
"""Softness of legs that may be straight."""


class Legs:
    """The two legs of a plan, left before right, as compiled loops want them.

    Args:
        plan: The character.
        substeps: In a tick.
    """

    def __init__(self, plan: BodyPlan, substeps: int) -> None:
        solver = LimbSolver(with_deep_knees(plan), LimbOptions(limits=False))
        limbs = [solver.names.index(f"{side}_foot") for side in ("left", "right")]
        self.hips, self.feet = solver.bodies[limbs, 0], solver.bodies[limbs, 2]
        uppers = np.linalg.norm(plan.offsets[solver.bodies[limbs, 1]], axis=1)
        self.bones: Array = uppers + solver.lower_lengths[limbs]
        self.bodies = np.array(sorted(b for hip in self.hips for b in plan.subtree(int(hip))), dtype=np.int64)
        ways = {0}
        for body in (int(plan.parents[hip]) for hip in self.hips):
            while body not in ways:
                ways.add(body)
                body = int(plan.parents[body])
        self.between = np.array(sorted(ways - {0}), dtype=np.int64)
        """Bodies between the pelvis and the legs, which some skeletons have."""
        self.carriers = turn_columns(self.between)
        parents, offsets, _, model = solver.compiled
        needed = set(self.feet.tolist())
        for body in range(len(plan) - 1, 0, -1):
            if body in needed:
                needed.add(int(plan.parents[body]))
        own = (*model[:4], np.ascontiguousarray(model[4][limbs]), np.ascontiguousarray(model[5][limbs]))
        self.compiled = (parents, offsets, np.array(sorted(needed)), own)
        self.settings = solver.settings(np.inf)
        self.goals, self.turns = np.zeros((substeps, 1, 2, 3)), np.zeros((substeps, 1, 2, 4))
        self.turns[..., 0] = 1.0
        self.poles, self.weights = np.zeros((1, 2, 3)), np.zeros((1, 2, 3))
        self.weights[..., :2] = 1.0
        self.memory, self.errors = np.zeros((1, 2, solver.memory(1).shape[2])), np.zeros((1, 2))
        self.beside = np.zeros((substeps, len(self.bodies), 3))
        """Rotation vectors by which joints are turned beside that at each substep [rad], shape (substeps, n, 3)."""
        self.strengths, self.ways = np.zeros((len(self.bodies), 6)), np.zeros((len(self.bodies), 7))
        """Of legs that yield, and where legs were led to last; see `_kernels.lead_legs`."""
        self.led = (
            (self.bodies, self.beside, self.carriers),
            (self.goals, self.turns, self.poles, self.weights),
            (self.compiled, self.settings, self.memory, self.errors),
            (
                np.zeros((1, plan.position_count)),
                np.zeros((len(self.bodies), 3)),
                np.zeros((len(self.bodies), 3)),
            ),
            (self.strengths, self.ways),
        )
        """Everything that leads them over a substep, as `_kernels.bear` wants it."""

    def reach(self, row: Array) -> Array:
        """The pose (nq,) with its feet at the first of the tick's goals, shape (nq,)."""
        rows, goals = row[None].copy(), (self.goals[0], self.turns[0], self.poles, self.weights)
        solve_limbs(self.compiled, self.settings, goals, self.memory.copy(), rows, self.errors)
        return np.asarray(rows[0])

    def lack(self, row: Array) -> Array:
        """How far the joints of a pose (nq,) are from what leads them to its own feet [rad], rotation vectors (n, 3).

        A clip's knee may be straighter than inverse kinematics leaves one: by millimeters that would show at once.
        """
        return self.beyond(row, row)

    def beyond(self, row: Array, clip: Array) -> Array:
        """How far the joints of a pose (nq,) are from what leads those of a clip's (nq,) to the tick's goals from its pelvis.

        Rotation vectors [rad], shape (n, 3).
        """
        carried = clip.copy()
        carried[:7], carried[self.carriers] = row[:7], row[self.carriers]
        led, here, still = self.reach(carried), row.view(), np.zeros(3 * len(row))
        # As the view of the world hands them out: for arrays that may be written the kernel would be compiled once more.
        here.flags.writeable = still.flags.writeable = False
        away, speed = np.zeros((1 + len(self.bodies), 3)), np.zeros((1 + len(self.bodies), 3))
        _kernels.apart(here, led, led, still, self.bodies, 1.0, away, speed)
        return away[1:]

    def bend(self, bent: Array, shares: Array) -> None:
        """Turn joints beside what leads them, (n, 3) or none, less and less: at shares (substeps,) of the way to not at all."""
        left = 1.0 - minimum_jerk(shares)
        self.beside[:] = left[:, None, None] * bent if len(bent) else 0.0

    def stand(self, rows: Array, frames: BodyFrames, *, straight: bool = False) -> None:
        """Bring the feet of rows (n, nq) to where they are in frames of as many poses, in place, wherever the pelvis is.

        With `straight`, legs may be as straight as any clip has them: a knee that is kept softer pops by centimeters.
        """
        count = len(rows)
        goals, turns = (np.ascontiguousarray(each[:, self.feet]) for each in frames)
        poles, weights, memory = (
            np.repeat(each, count, axis=0) for each in (self.poles, self.weights, np.zeros_like(self.memory))
        )
        errors = np.zeros((count, 2))
        settings = (_STRAIGHT, *self.settings[1:]) if straight else self.settings
        solve_limbs(self.compiled, settings, (goals, turns, poles, weights), memory, rows, errors)
