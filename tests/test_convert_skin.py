"""`poise convert` to GLB takes the whole character along: skin, materials, images, other animations."""

import copy
import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from fbx_samples import sheet
from gltf_samples import Naive, quaternion, tiny
from poise.cli.main import app
from poise.errors import InputError
from poise.io import read_character, write_clip
from poise.io.gltf import read_gltf
from poise.io.usd import write_usd
from poise.motion import Clip
from poise.motion.skin import Material, skin


def picture() -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (4, 4), (90, 20, 160)).save(content, "PNG")
    return content.getvalue()


def convert(*arguments: object) -> Any:
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


def leg(path: Path) -> Path:
    """A skinned leg with an image, something of its own that Poise does not know, and a second animation."""
    builder = tiny()
    image = builder.view(picture())
    builder.tree |= {
        "images": [{"bufferView": image, "mimeType": "image/png"}],
        "textures": [{"source": 0}],
        "materials": [
            {"name": "cloth", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}, "extras": {"kept": 1}}
        ],
    }
    primitive = builder.tree["meshes"][0]["primitives"][0]
    primitive["material"] = 0
    primitive["attributes"]["TEXCOORD_0"] = builder.accessor([[0, 0], [1, 0], [1, 1], [0, 1]])
    swing = builder.tree["animations"][0]
    kick = copy.deepcopy(swing) | {"name": "kick"}
    kick["samplers"][0]["output"] = builder.accessor([quaternion("y", 30 - 40 * k) for k in range(4)])
    builder.tree["animations"] = [swing, kick]
    return builder.write(path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return leg(tmp_path / "leg.glb")


def test_a_glb_keeps_its_document_and_the_animation_comes_first(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.glb"
    done = convert(source, target, "--animation", "kick")
    assert done.exit_code == 0, done.output
    before, after = Naive(source), Naive(target)
    assert after.binary.startswith(before.binary)
    for key in ("materials", "images", "textures", "meshes", "skins", "nodes", "scenes"):
        assert after.tree[key] == before.tree[key], key
    assert [each["name"] for each in after.tree["animations"]] == ["kick", "swing"]
    assert after.tree["animations"][1] == before.tree["animations"][0]
    first, wanted = read_gltf(target), read_gltf(source, "kick")
    np.testing.assert_allclose(first.clip.world_positions()[0], wanted.clip.world_positions()[0], atol=1e-5)
    assert np.abs(first.clip.world()[1] - read_gltf(source, "swing").clip.world()[1]).max() > 0.05
    assert first.mesh is not None
    assert first.mesh.materials[0].image == picture()


def test_a_character_without_animation_stays_without(tmp_path: Path) -> None:
    builder = tiny()
    builder.tree["animations"] = []
    assert convert(builder.write(tmp_path / "still.glb"), tmp_path / "out.glb").exit_code == 0
    after = read_gltf(tmp_path / "out.glb")
    assert after.animations == ()
    assert after.mesh is not None


def test_a_gltf_with_files_beside_it_becomes_one_file(tmp_path: Path) -> None:
    folder = tmp_path / "away"
    folder.mkdir()
    builder = tiny()
    (folder / "leg.png").write_bytes(picture())
    (folder / "leg.bin").write_bytes(builder.binary)
    builder.tree["buffers"] = [{"uri": "leg.bin", "byteLength": len(builder.binary)}]
    builder.tree |= {"images": [{"uri": "leg.png"}], "textures": [{"source": 0}]}
    builder.tree["materials"] = [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}]
    builder.tree["meshes"][0]["primitives"][0]["material"] = 0
    (folder / "leg.gltf").write_text(json.dumps(builder.tree))
    assert convert(folder / "leg.gltf", tmp_path / "out.glb").exit_code == 0
    shutil.rmtree(folder)
    mesh = read_gltf(tmp_path / "out.glb").mesh
    assert mesh is not None
    assert mesh.materials[0].image == picture()


def test_fbx_and_usd_become_complete_glb(tmp_path: Path) -> None:
    pytest.importorskip("ufbx", reason="ufbx is not installed")
    pytest.importorskip("pxr", reason="usd-core is not installed")
    fbx = sheet(tmp_path / "sheet.fbx", embedded=picture())
    clip, mesh = read_character(fbx)
    assert mesh is not None
    write_usd(tmp_path / "sheet.usdz", clip, mesh)
    for file in (fbx, tmp_path / "sheet.usdz"):
        own, before = read_character(file)
        assert convert(file, tmp_path / "out.glb").exit_code == 0
        after = read_gltf(tmp_path / "out.glb")
        assert after.mesh is not None
        assert before is not None
        assert Material((1.0, 1.0, 1.0), picture()) in after.mesh.materials
        np.testing.assert_array_equal(after.mesh.triangles, before.triangles)
        assert after.mesh.uvs is not None
        np.testing.assert_allclose(after.mesh.uvs, before.uvs, atol=1e-6)
        shown = skin(after.mesh, *after.clip.pose(0).world())
        np.testing.assert_allclose(shown, skin(before, *own.pose(0).world()), atol=1e-5)


def test_without_skin_there_are_joints_and_motion_alone(source: Path, tmp_path: Path) -> None:
    pytest.importorskip("pxr", reason="usd-core is not installed")
    for name in ("out.glb", "out.usda"):
        assert convert(source, tmp_path / name, "--no-skin").exit_code == 0
        clip, mesh = read_character(tmp_path / name)
        assert mesh is None
        assert clip.skeleton.names == ("hip", "knee")
    assert convert(source, tmp_path / "onto.glb", "--onto", source, "--no-skin").exit_code != 0  # a leg is nobody
    refused = convert(source, tmp_path / "out.bvh", "--no-skin")
    assert isinstance(refused.exception, InputError)
    assert "--no-skin goes with .glb, .usd" in str(refused.exception)


def test_a_motion_without_skin_is_written_as_before(source: Path, tmp_path: Path) -> None:
    clip: Clip = read_gltf(source).clip
    write_clip(tmp_path / "take.bvh", clip)
    assert convert(tmp_path / "take.bvh", tmp_path / "take.glb").exit_code == 0
    assert convert(tmp_path / "take.bvh", tmp_path / "motion.glb", "--no-skin").exit_code == 0
    assert (tmp_path / "take.glb").read_bytes() == (tmp_path / "motion.glb").read_bytes()


def test_the_validator_finds_no_error(source: Path, tmp_path: Path, validate: Any) -> None:
    pytest.importorskip("ufbx", reason="ufbx is not installed")
    pytest.importorskip("pxr", reason="usd-core is not installed")
    fbx = sheet(tmp_path / "sheet.fbx", embedded=picture())
    clip, mesh = read_character(fbx)
    write_usd(tmp_path / "sheet.usdz", clip, mesh)
    for at, file in enumerate((source, fbx, tmp_path / "sheet.usdz")):
        assert convert(file, tmp_path / f"{at}.glb").exit_code == 0
    before, *reports = validate(source, *(tmp_path / f"{at}.glb" for at in range(3)))
    # The hand-made source has key times without bounds; of a copy nothing more is wrong.
    assert set(reports[0]["messages"]) <= set(before["messages"]) | {
        each for each in reports[0]["messages"] if each.startswith("UNUSED_OBJECT at /accessors")
    }
    assert (reports[0]["errors"], reports[0]["warnings"]) <= (before["errors"], before["warnings"])
    for report in reports[1:]:
        assert report["errors"] == 0, report
    # A skinned mesh where FBX has it, below another node; a joint of the weight zero is none.
    assert {each.split(" at ")[0] for each in reports[1]["messages"]} <= {
        "NODE_SKINNED_MESH_NON_ROOT",
        "NODE_EMPTY",
        "UNUSED_OBJECT",
    }
    assert not any("ZERO_WEIGHT" in each for each in reports[2]["messages"])
