"""Terrain in scene files and in the scene `rough`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames
from poise.characters.ground import phases_of
from poise.errors import InputError
from poise.scenes import named_scene, read_scene
from poise.scenes.terrain import noise_field
from poise.world import HeightField, Plant, Platform, Steps, TerrainGround

GOOD = """
characters:
  walker: {clip: "shipped:walk", cycles: 2}
floor: 0.1
terrain:
  - {field: meadow, position: [1.5, 0, 0], size: [3, 2], cell: 0.5, amplitude: 0.1, seed: 4}
  - {field: given, position: [0, 9, 0], size: [1, 1], heights: [[0, 0.1], [0.2, 0.3]]}
  - {steps: stairs, position: [4, 0, 0], count: 3, height: 0.15, depth: 0.4, yaw: 10}
  - {steps: kerb, position: [0, 5, 0], tops: [0.1, 0.3]}
  - {slope: ramp, position: [6, 3, 0.1], angle: 20, length: 2, yaw: 90}
  - {block: landing, position: [8, 0, 0.3], size: [1, 2]}
  - {platform: lift, position: [-3, 0, 0], size: [1, 1], travel: 0.4, period: 3, course: triangle}
props:
  - {asset: sunflower_large, position: [1.5, 0.5]}
"""


def scene_file(folder: Path, text: str) -> Path:
    file = folder / "scene.yaml"
    file.write_text(text)
    return file


def test_a_scene_file_with_every_kind_of_terrain_runs(tmp_path: Path) -> None:
    scene = read_scene(scene_file(tmp_path, GOOD))
    meadow, given, stairs, _, ramp, _, lift = scene.setting.terrain
    assert isinstance(meadow, HeightField)
    assert isinstance(given, HeightField)
    np.testing.assert_array_equal(given.heights, [[0.0, 0.1], [0.2, 0.3]])
    assert isinstance(stairs, Steps)
    np.testing.assert_allclose(stairs.tops, [0.15, 0.3, 0.45])
    assert ramp.position[2] == pytest.approx(0.2), "over the floor"
    plant = scene.setting.props[0]
    assert isinstance(plant, Plant)
    below = TerrainGround(scene.setting.terrain, 0.1).height(np.array(plant.position[:2]))
    assert plant.position[2] == pytest.approx(float(below))
    session = scene.session()
    session.run(ticks=30)
    assert isinstance(lift, Platform)
    at = int(session.world.model.jnt_qposadr[session.world.model.joint("lift").id])
    assert session.world.data.qpos[at] == pytest.approx(lift.rise(30 * session.clock.tick), abs=1e-8)


def test_noise_is_the_same_every_time_and_keeps_its_range() -> None:
    first, again, other = (
        noise_field("f", (0.0, 0.0, 0.0), (5.0, 3.0), amplitude=0.1, seed=seed) for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(first.heights, again.heights)
    assert not np.array_equal(first.heights, other.heights)
    assert first.heights.min() == 0.0
    assert 0.15 < first.heights.max() <= 0.2
    assert first.heights[[0, -1]].max() == first.heights[:, [0, -1]].max() == 0.0
    assert noise_field("f", (0.0, 0.0, 0.0), (0.2, 0.2), amplitude=0.0).heights.max() == 0.0


BAD = [
    ("{field: f, position: [0, 0, 0], size: [3, 2], cell: 0, amplitude: 0.1}", "terrain.0.cell"),
    ("{field: f, position: [0, 0, 0], size: [0, 2], amplitude: 0.1}", "terrain.0.size"),
    ("{field: f, position: [0, 0, 0], size: [3, 2], amplitude: -0.1}", "terrain.0.amplitude"),
    ("{field: f, position: [0, 0, 0], size: [9000, 2], amplitude: 0.1}", "at most 250 cells"),
    ("{field: f, position: [0, 0, 0], size: [3, 2], heights: [[0, .nan], [0, 0]]}", "terrain.0.heights.0.1"),
    ("{field: f, position: [0, 0, 0], size: [3, 2], heights: [[0, 0], [0]]}", "equally long"),
    ("{field: f, position: [0, 0, 0], size: [3, 2], heights: [[0, 0]]}", "rows >= 2"),
    ("{field: f, position: [0, 0, 0], size: [3, 2]}", "either 'amplitude' or 'heights'"),
    ("{steps: s, position: [0, 0, 0]}", "either 'tops' or 'height'"),
    ("{steps: s, position: [0, 0, 0], height: 0.7}", "terrain.0.height"),
    ("{steps: s, position: [0, 0, 0], tops: [0.1, 0.9]}", "step 2 is 0.8 m"),
    ("{slope: s, position: [0, 0, 0], angle: 60, length: 1}", "terrain.0.angle"),
    ("{platform: p, position: [0, 0, 0], size: [1, 1], travel: 1, period: 0}", "terrain.0.period"),
    ("{platform: p, position: [0, 0, 0], size: [1, 1], travel: 1, period: 1, course: saw}", "terrain.0.course"),
    ("{hill: h}", "exactly one of the keys field, steps, slope, block, platform"),
]


@pytest.mark.parametrize(("entry", "says"), BAD, ids=[says for _, says in BAD])
def test_bad_terrain_is_refused_in_one_line(tmp_path: Path, entry: str, says: str) -> None:
    file = scene_file(tmp_path, f"characters: {{w: {{clip: 'shipped:walk'}}}}\nterrain: [{entry}]")
    with pytest.raises(InputError) as caught:
        read_scene(file)
    message = str(caught.value)
    assert says in message
    assert str(file) in message
    assert "\n" not in message


def test_a_scene_file_may_state_the_contacts(tmp_path: Path) -> None:
    stated = "contacts: {left_heel: [[0, 0.5]], right_ball: [[0.6, 1.1]]}"
    scene = read_scene(scene_file(tmp_path, f"characters: {{w: {{clip: 'shipped:walk', {stated}}}}}"))
    spans = [(phase.contact, round(phase.start, 2)) for phase in phases_of(scene.characters["w"]).intervals()]
    assert spans == [("left_heel", 0.0), ("right_ball", 0.6)]
    bad = scene_file(tmp_path, "characters: {w: {clip: 'shipped:walk', contacts: {nose: [[0, 1]]}}}")
    with pytest.raises(InputError, match="contacts"):
        read_scene(bad)


def test_the_clip_can_be_left_as_it_is(tmp_path: Path) -> None:
    text = "characters: {w: {clip: 'shipped:walk', terrain: false}}\nterrain: [{block: b, position: [2, 0, 0.3], size: [2, 2]}]"
    scene = read_scene(scene_file(tmp_path, text))
    session = scene.session()
    assert session.characters["w"] is scene.characters["w"]


def test_the_rough_scene_walks_over_all_of_it() -> None:
    session = named_scene("rough").session()
    recording = session.run()
    who, layout = session.characters["character"], session.world.layout("character")
    frames = body_frames(who.plan, recording.positions[:, layout.positions])
    soles = sole_points(who.plan, frames)
    ground = session.ground.height(soles[..., :2])
    assert np.max(ground - soles[..., 2]) < 0.006, "at every tick, not only at the clip's frames"
    under = session.ground.height(frames.positions[:, 0, :2]) - who.floor
    assert under.max() == pytest.approx(0.4, abs=0.01), "over the landing"
    assert under[-1] == pytest.approx(0.0, abs=1e-6), "and down again"
    names = np.array(recording.geom_names)[recording.contacts.pairs]
    touched = {name.split("/")[0] for pair in names for name in pair}
    assert len([name for name in touched if name.startswith(("sunflower", "bush"))]) >= 3
    assert not touched & {"meadow", "stairs", "landing", "ramp"}, "the ground does not push what follows the clip"
