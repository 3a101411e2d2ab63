"""What is seen of an FBX: vertices per material, texture coordinates, normals, images in the file and beside it."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fbx_samples import COLORS, CORNERS, NORMAL, POINTS, UV_OF_CORNER, UVS, person, sheet, side_of, stripes
from poise.io import read_character, read_clip, write_character
from poise.io.fbx import read_fbx
from poise.motion.roles import guess_roles
from poise.motion.skin import skin

pytest.importorskip("ufbx", reason="ufbx is not installed")


def picture(kind: str = "PNG", shade: int = 90) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (4, 4), (shade, 20, 160)).save(content, kind)
    return content.getvalue()


def test_a_material_has_its_own_vertices_alone(tmp_path: Path) -> None:
    character = read_fbx(sheet(tmp_path / "sheet.fbx"))
    root = character.body.document.root
    primitives = root.value["meshes"][0]["primitives"]
    accessors = root.value["accessors"]
    counts = [{accessors[at]["count"] for at in each["attributes"].values()} for each in primitives]
    # The squares share two of six points, and the second has one place on the image twice.
    assert counts == [{4}, {4}]
    assert [each["material"] for each in primitives] == [0, 1]
    assert all(accessors[each["indices"]]["count"] == 6 for each in primitives)


def test_corners_keep_place_image_normal_and_weights(tmp_path: Path) -> None:
    clip, mesh = read_character(sheet(tmp_path / "sheet.fbx"))
    assert mesh is not None
    assert mesh.uvs is not None
    assert mesh.normals is not None
    shown = skin(mesh, *clip.pose(0).world())
    found = {
        (tuple(place.round(5).tolist()), tuple(uv.round(5).tolist())) for place, uv in zip(shown, mesh.uvs, strict=True)
    }
    # The file's x, y, z are Poise's y, z, x; the image is counted from its upper left.
    expected = set()
    for corner, at in zip(CORNERS, UV_OF_CORNER, strict=True):
        x, y, z = map(float, POINTS[corner])
        expected.add(((z, x, y), (UVS[at][0], 1.0 - UVS[at][1])))
    assert found == expected
    np.testing.assert_allclose(mesh.normals, np.tile(np.array(NORMAL)[[2, 0, 1]], (len(mesh), 1)), atol=1e-6)
    names = clip.skeleton.names
    for place, joints, weights in zip(shown.round(5), mesh.joints, mesh.weights, strict=True):
        shares = {names[joint]: weight for joint, weight in zip(joints, weights, strict=True) if weight > 0.0}
        x, y = place[1], place[2]
        # The point at 2, 0 follows none, so it follows the first.
        knee = {0.0: 0.0, 1.0: 0.5, 2.0: y}[float(x)]
        assert shares == {name: share for name, share in (("hip", 1.0 - knee), ("knee", knee)) if share > 0.0}
    assert "1 points of the mesh 'sheet' follow no bone; they follow the skin's first" in clip.source.notes


def test_images_are_found_in_the_file_and_beside_it(tmp_path: Path) -> None:
    inside = picture(shade=30)
    for place in (Path("cloth.jpg"), Path("textures/cloth.jpg"), Path("sheet.fbm/cloth.jpg")):
        folder = tmp_path / place.parts[0].partition(".")[0]
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_bytes(picture("JPEG"))
        mesh = read_character(sheet(folder / "sheet.fbx", image="cloth.jpg", embedded=inside)).mesh
        assert mesh is not None
        cloth, leather = mesh.materials
        assert (cloth.image, leather.image) == (picture("JPEG"), inside)
        assert cloth.color == leather.color == (1.0, 1.0, 1.0)


def test_an_image_that_is_not_there_or_elsewhere_costs_the_picture_alone(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "cloth.png").write_bytes(picture())
    (tmp_path / "own").mkdir()
    clip, mesh = read_character(sheet(tmp_path / "own" / "sheet.fbx", image="cloth.png"))
    assert mesh is not None
    assert mesh.materials[0].image is None
    assert mesh.materials[0].color == pytest.approx((0.2, 0.4, 0.6))
    assert (
        "the image 'cloth.png' of material 'cloth' is neither in the file nor in its folder; drawn without it"
        in clip.source.notes
    )
    (tmp_path / "own" / "cloth.tga").write_bytes(b"no picture")
    clip, _ = read_character(sheet(tmp_path / "own" / "sheet.fbx", image="cloth.tga"))
    assert any("is neither PNG nor JPEG" in note for note in clip.source.notes)


@pytest.mark.shared
def test_an_image_of_maya_comes_along(shared_data: Path) -> None:
    mesh = read_character(shared_data / "ufbx/maya_slime_7500_binary.fbx").mesh
    assert mesh is not None
    assert mesh.uvs is not None
    image = mesh.materials[0].image
    assert image is not None
    assert Image.open(io.BytesIO(image)).size == (2048, 2048)


def test_a_whole_person_has_their_own_image_and_the_roles_that_humanik_declares(tmp_path: Path) -> None:
    clip, skinned = person(tmp_path / "person.fbx")
    own, mesh = read_character(tmp_path / "person.fbx")
    assert mesh is not None
    assert mesh.uvs is not None
    (cloth,) = mesh.materials
    assert cloth.image == stripes()
    np.testing.assert_allclose(
        np.sort(skin(mesh, *own.pose(0).world()), axis=0),
        np.sort(skin(skinned, *clip.pose(0).world()), axis=0),
        atol=1e-5,
    )
    # Each point has the color of the limb it follows most.
    roles = guess_roles(own.skeleton)
    assert roles.by_joint == clip.skeleton.names  # in which joints are called by their roles
    assert set(roles.reasons) == {"file"}
    image = np.asarray(Image.open(io.BytesIO(cloth.image)))
    shown = image[16, (mesh.uvs[:, 0] * 96).astype(int)]
    first = mesh.joints[np.arange(len(mesh)), mesh.weights.argmax(axis=1)]
    expected = np.array([COLORS[side_of(clip.skeleton.names[joint])] for joint in first])
    assert (shown == expected).all(axis=1).mean() > 0.99  # ties may fall otherwise


def test_roles_that_humanik_declares_go_along_into_a_glb(tmp_path: Path) -> None:
    person(tmp_path / "person.fbx")
    own, mesh = read_character(tmp_path / "person.fbx")
    write_character(tmp_path / "person.glb", own, mesh)
    again = guess_roles(read_clip(tmp_path / "person.glb").skeleton)
    assert (again.by_joint, set(again.reasons)) == (guess_roles(own.skeleton).by_joint, {"file"})


@pytest.mark.shared
@pytest.mark.parametrize(
    "name", ["maya_human_ik_6100_ascii", "maya_human_ik_7400_binary", "maya_character_7500_binary"]
)
def test_humanik_characters_of_maya_say_the_roles(shared_data: Path, name: str) -> None:
    skeleton = read_clip(shared_data / f"ufbx/{name}.fbx").skeleton
    roles = guess_roles(skeleton)
    assert set(roles.reasons) == {"file", ""}
    # These joints are called as HumanIK calls them, so names say the same.
    assert roles.by_joint == guess_roles(replace(skeleton, declared=())).by_joint
