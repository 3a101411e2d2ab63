"""Where a robot's soles are: heel, ball and corners of each foot, from the shapes of what is below its ankle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.robots.segments import Segment
from poise.world.robot import RobotModel, Shape

__all__ = ["Sole", "balls_of", "sole_of"]

Array = NDArray[np.float64]

_LAYER = 0.02
"""What is this near to the lowest point of a foot belongs to its sole [legs]."""
_SHORTEST = 0.1
"""A sole that is shorter tells nothing of a foot [legs]."""
_NEAR, _STEEPEST, _LEVEL = 0.002, np.radians(50.0), np.radians(3.0)
"""How far shapes may reach below an edge to stand on [m], how steep it may be, and what counts as level."""
_DEPTH, _BACK, _FRONT, _HALF_WIDTH = 0.09, -0.1, 0.25, 0.06
"""A person's sole below the ankle, for feet without shapes [legs]."""
_RIM = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)


@dataclass(frozen=True, eq=False)
class Sole:
    """Balls that a foot stands on, from its ankle, in axes x forward, y left, z up of the foot lying level.

    Args:
        ends: Centre of the heel's ball and of the front's [m], shape (2, 3).
        radii: Their radii [m], shape (2,).
        corners: Centres of all balls of the sole [m], shape (C, 3).
        corner_radii: Their radii [m], shape (C,).
        level: Turn from the zero pose that lays the foot level, shape (3, 3).
        known: Whether there are shapes; else a person's foot of this size is taken.
    """

    ends: Array
    radii: Array
    corners: Array
    corner_radii: Array
    level: Array
    known: bool


def sole_of(model: RobotModel, foot: Segment, upright: Array, leg: float) -> Sole:
    """A foot's sole; the model stands in its zero pose.

    Args:
        model: The robot.
        foot: Its segment.
        upright: Turn of the model's world into axes x forward, y left, z up, shape (3, 3).
        leg: Length of a leg [m].
    """
    shapes = [shape for shape in model.shapes if _carries(model, foot.body, shape.body)]
    shapes = [shape for shape in shapes if shape.touches] or shapes
    if not shapes:
        return _assumed(leg, _DEPTH * leg)
    found = [balls_of(model, shape) for shape in shapes]
    centres = np.concatenate([centres for centres, _ in found])
    radii = np.concatenate([np.full(len(centres), radius) for centres, radius in found])
    centres = (centres - foot.centre) @ upright.T
    pitch = _pitch(centres, radii)
    level = np.array([[np.cos(pitch), 0.0, np.sin(pitch)], [0.0, 1.0, 0.0], [-np.sin(pitch), 0.0, np.cos(pitch)]])
    centres = centres @ level.T
    low = centres[:, 2] - radii
    on = low < low.min() + _LAYER * leg
    centres, radii = centres[on], radii[on]
    back, front = int((centres[:, 0] - radii).argmin()), int((centres[:, 0] + radii).argmax())
    bottom = float((centres[:, 2] - radii).min())
    middle = 0.5 * (centres[:, 1].min() + centres[:, 1].max())
    ends = np.array([[centres[ball, 0], middle, bottom + radii[ball]] for ball in (back, front)])
    if ends[1, 0] - ends[0, 0] < _SHORTEST * leg:
        return _assumed(leg, -bottom)
    return Sole(ends, radii[[back, front]], centres, radii, level, True)


def _assumed(leg: float, depth: float) -> Sole:
    """A person's sole, this far below the ankle [m]."""
    across = np.array([_HALF_WIDTH, -_HALF_WIDTH, _HALF_WIDTH, -_HALF_WIDTH]) * leg
    along = np.array([_BACK, _BACK, _FRONT, _FRONT]) * leg
    corners = np.stack([along, across, np.full(4, -depth)], axis=1)
    return Sole(corners.reshape(2, 2, 3).mean(axis=1), np.zeros(2), corners, np.zeros(4), np.eye(3), False)


def _pitch(centres: Array, radii: Array) -> float:
    """Angle about y [rad] by which a foot is turned to lie level: that of the longest edge it can stand on."""
    points = np.stack([centres[:, 0], centres[:, 2] - radii], axis=1)
    first, second = np.triu_indices(len(points), 1)
    edges = points[second] - points[first]
    edges = edges * np.where(edges[:, :1] < 0.0, -1.0, 1.0)
    angles = np.arctan2(edges[:, 1], edges[:, 0])
    across = np.stack([-np.sin(angles), np.cos(angles)])
    above = points @ across - np.einsum("ec,ce->e", points[first], across)
    stands = (above.min(axis=0) > -_NEAR) & (np.abs(angles) < _STEEPEST)
    if not stands.any():
        return 0.0
    lengths = np.where(stands, np.linalg.norm(edges, axis=1), 0.0)
    # Of edges as long as the longest the most level one: shapes are seldom modelled to the micrometre.
    best = np.flatnonzero(lengths > 0.9 * lengths.max())
    angle = float(angles[best[np.argmin(np.abs(angles[best]))]])
    return angle if abs(angle) > _LEVEL else 0.0


def _carries(model: RobotModel, foot: int, body: int) -> bool:
    """Whether a body is the foot or hangs on it, as toes do; they stay straight."""
    while body not in (foot, model.base):
        body = int(model.parents[body])
    return body == foot


def balls_of(model: RobotModel, shape: Shape) -> tuple[Array, float]:
    """Balls that span a shape, in the model's world: centres [m] (N, 3) and their radius [m]."""
    size = shape.size
    if shape.kind == "box":
        signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
        points, radius = signs * size, 0.0
    elif shape.kind == "cylinder":
        rim = size[0] * np.stack([np.cos(_RIM), np.sin(_RIM), np.zeros(len(_RIM))], axis=1)
        points, radius = np.concatenate([rim + np.array([0.0, 0.0, end * size[1]]) for end in (-1, 1)]), 0.0
    elif shape.kind == "capsule":
        points, radius = np.array([[0.0, 0.0, -size[1]], [0.0, 0.0, size[1]]]), float(size[0])
    elif shape.kind == "sphere":
        points, radius = np.zeros((1, 3)), float(size[0])
    else:
        points, radius = np.concatenate([np.diag(size), -np.diag(size)]), 0.0
    local = shape.position + points @ shape.axes.T
    return model.in_world(shape.body, local), radius
