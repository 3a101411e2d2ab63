"""A picture of many characters of one plan in one place."""

from __future__ import annotations

from collections.abc import Sequence

import mujoco as mj
import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.math import quat
from poise.signals import Mode
from poise.world.offscreen import Offscreen
from poise.world.render import GEOM_KINDS, MODE_COLORS, Camera
from poise.world.visuals import GROUND_MATERIAL, add_look

__all__ = ["paint_crowd"]

Array = NDArray[np.float64]


def paint_crowd(
    plan: BodyPlan,
    positions: Array,
    driven: Sequence[int],
    camera: Camera,
    width: int = 1280,
    height: int = 720,
) -> NDArray[np.uint8]:
    """Everybody on a floor at height 0, kinematic bodies and physical ones in their colors, shape (height, width, 3).

    Args:
        plan: The character.
        positions: Generalized positions of each, shape (N, nq).
        driven: Bodies whose joints are kinematic.
        camera: Where the picture is taken from.
        width: Of the picture [pixels].
        height: Of the picture [pixels].

    Raises:
        NoRenderer: There is no OpenGL library that draws without a screen.
    """
    spec = mj.MjSpec()
    add_look(spec)
    floor = spec.worldbody.add_geom(name="ground", type=mj.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    floor.material = GROUND_MATERIAL
    spec.stat.extent = 2.0 * camera.distance
    model = spec.compile()
    shapes = sum(len(colliders) for colliders in plan.colliders)
    scene = mj.MjvScene(model, 100 + shapes * len(positions))
    data, view = mj.MjData(model), mj.MjvCamera()
    mj.mj_forward(model, data)
    view.lookat, view.distance = camera.target, camera.distance
    view.azimuth, view.elevation = np.degrees(camera.azimuth), np.degrees(camera.elevation)
    mj.mjv_updateScene(model, data, mj.MjvOption(), None, view, mj.mjtCatBit.mjCAT_ALL.value, scene)
    colors = [MODE_COLORS[Mode.MOTION if body in driven else Mode.TORQUE] for body in range(len(plan))]
    places, turns = body_frames(plan, positions)
    for body, colliders in enumerate(plan.colliders):
        for collider in colliders:
            centres = places[:, body] + quat.rotate(turns[:, body], collider.position)
            axes = quat.to_matrix(quat.mul(turns[:, body], collider.rotation))
            kind, rgba = GEOM_KINDS[collider.kind].value, np.array([*colors[body], 1.0], dtype=np.float32)
            for centre, frame in zip(centres, axes, strict=True):
                geom = scene.geoms[scene.ngeom]
                mj.mjv_initGeom(geom, kind, collider.size, centre, frame.ravel(), rgba)
                geom.category = mj.mjtCatBit.mjCAT_DECOR
                scene.ngeom += 1
    canvas = Offscreen(model, width, height)
    try:
        return canvas.draw(scene)
    finally:
        canvas.close()
