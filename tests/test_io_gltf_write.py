"""Writing GLB: round trips, the Khronos validator, and characters that are given back with one more animation."""

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gltf_samples import Builder, Naive, quaternion, tiny
from io_samples import PLAIN, read
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.io.gltf import append_animation, read_gltf, write_glb
from poise.io.gltf.container import join_glb, split_glb
from poise.math import quat
from poise.motion import Clip, Skeleton
from poise.motion.skin import SkinnedMesh, bind_at, skin


def walker(rng: np.random.Generator, *, frames: int = 40, rate: float = 1 / 0.0083333) -> Clip:
    """A chain with a fork, an end site, large turns, and a joint that is translated beside the root."""
    skeleton = Skeleton(
        ("hips", "knee", "ankle", "spine ä"),
        np.array([-1, 0, 1, 0]),
        np.array([[0, 0, 1.0], [0, 0.1, -0.4], [0, 0, -0.5], [0.05, 0, 0.3]]),
        np.array([2]),
        np.array([[0.2, 0, 0]]),
    )
    turns = quat.exp(np.cumsum(rng.normal(0, 0.2, (frames, 4, 3)), axis=0))
    moved = skeleton.offsets[[0, 3]] + rng.normal(0, 0.1, (frames, 2, 3))
    return Clip(skeleton, rate, turns, moved, np.array([0, 3]), name="stagger")


def blob(skeleton: Skeleton, rng: np.random.Generator, *, count: int = 60) -> SkinnedMesh:
    """Random triangles with random weights, some zero."""
    weights = rng.random((count, 4)) * (rng.random((count, 4)) < 0.6)
    weights[:, 0] += 0.1
    return SkinnedMesh(
        rng.normal(0, 0.5, (count, 3)),
        rng.permutation(count).reshape(-1, 3),
        rng.integers(0, len(skeleton), (count, 4)),
        weights,
        bind_at(skeleton),
        uvs=rng.random((count, 2)),
    )


def test_skinned_round_trip(tmp_path: Path, rng: np.random.Generator) -> None:
    clip = walker(rng)
    mesh = blob(clip.skeleton, rng)
    assert write_glb(tmp_path / "out.glb", clip, mesh) == []
    again = read_gltf(tmp_path / "out.glb")
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.parents.tolist() == clip.skeleton.parents.tolist()
    assert (again.clip.rate, again.clip.name, len(again.clip)) == (clip.rate, "stagger", len(clip))
    assert again.clip.translated.tolist() == [0, 3]
    for mine, theirs in zip(clip.world_positions(), again.clip.world_positions(), strict=True):
        np.testing.assert_allclose(theirs, mine, atol=1e-6)
    assert again.mesh is not None
    np.testing.assert_array_equal(again.mesh.triangles, mesh.triangles)
    np.testing.assert_array_equal(again.mesh.joints, mesh.joints)
    np.testing.assert_allclose(again.mesh.weights, mesh.weights, atol=1e-7)
    np.testing.assert_allclose(again.mesh.normals, mesh.normals, atol=1e-6)
    np.testing.assert_allclose(again.mesh.uvs, mesh.uvs, atol=1e-7)
    np.testing.assert_allclose(skin(again.mesh, *again.clip.world()), skin(mesh, *clip.world()), atol=1e-5)
    assert again.notes == again.clip.source.notes == ()


def test_against_the_independent_reader(tmp_path: Path, rng: np.random.Generator) -> None:
    clip = walker(rng)
    mesh = blob(clip.skeleton, rng)
    write_glb(tmp_path / "out.glb", clip, mesh)
    naive = Naive(tmp_path / "out.glb")
    rotations, positions = clip.world()
    for frame in (0, 17, 39):
        world = naive.world(0, clip.times[frame])
        places = np.array([world[joint][:3, 3] for joint in range(4)])[:, [2, 0, 1]]
        np.testing.assert_allclose(places, positions[frame], atol=1e-5)
        vertices = naive.vertices(world)[:, [2, 0, 1]]
        np.testing.assert_allclose(vertices, skin(mesh, rotations[frame], positions[frame]), atol=1e-5)


def test_what_engines_ask_for(tmp_path: Path, rng: np.random.Generator) -> None:
    clip = walker(rng)
    write_glb(tmp_path / "out.glb", clip, blob(clip.skeleton, rng))
    naive = Naive(tmp_path / "out.glb")
    tree = naive.tree
    assert all(view["byteOffset"] % 4 == 0 for view in tree["bufferViews"])
    attributes = tree["meshes"][0]["primitives"][0]["attributes"]
    weights, joints = naive.numbers(attributes["WEIGHTS_0"]), naive.numbers(attributes["JOINTS_0"])
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 4e-7
    assert not joints[weights == 0.0].any()
    for name in ("min", "max"):
        expected = getattr(naive.numbers(attributes["POSITION"]), name)(axis=0)
        np.testing.assert_array_equal(np.float32(tree["accessors"][attributes["POSITION"]][name]), expected)
    animation = tree["animations"][0]
    assert [each["target"]["path"] for each in animation["channels"]] == ["rotation"] * 4 + ["translation"] * 2
    for sampler in animation["samplers"][:4]:
        keys = naive.numbers(sampler["output"]).astype(np.float64)
        assert np.abs(np.linalg.norm(keys, axis=1) - 1.0).max() < 1e-6
        assert (np.sum(keys[1:] * keys[:-1], axis=1) > 0.0).all()
    shown = next(at for at, node in enumerate(tree["nodes"]) if "mesh" in node)
    assert shown not in naive.parents
    assert tree["scenes"][0]["nodes"] == [0, shown]
    assert tree["skins"][0]["skeleton"] == 0


def test_convert_bvh_there_and_back(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN, unit="cm", up="y")
    write_clip(tmp_path / "there.glb", clip)
    there = read_clip(tmp_path / "there.glb")
    write_clip(tmp_path / "back.bvh", there)
    back = read_clip(tmp_path / "back.bvh", unit="cm", up="y")
    assert (back.rate, back.skeleton.names) == (clip.rate, clip.skeleton.names)
    for mine, theirs in zip(clip.world_positions(), back.world_positions(), strict=True):
        np.testing.assert_allclose(theirs, mine, atol=1e-6)


def test_a_mesh_of_another_skeleton_is_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    clip = walker(rng)
    other = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    with pytest.raises(InputError, match=r"out\.glb: the mesh is bound to 1 joints; the clip's skeleton has 4"):
        write_glb(tmp_path / "out.glb", clip, blob(other, rng))
    assert not (tmp_path / "out.glb").exists()


def test_validator_finds_nothing(tmp_path: Path, rng: np.random.Generator, validate: Any) -> None:
    clip = walker(rng)
    write_glb(tmp_path / "skinned.glb", clip, blob(clip.skeleton, rng))
    write_glb(tmp_path / "bare.glb", clip)
    one = Clip(clip.skeleton, 30.0, clip.rotations[:1], clip.translations[:1], clip.translated)
    write_glb(tmp_path / "one.glb", one)
    original = read_gltf(tiny().write(tmp_path / "leg.glb"))
    append_animation(tmp_path / "responsive.glb", original, original.clip)
    *ours, before, after = validate(*(tmp_path / f"{n}.glb" for n in ("skinned", "bare", "one", "leg", "responsive")))
    for report in ours:
        assert (report["errors"], report["warnings"]) == (0, 0), report
    assert after["messages"] == before["messages"]


def test_responsive_motion_is_one_more_animation(tmp_path: Path, rng: np.random.Generator) -> None:
    builder = tiny()
    builder.tree["materials"] = [{"name": "skin", "extensions": {"X": [1, 2.5, "ä"]}}]
    builder.tree["extras"] = {"kept": None}
    original = read_gltf(builder.write(tmp_path / "leg.glb"))
    clip = original.clip
    noise = quat.exp(rng.normal(0, 0.3, (9, 2, 3)))
    answer = Clip(clip.skeleton, 60.0, noise, rng.normal(0, 1, (9, 2, 3)), np.array([0, 1]), name="x")
    assert append_animation(tmp_path / "out.glb", original, answer) == []
    before, after = Naive(tmp_path / "leg.glb"), Naive(tmp_path / "out.glb")
    assert after.binary.startswith(builder.binary)
    for key, value in before.tree.items():
        grown = after.tree[key]
        if key != "buffers":
            assert (grown[: len(value)] if isinstance(value, list) else grown) == value, key
    written = read_gltf(tmp_path / "out.glb", "poise").clip
    assert written.rate == 60.0
    for mine, theirs in zip(answer.world(), written.world(), strict=True):
        np.testing.assert_allclose(theirs, mine, atol=1e-6)
    assert append_animation(tmp_path / "out.glb", read_gltf(tmp_path / "out.glb"), answer) == [
        "the file has an animation 'poise'; the new one is called 'poise_2'"
    ]
    assert read_gltf(tmp_path / "out.glb").animations == ("swing", "poise", "poise_2")


def split_gltf(folder: Path, builder: Builder, picture: bytes) -> Path:
    """The file as JSON text with two buffers, one beside it and one inside, and a picture beside it."""
    half = builder.tree["bufferViews"][2]["byteOffset"]
    (folder / "a.bin").write_bytes(builder.binary[:half])
    (folder / "skin.png").write_bytes(picture)
    data = "data:;base64," + base64.b64encode(builder.binary[half:]).decode()
    builder.tree["buffers"] = [
        {"byteLength": half, "uri": "a.bin", "name": "first"},
        {"byteLength": len(builder.binary) - half, "uri": data},
    ]
    for view in builder.tree["bufferViews"][2:]:
        view["buffer"], view["byteOffset"] = 1, view["byteOffset"] - half
    builder.tree["images"] = [{"uri": "skin.png"}]
    (folder / "leg.gltf").write_text(json.dumps(builder.tree))
    return folder / "leg.gltf"


def test_responsive_from_many_files_is_one(tmp_path: Path) -> None:
    picture = b"\x89PNG" + bytes(range(7))
    builder = tiny()
    matrix = np.eye(4)
    matrix[:3, :3] = 0.5 * np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]])
    builder.tree["nodes"][2] |= {"matrix": matrix.T.ravel().tolist()}
    del builder.tree["nodes"][2]["rotation"], builder.tree["nodes"][2]["translation"]
    builder.tree["animations"][0]["channels"].pop(1)
    original = read_gltf(split_gltf(tmp_path, builder, picture))
    notes = append_animation(tmp_path / "out.glb", original, original.clip)
    assert notes == ["node 'knee' was a matrix; it is written as translation, rotation, scale"]
    for name in ("a.bin", "skin.png", "leg.gltf"):
        (tmp_path / name).unlink()
    again, naive = read_gltf(tmp_path / "out.glb", "poise"), Naive(tmp_path / "out.glb")
    np.testing.assert_allclose(again.clip.world()[1], original.clip.world()[1], atol=1e-6)
    assert again.mesh is not None
    assert original.mesh is not None
    np.testing.assert_allclose(again.mesh.vertices, original.mesh.vertices, atol=1e-9)
    image = naive.tree["images"][0]
    view = naive.tree["bufferViews"][image["bufferView"]]
    assert image["mimeType"] == "image/png"
    assert naive.binary[view["byteOffset"] : view["byteOffset"] + view["byteLength"]] == picture


def test_responsive_of_another_skeleton_is_refused(tmp_path: Path, rng: np.random.Generator) -> None:
    original = read_gltf(tiny().write(tmp_path / "leg.glb"))
    with pytest.raises(InputError, match=r"leg\.glb: the clip's joints are not those of the original"):
        append_animation(tmp_path / "out.glb", original, walker(rng))
    skeleton = Skeleton(original.skeleton.names, original.skeleton.parents, original.skeleton.offsets + 0.1)
    clip = Clip(skeleton, 30.0, original.clip.rotations, original.clip.translations)
    with pytest.raises(InputError, match=r"leg\.glb: the clip's joints stand elsewhere"):
        append_animation(tmp_path / "out.glb", original, clip)
    builder = tiny()
    builder.tree["images"] = [{"uri": "gone.png"}]
    original = read_gltf(builder.write(tmp_path / "leg.glb"))
    with pytest.raises(InputError, match=r"images\[0\]\.uri: 'gone\.png': there is no such file"):
        append_animation(tmp_path / "out.glb", original, original.clip)
    assert not (tmp_path / "out.glb").exists()
    assert quaternion("x", 0.0) == [0, 0, 0, 1]


ODD_BVH = """HIERARCHY
ROOT hip
{
  OFFSET 0.0 0.0 36.0
  CHANNELS 6 Zposition Xposition Yposition Yrotation Zrotation Xrotation
  JOINT spine
  {
    OFFSET 0.0 0.0 10.0
    CHANNELS 3 Xrotation Zrotation Yrotation
    JOINT head
    {
      OFFSET 0.0 0.0 12.0
      CHANNELS 1 Zrotation
      End Site
      {
        OFFSET 0.0 0.0 6.0
      }
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.0083330
36 0 0 10 20 30 5 6 7 8
36.5 1 2 11 21 31 6 7 8 9
"""


def test_a_bvh_that_went_through_a_glb_has_its_channels_unit_axes_and_frame_time_again(tmp_path: Path) -> None:
    source, there, back = tmp_path / "odd.bvh", tmp_path / "odd.glb", tmp_path / "back.bvh"
    source.write_text(ODD_BVH)
    write_glb(there, read_clip(source, unit="inch", up="z"))
    again = read_clip(there)
    assert (again.source.up_axis, again.source.metres_per_unit) == ("y", 1.0)
    assert write_clip(back, again) == []
    before, after = source.read_text().split(), back.read_text().split()
    at = before.index("MOTION") + len(["MOTION", "Frames:", "2", "Frame", "Time:", "0.0083330"])
    words = [(one, other) for one, other in zip(before[:at], after[:at], strict=True) if one != other]
    assert all(float(one) == pytest.approx(float(other), abs=1e-5) for one, other in words), (
        "only as offsets are printed"
    )
    assert np.allclose(np.array(before[at:], float), np.array(after[at:], float), atol=2e-4)


@pytest.mark.parametrize(
    "kept",
    [
        {"channels": 3},
        {"channels": ["Xrotation", "Wrotation", "Zrotation"]},
        {"channels": ["Xrotation Xrotation", "", ""]},
        {"up": "w"},
        {"unit": -1.0},
        {"unit": []},
        {"joints": ["hip", "spine", "neck"]},
        {"joints": None},
    ],
)
def test_a_dialect_that_cannot_be_is_left_alone(kept: dict[str, object], tmp_path: Path) -> None:
    source, there = tmp_path / "odd.bvh", tmp_path / "odd.glb"
    source.write_text(ODD_BVH)
    clip = read_clip(source, unit="inch", up="z")
    write_glb(there, clip)
    text, rest = split_glb(there.read_bytes())
    tree = json.loads(text)
    tree["asset"]["extras"]["bvh"] |= kept
    there.write_bytes(join_glb(tree, rest or b""))
    assert read_clip(there).source.channels == ()
