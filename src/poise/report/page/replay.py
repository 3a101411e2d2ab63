"""A run as a page shows it: moving frames, what hangs on them, and the forces, at up to 30 frames per second."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin import cache_folder, mannequin
from poise.body.plan import BodyPlan
from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.skin import SkinnedMesh, skin
from poise.report.page.ground import Ground, ground_of
from poise.report.page.kinematics import world_frames
from poise.report.touches import Touch
from poise.report.view import facing
from poise.runtime import Character, Session
from poise.signals import Mode
from poise.world.render import MODE_COLOURS

__all__ = ["Figure", "Replay", "Shape", "replay_of"]

Array = NDArray[np.float64]

_RATE = 30.0
_MOST_FRAMES = 3600
"""Two minutes; of longer runs fewer frames per second are kept."""
_MOST_TRIANGLES = 60_000
"""A heavier skin would fill the page; the mannequin stands in for it."""
_GEOMS = {2: "sphere", 3: "capsule", 6: "box"}
"""MuJoCo's numbers for shapes (mjtGeom). A plane is the floor."""


class Shape(NamedTuple):
    """A rigid shape on a moving frame.

    Args:
        kind: "capsule", "box" or "sphere"; sizes are those of `poise.body.plan.Collider`.
        size: [m], shape (3,).
        position: In the frame [m], shape (3,).
        rotation: In the frame, wxyz, shape (4,).
        colour: Red, green, blue from 0 to 1.
        frame: Which frame, -1 for the world.
    """

    kind: str
    size: Array
    position: Array
    rotation: Array
    colour: tuple[float, float, float]
    frame: int


@dataclass(frozen=True, eq=False)
class Figure:
    """A character in its skin.

    Args:
        name: Of the character.
        mesh: Its skin.
        colours: Of each joint, by who moves it, shape (J, 3).
        first: Frame of its first joint; the others follow.
        ghost: Frame of the source's first joint.
        root: Joint that carries the body.
        colliders: The shapes that physics knows it by.
        size: Edge of the box that holds it at any time [m].
        middle: Height of the box's middle above the root [m].
        heading: Where it faces at the start [rad], from x towards y.
    """

    name: str
    mesh: SkinnedMesh
    colours: Array
    first: int
    ghost: int
    root: int
    colliders: tuple[Shape, ...]
    size: float
    middle: float
    heading: float


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
    touches: Sequence[Touch]
    tick: float
    floor: float | None
    ground: tuple[Ground, ...] = ()


def replay_of(session: Session, touches: Sequence[Touch]) -> Replay:
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
    stride = max(1, round(rate / _RATE), -(-count // _MOST_FRAMES))
    picked = np.arange(0, count, stride)
    places, turns = world_frames(session.world.model, recording.positions[picked * every])
    moving = _moving_bodies(session)
    positions, rotations = [places[:, moving]], [turns[:, moving]]
    figures: list[Figure] = []
    for name, character in session.characters.items():
        first = sum(part.shape[1] for part in positions)
        figures.append(_figure(name, character, first))
        result = session.result(name)
        for clip, skipped in ((result, character.prepared.skipped), (character.clip, 0)):
            turn, place = _sampled(clip, picked + skipped)
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
        ground=ground_of(session.world.model),
    )


def _sampled(clip: Clip, frames: NDArray[np.int64]) -> tuple[Array, Array]:
    """World orientations and positions of all joints; a clip that ends earlier stays where it ended."""
    rows = np.minimum(frames, len(clip) - 1)
    turn, place = clip.with_motion(clip.rotations[rows], clip.translations[rows]).world()
    return turn, place


def _figure(name: str, character: Character, first: int) -> Figure:
    plan = character.plan
    mesh = character.mesh
    if mesh is None or len(mesh.triangles) > _MOST_TRIANGLES:
        mesh = mannequin(character.prepared.source, plan, folder=cache_folder())
    colours = np.array([MODE_COLOURS[Mode(mode)] for mode in character.modes])[_carriers(plan)]
    colliders = tuple(
        Shape(
            shape.kind,
            shape.size,
            shape.position,
            shape.rotation,
            MODE_COLOURS[Mode(character.modes[body])],
            first + int(plan.joints[body]),
        )
        for body, shapes in enumerate(plan.colliders)
        for shape in shapes
    )
    turn, place = character.clip.pose(0).world()
    start = np.concatenate([place[plan.joints[0]], turn[plan.joints[0]]])
    size, middle = _extent(character.clip, mesh, int(plan.joints[0]))
    return Figure(
        name=name,
        mesh=mesh,
        colours=colours,
        first=first,
        ghost=first + len(plan.skeleton),
        root=int(plan.joints[0]),
        colliders=colliders,
        size=size,
        middle=middle,
        heading=facing(plan, start),
    )


def _extent(clip: Clip, mesh: SkinnedMesh, root: int) -> tuple[float, float]:
    """Size [m] of a box that holds the skin over the clip, and the height [m] of its middle above the root."""
    turn, place = _sampled(clip, np.unique(np.linspace(0, len(clip) - 1, 12).astype(int)))
    points = skin(mesh, turn, place) - place[:, None, root]
    low, high = points.min(axis=1), points.max(axis=1)
    tall = float((high - low)[:, 2].max())
    # Arms that reach out may leave the picture; the body must not.
    wide = 0.6 * float((high - low)[:, :2].max())
    return max(tall, wide), 0.5 * float((low + high)[:, 2].mean())


def _carriers(plan: BodyPlan) -> NDArray[np.int64]:
    """Body that each joint rides on, shape (J,)."""
    carriers = np.zeros(len(plan.skeleton), np.int64)
    own = {int(joint): body for body, joint in enumerate(plan.joints)}
    for joint, parent in enumerate(plan.skeleton.parents):
        carriers[joint] = own.get(joint, carriers[parent] if parent >= 0 else 0)
    return carriers


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
