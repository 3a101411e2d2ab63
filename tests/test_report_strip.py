"""The contact sheet: which moments, from where, and what is written."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from _builders import human_clip
from poise.body.heading import facing, headings
from poise.body.mannequin import mannequin
from poise.errors import InputError
from poise.math import quat
from poise.motion.skin import Material, SkinnedMesh, skin
from poise.report.contact_summary import BodyContact, find_contacts
from poise.report.moments import choose_moments
from poise.report.movers import company
from poise.report.sentences import touch_lines
from poise.report.sheet import Panel, compose
from poise.report.skins import drawn_skins, skins_at
from poise.report.strip import write_strip
from poise.report.view import Shot, choose_cameras, common_heading, standing_before
from poise.runtime import Character, Session
from poise.world import Ball, SceneSpec, Wall
from poise.world.render import NoRenderer, Painter

TICK = 1.0 / 60.0


def touch(state: int, other: str, newtons: float, *, inner: bool = False) -> BodyContact:
    return BodyContact(state, "walker", "left hand", other, inner, np.zeros(3), np.array([newtons, 0.0, 0.0]))


@pytest.fixture(scope="module")
def session() -> Session:
    """A ball that hits the left arm."""
    character = Character.from_clip(human_clip())
    plan = character.plan
    start = Session({"walker": character})
    forearm = start.world.layout("walker").bodies[plan.with_role("left_forearm")[0]]
    aim = np.array(start.world.data.xpos[forearm])
    ball = Ball(name="ball", position=(aim[0], aim[1] + 0.5, aim[2]), velocity=(0.0, -5.0, 0.0), radius=0.1)
    made = Session({"walker": character}, SceneSpec(props=[ball], floor=character.floor))
    made.run(40)
    return made


@pytest.fixture
def renderer(session: Session) -> None:
    try:
        Painter(session.world, 8, 8).close()
    except NoRenderer as error:
        pytest.skip(str(error))


def test_moments_are_even_where_nothing_happens() -> None:
    assert choose_moments([], np.zeros(81), TICK, 5) == [0, 20, 40, 60, 80]
    assert choose_moments([], np.zeros(3), TICK, 8) == [0, 1, 2]


def test_moments_are_the_strongest_contacts_and_what_lies_between() -> None:
    touches = [touch(100, "ball", 90.0), touch(103, "bush", 80.0), touch(30, "bush", 20.0), touch(60, "ground", 900.0)]
    touches += [touch(80, "right thigh", 500.0, inner=True)]
    chosen = choose_moments(touches, np.zeros(201), TICK, 4)
    assert {30, 100} <= set(chosen), "103 is within 0.2 s of 100; the ground and one's own thigh do not count"
    assert len(chosen) == 4
    assert chosen == sorted(chosen)
    assert max(chosen) == 200


def test_a_moment_shows_what_a_blow_did() -> None:
    away = np.zeros(201)
    away[120] = 0.15
    assert 120 in choose_moments([touch(100, "ball", 90.0)], away, TICK, 4)


def test_the_moment_furthest_from_the_source_is_always_shown() -> None:
    away = np.zeros(201)
    away[105:] = np.linspace(0.3, 0.0, 96)
    assert 105 in choose_moments([touch(100, "ball", 90.0), touch(110, "bush", 80.0)], away, TICK, 4)


def test_answers_to_inputs_are_moments_up_to_half_of_all() -> None:
    chosen = choose_moments([], np.zeros(401), TICK, 6, [70, 200, 260, 330])
    assert {70, 200, 260} < set(chosen)
    assert len(chosen) == 6


def test_touches_are_told_in_words(session: Session) -> None:
    hits = [found for found in find_contacts(session) if found.other == "ball"]
    assert hits
    assert {found.body for found in hits} <= {"left upper arm", "left forearm", "left hand"}
    strongest = max(hits, key=lambda found: found.strength)
    assert strongest.force[1] < 0.0, "it came from the left and pushes to the right"


@pytest.mark.usefixtures("renderer")
def test_captions_name_things_as_one_says_them_and_each_pair_once() -> None:
    touches = [touch(3, "fence_door_1", 80.0), touch(3, "fence_door_1", 46.0), touch(3, "ball", 5.0)]
    assert touch_lines(touches) == ["left hand on fence door 1, 80 N", "left hand on ball, 5 N"]
    assert touch_lines([*touches, touch(3, "swing_2", 2.0)])[-1] == "left hand on ball, 5 N (+1)"


def test_the_camera_sees_past_a_wall() -> None:
    character = Character.from_clip(human_clip())
    plan = character.plan
    start = Session({"walker": character}).world.state().positions
    ahead = facing(plan, start[: plan.position_count])
    left = start[:2] + 1.0 * np.array([np.cos(ahead + 0.9), np.sin(ahead + 0.9)])
    wall = Wall(name="wall", position=(left[0], left[1], 1.0), size=(0.4, 0.4, 1.0))
    made = Session({"walker": character}, SceneSpec(props=[wall], floor=character.floor))
    own = made.world.state().positions
    with Painter(made.world, 8, 8) as painter:
        shot = Shot(plan, own[: plan.position_count], own, np.zeros((0, 3)), ahead)
        aside = shot._replace(positions=shot.positions + np.array([2.0, *np.zeros(plan.position_count - 1)]))
        camera, other = choose_cameras(painter, [shot, aside])
        before = replace(camera, azimuth=ahead + 0.9 + np.pi)
        hiding = standing_before(painter, shot, before)
        plain, through = (painter.paint(own, before, faded=faded).astype(int) for faded in ((), hiding))
    stand = np.angle(np.exp(1j * (camera.azimuth + np.pi - ahead)))
    assert stand < -0.3, "it stands on the right"
    assert (camera.azimuth, camera.distance) == (other.azimuth, other.distance), "both pictures are taken alike"
    assert {made.world.model.geom(geom).name.split("/")[0] for geom in hiding} == {"wall"}
    assert np.abs(through - plain).max() > 20, "one sees through the wall"


def test_one_heading_stands_for_all_of_a_walk_and_follows_who_turns_round() -> None:
    plan = Character.from_clip(human_clip()).plan
    rows = np.zeros((101, plan.position_count))
    swaying = 0.4 + 0.3 * np.sin(np.linspace(0.0, 20.0, 101))
    turning = np.linspace(0.0, 2.0 * np.pi, 101)
    for towards, spread in ((swaying, 0.0), (turning, 5.0)):
        rows[:, 3:7] = quat.mul(quat.from_axis_angle(np.array([0.0, 0.0, 1.0]), towards), plan.neutral[0])
        found = headings(plan, rows)
        assert np.abs(np.exp(1j * found) - np.exp(1j * towards)).max() < 1e-9
        common = common_heading(found)
        assert np.ptp(common) == 0.0 if not spread else np.ptp(common) > spread
    assert common_heading(headings(plan, rows[:20]))[0] == pytest.approx(turning[:20].mean(), abs=0.02)


def test_those_who_stay_beside_somebody_are_shown_along() -> None:
    clip = human_clip()
    away = {"left": 0.0, "middle": 1.3, "right": 2.6, "far": 4.5}
    people = {
        name: Character.from_clip(clip.with_motion(clip.rotations, clip.translations + np.array([0.0, aside, 0.0])))
        for name, aside in away.items()
    }
    session = Session(people)
    session.tick()
    assert company(session, "left") == ["left", "middle", "right"]
    assert company(session, "far") == ["right", "far"]


@pytest.mark.usefixtures("renderer")
def test_a_strip_has_a_panel_per_moment_and_is_the_same_every_time(session: Session, tmp_path: Path) -> None:
    first, second = tmp_path / "first.png", tmp_path / "second.png"
    write_strip(first, session, moments=5, title="a ball", speed=20.0)
    write_strip(second, session, moments=5, title="a ball", speed=20.0)
    assert first.read_bytes() == second.read_bytes()
    assert len(first.read_bytes()) < 1_500_000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["first.png", "second.png"]
    with Image.open(first) as sheet:
        size = sheet.size
        pixels = np.asarray(sheet)
    blank = Image.new("RGB", (456, 500))
    assert size == compose([Panel(blank, "", [])] * 5, "").size
    assert 1600 <= size[0] <= 2000
    lower = pixels[size[1] // 2 + 120 : size[1] - 150]
    assert lower[:, :470].std() > 20.0
    assert lower[:, 500:].std() == 0.0, "the second row holds one picture"


@pytest.mark.usefixtures("renderer")
def test_characters_with_a_skin_of_their_own_are_shown_in_it(tmp_path: Path) -> None:
    clip = human_clip()
    bare = Character.from_clip(clip)
    character = replace(bare, mesh=mannequin(clip, bare.plan))
    made = Session({"walker": character, "other": bare}, SceneSpec(floor=None))
    made.run(12)
    recording, frame = made.recording(), 12 // made.clock.ticks_per_frame
    skins = drawn_skins(made)
    assert skins["walker"] is character.mesh
    places = skins_at(made, skins, recording, 12)
    assert set(places) == {"walker", "other"}, "who has no skin of its own is shown as a mannequin"
    turn, place = made.result("walker").pose(frame).world()
    assert character.mesh is not None
    assert np.abs(places["walker"] - skin(character.mesh, turn, place)).max() < 1e-3
    pictures = []
    for who in (bare, replace(bare, mesh=painted(character.mesh))):
        alone = Session({"walker": who})
        alone.run(12)
        write_strip(tmp_path / "strip.png", alone, moments=1)
        pictures.append(np.asarray(Image.open(tmp_path / "strip.png"), dtype=int)[200:])
    green, red = (pictures[1] * [-1, 2, -1]).sum(axis=2) > 150, (pictures[1] * [2, -1, -1]).sum(axis=2) > 150
    assert green.sum() > 2000, "the image of its material"
    assert red.sum() > 2000, "the color of its material"
    assert np.flatnonzero(green.any(axis=1)).mean() < np.flatnonzero(red.any(axis=1)).mean(), "green is the upper half"


def painted(mesh: SkinnedMesh) -> SkinnedMesh:
    """The same with materials: an image whose upper half is green above the waist, red below."""
    upper = Image.new("RGB", (8, 8), (0, 220, 0))
    upper.paste((0, 0, 220), (0, 4, 8, 8))
    content = io.BytesIO()
    upper.save(content, "PNG")
    height = mesh.vertices[mesh.triangles[:, 0], 2]
    return replace(
        mesh,
        uvs=np.full((len(mesh), 2), 0.25),
        triangle_materials=(height < np.median(mesh.vertices[:, 2])).astype(int),
        materials=(Material((1.0, 1.0, 1.0), content.getvalue()), Material((0.8, 0.0, 0.0))),
    )


def test_a_strip_of_nothing_is_refused(session: Session, tmp_path: Path) -> None:
    fresh = Session(session.characters)
    with pytest.raises(InputError, match="no ticks yet"):
        write_strip(tmp_path / "strip.png", fresh)
    with pytest.raises(InputError, match="between 1 and 60; got 0"):
        write_strip(tmp_path / "strip.png", session, moments=0)
    assert list(tmp_path.iterdir()) == []
