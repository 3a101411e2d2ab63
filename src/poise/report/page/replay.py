"""A run as a page shows it: moving frames, what hangs on them, and the forces, at up to 30 frames per second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.report.contact_summary import BodyContact
from poise.report.marker_cloud import marker_paths
from poise.report.page.figures import DrawnFigure, Shape, make_figure, sampled
from poise.report.skins import skin_for
from poise.report.waiting_balls import without_waiting_balls
from poise.report.wetness import wet_tracks
from poise.runtime import Session
from poise.signals import FluidSheet, Mode
from poise.world.heightfield_mesh import Relief
from poise.world.render import MODE_COLORS, shown_modes
from poise.world.shapes import body_paths, ground_surfaces, prop_bodies, prop_shapes

__all__ = ["MOST_FRAMES", "Replay", "replay_of"]

Array = NDArray[np.float64]

_RATE = 30.0
_WET_RATE = 5.0
"""How often what got wet is told [Hz]."""
MOST_FRAMES = 3600
"""Two minutes; of longer runs fewer frames per second are kept."""


@dataclass(frozen=True, eq=False)
class Replay:
    """Everything the viewer draws.

    Args:
        rate: Frames per second.
        positions: Of each moving frame [m], shape (T, N, 3).
        rotations: Of each moving frame, wxyz, shape (T, N, 4).
        figures: The characters.
        props: Shapes of everything else.
        touches: Contacts, for arrows.
        tick: Time between two states of the touches [s].
        floor: Height of the flat ground [m], or None.
        ground: Ground that is not flat.
        sheets: Surfaces of fluids.
        wet_rate: How often what is wet of the figures' skins is told [Hz].
        markers: Where markers of the capture are [m], nan where not seen, shape (T, M, 3).
    """

    rate: float
    positions: Array
    rotations: Array
    figures: tuple[DrawnFigure, ...]
    props: tuple[Shape, ...]
    touches: Sequence[BodyContact]
    tick: float
    floor: float | None
    ground: tuple[Relief, ...] = ()
    sheets: tuple[FluidSheet, ...] = ()
    markers: Array | None = None
    wet_rate: float = 1.0


def replay_of(session: Session, touches: Sequence[BodyContact]) -> Replay:
    """A finished session as a replay.

    Args:
        session: After it was run.
        touches: Its contacts.

    Raises:
        InputError: Nothing was run yet.
    """
    recording = session.recording()
    if len(recording) == 0:
        raise InputError("a report needs a session that has run; this one has no ticks yet")
    every, rate = session.clock.ticks_per_frame, 1.0 / (session.clock.tick * session.clock.ticks_per_frame)
    count = len(recording) // every + 1
    stride = max(1, round(rate / _RATE), -(-count // MOST_FRAMES))
    picked = np.arange(0, count, stride)
    states = picked * every
    rows = without_waiting_balls(session, recording.positions[states], recording.times[states])
    places, turns = body_paths(session.world, rows)
    moving = prop_bodies(session.world)
    positions, rotations = [places[:, moving]], [turns[:, moving]]
    figures: list[DrawnFigure] = []
    for name, character in session.characters.items():
        first = sum(part.shape[1] for part in positions)
        # As they are for most of the run.
        joints = session.world.layout(name).joints
        modes = recording.modes[len(recording) // 2, joints] if len(recording) else character.modes
        colors = np.array([MODE_COLORS[Mode(mode)] for mode in shown_modes(modes, character.plan)])
        ghost = first + len(character.plan.skeleton)
        mesh = skin_for(character.mesh, character.prepared.source, character.plan)
        figures.append(make_figure(name, character.plan, character.clip, mesh, colors, first, ghost))
        result = session.result(name)
        for clip, skipped in ((result, character.prepared.skipped), (character.clip, 0)):
            turn, place = sampled(clip, picked + skipped)
            positions.append(place)
            rotations.append(turn)
    seldom = picked[:: max(1, round(rate / (stride * _WET_RATE)))]
    tracks = wet_tracks(session, {figure.name: figure.mesh for figure in figures}, [int(k) * every for k in seldom])
    figures = [replace(figure, wet=tracks.get(figure.name)) for figure in figures]
    return Replay(
        rate=rate / stride,
        positions=np.concatenate(positions, axis=1),
        rotations=np.concatenate(rotations, axis=1),
        figures=tuple(figures),
        props=_props(session, moving),
        touches=touches,
        tick=recording.tick,
        floor=session.setting.floor,
        ground=ground_surfaces(session.world),
        sheets=session.sheets(),
        wet_rate=rate / max(1.0, float(seldom[1] - seldom[0])) if len(seldom) > 1 else 1.0,
        markers=marker_paths(session, picked * every) if session.setting.markers is not None else None,
    )


def _props(session: Session, moving: list[int]) -> tuple[Shape, ...]:
    frames = {0: -1} | {body: frame for frame, body in enumerate(moving)}
    return tuple(
        Shape(each.kind, each.size, each.position, each.rotation, each.color, frames[each.body])
        for each in prop_shapes(session.world)
    )
