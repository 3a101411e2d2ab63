"""A robot seen as a person: its segments as a skeleton of the house, standing upright and facing x in its zero pose."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import Roles, guess_roles
from poise.motion.skeleton import Skeleton
from poise.robots.naming import NamedBodies
from poise.robots.segments import SIDES, Segment, segments_of
from poise.robots.soles import Sole, balls_of, sole_of
from poise.world.robot import RobotModel

__all__ = ["RobotFigure", "figure_of"]

Array = NDArray[np.float64]

_NEEDED = tuple(f"{side}_{part}" for side in SIDES for part in ("upper_arm", "thigh", "shank", "foot"))


@dataclass(frozen=True, eq=False)
class RobotFigure:
    """What a motion is put onto: the robot's segments as joints.

    Args:
        segments: Parents before children, shape (S,).
        zero: Orientation of each segment's body in the model's zero pose, shape (S, 4).
        upright: Turn of the model's world in which it then stands upright and faces x, shape (4,).
        clip: One frame of the zero pose, turned so, with the segments as joints, S of them.
        roles: Of those joints.
        soles: Of the left and the right foot.
        leg: Length of a leg from hip to ankle [m].
        height: From the soles to the top of the head, or of what is highest in the zero pose [m].
    """

    segments: tuple[Segment, ...]
    zero: Array
    upright: Array
    clip: Clip
    roles: Roles
    soles: tuple[Sole, Sole]
    leg: float
    height: float

    def joint(self, role: str) -> int:
        """Place of the segment with a role that every figure has."""
        return next(joint for joint, segment in enumerate(self.segments) if segment.role == role)


def figure_of(model: RobotModel, named: NamedBodies, source: object) -> RobotFigure:
    """The robot as a figure; puts the model into its zero pose.

    Raises:
        InputError: Parts of it that a person moves are not moved by hinges.
    """
    model.place(model.zero)
    found = segments_of(model, named)
    lacking = [role for role in _NEEDED if role not in found]
    if lacking:
        raise InputError(f"no hinge moves {', '.join(lacking)}; a humanoid has hinges there", source=source)
    segments = tuple(found.values())
    upright = _upright(found)
    leg = float(np.mean([_leg(found, side) for side in SIDES]))
    soles = [sole_of(model, found[f"{side}_foot"], upright, leg) for side in SIDES]
    numbers = {segment.role: joint for joint, segment in enumerate(segments)}
    parents = np.array([numbers.get(segment.above, -1) for segment in segments])
    places = np.array([segment.centre for segment in segments]) @ upright.T
    offsets = places - np.where(parents[:, None] >= 0, places[parents], 0.0)
    leaves = [joint for joint in range(len(segments)) if joint not in parents]
    tips = np.array([segments[joint].tip for joint in leaves]) @ upright.T - places[leaves]
    for joint, tip in zip(leaves, tips, strict=True):
        if segments[joint].role.endswith("foot"):
            tip[:] = soles[segments[joint].role.startswith("right")].ends[1]
    roles = tuple(segment.role for segment in segments)
    skeleton = Skeleton(roles, parents, offsets, np.array(leaves), tips, declared=roles)
    clip = Clip(skeleton, 1.0, np.tile(quat.IDENTITY, (1, len(segments), 1)), places[None, :1], name=str(source))
    bodies = [segment.body for segment in segments]
    return RobotFigure(
        segments,
        model.orientations[bodies],
        quat.from_matrix(upright),
        clip,
        guess_roles(skeleton),
        (soles[0], soles[1]),
        leg,
        _height(model, upright),
    )


def _height(model: RobotModel, upright: Array) -> float:
    """From the lowest to the highest of shapes, or where there are none of bodies [m]."""
    points = [model.positions[model.inside], model.centres[model.inside]]
    low_high = [(p @ upright[2]).min() for p in points], [(p @ upright[2]).max() for p in points]
    low, high = min(low_high[0]), max(low_high[1])
    for shape in model.shapes:
        centres, radius = balls_of(model, shape)
        heights = centres @ upright[2]
        low, high = min(low, heights.min() - radius), max(high, heights.max() + radius)
    return float(high - low)


def _leg(found: dict[str, Segment], side: str) -> float:
    points = np.array([found[f"{side}_{part}"].centre for part in ("thigh", "shank", "foot")])
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def _upright(found: dict[str, Segment]) -> Array:
    """The turn by right angles that stands a robot up and faces it to x, shape (3, 3)."""
    left = found["left_thigh"].centre - found["right_thigh"].centre
    arms = 0.5 * (found["left_upper_arm"].centre + found["right_upper_arm"].centre)
    up = arms - found["pelvis"].centre
    left, up = left / np.linalg.norm(left), up / np.linalg.norm(up)
    best, most = np.eye(3), -np.inf
    for order, signs in product(permutations(range(3)), product((-1.0, 1.0), repeat=3)):
        turn = np.diag(signs)[:, list(order)]
        fit = float((turn @ left)[1] + (turn @ up)[2])
        if np.linalg.det(turn) > 0.0 and fit > most + 1e-9:
            best, most = turn, fit
    return best
