"""Closest points, their velocities and what hides them, each against MuJoCo's own."""

from __future__ import annotations

import mujoco as mj
import numpy as np
import pytest

from poise.scenes import named_scene
from poise.world.obstacle_query import Obstacles
from poise.world.world import World

_PROBE = 1e-6
"""Radius of the sphere that stands for a point [m]."""


@pytest.fixture(scope="module")
def around() -> tuple[World, Obstacles]:
    """The garden, all of whose bodies move."""
    session = named_scene("garden").session()
    world = session.world
    world.data.qvel[:] = 0.3 * np.random.default_rng(0).standard_normal(world.model.nv)
    return world, Obstacles(world, session.setting.props)


def _owners(world: World, obstacles: Obstacles) -> dict[int, int]:
    """Obstacle of each geom that belongs to one, by its body's or its own name."""
    model, numbers = world.model, {name: number for number, name in enumerate(obstacles.names)}
    found = {}
    for geom in range(model.ngeom):
        body = model.body(int(model.geom_bodyid[geom])).name
        for name in (model.geom(geom).name, body, body.split("/")[0]):
            if name in numbers:
                found[geom] = numbers[name]
                break
    return found


def test_closest_points_are_those_of_gjk_and_move_as_jacobians_say(around: tuple[World, Obstacles]) -> None:
    world, obstacles = around
    model, data, owners = world.model, world.data, _owners(*around)
    (probe, *_) = [g for g in range(model.ngeom) if g not in owners and model.geom_type[g] != mj.mjtGeom.mjGEOM_PLANE]
    kind, size = int(model.geom_type[probe]), model.geom_size[probe].copy()
    model.geom_type[probe], model.geom_size[probe] = mj.mjtGeom.mjGEOM_SPHERE, (_PROBE, 0.0, 0.0)
    random, line, jacobian, compared = np.random.default_rng(1), np.zeros(6), np.zeros((3, model.nv)), 0
    obstacles.refresh()
    for spot in random.uniform([0.0, -1.5, 0.1], [9.0, 1.5, 2.0], (100, 3)):
        data.geom_xpos[probe], data.geom_xmat[probe] = spot, np.eye(3).ravel()
        mine = obstacles.nearest(spot[None], np.array([2.0]))
        best: dict[int, tuple[float, int, np.ndarray]] = {}
        for geom, owner in owners.items():
            distance = mj.mj_geomDistance(model, data, probe, geom, 4.0, line)
            if owner not in best or distance < best[owner][0]:
                best[owner] = (distance, geom, line[3:].copy())
        for owner, (distance, geom, point) in best.items():
            if not 0.0 < distance < 1.9:
                continue
            assert mine.distance[0, owner] == pytest.approx(distance, abs=2.0 * _PROBE)
            np.testing.assert_allclose(mine.point[0, owner], point, atol=1e-6)
            mj.mj_jac(model, data, jacobian, None, point, int(model.geom_bodyid[geom]))
            np.testing.assert_allclose(mine.velocity[0, owner], jacobian @ data.qvel, atol=1e-5)
            compared += 1
    model.geom_type[probe], model.geom_size[probe] = kind, size
    assert compared > 100


def test_what_is_hidden_is_what_a_ray_says(around: tuple[World, Obstacles]) -> None:
    world, obstacles = around
    model, data, owners = world.model, world.data, _owners(*around)
    obstacles.refresh()
    random, seen = np.random.default_rng(2), []
    for _ in range(60):
        eye = random.uniform([0.0, -0.6, 1.2], [8.0, 0.6, 1.7])
        near = obstacles.nearest(eye[None], np.array([3.0]))
        which = np.flatnonzero(near.distance[0] > 0.0)
        which = which[np.isfinite(near.distance[0, which])]
        points = near.point[0, which]
        hidden = obstacles.hidden(eye, points, which)
        for number, point, mine in zip(which, points, hidden, strict=True):
            way = point - eye
            others = [g for g in owners if owners[g] != number and _thick(model, g)]
            places, turns, sizes, kinds = data.geom_xpos, data.geom_xmat, model.geom_size, model.geom_type
            met = [mj.mju_rayGeom(places[g], turns[g], sizes[g], eye, way, kinds[g], None) for g in others]
            assert mine == any(0.0 <= share <= 1.0 for share in met)
            seen.append(bool(mine))
    assert len(set(seen)) == 2


def _thick(model: mj.MjModel, geom: int) -> bool:
    size, box = model.geom_size[geom], model.geom_type[geom] == mj.mjtGeom.mjGEOM_BOX
    return bool(2.0 * (size.min() if box else size[0]) > 0.04)
