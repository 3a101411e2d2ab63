from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.anticipation import KINDS, Bounds, Region, Sight
from poise.anticipation.evasion import Evasion
from poise.assets import clip_path
from poise.behaviors.anticipation import Anticipation, AnticipationOptions, Expectation
from poise.behaviors.behavior import Contribution, Stateless
from poise.behaviors.reference import Reference
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion import loop
from poise.runtime import Character, Session
from poise.scenes import ASSETS, SCENES, make_asset, named_scene, read_scene, surroundings, thrown_at
from poise.scenes.aimed_balls import balls_at, out_of_the_way
from poise.scenes.ball_times import FIRST, FLIGHT, ball_times_on_the_way
from poise.scenes.layout import furnish_along, walked_path
from poise.world import Ball, Fence, Gate, Hanging, Plant, SceneSpec, build_world
from poise.world.kinematics import world_frames
from poise.world.view import WorldView


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(loop(read_clip(clip_path("walk")), 4))


# Alvarado 2022, Table 3: mass [kg], kp, kd; hanging things have no spring.
TABLE_3 = {
    "sunflower_large": (1.25, 20, 10),
    "sunflower_small": (1, 20, 10),
    "bush": (0.2, 200, 10),
    "banana_tree": (10, 150, 1),  # kp 50 in the table would topple
    "branch": (3, 500, 15),
    "fence": (10, 100, 10),
    "fence_door": (10, 100, 20),
    "bucket": (1, None, None),
    "swing": (2, None, None),
    "fruit": (0.5, None, None),
}


@pytest.mark.parametrize("asset", TABLE_3)
def test_assets_have_the_papers_numbers(asset: str) -> None:
    mass, stiffness, damping = TABLE_3[asset]
    prop = make_asset(asset, "it", (0.0, 0.0))
    assert isinstance(prop, Plant | Fence | Gate | Hanging)
    assert prop.mass == mass
    if stiffness is not None:
        assert not isinstance(prop, Hanging)
        assert (prop.stiffness, prop.damping) == (stiffness, damping)


def test_all_assets_of_table_3_exist() -> None:
    assert set(ASSETS) == set(TABLE_3)


@pytest.mark.parametrize("asset", TABLE_3)
@pytest.mark.parametrize("size", [0.6, 1.0, 1.2])
def test_assets_compile_and_weigh_what_they_should(asset: str, size: float) -> None:
    world = build_world({}, SceneSpec(props=(make_asset(asset, "it", (0.0, 0.0), size=size),)), 0.002)
    mass = TABLE_3[asset][0]
    assert world.model.body_mass.sum() == pytest.approx(mass, abs=0.011), "ropes weigh 5 g each"


def test_a_walk_gets_obstacles_along_its_path(walker: Character) -> None:
    props, path = surroundings(walker), walked_path(walker)
    assert path.length == pytest.approx(4 * 1.24, rel=0.1)
    places = np.array([prop.position[:2] for prop in props if not isinstance(prop, Ball)])
    assert len(places) >= 4
    nearest = np.linalg.norm(path.points[:, None] - places, axis=-1).min(axis=0)
    assert nearest.min() > 0.25
    assert nearest.max() < 1.5
    assert sum(isinstance(prop, Ball) for prop in props) == 1
    assert len({prop.name for prop in props}) == len(props)


def in_place(cycles: int) -> Character:
    walk = loop(read_clip(clip_path("walk")), cycles)
    return Character.from_clip(
        walk.with_motion(walk.rotations, np.broadcast_to(walk.translations[:1], walk.translations.shape).copy())
    )


def test_someone_who_stays_gets_a_ring_and_balls() -> None:
    props = surroundings(in_place(8))
    assert sum(isinstance(prop, Ball) for prop in props) == 3
    around = [prop for prop in props if not isinstance(prop, Ball)]
    angles = np.sort([np.arctan2(prop.position[1], prop.position[0]) for prop in around])
    assert np.diff(angles).max() < 2.0, "all round"


@pytest.mark.parametrize("cycles", [1, 2, 8, 20])
def test_nothing_comes_before_one_has_seen_who_moves_and_then_something_every_few_seconds(cycles: int) -> None:
    walk = Character.from_clip(loop(read_clip(clip_path("walk")), cycles))
    for who, most in ((in_place(cycles), 4.5), (walk, 8.5)):
        balls = [prop for prop in surroundings(who) if isinstance(prop, Ball)]
        times = [ball.time for ball in balls]
        assert all(time >= 0.999 for time in times)
        gaps = np.diff([0.0, *times, who.clip.duration])
        assert gaps.max() < most or who.clip.duration < 12.0
    path = walked_path(walk)
    begins = float(np.interp(0.8 * walk.clip.rate, np.arange(len(path.along)), path.along))
    places = np.array([prop.position[:2] for prop in surroundings(walk) if not isinstance(prop, Ball)]).reshape(-1, 2)
    nearest = np.linalg.norm(path.points[:, None] - places, axis=-1).argmin(axis=0)
    assert (path.along[nearest] > begins).all()


def test_who_turns_back_all_the_time_and_passes_little_is_hit_instead() -> None:
    """There is no room along a way that is gone again and again: what would be walked into is left out."""
    walk = loop(read_clip(clip_path("walk")), 2)
    there_and_back = np.concatenate([np.arange(len(walk)), np.arange(len(walk))[::-1]] * 8)
    who = Character.from_clip(walk.with_motion(walk.rotations[there_and_back], walk.translations[there_and_back]))
    path = walked_path(who)
    along, balls = furnish_along(who, path), [prop for prop in surroundings(who) if isinstance(prop, Ball)]
    places = np.array([prop.position[:2] for prop in along.values()])
    assert path.extent > 2.0
    assert 3 <= len(along) <= 10
    assert np.linalg.norm(places[:, None] - places, axis=-1)[np.triu_indices(len(along), 1)].min() > 0.4, (
        "not in one another"
    )
    met = [*(path.when(distance, who.clip.rate) for distance in along), *(ball.time + FLIGHT for ball in balls)]
    assert np.diff(sorted([FIRST, *met, who.clip.duration])).max() <= 4.01
    assert len({ball.name for ball in balls}) == len(balls) > who.clip.duration / 5.0


def test_nobody_walks_into_a_ball_that_waits_but_is_hit_all_the_same(walker: Character) -> None:
    ball = thrown_at(walker, "ball", time=3.0, side=1.0)
    waits = np.array(ball.position[:2])
    far, near = (waits + [[x, 0.0] for x in np.linspace(begin, 9.0, 200)] for begin in (2.0, -3.0))
    assert out_of_the_way(walker, far, ball) == ball
    assert out_of_the_way(walker, np.concatenate([far, far, near]), ball) == ball, "who comes by later"
    lifted = out_of_the_way(walker, near, ball)
    assert lifted.position[2] - walker.floor > 1.3 * walker.plan.stature

    def lands(thrown: Ball) -> list[float]:
        fall = np.array([0.0, 0.0, 0.5 * SceneSpec.gravity * FLIGHT**2])
        return list(np.array(thrown.position) + FLIGHT * np.array(thrown.velocity) - fall)

    assert lands(lifted) == pytest.approx(lands(ball))


def test_a_ball_comes_from_where_nothing_stands_in_its_course() -> None:
    walk = Character.from_clip(loop(read_clip(clip_path("walk")), 4))
    usual = thrown_at(walk, "ball", time=3.0, side=1.0)
    blocking = make_asset(
        "bush", "bush", (usual.position[0] + 0.2 * usual.velocity[0], usual.position[1] + 0.2 * usual.velocity[1])
    )
    (free,), (other,) = balls_at(walk, [3.0]), balls_at(walk, [3.0], [blocking])
    assert free == usual
    assert other == thrown_at(walk, "ball", time=3.0, side=-1.0)


def test_who_passes_something_all_the_time_is_hit_now_and_then() -> None:
    often = [float(second) for second in range(30)]
    assert len(ball_times_on_the_way(30.0, often)) == 3
    assert len(ball_times_on_the_way(30.0)) > 6


def test_a_long_clip_is_thrown_no_more_balls_than_a_recording_has_room_for() -> None:
    standing = in_place(8).clip
    slow = Character.from_clip(replace(standing, rate=standing.rate / 500.0))
    balls = [prop for prop in surroundings(slow) if isinstance(prop, Ball)]
    assert slow.clip.duration > 1000.0
    assert 30 <= len(balls) <= 40
    assert max(ball.time for ball in balls) > 0.9 * slow.clip.duration


def test_nothing_grows_in_somebody_who_carries_a_shield() -> None:
    """What is around a body, not where its joints are, says where a ring stands."""
    slim = in_place(2)
    wide = tuple(tuple(replace(each, size=2.5 * each.size) for each in colliders) for colliders in slim.plan.colliders)
    stout = replace(slim, plan=replace(slim.plan, colliders=wide))

    def ring(who: Character) -> float:
        places = np.array([prop.position[:2] for prop in surroundings(who) if not isinstance(prop, Ball)])
        return float(np.linalg.norm(places - walked_path(who).points.mean(axis=0), axis=1).min())

    assert ring(stout) > ring(slim)


def test_the_seed_varies_the_surroundings(walker: Character) -> None:
    assert surroundings(walker, seed=1) == surroundings(walker, seed=1)
    assert surroundings(walker, seed=1) != surroundings(walker, seed=2)


class Late(Stateless):
    """Lets its clip go on at half its pace."""

    def start(self, view: WorldView, reference: Reference) -> Contribution:
        return self.step(view, reference, None)

    def step(self, view: WorldView, reference: Reference, state: None) -> Contribution:
        wanted = Contribution(reference)
        wanted.pace = 0.5
        return wanted


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_thrown_ball_meets_the_arm_but_misses_who_is_late(walker: Character, side: float) -> None:
    ball = thrown_at(walker, "ball", time=2.0, side=side)

    def hits(*behaviors: Stateless) -> list[float]:
        scene = SceneSpec(props=(ball,), floor=walker.floor)
        recording = Session({"walker": walker}, scene, behaviors={"walker": behaviors}).run(150)
        which = "Left" if side > 0 else "Right"
        names = np.array(recording.geom_names)[recording.contacts.pairs]
        met = ["ball" in pair and any(which in name for name in pair) for pair in names]
        return [float(tick) * recording.tick for tick in recording.contacts.tick[met]]

    assert hits()[0] == pytest.approx(2.0, abs=0.1)
    assert not [time for time in hits(Late()) if time < 2.2]


def test_the_forest_has_every_obstacle_of_table_3_and_a_ball() -> None:
    names = {prop.name.rsplit("_", 1)[0] for prop in named_scene("forest").setting.props}
    assert names == {*TABLE_3, "ball"}


@pytest.mark.parametrize("name", SCENES)
def test_named_scenes_start(name: str) -> None:
    session = named_scene(name).session()
    frame = session.tick()
    assert np.isfinite(frame.state.positions).all()


GOOD = """
characters:
  walker:
    clip: "shipped:walk"
    cycles: 2
    tension: {frequency: 5}
props:
  - {asset: sunflower_large, position: [1.0, 0.4]}
  - {plant: reed, position: [1.5, -0.4, 0], length: 1, mass: 0.2, stiffness: 10, damping: 1}
  - {ball: ball, at: walker, time: 1.0, side: right}
  - {ball: other, position: [0, 3, 1], velocity: [0, -1, 3], time: 0.5}
  - {box: crate, position: [0.0, 2, 0.2], size: [0.2, 0.2, 0.2], mass: 5, yaw: 30}
  - {wall: wall, position: [0, -2, 1], size: [2, 0.1, 1]}
"""


def test_a_scene_file_runs(tmp_path: Path) -> None:
    file = tmp_path / "garden.yaml"
    file.write_text(GOOD)
    scene = read_scene(file)
    assert scene.name == "garden"
    assert scene.characters["walker"].options.tension.frequency == 5
    session = scene.session()
    session.run(ticks=20)
    names = {session.world.model.body(b).name for b in range(session.world.model.nbody)}
    assert {"sunflower_large_1/0", "reed/0", "ball", "other", "crate"} <= names


def test_a_character_in_a_scene_file_can_be_placed_and_turned(tmp_path: Path) -> None:
    file = tmp_path / "two.yaml"
    file.write_text(
        "characters:\n  a: {clip: 'shipped:walk', at: [1, -2]}\n  b: {clip: 'shipped:walk', at: [4, -2], turn: 180}\n"
    )
    session = read_scene(file).session()
    session.run(60)
    ways = []
    for name, start in (("a", (1.0, -2.0)), ("b", (4.0, -2.0))):
        columns = session.world.layout(name).positions
        places = session.recording().positions[:, columns][:, :3]
        assert np.allclose(places[0, :2], start, atol=1e-6)
        ways.append(places[-1, :2] - places[0, :2])
    assert np.linalg.norm(ways[0]) > 0.5
    assert np.allclose(ways[0], -ways[1], atol=1e-6)


PEAR = "props: [{asset: fruit, position: [2, -0.4], name: pear}, {asset: bush, position: [1.5, 0.4]}]"
BAD_ANTICIPATION = [
    ("true", "characters.w.anticipation: needs a mapping"),
    ("{expectations: {paer: {mass: 9}}}", "anticipation.expectations: unknown obstacle 'paer', did you mean 'pear'"),
    (
        "{expectations: {pear: {mas: 9}}}",
        "anticipation.expectations.pear.mas: unknown key, did you mean 'mass'; known here: mass, speed, seen",
    ),
    ("{expectations: {pear: {mass: -9}}}", "anticipation.expectations.pear.mass: must be a number from 0 to 100000 kg"),
    ("{kinds: {plnt: {firmest: 9}}}", "anticipation.kinds.plnt: unknown kind or obstacle 'plnt', did you mean 'plant'"),
    ("{kinds: {plant: {firmest: 0.1}}}", "anticipation.kinds.plant: softest must not exceed firmest; got 1.5 and 0.1"),
    ("{bounds: {quickest: 2}}", "anticipation.bounds: quickest must not exceed slowest; got 2 and 0.8"),
    ("{regions: []}", "anticipation.regions: A list should have at least 1 item, not 0"),
    ("{regions: head}", "anticipation.regions: must be a list; got 'head'"),
    ("{regions: [{part: tail}]}", "anticipation.regions.0: a safety region needs 'tail'"),
    ("{regions: [{part: head, radius: 0}]}", "anticipation.regions.0.radius"),
    ("{sight: {sideways: 200}}", "anticipation.sight.sideways: must be a number from 0 to 180 degrees; got 200"),
    ("{evasion: {dive: 2}}", "anticipation.evasion.dive: unknown key; known here: look, lean, bend"),
    ("{evasion: {lean: 60}}", "anticipation.evasion.lean: must be a number from 0 to 45 degrees; got 60"),
    ("{seed: -1}", "anticipation.seed"),
]
BAD = [
    ("characters: {}", "characters"),
    ("- a", "mapping"),
    ("characters: {w: {clip: 'shipped:walk', speed: 3}}", "characters.w.speed"),
    ("characters: {w: {clip: 'shipped:fly'}}", "bad.yaml, line 1, characters.w.clip: unknown shipped clip 'fly'"),
    ("characters: {w: {clip: 'shipped:walk', at: [1]}}", "characters.w.at: needs 2 numbers, got 1"),
    ("characters: {w: {clip: 'shipped:walk', at: left}}", "characters.w.at: needs 2 numbers, got 'left'"),
    ("characters: {w: {clip: 'shipped:walk', turn: north}}", "characters.w.turn"),
    (
        "characters: {w: {clip: nowhere.bvh}}",
        "bad.yaml, line 1, characters.w.clip: {folder}/nowhere.bvh: there is no such file",
    ),
    (
        "characters: {w: {clip: 'shipped:walk', roles: no.yaml}}",
        "bad.yaml, line 1, characters.w.roles: {folder}/no.yaml: there is no such file",
    ),
    ("characters: {w: {clip: 'shipped:walk', anchors: [tail]}}", "tail"),
    ("characters: {w: {clip: 'shipped:walk', body: {table: elves}}}", "characters.w.body.table"),
    ("characters: {w: {clip: 'shipped:walk', tension: {frequency: -1}}}", "frequency"),
    (
        "characters: {w: {clip: 'shipped:walk'}}\nprops: [{asset: oak, position: [0, 0]}]",
        "bad.yaml, line 2, props.0.asset",
    ),
    ("characters: {w: {clip: 'shipped:walk'}}\nprops: [{position: [0, 0]}]", "props.0"),
    ("characters: {w: {clip: 'shipped:walk'}}\nprops: [{asset: bush, position: [0, .nan]}]", "props.0.position"),
    ("characters: {w: {clip: 'shipped:walk'}}\nprops: [{ball: b, at: nobody}]", "nobody"),
    ("characters: {w: {clip: 'shipped:walk'}}\nprops: [{ball: b}]", "props.0"),
    (
        "characters: {w: {clip: x}}\nprops: [{wall: w, position: [1.5], size: [1, 1, 1]}]",
        "props.0.position: needs 3 numbers, got 1",
    ),
    (
        "characters: {w: {clip: x}}\nprops: [{hanging: h, position: [0, 0, 2], rope: 1, size: [1, 2], mass: 3}]",
        "props.0.size: needs 3 numbers, got 2",
    ),
    ("characters: {w: {clip: 'shipped:walk'}}\nsubstep: 1", "substep"),
    ("characters: [", "line 1:"),
    ("characters:\n  w: {clip: x\nprops: []\n", "line 2: is not YAML: expected ',' or '}'"),
    ('characters:\n  w: {clip: "x}\nprops: []\n\n', "line 2: is not YAML: found unexpected end of stream in line 4"),
    ("characters:\n  w:\n    clip: x\n   cycles: 3\n", "line 4: is not YAML"),
    ("characters:\n  w\n    clip: x\n", "line 3: is not YAML: mapping values are not allowed here, or a colon"),
    ("charcters: {w: {clip: 'shipped:walk'}}", "known here: characters"),
    ("characters: {w: {clip: 'shipped:walk', cycels: 3}}", "known here: clip"),
    ("characters: {w: {clip: 'shipped:walk', tension: {freq: 3}}}", "known here: frequency"),
    ("characters: {w: {clip: 'shipped:walk', tension: 4}}", "mapping"),
    ("characters: {w: {clip: 'shipped:walk'}}\nsurroundings: x", "surroundings"),
    *(
        (f"characters: {{w: {{clip: 'shipped:walk', anticipation: {text}}}}}\n{PEAR}", says)
        for text, says in BAD_ANTICIPATION
    ),
]


def _anticipates(tmp_path: Path, text: str) -> AnticipationOptions:
    file = tmp_path / "seen.yaml"
    file.write_text(f"seed: 5\ncharacters: {{w: {{clip: 'shipped:walk', anticipation: {text}}}}}\n{PEAR}")
    scene = read_scene(file)
    stage = scene.behaviors["w"][0]()
    assert isinstance(stage, Anticipation)
    scene.session().run(3)
    return stage.options


def test_without_a_word_a_scene_file_anticipates_as_python_does(tmp_path: Path) -> None:
    assert _anticipates(tmp_path, "{}") == AnticipationOptions(seed=5)


def test_a_scene_file_says_how_somebody_anticipates(tmp_path: Path) -> None:
    options = _anticipates(
        tmp_path,
        "{contact: stick, adapt: false, feels: false, heaviest: 9, hold: 0.5, hop: 0.2, startle: false, noise: 0.3, seed: 2,"
        " expectations: {pear: {mass: 4, speed: 0.5, seen: false}}, bounds: {quickest: 0.3},"
        " kinds: {plant: {firmest: 9}, pear: {quickest: 0.1}},"
        " regions: [{part: pelvis, to: head, radius: 0.6, priority: 2, bounds: {softest: 1}}],"
        " sight: {sideways: 90, up: 45, down: 30, reach: 4, memory: 2},"
        " evasion: {look: 0.5, lean: 9, bend: 18, momentum: 5, shield: false, stops: false, distance: 1, held: 2}}",
    )
    bounds = Bounds(quickest=0.3)
    kinds = {
        **KINDS,
        "plant": replace(KINDS["plant"], firmest=9.0),
        "pear": replace(KINDS["hanging"], quickest=0.1),
    }
    region = Region(part="pelvis", to="head", radius=0.6, priority=2.0, bounds=replace(bounds, softest=1.0))
    assert options == AnticipationOptions(
        contact="stick",
        adapt=False,
        feels=False,
        heaviest=9.0,
        hold=0.5,
        hop=0.2,
        startle=False,
        noise=0.3,
        seed=2,
        expectations={"pear": Expectation(mass=4.0, speed=0.5, seen=False)},
        bounds=bounds,
        kinds=kinds,
        regions=(region,),
        sight=Sight(sideways=np.pi / 2.0, up=np.pi / 4.0, down=np.pi / 6.0, reach=4.0, memory=2.0),
        evasion=Evasion(
            look=0.5,
            lean=np.pi / 20.0,
            bend=np.pi / 10.0,
            momentum=5.0,
            shield=False,
            stops=False,
            distance=1.0,
            held=2.0,
        ),
    )


def test_the_rider_of_the_swing_holds_the_ropes() -> None:
    session = named_scene("swing").session()
    recording, plan = session.run(900), session.characters["rider"].plan
    model, layout = session.world.model, session.world.layout("rider")
    places, turns = world_frames(model, recording.positions[::10])
    board = int(model.body("swing").id)
    ropes = [geom for geom in range(model.ngeom) if model.geom_bodyid[geom] == board and model.geom_type[geom] == 3]
    assert len(ropes) == 2
    for side in ("left", "right"):
        hand = plan.with_role(f"{side}_hand")[0]
        own = layout.bodies[hand]
        palm = places[:, own] + quat.rotate(turns[:, own], 0.65 * plan.centres[hand])
        on_board = quat.rotate(quat.conj(turns[:, board]), palm - places[:, board])
        away = [np.hypot(*(on_board[:, :2] - model.geom_pos[rope][:2]).T).max() for rope in ropes]
        assert min(away) < 0.025
        assert np.ptp(on_board[:, 2]) < 0.08, "and hardly slides along it"


@pytest.mark.parametrize(("text", "says"), BAD)
def test_bad_scene_files_are_refused_in_one_line(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(InputError) as caught:
        read_scene(file)
    message = str(caught.value)
    assert says.replace("{folder}", str(tmp_path)) in message
    assert "\n" not in message


def test_a_toppling_plant_in_a_scene_file_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "weak.yaml"
    weak = "{plant: banana, position: [1, 0, 0], length: 1.9, mass: 10, stiffness: 50, damping: 1}"
    file.write_text(f"characters: {{w: {{clip: 'shipped:walk'}}}}\nprops: [{weak}]")
    with pytest.raises(InputError, match=r"banana.*topple"):
        read_scene(file).session()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "characters: {a: {clipp: 'shipped:walk'}}",
            "characters.a.clipp: unknown key, did you mean 'clip'; known here: clip,",
        ),
        (
            "characters: {a: {clip: 'shipped:walk'}}\nprops: [{asset: sunflower_larg, position: [1, 0]}]",
            "props.0.asset: unknown name 'sunflower_larg', did you mean 'sunflower_large'; known here: sunflower_large,",
        ),
        ("charcters: {a: {clip: 'shipped:walk'}}", "charcters: unknown key, did you mean 'characters'; known here:"),
    ],
)
def test_a_name_that_is_nearly_right_comes_with_the_likeliest(text: str, told: str, tmp_path: Path) -> None:
    (tmp_path / "s.yaml").write_text(text)
    with pytest.raises(InputError) as error:
        read_scene(tmp_path / "s.yaml")
    assert told in str(error.value)
