"""A character as a page draws it: its skin, its colors, its colliders and how large it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.heading import facing
from poise.body.plan import BodyPlan
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh, skin
from poise.report.wetness import WetTrack
from poise.world.skins import carriers

__all__ = ["DrawnFigure", "Shape", "make_figure", "sampled"]

Array = NDArray[np.float64]


class Shape(NamedTuple):
    """A rigid shape on a moving frame.

    Args:
        kind: "capsule", "box" or "sphere"; sizes are those of `poise.body.plan.Collider`.
        size: [m], shape (3,).
        position: In the frame [m], shape (3,).
        rotation: In the frame, wxyz, shape (4,).
        color: Red, green, blue from 0 to 1.
        frame: Which frame, -1 for the world.
    """

    kind: str
    size: Array
    position: Array
    rotation: Array
    color: tuple[float, float, float]
    frame: int


@dataclass(frozen=True, eq=False)
class DrawnFigure:
    """A character in its skin.

    Args:
        name: Of the character.
        mesh: Its skin.
        colors: Of each joint, shape (J, 3).
        first: Frame of its first joint; the others follow.
        ghost: Frame of the source's first joint, or None.
        root: Joint that carries the body.
        colliders: The shapes that physics knows it by.
        size: Edge of the box that holds it at any time [m].
        middle: Height of the box's middle above the root [m].
        heading: Where it faces at the start [rad], from x towards y.
        shift: How far it stands beside its place while figures are shown beside one another [m], shape (3,).
        wet: What of its skin is wet over the time of the run, if any.
    """

    name: str
    mesh: SkinnedMesh
    colors: Array
    first: int
    ghost: int | None
    root: int
    colliders: tuple[Shape, ...]
    size: float
    middle: float
    heading: float
    shift: tuple[float, float, float] = (0.0, 0.0, 0.0)
    wet: WetTrack | None = None


def make_figure(
    name: str,
    plan: BodyPlan,
    clip: Clip,
    mesh: SkinnedMesh,
    colors: Array,
    first: int,
    ghost: int | None = None,
) -> DrawnFigure:
    """A character as a figure.

    Args:
        name: What to call it.
        plan: Its body.
        clip: Its motion, from which its size and heading are taken.
        mesh: Its skin.
        colors: Of each body, from 0 to 1, shape (B, 3).
        first: Frame of its first joint.
        ghost: Frame of the source's first joint.
    """
    root = int(plan.joints[0])
    turn, place = clip.pose(0).world()
    size, middle = _extent(clip, mesh, root)
    return DrawnFigure(
        name=name,
        mesh=mesh,
        colors=colors[carriers(plan)],
        first=first,
        ghost=ghost,
        root=root,
        colliders=_colliders(plan, colors, first),
        size=size,
        middle=middle,
        heading=facing(plan, np.concatenate([place[root], turn[root]])),
    )


def _colliders(plan: BodyPlan, colors: Array, first: int) -> tuple[Shape, ...]:
    shapes = []
    for body, colliders in enumerate(plan.colliders):
        red, green, blue = (float(value) for value in colors[body])
        for each in colliders:
            frame = first + int(plan.joints[body])
            shapes.append(Shape(each.kind, each.size, each.position, each.rotation, (red, green, blue), frame))
    return tuple(shapes)


def sampled(clip: Clip, frames: NDArray[np.int64]) -> tuple[Array, Array]:
    """World orientations and positions of all joints; a clip that ends earlier stays where it ended."""
    rows = np.minimum(frames, len(clip) - 1)
    turn, place = clip.with_motion(clip.rotations[rows], clip.translations[rows]).world()
    return turn, place


def _extent(clip: Clip, mesh: SkinnedMesh, root: int) -> tuple[float, float]:
    """Size [m] of a box that holds the skin over the clip, and the height [m] of its middle above the root."""
    turn, place = sampled(clip, np.unique(np.linspace(0, len(clip) - 1, 12).astype(int)))
    points = skin(mesh, turn, place) - place[:, None, root]
    low, high = points.min(axis=1), points.max(axis=1)
    tall = float((high - low)[:, 2].max())
    # Arms that reach out may leave the picture; the body must not.
    wide = 0.6 * float((high - low)[:, :2].max())
    return max(tall, wide), 0.5 * float((low + high)[:, 2].mean())
