"""What is asked of each segment in a frame: errors of turns and places, and how they change with the robot's velocities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.robots.figure import RobotFigure
from poise.robots.goals import Goals
from poise.robots.segments import SIDES, Segment
from poise.world.robot import RobotModel

__all__ = ["SolveOptions", "Tasks", "tasks_of"]

Array = NDArray[np.float64]

_SWINGING = 0.05
"""What a foot's goals weigh while it swings, beside those of a standing one."""
_ROLLS = 0.5
"""Cosine between a hinge and the foot from which on it rolls the foot."""


@dataclass(frozen=True, kw_only=True)
class SolveOptions:
    """Weights of a robot's goals against each other; a bone's direction has 1.

    All are of errors in radians, or in metres where it says so.
    """

    hips: float = 5.0
    """Place of the pelvis, per metre."""
    trunk: float = 1.0
    """Turns of pelvis and chest."""
    bone: float = 1.0
    """Directions of upper arms, forearms and hands."""
    leg: float = 0.2
    """Directions of thighs and shanks; feet say nearly all of them."""
    twist: float = 0.1
    """Turns of limbs about their own bones."""
    head: float = 0.3
    """Turn of the head."""
    foot_place: float = 1000.0
    """Place of a standing foot, per metre; a swinging one has a twentieth."""
    foot_turn: float = 10.0
    """Direction of a standing foot; a swinging one has a twentieth."""
    foot_roll: float = 1.0
    """Roll of a standing foot: where the ankle's range ends the foot tilts before the pelvis leaves its way."""
    still: float = 0.03
    """How much a joint prefers to stay where it was in the frame before."""
    rest: float = 0.01
    """How much it prefers its zero."""
    calm: float = 0.3
    """How much it prefers its own smoothed way."""
    cutoff: float = 6.0
    """Below which that is smoothed [Hz]."""
    speed: float = 25.0
    """Fastest that a joint goes [rad/s]."""
    steps: int = 6
    """Most steps for a frame."""


@dataclass(frozen=True, eq=False)
class Tasks:
    """The goals of all segments; the pelvis is the first, arrays over segments are in the figure's order.

    Args:
        bodies: Of the segments, shape (S,).
        wanted: Orientation of each body, shape (T, S, 4).
        bones: Direction of each bone in its body's frame, shape (S, 3).
        points: Centre of each segment's joint in its body's frame [m], shape (S, 3).
        swings: Weight of a bone's direction at each frame, shape (T, S).
        twists: Weight of the turn about it, shape (T, S).
        placed: Segments that have a place to go to: pelvis and feet, shape (3,).
        places: Where to [m], shape (T, 3, 3).
        pulls: Their weights [1/m], shape (T, 3).
    """

    bodies: NDArray[np.int64]
    wanted: Array
    bones: Array
    points: Array
    swings: Array
    twists: Array
    placed: NDArray[np.int64]
    places: Array
    pulls: Array

    def linear(self, model: RobotModel, frame: int) -> tuple[Array, Array]:
        """Weighted Jacobian (R, N) and weighted errors (R,) at the model's present pose.

        The error of a turn is the shortest swing of the bone, and the twist about it that then is missing.
        """
        own, positions = model.orientations[self.bodies], model.positions[self.bodies]
        points = positions + quat.rotate(own, self.points)
        moves, turns = model.jacobians(self.bodies, points)
        wanted, swings, twists = self.wanted[frame], self.swings[frame], self.twists[frame]
        now, then = quat.rotate(own, self.bones), quat.rotate(wanted, self.bones)
        swing = quat.between(now, then)
        twist = quat.log(quat.mul(wanted, quat.conj(quat.mul(swing, own))))
        along = now[:, :, None] * now[:, None, :]
        weights = swings[:, None, None] * (np.eye(3) - along) + twists[:, None, None] * along
        error = quat.log(swing) + now * (twist * then).sum(axis=1, keepdims=True)
        pulls = self.pulls[frame][:, None]
        count = moves.shape[2]
        jacobian = [(weights @ turns).reshape(-1, count), (pulls[:, None] * moves[self.placed]).reshape(-1, count)]
        errors = [(weights @ error[:, :, None]).ravel(), (pulls * (self.places[frame] - points[self.placed])).ravel()]
        return np.concatenate(jacobian), np.concatenate(errors)


def tasks_of(model: RobotModel, figure: RobotFigure, goals: Goals, options: SolveOptions) -> Tasks:
    """Goals as tasks of the robot's bodies; the model stands in its zero pose."""
    segments, zero = figure.segments, figure.zero
    bodies = np.array([segment.body for segment in segments])
    wanted = quat.mul(quat.mul(goals.turns, figure.upright), zero)
    feet = [figure.joint(f"{side}_foot") for side in SIDES]
    for path, sole, foot in zip(goals.feet, figure.soles, feet, strict=True):
        level = quat.mul(quat.from_matrix(sole.level), figure.upright)
        wanted[:, foot] = quat.mul(quat.mul(path.turns, level), zero[foot])
    centres = np.array([segment.centre for segment in segments])
    ends = np.array([_end(figure, joint) for joint in range(len(segments))]) - centres
    bones = quat.rotate(quat.conj(zero), ends / np.maximum(np.linalg.norm(ends, axis=1, keepdims=True), 1e-9))
    bones[np.linalg.norm(bones, axis=1) < 0.5] = [0.0, 0.0, 1.0]
    # An ankle without a hinge that rolls cannot lay its foot level, and to try would bend the leg sideways.
    rolls = dict.fromkeys(range(len(segments)), False)
    for sole, foot in zip(figure.soles, feet, strict=True):
        forward = np.linalg.solve(sole.level @ quat.to_matrix(figure.upright), np.array([1.0, 0.0, 0.0]))
        bones[foot] = quat.rotate(quat.conj(zero[foot]), forward)
        rolls[foot] = bool((np.abs(model.axes[1][list(segments[foot].hinges)] @ forward) > _ROLLS).any())
    pairs = np.array([_weights(segment, rolls[joint], options) for joint, segment in enumerate(segments)])
    weights = np.tile(pairs, (len(wanted), 1, 1))
    firm = _SWINGING + (1.0 - _SWINGING) * np.stack([path.stands for path in goals.feet], axis=1)
    weights[:, feet] *= firm[..., None]
    return Tasks(
        bodies=bodies,
        wanted=wanted,
        bones=bones,
        points=quat.rotate(quat.conj(zero), centres - model.positions[bodies]),
        swings=weights[..., 0],
        twists=weights[..., 1],
        placed=np.array([0, *feet]),
        places=np.stack([goals.hips, *(path.ankle for path in goals.feet)], axis=1),
        pulls=np.column_stack([np.full(len(firm), options.hips), options.foot_place * firm]),
    )


def _end(figure: RobotFigure, joint: int) -> Array:
    """Where a segment's bone ends in the zero pose [m]: at the next of its limb, else at its tip."""
    role = figure.segments[joint].role
    below = [other.centre for other in figure.segments if other.above == role]
    return np.asarray(below[0] if below else figure.segments[joint].tip)


def _weights(segment: Segment, rolls: bool, options: SolveOptions) -> tuple[float, float]:
    """Weights of a bone's direction and of the turn about it."""
    part = segment.role.removeprefix("left_").removeprefix("right_")
    if part == "foot":
        return options.foot_turn, options.foot_roll if rolls else options.twist
    whole = {"pelvis": options.trunk, "spine": options.trunk, "head": options.head}.get(part)
    if whole is not None:
        return whole, whole
    return (options.leg if part in ("thigh", "shank") else options.bone), options.twist
