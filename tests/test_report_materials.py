"""A skin's own colors: read from the file's materials, and made small for the page."""

import base64
import io
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gltf_samples import tiny
from poise.io.gltf import read_gltf
from poise.motion.skin import Material, SkinnedMesh
from poise.report.page.materials import by_material, pack_materials
from poise.report.page.pack import Packer

FOUR = (0.25, 0.5, 1.0, 0.7)


def picture(size: tuple[int, int], kind: str = "PNG", mode: str = "RGB") -> bytes:
    stream = io.BytesIO()
    noise = np.random.default_rng(4).integers(0, 255, (size[1], size[0], len(mode)), np.uint8)
    Image.fromarray(noise, mode).save(stream, kind)
    return stream.getvalue()


def uri(content: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(content).decode()


def square(materials: tuple[int, ...], looks: tuple[Material, ...]) -> SkinnedMesh:
    """As many triangles as materials, all on the same corners."""
    return SkinnedMesh(
        np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]),
        np.array([[k % 3, (k + 1) % 3, (k + 2) % 3] for k in range(len(materials))]),
        np.zeros((3, 4), int),
        np.tile([1.0, 0.0, 0.0, 0.0], (3, 1)),
        np.eye(4)[None],
        uvs=np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        triangle_materials=np.array(materials),
        materials=looks,
    )


def dressed(path: Path, image: dict[str, Any], **material: Any) -> tuple[tuple[Material, ...], tuple[str, ...]]:
    """Looks and notes of a file with one material that has an image."""
    sample = tiny()
    surface = {"baseColorFactor": list(FOUR), "baseColorTexture": {"index": 0}}
    sample.tree |= {
        "images": [image],
        "textures": [{"source": 0}],
        "materials": [{"pbrMetallicRoughness": surface, **material}],
    }
    character = read_gltf(sample.write(path / "leg.glb"))
    assert character.mesh is not None
    return character.mesh.materials, character.notes


def test_color_and_image_of_a_material_are_read(tmp_path: Path) -> None:
    content = picture((8, 8))
    looks, _ = dressed(tmp_path, {"uri": uri(content)})
    assert looks == (Material(FOUR[:3], content, holes=False),)
    looks, _ = dressed(tmp_path, {"uri": uri(content)}, alphaMode="MASK")
    assert looks[0].holes


@pytest.mark.parametrize("image", [{"uri": "nowhere.png"}, {"uri": "../up.png"}, {"bufferView": 999}, {"uri": 3}, {}])
def test_a_bad_image_costs_the_picture_alone(tmp_path: Path, image: dict[str, Any]) -> None:
    looks, notes = dressed(tmp_path, image)
    assert looks == (Material(FOUR[:3]),)
    assert any("images[0]" in note or "bufferView" in note for note in notes)


def test_plain_materials_are_no_looks(tmp_path: Path) -> None:
    sample = tiny()
    sample.tree["materials"] = [{}, {"pbrMetallicRoughness": {"metallicFactor": 0.0}}]
    mesh = read_gltf(sample.write(tmp_path / "leg.glb")).mesh
    assert mesh is not None
    assert mesh.materials == ()
    assert pack_materials(mesh, Packer()) == {}


def test_each_triangle_is_drawn_once_with_its_own_look() -> None:
    small, large = picture((16, 16)), picture((2000, 1000), "JPEG")
    mesh = square(
        (1, 0, 1, -1, 2),
        (Material((1.0, 1.0, 1.0), small), Material((0.5, 0.0, 1.0)), Material((1.0, 1.0, 1.0), large)),
    )
    packed = pack_materials(mesh, Packer())
    assert [(look["first"], look["count"], look["image"]) for look in packed["looks"]] == [
        (0, 3, None),
        (3, 3, 0),
        (6, 6, None),
        (12, 3, 1),
    ]
    assert by_material(mesh).tolist() == mesh.triangles[[3, 1, 0, 2, 4]].tolist()
    assert packed["looks"][2]["color"] == pytest.approx([0.5 ** (1 / 2.2), 0.0, 1.0], abs=1e-4)


def shown(look: Material) -> Image.Image:
    """The picture that the page gets for a look."""
    packer = Packer()
    entry = pack_materials(square((0,), (look,)), packer)["images"][0]
    content = zlib.decompress(base64.b64decode(packer.text()))[entry["at"] : entry["at"] + entry["count"]]
    return Image.open(io.BytesIO(content))


def test_images_are_made_small() -> None:
    white = (1.0, 1.0, 1.0)
    assert shown(Material(white, picture((2000, 1000)))).size == (512, 256)
    assert shown(Material(white, picture((64, 32)))).size == (64, 32)
    assert shown(Material(white, picture((64, 64), mode="RGBA"))).mode == "RGB"
    assert shown(Material(white, picture((64, 64), mode="RGBA"), holes=True)).mode == "RGBA"


def test_many_images_share_the_room_and_one_used_twice_is_there_once() -> None:
    looks = tuple(Material((1.0, 1.0, 1.0), picture((600, 600 - k), "JPEG")) for k in range(5))
    packer = Packer()
    packed = pack_materials(square(tuple(range(5)), looks), packer)
    assert len(packed["images"]) == 5
    assert len(packer.text()) < 1_000_000
    again = pack_materials(square((0, 1), (looks[0], looks[0])), Packer())
    assert [look["image"] for look in again["looks"]] == [0, 0]
    assert len(again["images"]) == 1


@pytest.mark.parametrize("content", [b"", b"no picture", picture((40, 40))[:300]])
def test_what_is_no_picture_leaves_the_color(content: bytes) -> None:
    packed = pack_materials(square((0,), (Material((0.2, 0.2, 0.2), content),)), Packer())
    assert packed["images"] == []
    assert packed["looks"][0]["image"] is None


def test_without_texture_coordinates_there_is_no_image() -> None:
    mesh = replace(square((0,), (Material((1.0, 0.0, 0.0), picture((8, 8))),)), uvs=None)
    packed = pack_materials(mesh, Packer())
    assert packed["images"] == []
    assert "uvs" not in packed
