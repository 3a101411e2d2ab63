"""A contact sheet: moments of a run as pictures, with the source motion as a ghost."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.body.coordinates import body_frames
from poise.body.heading import headings
from poise.errors import InputError
from poise.io.files import write_bytes
from poise.motion.skin import SkinnedMesh
from poise.report.contact_summary import BodyContact, body_label, find_contacts
from poise.report.marker_cloud import markers_at
from poise.report.moments import choose_moments
from poise.report.movers import answered, before_input, company, driven_by, handled, in_group, told_by
from poise.report.sentences import touch_lines
from poise.report.sheet import Panel, compose
from poise.report.skins import drawn_skins, skins_at
from poise.report.view import Shot, choose_cameras, common_heading, standing_before
from poise.report.waiting_balls import without_waiting_balls
from poise.report.wetness import Wetness
from poise.runtime import Session
from poise.signals import Coat
from poise.world.render import Camera, Forces, Overlay, Painter

__all__ = ["MOST_MOMENTS", "write_strip"]

Array = NDArray[np.float64]

MOST_MOMENTS = 60
_WIDTH, _HEIGHT = 456, 500
_FINER = 2
"""Pictures are painted this much larger and reduced, which smooths their edges."""
_WORTH_SAYING = 0.02
"""Least distance from the source that a caption tells [m]."""
_CLOSE = "within 2 cm of the source"
_NOISE = 0.5
"""Forces below this are not shown [N]."""


def write_strip(
    path: Path | str, session: Session, *, moments: int = 8, title: str | None = None, speed: float | None = None
) -> None:
    """Write a PNG that shows moments of a finished session: the strongest contacts, and what lies between.

    Args:
        path: Where to.
        session: What was run.
        moments: How many pictures, 1 to 60.
        title: First line; by default the clip's name and what is in the scene.
        speed: How many times faster than real time it ran, to be told in the title.

    Raises:
        InputError: Nothing was run yet, `moments` is out of range, or the file cannot be written.
        NoRenderer: There is no OpenGL library to paint with.
    """
    if not 1 <= moments <= MOST_MOMENTS:
        raise InputError(f"moments must lie between 1 and {MOST_MOMENTS}; got {moments}")
    recording = session.recording()
    if len(recording) == 0:
        raise InputError("a strip needs a session that has run; this one has no ticks yet")
    touches = find_contacts(session)
    sources = _sources(session, recording.source)
    distances = _distances(session, recording.output, sources)
    away = np.max([each.max(axis=1) for each in distances.values()], axis=0)
    states = choose_moments(touches, away, recording.tick, moments, answered(recording))
    skins = drawn_skins(session)
    shown = [_moment(session, state, touches, sources, distances, skins) for state in states]
    wetness = Wetness(session, skins)
    coats = [wetness.at(state) for state in states]
    with Painter(session.world, _FINER * _WIDTH, _FINER * _HEIGHT, skins=skins, sheets=session.sheets()) as painter:
        cameras = choose_cameras(painter, [each.shot for each in shown])
        panels = [_panel(painter, *each, handled(session)) for each in zip(shown, cameras, coats, strict=True)]
    plain = all(not mesh.materials for mesh in skins.values())
    driven = driven_by(session) if plain else None
    sheet = compose(
        panels,
        _heading(session, title, speed),
        driven=driven,
        ghost="the source" if any(not in_group(session, name) for name in session.characters) else "before the input",
        markers=session.setting.markers is not None,
    )
    content = io.BytesIO()
    sheet.save(content, format="PNG")
    write_bytes(Path(path), content.getvalue())


def _sources(session: Session, source: Array) -> dict[str, Array]:
    """By character, its part of the recorded input skeletons (n, nq), shape (n, nq of it)."""
    return {layout.name: source[:, layout.positions] for layout in session.layouts}


def _distances(session: Session, positions: Array, sources: Mapping[str, Array]) -> dict[str, Array]:
    """By character, how far each body's joint is from where the source has it [m], shape (n, B)."""
    result = {}
    for name, source in sources.items():
        layout = session.world.layout(name)
        own = body_frames(layout.plan, positions[:, layout.positions]).positions
        result[name] = np.linalg.norm(own - body_frames(layout.plan, source).positions, axis=2)
    return result


class _Moment(NamedTuple):
    """A picture to be painted: what it shows, its forces, ghosts, skins and markers, and what is said about it."""

    time: float
    shot: Shot
    forces: Forces
    ghosts: Mapping[str, Array]
    skins: Mapping[str, Array]
    modes: NDArray[np.int8]
    lines: list[str]
    markers: Array


def _moment(
    session: Session,
    state: int,
    touches: Sequence[BodyContact],
    sources: Mapping[str, Array],
    distances: Mapping[str, Array],
    skins: Mapping[str, SkinnedMesh],
) -> _Moment:
    """The character that is touched hardest, else the one furthest from its source, and what is around it."""
    recording = session.recording()
    time = float(recording.times[state])
    whole = without_waiting_balls(session, recording.output[state : state + 1], recording.times[state : state + 1])[0]
    now = [touch for touch in touches if touch.state == state and touch.strength >= _NOISE]
    now.sort(key=lambda touch: -touch.strength)
    furthest = max(distances, key=lambda name: float(distances[name][state].max()))
    together = company(session, now[0].character if now else furthest)
    name = together[0]
    layout = session.world.layout(name)
    points = np.array([touch.point for touch in now]).reshape(-1, 3)
    vertices = skins_at(session, skins, recording, state)
    towards = common_heading(headings(layout.plan, sources[name]))
    own = whole[layout.positions]
    skin = np.concatenate([vertices[one] for one in together])
    shot = Shot(layout.plan, own, whole, points, float(towards[state]), skin)
    lines = touch_lines(now)
    away = distances[furthest][state]
    if away.max() >= _WORTH_SAYING:
        body = session.characters[furthest].plan.names[int(away.argmax())]
        label = body_label(session.characters[furthest], body)
        lines.append(f"{label} {100.0 * away.max():.0f} cm from the source")
    # Who is moved as one of a group has no clip of its own to be near to.
    if not lines and in_group(session, name):
        lines = told_by(recording, time) or ["before anything was wanted"]
    before = before_input(recording, time)
    ghosts = {name: rows[state] for name, rows in sources.items()}
    if before is not None:
        ghosts |= {name: recording.output[before][session.world.layout(name).positions] for name in together}
    modes = recording.modes[max(state - 1, 0)]
    forces = Forces(points, np.array([touch.force for touch in now]).reshape(-1, 3))
    return _Moment(
        time,
        shot,
        forces,
        ghosts,
        vertices,
        modes,
        lines,
        markers_at(session, state),
    )


def _panel(painter: Painter, moment: _Moment, camera: Camera, coats: Mapping[str, Coat], kept: frozenset[int]) -> Panel:
    """A picture; what is kept is never faded."""
    pixels = painter.paint(
        moment.shot.whole,
        camera,
        ghosts=moment.ghosts,
        overlay=Overlay(moment.forces, moment.markers, coats),
        vertices=moment.skins,
        modes=moment.modes,
        time=moment.time,
        faded=standing_before(painter, moment.shot, camera) - kept,
    )
    return Panel(Image.fromarray(pixels).reduce(_FINER), f"{moment.time:.2f} s", moment.lines or [_CLOSE])


def _heading(session: Session, title: str | None, speed: float | None) -> str:
    clips = [Path(who.prepared.source.source.path).name or name for name, who in session.characters.items()]
    props = len(session.setting.props)
    scene = f"{props} {'prop' if props == 1 else 'props'}" if props else "nothing around"
    parts = [title or f"{', '.join(clips)} with {scene}"]
    parts.append(f"{len(session.recording()) * session.clock.tick:.1f} s")
    if speed is not None:
        parts.append(f"{speed:.0f} x real time")
    return "  ·  ".join(parts)
