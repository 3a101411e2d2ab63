"""Pictures of a world at a given state, with the source motion as a ghost and contact forces as arrows."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType, TracebackType
from typing import Any, NamedTuple, Self

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.motion.skin import SkinnedMesh
from poise.signals import Coat, FluidSheet, Mode
from poise.world.coats import add_coats, move_coat
from poise.world.offscreen import NoRenderer, Offscreen
from poise.world.sheets import add_sheets, move_sheet
from poise.world.skins import DrawnSkin, SkinPart, add_skins, move_part
from poise.world.world import World

__all__ = [
    "FORCE_COLOR",
    "GHOST_COLOR",
    "MARKER_COLOR",
    "MARKER_RADIUS",
    "METERS_PER_NEWTON",
    "MODE_COLORS",
    "Camera",
    "Forces",
    "NoRenderer",
    "Painter",
    "shown_modes",
]

Array = NDArray[np.float64]
Color = tuple[float, float, float]

MODE_COLORS: dict[Mode, Color] = {
    Mode.MOTION: (0.48, 0.56, 0.66),
    Mode.TORQUE: (0.95, 0.55, 0.17),
    Mode.PASSIVE: (0.36, 0.31, 0.30),
}
"""Color of a character's bodies by who moves them."""
GHOST_COLOR: Color = (0.42, 0.20, 0.85)
FORCE_COLOR: Color = (0.86, 0.08, 0.16)
MARKER_COLOR: Color = (0.0, 0.85, 0.72)
MARKER_RADIUS = 0.016
"""Of a marker as it is drawn, a little larger than most are [m]."""
METERS_PER_NEWTON = 0.004
"""Length of an arrow per force."""

GEOM_KINDS = {
    "capsule": mj.mjtGeom.mjGEOM_CAPSULE,
    "box": mj.mjtGeom.mjGEOM_BOX,
    "sphere": mj.mjtGeom.mjGEOM_SPHERE,
}
_GHOST_ALPHA, _GHOST_SIZE = 0.65, 0.35
_GHOST_AWAY = 0.03
"""A ghost's limb is shown where it is farther than this from the body's own [m]."""
_SHORTEST, _LONGEST, _ARROW_WIDTH = 0.12, 0.60, 0.014
_SUNLIGHT = np.array([0.32, 0.0, -0.947])
_SUN_DISTANCE, _SUN_ASIDE = 6.0, 0.7
_SHADOWS, _SHADOWS_PER_DISTANCE = 3.0, 0.7
"""Reach of shadows around what is looked at: at least [m], and as a share of the camera's distance from it."""
_HIDDEN = 0.12
"""What lies this much in front of a point is part of what the point belongs to [m]."""
_FADED_ALPHA = 0.22
"""Of what stands before a character."""
_MOST_GEOMS = 5000


def shown_modes(modes: NDArray[np.integer[Any]], plan: BodyPlan) -> NDArray[np.int64]:
    """Modes of a character's bodies as people are shown them, from its joints', shape (..., B).

    A pelvis and legs that nobody drives while muscles move what hangs on them are as physical as that is, and no limp parts.
    """
    shown = np.array(modes, dtype=np.int64)
    legs = [body for thigh in plan.with_role("left_thigh", "right_thigh") for body in plan.subtree(thigh)]
    yields = (shown[..., :1] == Mode.PASSIVE) & (shown[..., 1:] == Mode.TORQUE).any(axis=-1, keepdims=True)
    carried = shown[..., [0, *legs]]
    shown[..., [0, *legs]] = np.where(yields & (carried == Mode.PASSIVE), int(Mode.TORQUE), carried)
    return shown


@dataclass(frozen=True, kw_only=True)
class Camera:
    """Where a picture is taken from.

    Args:
        target: Point in the middle of the picture [m], shape (3,).
        azimuth: Heading of the view from x towards y [rad].
        elevation: Angle of the view above the horizontal [rad]; negative looks down.
        distance: From the eye to the target [m].
    """

    target: Array
    azimuth: float
    elevation: float = -0.2
    distance: float = 6.5

    @property
    def eye(self) -> Array:
        """Where the camera is [m], shape (3,)."""
        level = np.cos(self.elevation)
        ahead = np.array([level * np.cos(self.azimuth), level * np.sin(self.azimuth), np.sin(self.elevation)])
        return np.asarray(self.target - self.distance * ahead)

    @property
    def right(self) -> Array:
        """Unit vector to the right of the picture, shape (3,)."""
        return np.array([np.sin(self.azimuth), -np.cos(self.azimuth), 0.0])


class Forces(NamedTuple):
    """Forces to draw: where they act in the world [m] (k, 3), and what they are [N] (k, 3)."""

    points: Array
    vectors: Array


class Overlay(NamedTuple):
    """What lies over what is posed in a picture.

    Args:
        forces: Arrows, each with its tip where the force acts.
        markers: Where markers are that were seen [m], shape (k, 3).
        coats: By character, what fluid has left on its skin; for a painter with surfaces of fluids.
    """

    forces: Forces = Forces(np.zeros((0, 3)), np.zeros((0, 3)))
    markers: Array = np.zeros((0, 3))
    coats: Mapping[str, Coat] = MappingProxyType({})


_NOTHING_OVER = Overlay()


class Painter:
    """Paints a world without a screen.

    Args:
        world: The world; its state is left alone.
        width: Of a picture [pixels].
        height: Of a picture [pixels].
        shadows: Whether the sun casts shadows; without them a picture costs about a third.
        skins: By character, the skin in which it is drawn; the others are drawn as their colliders.
        sheets: Surfaces of fluids.

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """

    def __init__(
        self,
        world: World,
        width: int = 640,
        height: int = 480,
        *,
        shadows: bool = True,
        skins: Mapping[str, SkinnedMesh] | None = None,
        sheets: Sequence[FluidSheet] = (),
    ) -> None:
        self._world, self._model = world, world.model
        self._skins = {name: DrawnSkin(mesh, world.layout(name).plan) for name, mesh in (skins or {}).items()}
        self._parts: list[SkinPart] = []
        self._sheets = tuple(sheets) if world.spec is not None else ()
        if (self._skins or self._sheets) and world.spec is not None:
            spec = world.spec.copy()
            self._parts = add_skins(spec, self._skins, world.layouts)
            add_sheets(spec, self._sheets)
            if self._sheets:
                add_coats(spec, self._skins)
            self._model = spec.compile()
        self._data = mj.MjData(self._model)
        self._scene = mj.MjvScene(self._model, _MOST_GEOMS)
        self._scene.flags[mj.mjtRndFlag.mjRND_SHADOW] = shadows
        self._option = mj.MjvOption()
        self._offscreen = Offscreen(self._model, width, height)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the drawing memory back."""
        self._offscreen.close()

    @property
    def field_of_view(self) -> float:
        """Angle between top and bottom of a picture [rad]."""
        return float(np.radians(self._model.vis.global_.fovy))

    def paint(
        self,
        positions: Array,
        camera: Camera,
        *,
        ghosts: Mapping[str, Array] | None = None,
        overlay: Overlay = _NOTHING_OVER,
        vertices: Mapping[str, Array] | None = None,
        modes: NDArray[np.integer[Any]] | None = None,
        faded: Collection[int] = (),
        time: float = 0.0,
    ) -> NDArray[np.uint8]:
        """A picture, shape (height, width, 3).

        A ghost is thin, has only those limbs that are more than 3 cm away from the body's own, and lies over the body.

        Args:
            positions: Generalized positions of the world, shape (nq,).
            camera: Where it is taken from.
            ghosts: By character, generalized positions of its own, shape (nq of it,).
            overlay: What lies over all that, and over skins.
            vertices: Of every character with a skin, where the skin's vertices are in the world [m], shape (V, 3).
            modes: Who moves each joint of the world then, by which characters are colored; now, where None.
            faded: Geoms to be seen through, as `between` gives them.
            time: Of the surfaces of fluids [s].
        """
        self._pose(positions)
        view = mj.MjvCamera()
        view.lookat, view.distance = camera.target, camera.distance
        view.azimuth, view.elevation = np.degrees(camera.azimuth), np.degrees(camera.elevation)
        scene = self._scene
        # The floor and the lights are laid out around the camera the scene has, which would be the last picture's.
        mj.mjv_updateCamera(self._model, self._data, view, scene)
        mj.mjv_updateScene(self._model, self._data, self._option, None, view, mj.mjtCatBit.mjCAT_ALL.value, scene)
        colors = self._colors(self._world.cut.modes if modes is None else modes)
        self._color_characters(colors)
        for geom in scene.geoms[: scene.ngeom]:
            if geom.objtype == mj.mjtObj.mjOBJ_GEOM and geom.objid in faded:
                geom.rgba[3], geom.transparent = _FADED_ALPHA, 1
        self._add_skins(vertices or {}, colors)
        self._add_sheets(time)
        # Of what can be seen through, what was added last is drawn first: a surface lies over the wet legs in it.
        for name, coat in overlay.coats.items():
            self._add_coat(name, (vertices or {})[name], coat)
        self._move_sun(camera)
        picture = self._offscreen.draw(scene)
        scene.ngeom = 0
        for name, own in (ghosts or {}).items():
            layout = self._world.layout(name)
            self._add_ghost(layout.plan, own, positions[layout.positions])
        picture = self._overlaid(picture, _GHOST_ALPHA)
        for marker in overlay.markers[:_MOST_GEOMS]:
            size, color = np.full(3, MARKER_RADIUS), (*MARKER_COLOR, 1.0)
            self._add(mj.mjtGeom.mjGEOM_SPHERE, size, marker, np.eye(3), color)
        picture = self._overlaid(picture, 1.0)
        for point, vector in zip(*overlay.forces, strict=True):
            self._add_arrow(point, vector)
        return self._overlaid(picture, 1.0)

    def visible(self, positions: Array, camera: Camera, points: Array) -> NDArray[np.bool_]:
        """Whether the camera sees each of `points` (k, 3), or something stands between, shape (k,)."""
        return self._before(positions, camera, points) < 0

    def between(self, positions: Array, camera: Camera, points: Array) -> frozenset[int]:
        """Geoms of all props that stand between the camera and any of `points` (k, 3)."""
        model = self._model
        root = model.body_rootid[model.geom_bodyid]
        own = {int(model.body_rootid[body]) for each in self._world.layouts.values() for body in each.bodies}
        hits = {int(geom) for geom in self._before(positions, camera, points)} - {-1}
        ground = (mj.mjtGeom.mjGEOM_PLANE.value, mj.mjtGeom.mjGEOM_HFIELD.value)
        fixed = {geom for geom in hits if root[geom] == 0 and model.geom_type[geom] not in ground}
        moving = {int(root[geom]) for geom in hits} - own - {0}
        return frozenset(fixed) | {int(geom) for geom in np.flatnonzero(np.isin(root, list(moving)))}

    def _before(self, positions: Array, camera: Camera, points: Array) -> NDArray[np.int64]:
        """The geom that hides each of `points` (k, 3) from the camera, -1 for none, shape (k,)."""
        self._pose(positions)
        eye, geom = camera.eye, np.zeros(1, dtype=np.int32)
        result = np.full(len(points), -1)
        for index, point in enumerate(points):
            away = float(np.linalg.norm(point - eye))
            met = mj.mj_ray(self._model, self._data, eye, (point - eye) / away, None, 1, -1, geom)
            if 0.0 <= met <= away - _HIDDEN:
                result[index] = geom[0]
        return result

    def _pose(self, positions: Array) -> None:
        self._data.qpos[:] = positions
        mj.mj_kinematics(self._model, self._data)
        mj.mj_comPos(self._model, self._data)
        mj.mj_camlight(self._model, self._data)

    def _colors(self, modes: NDArray[np.integer[Any]]) -> dict[int, Color]:
        """The color of each body of a character."""
        return {
            int(body): MODE_COLORS[Mode(mode)]
            for layout in self._world.layouts.values()
            for body, mode in zip(layout.bodies, shown_modes(modes[layout.joints], layout.plan), strict=True)
        }

    def _color_characters(self, colors: Mapping[int, Color]) -> None:
        model, scene = self._model, self._scene
        for geom in scene.geoms[: scene.ngeom]:
            if geom.objtype == mj.mjtObj.mjOBJ_GEOM:
                color = colors.get(int(model.geom_bodyid[geom.objid]))
                if color is not None:
                    geom.rgba[:3] = color

    def _add_skins(self, vertices: Mapping[str, Array], colors: Mapping[int, Color]) -> None:
        placed = {name: self._skins[name].placed(places) for name, places in vertices.items()}
        for part in self._parts:
            mesh = move_part(self._model, part, *placed[part.character])
            self._offscreen.upload(self._model, mesh)
            color = part.color
            if part.body is not None:
                color = colors[int(self._world.layout(part.character).bodies[part.body])]
            geom = self._add(mj.mjtGeom.mjGEOM_MESH, np.zeros(3), np.zeros(3), np.eye(3), (*color, 1.0))
            if part.material is not None:
                geom.matid, geom.texcoord = int(self._model.material(part.material).id), 1
            # The renderer counts each mesh twice, for its convex hull.
            geom.dataid = 2 * mesh
            geom.category = mj.mjtCatBit.mjCAT_DYNAMIC

    def _add_coat(self, name: str, vertices: Array, coat: Coat) -> None:
        mesh = move_coat(self._model, name, self._skins[name], vertices, coat.depths)
        self._offscreen.upload(self._model, mesh)
        shown = (*(float(part) ** (1.0 / 2.2) for part in coat.color), coat.opacity)
        geom = self._add(mj.mjtGeom.mjGEOM_MESH, np.zeros(3), np.zeros(3), np.eye(3), shown)
        geom.dataid = 2 * mesh
        geom.transparent, geom.specular, geom.shininess = 1, 0.7, 0.7

    def _add_sheets(self, time: float) -> None:
        for sheet in self._sheets:
            mesh = move_sheet(self._model, sheet, time)
            self._offscreen.upload(self._model, mesh)
            shown = (*(float(part) ** (1.0 / 2.2) for part in sheet.color), sheet.opacity)
            geom = self._add(mj.mjtGeom.mjGEOM_MESH, np.zeros(3), np.zeros(3), np.eye(3), shown)
            geom.dataid = 2 * mesh
            geom.transparent, geom.specular, geom.shininess = int(sheet.opacity < 1.0), 0.8, 0.6

    def _add_ghost(self, plan: BodyPlan, ghost: Array, own: Array) -> None:
        there, here = (body_capsules(plan, body_frames(plan, positions)) for positions in (ghost, own))
        away = np.maximum(
            np.linalg.norm(there.starts[0] - here.starts[0], axis=1),
            np.linalg.norm(there.ends[0] - here.ends[0], axis=1),
        )
        for limb in np.flatnonzero(away > _GHOST_AWAY):
            start, end, radius = there.starts[0, limb], there.ends[0, limb], _GHOST_SIZE * float(there.radii[limb])
            kind = mj.mjtGeom.mjGEOM_SPHERE if np.array_equal(start, end) else mj.mjtGeom.mjGEOM_CAPSULE
            geom = self._add(kind, np.full(3, radius), start, np.eye(3), (*GHOST_COLOR, 1.0))
            if kind == mj.mjtGeom.mjGEOM_CAPSULE:
                mj.mjv_connector(geom, kind.value, radius, start, end)

    def _overlaid(self, picture: NDArray[np.uint8], alpha: float) -> NDArray[np.uint8]:
        """What was added to the emptied scene lies over the picture, or what is around it would hide it."""
        scene = self._scene
        if not scene.ngeom:
            return picture
        skybox = scene.flags[mj.mjtRndFlag.mjRND_SKYBOX]
        scene.flags[mj.mjtRndFlag.mjRND_SKYBOX] = 0
        over = self._offscreen.draw(scene)
        scene.flags[mj.mjtRndFlag.mjRND_SKYBOX] = skybox
        scene.ngeom = 0
        mixed = np.round(alpha * over + (1.0 - alpha) * picture).astype(np.uint8)
        return np.where(over.any(axis=2, keepdims=True), mixed, picture)

    def _add_arrow(self, point: Array, vector: Array) -> None:
        force = float(np.linalg.norm(vector))
        if force <= 0.0:
            return
        length = float(np.clip(METERS_PER_NEWTON * force, _SHORTEST, _LONGEST))
        arrow = self._add(mj.mjtGeom.mjGEOM_ARROW, np.zeros(3), np.zeros(3), np.eye(3), (*FORCE_COLOR, 1.0))
        tail = point - vector * (length / force)
        mj.mjv_connector(arrow, mj.mjtGeom.mjGEOM_ARROW.value, _ARROW_WIDTH, tail, point)
        # MuJoCo's renderer draws an arrow half as long as its size says.
        arrow.size[2] = 2.0 * length

    def _add(self, kind: mj.mjtGeom, size: Array, place: Array, turn: Array, rgba: tuple[float, ...]) -> mj.MjvGeom:
        scene = self._scene
        geom = scene.geoms[scene.ngeom]
        mj.mjv_initGeom(geom, kind.value, size, place, turn.ravel(), np.array(rgba, dtype=np.float32))
        geom.category = mj.mjtCatBit.mjCAT_DECOR
        scene.ngeom += 1
        return geom

    def _move_sun(self, camera: Camera) -> None:
        """The sun shines over the camera's shoulder on what is looked at.

        Shadows reach only so far from the sun's axis, and where the view meets the edge of that region towards the sun the
        floor would be speckled; so they reach farther for a camera that stands farther away from somebody tall.
        """
        self._offscreen.cast_shadows(max(_SHADOWS, _SHADOWS_PER_DISTANCE * camera.distance))
        turn = quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), camera.azimuth + _SUN_ASIDE)
        for light in self._scene.lights[: self._scene.nlight]:
            if not light.headlight:
                light.dir = quat.rotate(turn, _SUNLIGHT)
                light.pos = camera.target - _SUN_DISTANCE * light.dir
