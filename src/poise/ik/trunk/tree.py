"""FABRIK (Aristidou 2011, 2016; Hu 2024, Eqs. 1, 3, 4) on the bodies between a base and several ends.

Each pass goes backward from the ends to the base and forward again; Hu prints the backward half alone, which loses the
base. The forward half turns bodies instead of moving points, so that bone lengths are exact, joint limits (swing and
twist in the anatomical frame) hold after every pass, and a body with several chains (a sub-base: the chest between neck
and arms) stays rigid. A straight chain in line with its goal is first bent by a fiftieth of each bone towards the front
of the base; joints at the same place follow without turning. Limits make FABRIK slow and can hold it short of a goal that the
chain could reach, so each pass of a limited tree ends with damped least squares inside the limits, and a tree that is stuck
starts once more from the neutral pose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik._kernels import Ends
from poise.ik.trunk import _kernels
from poise.math import quat

__all__ = ["Reached", "TreeSolver"]

Array = NDArray[np.float64]


class Reached(NamedTuple):
    """How a tree got on: passes used and the distance of the worst end from its goal [m]."""

    passes: int
    miss: float


class TreeSolver:
    """The bodies between `base` and `ends` of one character.

    Args:
        plan: The character.
        base: Body that stays where it is, such as the pelvis.
        ends: Bodies whose joints reach for goals.
        tolerance: Largest miss that is good enough [m].
        passes: Most passes per call; the next call goes on from there.
        limits: Whether joints keep the plan's limits.

    Raises:
        InputError: An end is not below the base, is given twice, or hangs on the base itself (a chain of one bone).
    """

    def __init__(
        self,
        plan: BodyPlan,
        base: int,
        ends: Sequence[int],
        *,
        tolerance: float = 1e-4,
        passes: int = 10,
        limits: bool = True,
    ) -> None:
        self.plan, self.ends = plan, tuple(ends)
        if not ends or len(set(ends)) != len(ends):
            raise InputError("a tree needs at least one end, and each only once")
        nodes = sorted(set().union(*(_path(plan, base, end) for end in ends)))
        number = {body: node for node, body in enumerate(nodes)}
        above = [-1] + [number[int(plan.parents[body])] for body in nodes[1:]]
        self._tree = (np.array(nodes), np.array(above))
        self._sizes = np.linalg.norm(plan.offsets[nodes], axis=1)
        self._ends = np.array([number[end] for end in ends])
        self._model = kernel_model(plan)
        self._settings = np.array([tolerance, float(passes), float(limits)])

    def solve(
        self,
        row: Array,
        goals: Array,
        weights: Array | None = None,
        rotations: Array | None = None,
        rotation_weights: Array | None = None,
    ) -> Reached:
        """Change generalized positions `row` (nq,), in place, so that the ends reach their goals.

        The pose in `row` is the warm start.

        Args:
            row: The pose to start from.
            goals: World positions of the ends [m], shape (E, 3). One that is not finite is left out.
            weights: How much each counts where they contradict, shape (E,); 0 leaves one out. Default 1.
            rotations: World orientations of the ends, wxyz, shape (E, 4).
            rotation_weights: Which of them count (above 0), shape (E,). Default: all, if there are any.
        """
        count = len(self.ends)
        known = np.array([bool(np.isfinite(goal).all()) for goal in goals])
        pulls = np.where(known, 1.0 if weights is None else weights, 0.0)
        if rotations is None:
            rotations, rotation_weights = np.tile(quat.IDENTITY, (count, 1)), np.zeros(count)
        elif rotation_weights is None:
            rotation_weights = np.ones(count)
        frames = body_frames(self.plan, row)
        base = self._tree[0][0]
        root = np.concatenate([frames.rotations[0, base], frames.positions[0, base]])
        points = np.where(known[:, None], goals, 0.0)
        asked = Ends(self._ends, points, pulls, rotations, rotation_weights)
        passes, miss = _kernels.reach_tree(self._tree, self._model, self._sizes, asked, root, row, self._settings)
        return Reached(int(passes), float(miss))


def kernel_model(plan: BodyPlan) -> Any:
    """The plan's arrays as the kernels take them: offsets, bind, neutral, lower and upper limits."""
    lower = np.array([limits.lower for limits in plan.limits])
    upper = np.array([limits.upper for limits in plan.limits])
    return tuple(map(np.ascontiguousarray, (plan.offsets, plan.bind_rotations, plan.neutral, lower, upper)))


def _path(plan: BodyPlan, base: int, end: int) -> list[int]:
    path = [end]
    while path[-1] != base:
        if path[-1] <= 0:
            raise InputError(f"the end {plan.names[end]} is not below the base {plan.names[base]}")
        path.append(int(plan.parents[path[-1]]))
    if len(path) < 3:
        raise InputError(
            f"from {plan.names[base]} to {plan.names[end]} is a chain of one bone; at least one joint must lie between"
        )
    return path
