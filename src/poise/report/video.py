"""A run as an mp4 film: the camera goes along, the source is a ghost, contact forces are arrows."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from poise.body.heading import headings
from poise.errors import InputError, PoiseError
from poise.math.smoothing import smoothed
from poise.motion.skin import SkinnedMesh
from poise.report.contact_summary import BodyContact, find_contacts
from poise.report.marker_cloud import markers_at
from poise.report.skins import drawn_skins, skins_at
from poise.report.waiting_balls import without_waiting_balls
from poise.report.wetness import Wetness
from poise.runtime.session import Session
from poise.world.render import Camera, Forces, Overlay, Painter

__all__ = ["NoEncoder", "write_video"]

Array = NDArray[np.float64]

_RATE = 30.0
_WIDTH, _HEIGHT = 960, 544
_CALM = 0.6
"""Standard deviation of the camera's smoothing over time [s]."""
_DISTANCE, _ASIDE, _ELEVATION = 3.4, np.radians(55.0), -0.2


class NoEncoder(PoiseError):
    """There is nothing to encode a film with."""


def write_video(path: Path | str, session: Session, progress: Callable[[int, int], None] | None = None) -> None:
    """Write an mp4 of the first character at 30 frames per second, in real time.

    Args:
        path: Where to.
        session: What was run.
        progress: Called with pictures done and in all.

    Raises:
        InputError: Nothing was run yet, or the file cannot be written.
        NoEncoder: The package imageio-ffmpeg is not installed.
        NoRenderer: There is no OpenGL library to paint with.
    """
    encoder = _encoder()
    recording = session.recording()
    if len(recording) == 0:
        raise InputError("a film needs a session that has run; this one has no ticks yet")
    target = Path(path)
    temporary = target.with_name(f".{target.stem}.{secrets.token_hex(4)}.part.mp4")
    states = np.unique(np.round(np.arange(0.0, recording.times[-1], 1.0 / _RATE) / recording.tick).astype(int))
    cameras = _cameras(session, recording.output)
    touches = find_contacts(session)
    try:
        film = encoder.write_frames(str(temporary), (_WIDTH, _HEIGHT), fps=_RATE, quality=7, macro_block_size=1)
        film.send(None)
        skins = drawn_skins(session)
        wetness = Wetness(session, skins)
        with Painter(session.world, _WIDTH, _HEIGHT, skins=skins, sheets=session.sheets()) as painter:
            for done, state in enumerate(states):
                film.send(_picture(painter, session, wetness, int(state), cameras[state], touches, skins))
                if progress is not None and done % 10 == 0:
                    progress(done, len(states))
        film.close()
        temporary.replace(target)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", source=target) from error
    finally:
        temporary.unlink(missing_ok=True)


def _encoder() -> ModuleType:
    try:
        import imageio_ffmpeg
    except ImportError as error:
        raise NoEncoder("install the extra 'video' (pip install imageio-ffmpeg)") from error
    module: ModuleType = imageio_ffmpeg
    return module


def _cameras(session: Session, positions: Array) -> list[Camera]:
    """One camera per state, beside and before the first character, going calmly along."""
    layout = session.layouts[0]
    plan, own = layout.plan, positions[:, layout.positions]
    heading = np.unwrap(headings(plan, own))
    width = _CALM / session.clock.tick
    places = smoothed(own[:, :3], width)
    towards = smoothed(heading[:, None], 3.0 * width)[:, 0]
    return [
        Camera(
            target=place - np.array([0.0, 0.0, 0.05 * plan.stature]),
            azimuth=float(turn) + _ASIDE + np.pi,
            elevation=_ELEVATION,
            distance=_DISTANCE * plan.stature,
        )
        for place, turn in zip(places, towards, strict=True)
    ]


def _picture(
    painter: Painter,
    session: Session,
    wetness: Wetness,
    state: int,
    camera: Camera,
    touches: list[BodyContact],
    skins: Mapping[str, SkinnedMesh],
) -> NDArray[np.uint8]:
    recording = session.recording()
    ghosts = {layout.name: recording.source[state, layout.positions] for layout in session.layouts}
    now = [touch for touch in touches if touch.state == state]
    points = np.array([touch.point for touch in now]).reshape(-1, 3)
    vectors = np.array([touch.force for touch in now]).reshape(-1, 3)
    whole, overlay = (
        without_waiting_balls(session, recording.output[state : state + 1], recording.times[state : state + 1])[0],
        Overlay(Forces(points, vectors), markers_at(session, state), wetness.at(state)),
    )
    skin, time = skins_at(session, skins, recording, state), float(recording.times[state])
    modes = recording.modes[max(state - 1, 0)]
    shown = painter.paint(whole, camera, ghosts=ghosts, overlay=overlay, vertices=skin, modes=modes, time=time)
    return np.ascontiguousarray(shown)
