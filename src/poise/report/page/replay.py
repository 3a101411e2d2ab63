"""A run as a page shows it: moving frames, what hangs on them, and the forces, at up to 30 frames per second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.report.contact_summary import BodyContact
from poise.report.page.figures import Figure, Shape, make_figure, sampled
from poise.report.skins import skin_for
from poise.runtime import Session
from poise.signals import Mode
from poise.world.heightfield_mesh import Relief, reliefs_of
from poise.world.kinematics import world_frames
from poise.world.render import MODE_COLORS

__all__ = ["MOST_FRAMES", "Replay", "replay_of"]

Array = NDArray[np.float64]

_RATE = 30.0
MOST_FRAMES = 3600
"""Two minutes; of longer runs fewer frames per second are kept."""
_GEOMS = {2: "sphere", 3: "capsule", 6: "box"}
"""MuJoCo's numbers for shapes (mjtGeom). A plane is the floor."""


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
    """

    rate: float
    positions: Array
    rotations: Array
    figures: tuple[Figure, ...]
    props: tuple[Shape, ...]
    touches: Sequence[BodyContact]
    tick: float
    floor: float | None
    ground: tuple[Relief, ...] = ()


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
    places, turns = world_frames(session.world.model, recording.positions[picked * every])
    moving = _moving_bodies(session)
    positions, rotations = [places[:, moving]], [turns[:, moving]]
    figures: list[Figure] = []
    for name, character in session.characters.items():
        first = sum(part.shape[1] for part in positions)
        colors = np.array([MODE_COLORS[Mode(mode)] for mode in character.modes])
        ghost = first + len(character.plan.skeleton)
        mesh = skin_for(character.mesh, character.prepared.source, character.plan)
        figures.append(make_figure(name, character.plan, character.clip, mesh, colors, first, ghost))
        result = session.result(name)
        for clip, skipped in ((result, character.prepared.skipped), (character.clip, 0)):
            turn, place = sampled(clip, picked + skipped)
            positions.append(place)
            rotations.append(turn)
    return Replay(
        rate=rate / stride,
        positions=np.concatenate(positions, axis=1),
        rotations=np.concatenate(rotations, axis=1),
        figures=tuple(figures),
        props=_props(session, moving),
        touches=touches,
        tick=recording.tick,
        floor=session.setting.floor,
        ground=reliefs_of(session.world.model),
    )


def _moving_bodies(session: Session) -> list[int]:
    """Bodies of the world that belong to no character."""
    model = session.world.model
    taken = {int(body) for layout in session.world.layouts.values() for body in layout.bodies}
    return [body for body in range(1, model.nbody) if body not in taken]


def _props(session: Session, moving: list[int]) -> tuple[Shape, ...]:
    model = session.world.model
    frames = {0: -1} | {body: frame for frame, body in enumerate(moving)}
    shapes = []
    for geom in range(model.ngeom):
        body, kind = int(model.geom_bodyid[geom]), int(model.geom_type[geom])
        if body in frames and kind in _GEOMS:
            red, green, blue = (float(value) for value in model.geom_rgba[geom, :3])
            shapes.append(
                Shape(
                    _GEOMS[kind],
                    np.array(model.geom_size[geom]),
                    np.array(model.geom_pos[geom]),
                    np.array(model.geom_quat[geom]),
                    (red, green, blue),
                    frames[body],
                )
            )
    return tuple(shapes)
