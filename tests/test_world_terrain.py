"""Terrain: the same surface for physics, for pictures and for whoever asks; what cannot be ground is refused."""

from __future__ import annotations

from dataclasses import replace

import mujoco as mj
import numpy as np
import pytest

from poise.errors import InputError
from poise.signals import Drive
from poise.world import (
    Block,
    Box,
    HeightField,
    Platform,
    SceneSpec,
    Slope,
    Steps,
    Terrain,
    TerrainGround,
    World,
    build_world,
)

HEIGHTS = np.random.default_rng(3).uniform(-0.2, 0.3, (6, 9))
FIELD = HeightField(name="field", position=(1.0, -2.0, 0.1), size=(4.0, 2.5), heights=HEIGHTS)
STEPS = Steps(name="stairs", position=(0.0, 3.0, 0.0), yaw=0.4, tops=(0.2, 0.35, 0.1, 0.4), depth=0.5, width=1.5)
SLOPE = Slope(name="ramp", position=(-4.0, 0.0, 0.05), yaw=2.0, angle=np.radians(20.0), length=2.0, width=1.2)
BLOCK = Block(name="block", position=(4.0, 3.0, 0.3), size=(1.0, 2.0), yaw=-0.5)
PLATFORM = Platform(name="lift", position=(-3.0, -3.0, 0.1), size=(1.0, 1.0), travel=0.4, period=2.0, phase=0.3)
ALL: tuple[Terrain, ...] = (FIELD, STEPS, SLOPE, BLOCK, PLATFORM)


def world_of(*pieces: Terrain, floor: float | None = None, **setting: object) -> World:
    world = build_world({}, SceneSpec(terrain=pieces, floor=floor, **setting), 0.002)
    for piece in pieces:
        if isinstance(piece, Platform):
            world.data.qpos[world.model.joint(piece.name).qposadr] = piece.rise(0.0)
    mj.mj_forward(world.model, world.data)
    return world


def seen_from_above(world: World, places: np.ndarray) -> np.ndarray:
    """Height where MuJoCo's own ray from above meets something, NaN where it meets nothing."""
    down, geom = np.array([0.0, 0.0, -1.0]), np.zeros(1, np.int32)
    met = [mj.mj_ray(world.model, world.data, np.array([x, y, 5.0]), down, None, 1, -1, geom) for x, y in places]
    return np.array([np.nan if distance < 0.0 else 5.0 - distance for distance in met])


@pytest.mark.parametrize("piece", ALL, ids=lambda piece: piece.name)
def test_the_height_is_what_a_ray_meets(piece: Terrain, rng: np.random.Generator) -> None:
    places = np.array(piece.position[:2]) + rng.uniform(-2.5, 2.5, (400, 2))
    asked = TerrainGround([piece], None).height(places)
    seen = seen_from_above(world_of(piece), places)
    assert np.isfinite(asked).sum() > 10
    np.testing.assert_array_equal(np.isnan(asked), np.isnan(seen))
    np.testing.assert_allclose(asked, seen, atol=1e-6)


def test_the_highest_counts_and_the_floor_is_everywhere(rng: np.random.Generator) -> None:
    places = rng.uniform(-5.0, 5.0, (500, 2))
    asked = TerrainGround(ALL, 0.12).height(places)
    np.testing.assert_allclose(asked, seen_from_above(world_of(*ALL, floor=0.12), places), atol=1e-6)
    assert (asked >= 0.12).all()


def test_normals_are_those_of_the_surface() -> None:
    ground = TerrainGround([SLOPE], 0.0)
    on, off = np.array(SLOPE.position[:2]) + 1.0 * np.array([np.cos(2.0), np.sin(2.0)]), np.array([3.0, 3.0])
    uphill = np.array([np.cos(2.0), np.sin(2.0)])
    expected = [*(-np.sin(SLOPE.angle) * uphill), np.cos(SLOPE.angle)]
    np.testing.assert_allclose(ground.normal(np.array([on, off]), 0.0), [expected, [0.0, 0.0, 1.0]], atol=1e-9)


def test_a_hole_has_no_height_and_its_normal_is_up() -> None:
    ground = TerrainGround([BLOCK], None)
    assert np.isnan(ground.height(np.array([0.0, 0.0])))
    np.testing.assert_array_equal(ground.normal(np.array([0.0, 0.0]), 0.0), [0.0, 0.0, 1.0])


@pytest.mark.parametrize("piece", [FIELD, STEPS, BLOCK], ids=lambda piece: piece.name)
def test_loose_things_come_to_rest_on_it(piece: Terrain) -> None:
    spot = np.array(piece.position[:2]) + (0.75 * np.array([np.cos(0.4), np.sin(0.4)]) if piece is STEPS else 0.0)
    height = float(TerrainGround([piece], None).height(spot))
    box = Box(name="box", position=(spot[0], spot[1], height + 0.3), size=(0.05, 0.05, 0.05), mass=1.0)
    world = world_of(piece, props=(box,))
    for _ in range(60):
        world.step(Drive(np.zeros((25, world.model.nq))))
    x, y, z = world.data.xpos[world.model.body("box").id]
    below = float(TerrainGround([piece], None).height(np.array([x, y])))
    assert 0.03 < z - below < 0.1, "on the surface, whatever way up"


@pytest.mark.parametrize("course", ["cosine", "triangle"])
def test_a_platform_carries_what_stands_on_it(course: str) -> None:
    lift = replace(PLATFORM, course=course, phase=0.0)
    x, y, z = lift.position
    world = world_of(lift, props=(Box(name="box", position=(x, y, z + 0.1), size=(0.1, 0.1, 0.1), mass=5.0),))
    at = int(world.model.jnt_qposadr[world.model.joint("lift").id])
    for tick in range(200):
        times = 0.002 * (5 * tick + np.arange(1, 6))
        rows = np.tile(world.data.qpos, (5, 1))
        rows[:, at] = lift.rise(times)
        world.step(Drive(rows))
        assert world.data.qpos[at] == pytest.approx(lift.rise(times[-1]), abs=1e-8)
    assert lift.rise(1.0) == pytest.approx(0.4)
    assert world.data.qpos[at] == pytest.approx(lift.rise(2.0), abs=1e-8)
    assert world.data.xpos[world.model.body("box").id, 2] == pytest.approx(z + 0.1 + float(lift.rise(2.0)), abs=0.01)
    np.testing.assert_allclose(lift.rise([0.0, 0.5, 1.5]), [0.0, 0.2, 0.2], atol=1e-12)


def test_pieces_that_do_not_give_way_do_not_push_one_another() -> None:
    inside = Block(name="inside", position=PLATFORM.position, size=(0.5, 0.5))
    world = world_of(PLATFORM, inside, floor=0.2)
    world.step(Drive(np.tile(world.data.qpos, (5, 1))))
    assert world.data.ncon == 0


NAN = float("nan")
BAD: list[tuple[Terrain, str]] = [
    (replace(FIELD, size=(4.0, 0.0)), "size must be positive"),
    (replace(FIELD, heights=np.zeros((1, 5))), "rows >= 2"),
    (replace(FIELD, heights=np.where(np.arange(54).reshape(6, 9) == 11, NAN, 0.0)), r"heights\.1\.2"),
    (replace(FIELD, position=(0.0, NAN, 0.0)), "finite"),
    (replace(STEPS, depth=0.0), "depth must be positive"),
    (replace(STEPS, tops=()), "at least one step"),
    (replace(STEPS, tops=(0.2, 0.7)), "step 2 is 0.5 m"),
    (replace(SLOPE, angle=np.radians(40.0)), "30 degrees"),
    (replace(SLOPE, angle=0.0), "angle must be positive"),
    (replace(SLOPE, width=-1.0), "width must be positive"),
    (replace(BLOCK, size=(NAN, 1.0)), "size must be positive"),
    (replace(PLATFORM, period=0.0), "period must be positive"),
    (replace(PLATFORM, travel=-0.1), "travel"),
]


@pytest.mark.parametrize(("piece", "says"), BAD, ids=[says for _, says in BAD])
def test_what_cannot_be_ground_is_refused(piece: Terrain, says: str) -> None:
    with pytest.raises(InputError, match=says) as caught:
        world_of(piece)
    assert f"terrain {piece.name!r}" in str(caught.value)


def test_names_are_used_once() -> None:
    with pytest.raises(InputError, match="twice: block"):
        world_of(BLOCK, BLOCK)
