"""Pictures: something is on them, and each layer changes what it should and nothing else."""

import ctypes.util
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from _builders import human_clip, human_plan
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.mannequin import mannequin
from poise.motion.skin import skin
from poise.signals import Coat, FluidSheet, Mode
from poise.world import Plant, SceneSpec, World, build_world
from poise.world.render import MODE_COLORS, Camera, Forces, NoRenderer, Overlay, Painter, shown_modes

WIDTH, HEIGHT = 160, 200
STEM = Plant(name="stem", position=(0.0, 1.5, 0.0), length=1.2, mass=1.0, stiffness=50.0, damping=1.0)


@pytest.fixture(scope="module")
def world() -> World:
    clip = human_clip()
    plan = human_plan(clip)
    made = build_world({"walker": plan}, SceneSpec(props=[STEM]), 0.002)
    made.place("walker", generalized_from_clip(plan, clip)[0])
    return made


@pytest.fixture(scope="module")
def painter(world: World) -> Iterator[Painter]:
    try:
        made = Painter(world, WIDTH, HEIGHT)
    except NoRenderer as error:
        pytest.skip(str(error))
    with made:
        yield made


@pytest.fixture
def positions(world: World) -> np.ndarray:
    return world.state().positions


@pytest.fixture
def camera(world: World, positions: np.ndarray) -> Camera:
    """From straight before the character, who faces x."""
    target = np.array([*positions[world.layout("walker").positions][:2], 0.9])
    return Camera(target=target, azimuth=np.pi)


def changed(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Rows and columns of pixels that differ."""
    return np.argwhere(np.abs(a.astype(int) - b).max(axis=2) > 8)


def test_a_picture_shows_sky_floor_and_figure(painter: Painter, positions: np.ndarray, camera: Camera) -> None:
    camera = replace(camera, elevation=-0.02)
    picture = painter.paint(positions, camera)
    assert picture.shape == (HEIGHT, WIDTH, 3)
    assert picture.dtype == np.uint8
    sky, floor = picture[2, 5].astype(int), picture[-3, 5].astype(int)
    assert sky[2] > sky[0] + 10
    assert np.ptp(floor) < 20
    figure = picture[:, WIDTH // 4 : -WIDTH // 4].max(axis=2) < 130
    assert 0.05 < figure.mean() < 0.6
    assert np.array_equal(picture, painter.paint(positions, camera))


def test_bodies_are_colored_by_who_moves_them(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera
) -> None:
    arm = [name for name in world.layout("walker").plan.names if name.startswith("LeftA")]
    before = painter.paint(positions, camera)
    world.cut.set([f"walker/{name}" for name in arm], Mode.MOTION)
    after = painter.paint(positions, camera)
    world.cut.set([f"walker/{name}" for name in arm], Mode.PASSIVE)
    pixels = changed(before, after)
    assert len(pixels) > 20
    assert (pixels[:, 1] > WIDTH // 2).all(), "its left arm is on the right of a picture from before it"
    shade = after[tuple(pixels.T)].mean(axis=0)
    assert np.argmax(shade) == np.argmax(MODE_COLORS[Mode.MOTION])


def test_a_ghost_shows_only_where_it_differs(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera
) -> None:
    plain = painter.paint(positions, camera)
    own = positions[world.layout("walker").positions].copy()
    assert len(changed(plain, painter.paint(positions, camera, ghosts={"walker": own}))) == 0
    own[1] -= 0.6
    pixels = changed(plain, painter.paint(positions, camera, ghosts={"walker": own}))
    assert len(pixels) > 400
    assert pixels[:, 1].mean() < WIDTH / 2


def test_a_ghost_is_thin_and_shows_limbs_that_are_off_even_inside_the_body(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera
) -> None:
    plain = painter.paint(positions, camera)
    shown = []
    for aside in (0.02, 0.06, 0.6):
        own = positions[world.layout("walker").positions].copy()
        own[1] -= aside
        shown.append(len(changed(plain, painter.paint(positions, camera, ghosts={"walker": own}))))
    assert shown[0] == 0
    assert shown[1] > 0.7 * shown[2], "what is a little off is not hidden by the body itself"
    figure = (plain[:, WIDTH // 4 : -WIDTH // 4].max(axis=2) < 130).sum()
    assert shown[2] < 0.6 * figure


def test_a_character_is_drawn_in_its_skin_with_its_parts_colored(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera
) -> None:
    clip = human_clip()
    mesh = mannequin(clip, world.layout("walker").plan)
    points = skin(mesh, *clip.pose(0).world())
    with Painter(world, WIDTH, HEIGHT, skins={"walker": mesh}) as dressed:
        here = dressed.paint(positions, camera, vertices={"walker": points})
        aside = dressed.paint(positions, camera, vertices={"walker": points + np.array([0.0, 0.6, 0.0])})
        assert np.array_equal(here, dressed.paint(positions, camera, vertices={"walker": points}))
        arm = [f"walker/{name}" for name in world.layout("walker").plan.names if name.startswith("LeftA")]
        world.cut.set(arm, Mode.MOTION)
        blue = dressed.paint(positions, camera, vertices={"walker": points})
        world.cut.set(arm, Mode.PASSIVE)
        marks = np.array([camera.target, camera.target - [0.5, 0.0, 0.0]])
        assert dressed.visible(positions, camera, marks).tolist() == painter.visible(positions, camera, marks).tolist()
    assert len(changed(here, painter.paint(positions, camera))) > 200, "colliders look otherwise"
    columns = changed(here, aside)[:, 1]
    assert columns.max() > WIDTH * 0.65, "the skin is where its vertices are, to its left"
    pixels = changed(here, blue)
    assert len(pixels) > 20
    assert (pixels[:, 1] > WIDTH // 2).all()
    assert np.argmax(blue[tuple(pixels.T)].mean(axis=0)) == np.argmax(MODE_COLORS[Mode.MOTION])


def test_what_is_wet_of_a_skin_is_darker_up_to_the_line(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera
) -> None:
    clip = human_clip()
    mesh = mannequin(clip, world.layout("walker").plan)
    points = {"walker": skin(mesh, *clip.pose(0).world())}
    # Too far below to be seen, but with it there are films.
    pool = FluidSheet("pool", (0.1, 0.3, 0.4), 0.5, (0.0, 0.0, -50.0), 0.5, np.zeros((1, 3, 3), np.float32), 10.0)
    with Painter(world, WIDTH, HEIGHT, skins={"walker": mesh}, sheets=(pool,)) as dressed:
        dry = dressed.paint(positions, camera, vertices=points)
        coat = Coat(camera.target[2] - points["walker"][:, 2], (0.02, 0.06, 0.08), 0.6)
        wet = dressed.paint(positions, camera, vertices=points, overlay=Overlay(coats={"walker": coat}))
    rows = changed(dry, wet)[:, 0]
    assert len(rows) > 200
    # The camera looks at the line, a little from above.
    assert HEIGHT // 2 - 3 <= rows.min() <= HEIGHT // 2 + 3
    there = tuple(changed(dry, wet).T)
    assert (wet[there].astype(int).sum(axis=1) < dry[there].astype(int).sum(axis=1)).mean() > 0.95
    assert wet[there].mean() < 0.85 * dry[there].mean()


def test_what_is_wet_under_an_opaque_surface_is_not_seen(world: World, painter: Painter, positions: np.ndarray) -> None:
    mesh = mannequin(human_clip(), world.layout("walker").plan)
    points = {"walker": skin(mesh, *human_clip().pose(0).world())}
    x, y = positions[world.layout("walker").positions][:2]
    mud = FluidSheet("mud", (0.1, 0.1, 0.0), 0.97, (x - 3.0, y - 3.0, 0.9), 1.0, np.zeros((1, 7, 7), np.float32), 10.0)
    view = Camera(target=np.array([x, y, 0.5]), azimuth=np.pi, elevation=-0.7)
    coat = Coat(0.9 - points["walker"][:, 2], (0.9, 0.0, 0.0), 0.9)
    with Painter(world, WIDTH, HEIGHT, skins={"walker": mesh}, sheets=(mud,)) as dressed:
        dry = dressed.paint(positions, view, vertices=points)
        wet = dressed.paint(positions, view, vertices=points, overlay=Overlay(coats={"walker": coat}))
    assert len(changed(dry, wet)) < 10


@pytest.mark.parametrize("distance", [8.0, 10.0, 14.0])
def test_the_floor_is_not_speckled_from_far_away(
    world: World, painter: Painter, positions: np.ndarray, camera: Camera, distance: float
) -> None:
    away = replace(camera, distance=distance)
    with Painter(world, WIDTH, HEIGHT, shadows=False) as other:
        plain = other.paint(positions, away)
    # The nearest part of the floor, where the figure's shadow does not fall.
    near = slice(4 * HEIGHT // 5, None)
    assert len(changed(painter.paint(positions, away)[near], plain[near])) == 0


def test_an_arrow_ends_where_the_force_acts(painter: Painter, positions: np.ndarray, camera: Camera) -> None:
    plain = painter.paint(positions, camera)
    forces = Forces(camera.target[None], np.array([[0.0, -100.0, 0.0]]))
    pixels = changed(plain, painter.paint(positions, camera, overlay=Overlay(forces)))
    assert len(pixels) > 50
    assert abs(pixels[:, 0].mean() - HEIGHT / 2) < 3
    metre = HEIGHT / (2.0 * camera.distance * np.tan(0.5 * painter.field_of_view))
    assert pixels[:, 1].min() == pytest.approx(WIDTH / 2, abs=3)
    assert pixels[:, 1].max() == pytest.approx(WIDTH / 2 + 0.4 * metre, abs=3), "4 mm per newton"
    nothing = Forces(np.zeros((0, 3)), np.zeros((0, 3)))
    assert np.array_equal(plain, painter.paint(positions, camera, overlay=Overlay(nothing)))


def test_what_stands_between_hides(world: World, painter: Painter, positions: np.ndarray) -> None:
    layout = world.layout("walker")
    places = body_frames(layout.plan, positions[layout.positions]).positions[0]
    stem = np.array([STEM.position[0], STEM.position[1], 0.6])
    beyond = Camera(target=places[0], azimuth=-0.5 * np.pi, elevation=0.0, distance=4.0)
    marks = np.array([places[0], stem, [0.0, 1.5, 1.6], [places[0, 0], -1.0, places[0, 2]]])
    assert painter.visible(positions, beyond, marks).tolist() == [False, True, True, False]


def test_the_world_is_left_alone(world: World, painter: Painter, positions: np.ndarray, camera: Camera) -> None:
    before = world.state()
    painter.paint(positions + 0.01, camera)
    assert np.array_equal(world.state().positions, before.positions)


def test_without_a_library_the_package_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    with pytest.raises(NoRenderer, match="libosmesa6"):
        Painter(world, WIDTH, HEIGHT)
    monkeypatch.setenv("MUJOCO_GL", "egl")
    with pytest.raises(NoRenderer, match=r"EGL.*libegl1"):
        Painter(world, WIDTH, HEIGHT)


def test_pictures_can_be_switched_off(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MUJOCO_GL", "off")
    with pytest.raises(NoRenderer, match="switched off by MUJOCO_GL=off"):
        Painter(world, WIDTH, HEIGHT)


def test_a_pelvis_and_legs_that_nobody_drives_are_as_physical_as_what_hangs_on_them() -> None:
    plan = human_plan(human_clip())
    modes, leg = np.full(len(plan), 2), list(plan.subtree(plan.with_role("left_thigh")[0]))
    arm = plan.with_role("left_upper_arm")[0]
    modes[[0, *leg, arm]] = 0
    assert shown_modes(modes, plan).tolist() == modes.tolist(), "limp: nothing hangs on it that muscles move"
    modes[plan.with_role("spine")[0]] = 1
    shown = modes.copy()
    shown[[0, *leg]] = 1
    assert shown_modes(modes, plan).tolist() == shown.tolist(), "but for an arm that is limp"
    assert shown_modes(np.stack([modes, shown]), plan).tolist() == [shown.tolist(), shown.tolist()]


@pytest.mark.parametrize(("azimuth", "elevation"), [(0.0, 0.0), (0.7, -0.3), (2.4, 0.5), (-1.9, -1.2)])
def test_a_camera_is_at_its_distance_and_looks_where_it_is_told_to(azimuth: float, elevation: float) -> None:
    camera = Camera(target=np.array([1.0, 2.0, 0.5]), azimuth=azimuth, elevation=elevation, distance=3.0)
    way = camera.target - camera.eye
    assert np.linalg.norm(way) == pytest.approx(3.0)
    assert np.arctan2(way[1], way[0]) == pytest.approx(azimuth)
    assert np.arcsin(way[2] / 3.0) == pytest.approx(elevation)
