"""Strips of moments from runs: one line per run, with whatever moved in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

from poise.reproductions.hu2024.played import Played
from poise.reproductions.pictures import Strip, painter, save_strips, shrunk
from poise.world.render import Camera

__all__ = ["Moments", "write_album"]


@dataclass(frozen=True, eq=False)
class Moments:
    """One line of pictures.

    Args:
        label: What it shows.
        played: The run.
        times: Of each picture [s].
        captions: Below each picture.
        camera: Of all pictures; its target is relative to the pelvis' place in the source.
        ghost: Whether the source is drawn translucently.
    """

    label: str
    played: Played
    times: Sequence[float]
    captions: Sequence[str]
    camera: Camera
    ghost: bool = False


def write_album(folder: Path, name: str, title: str, lines: Sequence[Moments]) -> Path:
    """Write the lines as one PNG into `folder`; its path.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    strips = [Strip(line.label, _pictures(line), line.captions) for line in lines]
    return save_strips(folder, f"hu2024_{name}", title, strips)


def _pictures(line: Moments) -> list[Image.Image]:
    played, result = line.played, []
    session, source = played.session, played.rows("source")
    who = session.layouts[0].name
    with painter(session.world) as paints:
        for time in line.times:
            state = played.at(time)
            camera = Camera(
                target=np.asarray(source[state, :3] + line.camera.target),
                azimuth=line.camera.azimuth,
                elevation=line.camera.elevation,
                distance=line.camera.distance,
            )
            ghosts = {who: source[state]} if line.ghost else None
            result.append(shrunk(paints.paint(played.recording.positions[state], camera, ghosts=ghosts)))
    return result
