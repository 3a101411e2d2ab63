"""Strips of rendered poses: one line per version of a motion, moments side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.body.plan import BodyPlan
from poise.reproductions.pictures import Strip, painter, save_strips, shrunk
from poise.signals import Mode
from poise.world.render import Camera, Painter
from poise.world.scene import SceneSpec, build_world
from poise.world.world import World

__all__ = ["Line", "write_film"]

Array = NDArray[np.float64]

_WHO = "walker"


@dataclass(frozen=True, eq=False)
class Line:
    """One line of pictures.

    Args:
        label: What it shows.
        rows: Generalized positions, one per picture, shape (n, nq).
        captions: Below each picture.
        cameras: Of each picture.
        ghosts: Generalized positions drawn translucently beside them, shape (n, nq), or None.
    """

    label: str
    rows: Array
    captions: Sequence[str]
    cameras: Sequence[Camera]
    ghosts: Array | None = field(default=None)


def write_film(
    folder: Path, name: str, title: str, plan: BodyPlan, lines: Sequence[Line], setting: SceneSpec | None = None
) -> Path:
    """Write the lines as one PNG into `folder`; its path.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    world = build_world({_WHO: plan}, setting or SceneSpec(), 0.002)
    world.cut.set([f"{_WHO}/{body}" for body in plan.names], Mode.MOTION)
    with painter(world) as paints:
        strips = [Strip(line.label, _pictures(paints, world, line), line.captions) for line in lines]
    return save_strips(folder, f"hu2024_{name}", title, strips)


def _pictures(paints: Painter, world: World, line: Line) -> list[Image.Image]:
    at, whole, result = world.layout(_WHO).positions, world.state().positions, []
    for index, (row, camera) in enumerate(zip(line.rows, line.cameras, strict=True)):
        whole[at] = row
        ghosts = None if line.ghosts is None else {_WHO: line.ghosts[index]}
        result.append(shrunk(paints.paint(whole, camera, ghosts=ghosts)))
    return result
