"""Arms and legs that reach for goals: exact in one pass, any number of bodies at once.

The lower bone is bent until its end is as far from the root as the goal is, the whole limb is turned the short way onto the
goal, and then about the root-end axis towards the pole. Less than in the pose that was given it bends in the plane it is bent
in; further it bends about the joint's hinge. Rotations are deltas on the pose that was given, so bone lengths hold to rounding
and every bone keeps its twist: Eqs. 3 and 4 of Hu 2024 without the iteration (Eq. 1). A goal where the end already is changes
nothing, but that a joint bent backwards bends forwards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.ik.limbs import _kernels
from poise.math import quat

__all__ = ["LIMBS", "LimbGoals", "LimbOptions", "LimbSolver"]

Array = NDArray[np.float64]

LIMBS: dict[str, tuple[str, str, str]] = {
    f"{side}_{parts[2]}": (f"{side}_{parts[0]}", f"{side}_{parts[1]}", f"{side}_{parts[2]}")
    for parts in (("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot"))
    for side in ("left", "right")
}
"""Roles of each limb's root, middle and end, by the name of its end."""


@dataclass(frozen=True, kw_only=True)
class LimbOptions:
    """How limbs reach."""

    softness: float = parameters.number(
        0.005, 0.0, 0.5, says="share of a limb's length over which it comes to full reach softly"
    )
    """Share s of a limb's length L: a goal at distance d up to d0 = (1 - s) L is met exactly; beyond, the end stays at
    L - (L - d0) exp(-(d - d0) / (L - d0)): monotone, with continuous slope, never quite straight. Where the pose that was given
    is straighter than d0 it stays exact up to that pose's own reach, at most (1 - s / 10) L."""
    limits: bool = parameters.switch(True, says="whether joints keep the plan's limits; the goal gives way to them")
    wrist_twist: float = parameters.angle(
        20.0, 0.0, 180.0, says="twist a wrist takes itself, either way; the rest goes to the forearm, as in a real arm"
    )
    rate: float = parameters.number(
        25.0,
        1e-3,
        1e4,
        "rad/s",
        says="how fast each joint turns at most, where a tick is given; a goal that jumps is followed at this rate",
    )

    def __post_init__(self) -> None:
        parameters.check(self, "limbs")


class LimbGoals(NamedTuple):
    """What the limbs of N bodies reach for; L limbs in the solver's order.

    Args:
        positions: Where each end shall be in the world [m], shape (N, L, 3). One that is not finite leaves its limb alone.
        rotations: How each end shall be turned in the world, wxyz, shape (N, L, 4).
        poles: Point in the world each middle joint points to, shape (N, L, 3).
        weights: Of position, rotation and pole, 0…1, shape (N, L, 3). At 0 the end rides along, or the limb keeps the bend
            plane it has.
    """

    positions: Array
    rotations: Array
    poles: Array
    weights: Array

    @classmethod
    def none(cls, bodies: int, limbs: int) -> LimbGoals:
        """No goals, to be filled in."""
        turns = np.zeros((bodies, limbs, 4))
        turns[..., 0] = 1.0
        points = np.zeros((bodies, limbs, 3))
        return cls(points, turns, points.copy(), np.zeros((bodies, limbs, 3)))


class LimbSolver:
    """The limbs of one character.

    Args:
        plan: The character. A limb without a hand or foot ends at its end site or last joint.
        options: How limbs reach.

    Raises:
        InputError: A limb lacks a bone, or one of its two bones has no length.
    """

    def __init__(self, plan: BodyPlan, options: LimbOptions | None = None) -> None:
        self.plan = plan
        self.options = options or LimbOptions()
        self.names: tuple[str, ...] = tuple(LIMBS)
        self.bodies = np.array([_bodies(plan, name) for name in self.names])
        shapes = np.array([_shape(plan, name, *bodies) for name, bodies in zip(self.names, self.bodies, strict=True)])
        hands = [name.endswith("hand") for name in self.names]
        shapes[hands, 7:] = [-self.options.wrist_twist, self.options.wrist_twist]
        self.lower_lengths: Array = np.linalg.norm(shapes[:, 4:7], axis=1)
        """Of each limb's lower bone [m], shape (L,)."""
        self.lengths: list[float] = [
            _upper_length(plan, int(root), int(mid)) + float(lower)
            for (root, mid, _), lower in zip(self.bodies, self.lower_lengths, strict=True)
        ]
        """Of each limb along its bones [m]."""
        needed = set(self.bodies[self.bodies >= 0].tolist())
        for body in range(len(plan) - 1, 0, -1):
            if body in needed:
                needed.add(int(plan.parents[body]))
        lower = np.array([limits.lower for limits in plan.limits])
        upper = np.array([limits.upper for limits in plan.limits])
        model = (
            *map(np.ascontiguousarray, (plan.bind_rotations, plan.neutral, lower, upper)),
            self.bodies,
            shapes,
        )
        self.compiled = (plan.parents, plan.offsets, np.array(sorted(needed)), model)
        """What compiled loops are given: parents, offsets, bodies that are needed, and the limbs' model."""

    def memory(self, bodies: int) -> Array:
        """What the solver remembers of `bodies` characters between ticks, at the start; shape (N, L, 14)."""
        return np.zeros((bodies, len(self.names), 14))

    def solve(self, rows: Array, goals: LimbGoals, memory: Array | None = None, tick: float | None = None) -> Array:
        """Change the limbs in generalized positions `rows` (N, nq), in place, so that they reach their goals.

        Args:
            rows: The pose to start from; what the goals do not ask for stays as it is.
            goals: What to reach for.
            memory: From `memory`; keeps twists unwrapped and joints from turning too fast. None: no past.
            tick: Time since the last call [s], for `LimbOptions.rate`.

        Returns:
            How far each end stays from its goal [m], shape (N, L); NaN without a goal.
        """
        errors = np.empty((len(rows), len(self.names)))
        turn = np.inf if tick is None else self.options.rate * tick
        self.run(rows, goals, self.memory(len(rows)) if memory is None else memory, turn, errors)
        return errors

    def run(self, rows: Array, goals: LimbGoals, memory: Array, turn: float, errors: Array) -> None:
        """The compiled part of `solve`, with joints that turn by at most `turn` [rad] and `errors` (N, L) to be written."""
        _kernels.solve_limbs(self.compiled, self.settings(turn), tuple(goals), memory, rows, errors)

    def settings(self, turn: float) -> tuple[float, float, float, float]:
        """For compiled loops: softness, by how much joints turn at most [rad], and whether end and root keep limits."""
        return self.options.softness, turn, float(self.options.limits), float(self.options.limits)


def _bodies(plan: BodyPlan, name: str) -> tuple[int, int, int]:
    found = [next(iter(plan.with_role(role)), -1) for role in LIMBS[name]]
    root, mid, end = found
    if root < 0 or mid not in plan.subtree(root)[1:]:
        raise InputError(f"needs a body for {LIMBS[name][0]} and one for {LIMBS[name][1]} below it", place=name)
    if end >= 0 and end not in plan.subtree(mid)[1:]:
        raise InputError(f"the body {plan.names[end]} must lie below {plan.names[mid]}", place=name)
    return root, mid, end


def _upper_length(plan: BodyPlan, root: int, mid: int) -> float:
    """From a limb's first joint to its middle one along the bones between [m]."""
    length, at = 0.0, mid
    while at != root:
        length += float(np.linalg.norm(plan.offsets[at]))
        at = int(plan.parents[at])
    return length


def _shape(plan: BodyPlan, name: str, root: int, mid: int, end: int) -> Array:
    """Hinge in the root's frame, cosine of the greatest flexion, lower bone in the middle's frame, twist range of the end."""
    leg = name.endswith("foot")
    hinge = quat.rotate(quat.conj(plan.neutral[root]), [0.0, 1.0 if leg else -1.0, 0.0])
    flexion = plan.limits[mid].upper[1] if leg else -plan.limits[mid].lower[1]
    upper, lower = _bone(plan, root, mid), _bone(plan, mid, end) if end >= 0 else _tip(plan, mid, name)
    for bone, what in ((upper, plan.names[root]), (lower, plan.names[mid])):
        if not np.linalg.norm(bone) > 1e-6:
            raise InputError(f"the bone of {what} has no length; a limb needs two bones", place=name)
    twist = (plan.limits[end].lower[2], plan.limits[end].upper[2]) if end >= 0 else (0.0, 0.0)
    return np.array([*hinge, np.cos(np.clip(flexion, 0.1, np.pi - 0.01)), *lower, *twist])


def _bone(plan: BodyPlan, body: int, below: int) -> Array:
    """From a body's joint to a body's joint below it, in the upper one's frame in the neutral pose [m], shape (3,)."""
    bone = np.zeros(3)
    while below != body:
        bone = plan.offsets[below] + (quat.rotate(plan.bind_rotations[below], bone) if bone.any() else bone)
        below = int(plan.parents[below])
    return bone


def _tip(plan: BodyPlan, body: int, name: str) -> Array:
    """Where a limb without an end body ends: the mean of the last body's end sites and children, shape (3,)."""
    skeleton, joint = plan.skeleton, int(plan.joints[body])
    ends = [skeleton.end_offsets[e] for e, on in enumerate(skeleton.end_parents) if on == joint]
    ends += [skeleton.offsets[child] for child in skeleton.children[joint]]
    if not ends:
        raise InputError(
            f"{skeleton.names[joint]} is the last joint and has no end site, so the limb is a chain of one bone; "
            "add a joint or an end site below it",
            place=name,
        )
    return np.asarray(np.mean(ends, axis=0))
