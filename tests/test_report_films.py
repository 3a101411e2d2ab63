"""Wet skins in exported GLB files: a film on the character's own joints that comes by and by."""

import json

import numpy as np
import pytest

from poise.assets import clip_path
from poise.characters.character import Character
from poise.io import read_character, read_clip, write_character
from poise.io.gltf.container import split_glb
from poise.motion.edit import loop, trim
from poise.motion.skin import SkinnedMesh, skin
from poise.report.films import film_of
from poise.report.wetness import WetTrack

LEVELS = np.array([0.1, 0.1, 0.2, 0.3, 0.45])
TIMES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
COLOR = (0.3, 0.2, 0.1)


@pytest.fixture(scope="module")
def wet():
    """The shipped walk, wet up to a level that rises, as it stands in its bind pose, and the film over it."""
    who = Character.from_clip(trim(read_clip(clip_path("walk")), 0, 31))
    depths = LEVELS[:, None] + who.skin.vertices[:, 2].min() - who.skin.vertices[None, :, 2]
    track = WetTrack(depths.astype(np.float32), COLOR, 0.8)
    return who, film_of(who.skin, track, TIMES)


def exported(who, film, path):
    """JSON and numbers of the GLB's accessors."""
    write_character(path, who.clip, who.skin, film=film)
    text, binary = split_glb(path.read_bytes())
    tree = json.loads(text)
    kinds = {5121: "<u1", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
    widths = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}

    def stored(at, kind, count, width, offset=0):
        start = tree["bufferViews"][at].get("byteOffset", 0) + offset
        return np.frombuffer(binary, kinds[kind], count * width, start).reshape(count, width)

    def numbers(at):
        entry = tree["accessors"][at]
        width, kind = widths[entry["type"]], entry["componentType"]
        if "sparse" not in entry:
            return stored(entry["bufferView"], kind, entry["count"], width, entry.get("byteOffset", 0))
        sparse, whole = entry["sparse"], np.zeros((entry["count"], width))
        places = stored(sparse["indices"]["bufferView"], sparse["indices"]["componentType"], sparse["count"], 1)[:, 0]
        whole[places] = stored(sparse["values"]["bufferView"], kind, sparse["count"], width)
        assert np.array_equal(entry["min"], np.minimum(whole.min(axis=0), 0).tolist())
        assert np.array_equal(entry["max"], np.maximum(whole.max(axis=0), 0).tolist())
        return whole

    return tree, numbers


def shown(tree, numbers, step):
    """Corners of the film after so many of its steps, in the design's axes, shape (F, 3, 3)."""
    node = next(each for each in tree["nodes"] if each["name"] == "wet")
    primitive = tree["meshes"][node["mesh"]]["primitives"][0]
    places = numbers(primitive["attributes"]["POSITION"]).astype(np.float64)
    for target in primitive.get("targets", [])[:step]:
        places = places + numbers(target["POSITION"])
    return places[:, [2, 0, 1]].reshape(-1, 3, 3)


def areas(triangles):
    return 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)


def test_the_film_ends_at_the_wet_line_and_covers_what_is_under_it(wet, tmp_path):
    who, film = wet
    tree, numbers = exported(who, film, tmp_path / "wet.glb")
    film_corners = shown(tree, numbers, len(film.times))
    over = film_corners[..., 2].max() - who.skin.vertices[:, 2].min()
    assert over == pytest.approx(LEVELS[-1], abs=0.004)
    # What is under the line of the skin itself, by cutting its triangles into small ones.
    level = who.skin.vertices[:, 2].min() + LEVELS[-1]
    triangles = who.skin.vertices[who.skin.triangles]
    shares = np.random.default_rng(1).dirichlet(np.ones(3), 400)
    under = (shares @ triangles[..., 2].T < level).mean(axis=0)
    outside = (who.skin.vertices + 0.003 * who.skin.normals)[who.skin.triangles]
    assert areas(film_corners).sum() == pytest.approx((under * areas(outside)).sum(), rel=0.01)


def test_it_comes_as_the_line_rises(wet, tmp_path):
    who, film = wet
    tree, numbers = exported(who, film, tmp_path / "wet.glb")
    assert film.times.tolist() == [0.5, 0.75, 1.0]
    lowest = who.skin.vertices[:, 2].min()
    for step, level in enumerate(LEVELS[1:]):
        there = shown(tree, numbers, step)
        there = there[areas(there) > 1e-2 * areas(shown(tree, numbers, 3))]
        assert there[..., 2].max() - lowest == pytest.approx(level, abs=0.004)
    channel = tree["animations"][-1]["channels"][-1]
    sampler = tree["animations"][-1]["samplers"][channel["sampler"]]
    assert channel["target"]["path"] == "weights"
    assert numbers(sampler["input"])[:, 0].tolist() == [0.0, 0.5, 0.75, 1.0]
    assert numbers(sampler["output"]).reshape(4, 3).tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1]]


def test_it_goes_with_the_skin_wherever_that_goes(wet, tmp_path):
    """Skinned by the file's own matrices it lies a film's thickness over the skin in every frame."""
    who, film = wet
    tree, numbers = exported(who, film, tmp_path / "wet.glb")
    node = next(each for each in tree["nodes"] if each["name"] == "wet")
    primitive, file_skin = tree["meshes"][node["mesh"]]["primitives"][0], tree["skins"][node["skin"]]
    binds = numbers(file_skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
    turns = np.eye(4)[[2, 0, 1, 3]]
    own = SkinnedMesh(
        shown(tree, numbers, 3).reshape(-1, 3),
        np.arange(3 * len(film.steps)).reshape(-1, 3),
        numbers(primitive["attributes"]["JOINTS_0"]),
        numbers(primitive["attributes"]["WEIGHTS_0"]),
        turns @ binds @ turns.T,
    )
    assert [tree["nodes"][joint]["name"] for joint in file_skin["joints"]] == list(who.clip.skeleton.names)
    for frame in (0, 17, 30):
        rotations, positions = (each[frame] for each in who.clip.world())
        places, body = skin(own, rotations, positions), skin(who.skin, rotations, positions)
        away = np.min(np.linalg.norm(places[::50, None] - body[None], axis=2), axis=1)
        # Corners that were cut lie on edges: within half of one of a vertex.
        assert away.max() < 0.03
        assert np.median(away) == pytest.approx(0.003, abs=0.001)


def test_a_film_is_no_part_of_the_skin_that_is_read_back(wet, tmp_path):
    who, film = wet
    write_character(tmp_path / "wet.glb", who.clip, who.skin, film=film)
    write_character(tmp_path / "dry.glb", who.clip, who.skin)
    wet_mesh, dry_mesh = (read_character(tmp_path / name).mesh for name in ("wet.glb", "dry.glb"))
    assert np.array_equal(wet_mesh.vertices, dry_mesh.vertices)
    assert np.array_equal(wet_mesh.triangles, dry_mesh.triangles)


def test_the_validator_finds_nothing(wet, tmp_path, validate):
    who, film = wet
    write_character(tmp_path / "wet.glb", who.clip, who.skin, film=film)
    (report,) = validate(tmp_path / "wet.glb")
    assert (report["errors"], report["warnings"]) == (0, 0), report


def test_many_moments_become_few_steps():
    who = Character.from_clip(trim(loop(read_clip(clip_path("walk")), 1), 0, 5))
    levels = np.linspace(0.0, 1.0, 80)
    depths = levels[:, None] + who.skin.vertices[:, 2].min() - who.skin.vertices[None, :, 2]
    film = film_of(who.skin, WetTrack(depths.astype(np.float32), COLOR, 0.8), levels)
    assert 10 < len(film.times) <= 24
    assert (np.diff(film.times) > 0.0).all()
    assert set(film.steps.tolist()) <= set(range(len(film.times) + 1))
