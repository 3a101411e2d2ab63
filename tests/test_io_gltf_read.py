"""Reading glTF: transforms, interpolation, the ways numbers are stored, and what hostile files get."""

import base64
import contextlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gltf_samples import Builder, Naive, glb_bytes, quaternion, tiny
from poise.errors import InputError
from poise.io import read_clip
from poise.io.gltf import GltfCharacter, append_animation, read_gltf
from poise.math import quat
from poise.motion.skin import skin

Array = NDArray[np.float64]
Change = Callable[[dict[str, Any]], object]


def poise_frame(vectors: Array) -> Array:
    """Y up, Z forward to Z up, X forward."""
    return vectors[..., [2, 0, 1]]


def assert_agrees(path: Path, *, animation: int | None = 0, atol: float = 2e-6) -> GltfCharacter:
    """Joints, end sites and vertices are where the independent reader has them, at every frame."""
    character, naive = read_gltf(path), Naive(path)
    rotations, positions = character.clip.world()
    start = 0.0 if animation is None else naive.key_times(animation)[0]
    for frame, time in enumerate(start + character.clip.times):
        world = naive.world(animation, time)
        expected = np.array([world[node][:3, 3] for node in character.body.rest.joints])
        np.testing.assert_allclose(positions[frame], poise_frame(expected), atol=atol)
        if character.mesh is not None:
            vertices = skin(character.mesh, rotations[frame], positions[frame])
            np.testing.assert_allclose(vertices, poise_frame(naive.vertices(world)), atol=atol)
    return character


def test_skinned_animated_character(tmp_path: Path) -> None:
    character = assert_agrees(tiny().write(tmp_path / "leg.glb"))
    clip = character.clip
    assert (clip.rate, len(clip), clip.name, character.animations) == (20.0, 5, "swing", ("swing",))
    assert character.skeleton.names == ("hip", "knee")
    assert clip.translated.tolist() == [0]
    assert character.mesh is not None
    np.testing.assert_allclose(character.mesh.weights[2], [0.25, 0.75, 0, 0], atol=1e-7)
    np.testing.assert_array_equal(character.mesh.joints[2], [0, 1, 0, 0])
    assert character.skeleton.end_parents.tolist() == [1]
    assert clip.source.unit_reason == "m: glTF is in metres"


def test_bind_pose_is_the_rest_pose(tmp_path: Path) -> None:
    path = tiny().write(tmp_path / "leg.glb")
    character, world = read_gltf(path), Naive(path).world()
    offset = poise_frame(world[2][:3, 3] - world[1][:3, 3])
    np.testing.assert_allclose(character.skeleton.offsets[1], offset, atol=1e-12)
    _, ends = character.clip.pose(0).skeleton, character.skeleton.end_offsets
    np.testing.assert_allclose(ends[0], poise_frame(world[4][:3, 3] - world[2][:3, 3]), atol=1e-12)
    assert character.mesh is not None
    np.testing.assert_allclose(character.mesh.inverse_bind[:, :3, :3], np.tile(np.eye(3), (2, 1, 1)), atol=1e-6)


def test_mesh_bound_in_another_pose(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["nodes"][2]["rotation"] = quaternion("zx", [-70, 33])
    builder.tree["nodes"][0]["translation"] = [3.0, 1.0, 0.0]
    character = assert_agrees(builder.write(tmp_path / "leg.glb"))
    assert character.notes == ()


def test_matrix_node_and_moved_ancestor(tmp_path: Path) -> None:
    builder = tiny()
    nodes = builder.tree["nodes"]
    turned = Naive.__new__(Naive)
    turned.tree, turned.nodes, turned.parents = builder.tree, nodes, {}
    matrix = turned.world()[0]
    nodes[0] = {"name": "Armature", "matrix": matrix.T.ravel().tolist(), "children": [1]}
    character = assert_agrees(builder.write(tmp_path / "leg.glb"))
    assert len(character.skeleton) == 2
    builder.tree["nodes"][0] = {"name": "Armature", "children": [1]}
    channels = builder.tree["animations"][0]["channels"]
    channels.append({"sampler": 0, "target": {"node": 0, "path": "rotation"}})
    assert assert_agrees(builder.write(tmp_path / "leg.glb")).skeleton.names == ("Armature", "hip", "knee")


def test_cubic_spline_and_step(tmp_path: Path) -> None:
    builder = tiny()
    samplers = builder.tree["animations"][0]["samplers"]
    times = np.array([0.0, 0.5, 1.5])
    values, slopes = np.array([[0.0, 0, 0], [1, 2, 3], [0, 1, 0]]), np.array([[1.0, 0, 0], [0, 2, 0], [-1, 0, 1]])
    keys = np.stack([slopes, values, slopes], axis=1).reshape(9, 3)
    samplers[2] = {
        "input": builder.accessor(times),
        "output": builder.accessor(keys),
        "interpolation": "CUBICSPLINE",
    }
    steps = [quaternion("x", 10.0 * k) for k in range(3)]
    samplers[0] = {"input": builder.accessor(times), "output": builder.accessor(steps), "interpolation": "STEP"}
    builder.tree["animations"][0]["channels"].pop(1)
    clip = read_gltf(builder.write(tmp_path / "leg.glb")).clip
    from scipy.interpolate import CubicHermiteSpline

    naive = Naive(tmp_path / "leg.glb")
    armature = naive.world()[0]
    expected = CubicHermiteSpline(times, values, slopes)(np.minimum(clip.times, 1.5)) @ armature[:3, :3].T
    np.testing.assert_allclose(clip.translations[:, 0], poise_frame(expected), atol=1e-6)
    assert clip.rate == 24.0
    turn = quat.angle_between(clip.rotations[0, 0], clip.rotations[:, 0])
    np.testing.assert_allclose(
        np.rad2deg(turn), np.where(clip.times >= 1.5, 20.0, np.where(clip.times >= 0.5, 10.0, 0))
    )


def test_strides_sparse_and_normalised_integers(tmp_path: Path) -> None:
    plain, builder = tiny(), tiny()
    tree = builder.tree
    attributes = tree["meshes"][0]["primitives"][0]["attributes"]
    points = np.array([[0, 0.9, 0.1], [0.2, 0.5, 0.0], [0.1, 0.1, 0.2], [-0.1, 0.3, 0.1]], "<f4")
    padded = np.concatenate([points, np.full((4, 2), np.nan, "<f4")], axis=1)
    tree["bufferViews"][tree["accessors"][1]["bufferView"]] = tree["bufferViews"][
        builder.view(padded.tobytes(), byteStride=20)
    ]
    weights = [[255, 0, 0, 0], [51, 204, 0, 0], [0, 255, 0, 0], [102, 153, 0, 0]]
    attributes["WEIGHTS_0"] = builder.accessor(weights, 5121, normalized=True)
    place = builder.accessor([[2]], 5123)
    value = builder.accessor([[9.0, 9.0, 9.0]])
    tree["accessors"][1]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": tree["accessors"][place]["bufferView"], "componentType": 5123},
        "values": {"bufferView": tree["accessors"][value]["bufferView"]},
    }
    mesh = read_gltf(builder.write(tmp_path / "leg.glb")).mesh
    other = read_gltf(plain.write(tmp_path / "plain.glb")).mesh
    assert mesh is not None
    assert other is not None
    np.testing.assert_allclose(mesh.weights, np.array(weights) / 255, atol=1e-15)
    np.testing.assert_allclose(mesh.vertices[[0, 1, 3]], other.vertices[[0, 1, 3]], atol=1e-6)
    np.testing.assert_allclose(mesh.vertices[2], 9.0, atol=1e-5)


def test_more_than_four_joints(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["nodes"].append({"name": "toe", "translation": [0, 0.1, 0]})
    builder.tree["nodes"][2]["children"] = [4, 5]
    world = Naive(builder.write(tmp_path / "leg.glb")).world()
    joints = [2, 1, 0, 4, 5]
    binds = builder.accessor([np.linalg.inv(world[joint]).T.ravel() for joint in joints])
    builder.tree["skins"] = [{"joints": joints, "inverseBindMatrices": binds}]
    attributes = builder.tree["meshes"][0]["primitives"][0]["attributes"]
    attributes["JOINTS_0"] = builder.accessor([[0, 1, 2, 3]] * 4, 5121)
    attributes["JOINTS_1"] = builder.accessor([[4, 2, 0, 0]] * 4, 5123)
    attributes["WEIGHTS_0"] = builder.accessor([[0.1, 0.04, 0.1, 0.26]] * 4)
    attributes["WEIGHTS_1"] = builder.accessor([[0.4, 0.1, 0.0, 0.0]] * 4)
    del builder.tree["buffers"][0]["byteLength"]
    character = read_gltf(builder.write(tmp_path / "leg.glb"))
    assert character.mesh is not None
    assert "4 vertices follow more than four joints; the four strongest are kept" in character.notes[0]
    np.testing.assert_allclose(character.mesh.weights[0], np.array([0.4, 0.26, 0.2, 0.1]) / 0.96, atol=1e-7)
    assert character.skeleton.names == ("Armature", "hip", "knee", "foot_end", "toe")
    np.testing.assert_array_equal(character.mesh.joints[0], [4, 3, 0, 2])


def test_buffers_as_data_and_beside_the_file(tmp_path: Path) -> None:
    expected = read_clip(tiny().write(tmp_path / "leg.glb"))
    builder = tiny()
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "leg one.bin").write_bytes(builder.binary)
    data = "data:application/octet-stream;base64," + base64.b64encode(builder.binary).decode()
    for uri in (data, "in/leg%20one.bin"):
        builder.tree["buffers"] = [{"byteLength": len(builder.binary), "uri": uri}]
        (tmp_path / "leg.gltf").write_text(json.dumps(builder.tree))
        np.testing.assert_array_equal(read_clip(tmp_path / "leg.gltf").rotations, expected.rotations)


@pytest.mark.parametrize("uri", ["../secret.bin", "/etc/passwd", "in/../../secret.bin", "http://x/y.bin", "link.bin"])
def test_no_file_outside_the_folder(tmp_path: Path, uri: str) -> None:
    builder = tiny()
    (tmp_path / "secret.bin").write_bytes(builder.binary)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "link.bin").symlink_to(tmp_path / "secret.bin")
    builder.tree["buffers"] = [{"byteLength": len(builder.binary), "uri": uri}]
    (folder / "leg.gltf").write_text(json.dumps(builder.tree))
    with pytest.raises(InputError, match=r"buffers\[0\]\.uri: .* is outside the file's folder"):
        read_clip(folder / "leg.gltf")


def test_meshes_without_a_skin(tmp_path: Path) -> None:
    builder = tiny()
    del builder.tree["skins"]
    builder.tree["nodes"][3] = {"name": "shin", "mesh": 0, "scale": [-1, 2, 1], "translation": [0, 0, 0.2]}
    builder.tree["nodes"][2]["children"] = [3, 4]
    for attribute in ("JOINTS_0", "WEIGHTS_0"):
        del builder.tree["meshes"][0]["primitives"][0]["attributes"][attribute]
    with pytest.raises(InputError, match=r"nodes\[3\]\.scale: .*must be above 0 and not mirror"):
        read_gltf(builder.write(tmp_path / "leg.glb"))
    builder.tree["nodes"][3]["scale"] = [1, 2, 1]
    character = assert_agrees(builder.write(tmp_path / "leg.glb"))
    assert character.skeleton.names == ("hip", "knee", "shin")


def test_a_mirrored_mesh_on_a_joint_is_turned_inside_out(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["meshes"].append(json.loads(json.dumps(builder.tree["meshes"][0])))
    builder.tree["nodes"].append({"name": "helmet", "mesh": 1, "scale": [-1, 1, 1]})
    builder.tree["nodes"][2]["children"] = [4, 5]
    character = assert_agrees(builder.write(tmp_path / "leg.glb"))
    assert character.mesh is not None
    np.testing.assert_array_equal(character.mesh.triangles[2:], [[4, 6, 5], [4, 7, 6]])
    assert character.skeleton.names == ("hip", "knee")


def test_strips_fans_and_points(tmp_path: Path) -> None:
    builder = tiny()
    primitives = builder.tree["meshes"][0]["primitives"]
    plain = {"attributes": primitives[0]["attributes"]}
    builder.tree["meshes"][0]["primitives"] = [{**plain, "mode": mode} for mode in (0, 5, 6)]
    character = read_gltf(builder.write(tmp_path / "leg.glb"))
    assert character.mesh is not None
    assert character.mesh.triangles.tolist() == [[0, 1, 2], [2, 1, 3], [4, 5, 6], [4, 6, 7]]
    assert character.notes == ("meshes[0].primitives[0] consists of points or lines; left out",)


def test_uneven_and_animated_scale_are_remarked_on(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["nodes"][1]["scale"] = [1, 1, 1.5]
    animation = builder.tree["animations"][0]
    animation["samplers"].append(
        {"input": builder.accessor([1.0, 1.1]), "output": builder.accessor(np.full((2, 3), 2.0))}
    )
    animation["channels"].append({"sampler": 3, "target": {"node": 2, "path": "scale"}})
    notes = read_clip(builder.write(tmp_path / "leg.glb")).source.notes
    assert "node 'hip' is scaled by [1.0, 1.0, 1.5]" in notes[0]
    assert notes[1] == "the animation changes the scale of 'knee'; the scale at rest is kept"


def test_two_animations(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["animations"] += [{**builder.tree["animations"][0], "name": "swing"}, {"channels": [], "samplers": []}]
    path = builder.write(tmp_path / "leg.glb")
    assert read_gltf(path).animations == ("swing", "swing_2", "animation_2")
    told = "animation 'swing' is read; choose another with --animation NAME: swing_2, animation_2"
    assert told in read_clip(path).source.notes
    assert len(read_clip(path, animation="animation_2")) == 1
    np.testing.assert_array_equal(read_gltf(path, "swing_2").clip.rotations, read_clip(path).rotations)
    assert len(read_gltf(path).animation("animation_2")) == 1
    with pytest.raises(InputError, match=r"leg.glb: unknown animation 'run'; known: animation_2, swing, swing_2"):
        read_gltf(path, "run")


def test_the_first_animation_that_moves_is_read_unless_one_is_named(tmp_path: Path) -> None:
    builder = tiny()
    moving = builder.tree["animations"][0]
    still = {"input": builder.accessor([0.0, 0.1]), "output": builder.accessor(np.tile([0.0, 0.0, 0.0, 1.0], (2, 1)))}
    pose = {
        "name": "pose",
        "samplers": [still],
        "channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
    }
    size = {"input": still["input"], "output": builder.accessor([[1.0, 1.0, 1.0], [1.5, 1.5, 1.5]])}
    grown = {
        "name": "size",
        "samplers": [size],
        "channels": [{"sampler": 0, "target": {"node": 1, "path": "scale"}}],
    }
    builder.tree["animations"] = [pose, grown, {**moving, "name": "Rig|walk"}]
    path = builder.write(tmp_path / "leg.glb")
    assert (
        "animation 'Rig|walk' is read; choose another with --animation NAME: pose, size" in read_clip(path).source.notes
    )
    assert read_clip(path).name == "Rig|walk"
    assert read_clip(path, animation="pose").name == "pose"


@pytest.mark.parametrize(
    ("times", "rate", "note"),
    [
        ([0, 1 / 30, 2 / 30, 3 / 30], 30.0, ""),
        ([0.5, 0.5 + 4 / 120, 0.5 + 5 / 120, 0.5 + 9 / 120], 120.0, ""),
        ([0, 2 / 60, 5 / 60, 8 / 60], 60.0, ""),
        ([0, 0.5, 1.0, 3.0], 24.0, "the keys stand 0.5 s apart; sampled at 24 Hz"),
        ([0, 0.1, 0.1234, 1.0], 60.0, "the keys stand at irregular times; sampled at 60 Hz"),
        ([0, 1001 / 30000, 2002 / 30000, 3003 / 30000], 30000 / 1001, ""),
    ],
)
def test_frame_rate(tmp_path: Path, times: list[float], rate: float, note: str) -> None:
    builder = tiny()
    accessor = builder.accessor(times)
    for sampler in builder.tree["animations"][0]["samplers"]:
        sampler["input"] = accessor
    clip = read_clip(builder.write(tmp_path / "leg.glb"))
    assert clip.rate == pytest.approx(rate, rel=1e-6)
    assert clip.duration == pytest.approx(times[-1] - times[0], rel=1e-6)
    assert clip.source.notes == ((note,) if note else ())


def vrm_one(tree: dict[str, Any]) -> None:
    tree["extensions"] = {"VRMC_vrm": {"humanoid": {"humanBones": {"hips": {"node": 1}, "foot": {"node": 4}}}}}


def vrm_zero(tree: dict[str, Any]) -> None:
    tree["extensions"] = {
        "VRM": {"humanoid": {"humanBones": [{"bone": "hips", "node": 1}, {"bone": "foot", "node": 4}]}}
    }


@pytest.mark.parametrize("change", [vrm_one, vrm_zero])
def test_bones_of_a_vrm(tmp_path: Path, change: Change) -> None:
    builder = tiny()
    del builder.tree["skins"], builder.tree["nodes"][3]["skin"], builder.tree["nodes"][3]["mesh"]
    change(builder.tree)
    assert read_gltf(builder.write(tmp_path / "leg.vrm")).skeleton.names == ("hip", "knee", "foot_end")


def put(*path: str | int, value: Any) -> Change:
    """A change of one member of the JSON."""

    def change(tree: dict[str, Any]) -> None:
        at: Any = tree
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = value

    return change


BAD: dict[str, tuple[Change, str]] = {
    "no nodes": (put("nodes", value=[]), "nodes: the file has 0 nodes; expected 1 to 65536"),
    "no joints": (put("skins", 0, "joints", value=[]), "skins[0].joints: the skin has 0 joints"),
    "cycle": (put("nodes", 4, "children", value=[0]), "children: the node is its own ancestor"),
    "two parents": (put("nodes", 3, "children", value=[2]), "nodes[3].children: node 2 is already a child of node 1"),
    "child outside": (put("nodes", 2, "children", value=[9]), "nodes[2].children[0]: found 9; expected the index"),
    "joint outside": (put("skins", 0, "joints", value=[2, -1]), "skins[0].joints[1]: found -1; expected the index"),
    "bool index": (put("nodes", 3, "mesh", value=True), "nodes[3].mesh: found True; expected the index"),
    "no list": (put("nodes", value={}), "nodes: found {}; expected a list"),
    "no object": (put("nodes", 1, value=7), "nodes[1]: found 7; expected an object"),
    "short vector": (put("nodes", 1, "scale", value=[1, 2]), "nodes[1].scale: found [1, 2]; expected 3 numbers"),
    "huge number": (put("nodes", 1, "translation", value=[1e300, 0, 0]), "nodes[1].translation: found [1e+300, 0, 0]"),
    "zero rotation": (
        put("nodes", 1, "rotation", value=[0, 0, 0, 0]),
        "nodes[1].rotation: found a quaternion of length",
    ),
    "zero scale": (put("nodes", 0, "scale", value=[0, 1, 1]), "nodes[0].scale: found [0., 1., 1.]"),
    "matrix": (put("nodes", 0, "matrix", value=[1.0] * 16), "nodes[0].matrix: the matrix is not affine"),
    "version": (put("asset", "version", value="1.0"), "asset.version: found version '1.0'; expected 2.x"),
    "draco": (
        put("extensionsRequired", value=["KHR_draco_mesh_compression"]),
        "extensionsRequired: the file is compressed with Draco, which is not read; export it without compression",
    ),
    "meshopt": (
        put("bufferViews", 0, "extensions", value={"EXT_meshopt_compression": {}}),
        "bufferViews[0].extensions: the data is compressed with meshopt",
    ),
    "long accessor": (put("accessors", 1, "count", value=99), "accessors[1]: 99 elements of 12 bytes do not fit"),
    "huge accessor": (
        put("accessors", 1, "count", value=1 << 40),
        "accessors[1].count: found 1099511627776; expected a",
    ),
    "no data": (
        put("accessors", 1, value={"type": "VEC3", "componentType": 5126, "count": 4}),
        "accessors[1]: the acc",
    ),
    "type": (put("accessors", 1, "type", value="VEC2"), "accessors[1].type: found 'VEC2'; expected VEC3"),
    "component": (put("accessors", 1, "componentType", value=5124), "accessors[1].componentType: found 5124"),
    "float joints": (put("accessors", 2, "componentType", value=5126), "accessors[2]"),
    "view too long": (put("bufferViews", 0, "byteLength", value=9999), "bufferViews[0].byteLength: the view ends at"),
    "buffer too long": (
        put("buffers", 0, "byteLength", value=99999),
        "buffers[0].byteLength: the buffer declares 99999",
    ),
    "stride": (put("bufferViews", 1, "byteStride", value=4), "bufferViews[1].byteStride: found 4; an element takes 12"),
    "base64": (put("buffers", 0, "uri", value="data:;base64,%%%"), "buffers[0].uri: the data URI is not valid base64"),
    "missing file": (put("buffers", 0, "uri", value="a.bin"), "buffers[0].uri: 'a.bin': there is no such file"),
    "interpolation": (
        put("animations", 0, "samplers", 0, "interpolation", value="CUBIC"),
        "animations[0].samplers[0].interpolation: found 'CUBIC'; expected LINEAR, STEP, CUBICSPLINE",
    ),
    "few values": (
        put("animations", 0, "samplers", 0, "interpolation", value="CUBICSPLINE"),
        "animations[0].samplers[0].output: 4 keys have 4 values; expected 12",
    ),
    "attributes differ": (put("accessors", 3, "count", value=3), "WEIGHTS_0: found 3 values for 4 vertices"),
    "index outside": (
        put("accessors", 1, "count", value=3),
        "primitives[0].indices: index 5 is 3; there are 3 vertices",
    ),
    "few binds": (put("accessors", 0, "count", value=1), "skins[0].inverseBindMatrices: found 1 matrices for 2 joints"),
    "joint of skin": (put("skins", 0, "joints", value=[2]), "JOINTS_0: vertex 0 follows a joint outside 0…0"),
}


@pytest.mark.parametrize("case", sorted(BAD))
def test_bad_files_get_one_line(tmp_path: Path, case: str) -> None:
    builder = tiny()
    builder.glb()  # fills in the length of the buffer
    change, message = BAD[case]
    change(builder.tree)
    path = builder.write(tmp_path / "leg.glb")
    with pytest.raises(InputError) as caught:
        read_gltf(path)
    assert str(caught.value).startswith(f"{path}, {message}"[: len(str(path)) + 2])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("accessor", "value", "message"),
    [
        (1, np.nan, "accessors[1]: element 0 is not finite"),
        (3, -1.0, "WEIGHTS_0: vertex 0 has a negative weight"),
        (5, 1.07, "input: key 1 is not later than the one before"),
        (0, np.inf, "accessors[0]: element 0 is not finite"),
    ],
)
def test_bad_numbers(tmp_path: Path, accessor: int, value: float, message: str) -> None:
    builder = tiny()
    start = builder.tree["bufferViews"][builder.tree["accessors"][accessor]["bufferView"]]["byteOffset"]
    builder.binary = builder.binary[:start] + np.float32(value).tobytes() + builder.binary[start + 4 :]
    with pytest.raises(InputError, match=re.escape(message)):
        read_gltf(builder.write(tmp_path / "leg.glb"))


def test_damaged_containers(tmp_path: Path) -> None:
    content = tiny().glb()
    path = tmp_path / "leg.glb"
    for length in [1, 3, 4, 11, 12, 19, 20, 21, 400, len(content) - 5, len(content) - 1]:
        path.write_bytes(content[:length])
        with pytest.raises(InputError, match=r"leg\.glb(, |: )"):
            read_gltf(path)
    for text, message in [("{", "JSON line 1"), ('{"a": NaN}', "NaN is no number"), ("[" * 99999, "not a glTF file")]:
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_gltf(path)


def test_a_clip_that_would_be_too_big(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["animations"][0]["samplers"][0]["input"] = builder.accessor([0.0, 0.01, 0.02, 1e8])
    with pytest.raises(InputError, match=r"animations\[0\]: the animation lasts 1e\+08 s"):
        read_gltf(builder.write(tmp_path / "leg.glb"))


def character_or_error(path: Path) -> GltfCharacter | InputError:
    """What reading gives: the only two outcomes that hostile input may have."""
    try:
        return read_gltf(path)
    except InputError as error:
        return error


def mutated(data: st.DataObject, value: Any, depth: int = 0) -> Any:
    """`value` with one member somewhere in it dropped or replaced."""
    odd = st.sampled_from([None, -1, 0, 1, 3, 7, 10**12, 1e300, 0.5, "", "x", [], {}, [0], True, [1e9, 0, 0], [[]]])
    if isinstance(value, dict | list) and value and (depth == 0 or data.draw(st.integers(0, 3))):
        keys = sorted(value) if isinstance(value, dict) else range(len(value))
        key = data.draw(st.sampled_from(keys))
        changed = dict(value) if isinstance(value, dict) else list(value)
        if depth and data.draw(st.integers(0, 5)) == 0:
            del changed[key]
        else:
            changed[key] = mutated(data, value[key], depth + 1)
        return changed
    return data.draw(odd)


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_mutated_files_give_a_character_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    builder = tiny()
    builder.glb()  # fills in the length of the buffer
    tree, binary = builder.tree, bytearray(builder.binary)
    for _ in range(data.draw(st.integers(0, 2))):
        tree = mutated(data, tree)
    for _ in range(data.draw(st.integers(0, 2))):
        at = data.draw(st.integers(0, len(binary) - 4))
        binary[at : at + 4] = data.draw(st.binary(min_size=4, max_size=4))
    content = bytearray(glb_bytes(tree, bytes(binary)))
    for _ in range(data.draw(st.integers(0, 1))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 4))] = data.draw(st.binary(max_size=4))
    path = tmp_path_factory.mktemp("fuzz", numbered=True) / "leg.glb"
    path.write_bytes(content)
    character = character_or_error(path)
    if isinstance(character, InputError):
        assert "\n" not in str(character)
        assert character.source == str(path)
        return
    assert np.isfinite(character.clip.world()[1]).all()
    if character.mesh is not None:
        assert np.isfinite(skin(character.mesh, *character.clip.world())).all()
    again = path.with_name("again.glb")
    with contextlib.suppress(InputError):  # an image beside the file may be missing
        append_animation(again, character, character.clip)
    if not again.exists():
        return
    written = read_gltf(again, "poise").clip
    size = 1.0 + np.abs(character.clip.world()[1]).max()
    np.testing.assert_allclose(written.world()[1][:2], character.clip.world()[1][:2], atol=1e-4 * size)


def test_builder_is_sound(tmp_path: Path) -> None:
    """The two readers are compared on a file whose vertices at rest are known."""
    naive = Naive(tiny().write(tmp_path / "leg.glb"))
    np.testing.assert_allclose(naive.vertices(naive.world())[0], [0, 0.9, 0.1], atol=1e-6)
    assert isinstance(tiny(), Builder)
