"""Binary FBX: skeletons and skins, checked against what the files themselves say of the bind pose; damaged ones."""

from pathlib import Path

import numpy as np
import pytest

from poise.errors import InputError
from poise.io import read_character, write_character
from poise.io.fbx.scene import local_matrix, read_scene
from poise.io.fbx.tree import parse_fbx
from poise.io.gltf import read_gltf
from poise.motion.skin import skin

pytestmark = pytest.mark.shared

PEOPLE = ("kenney-animated/characterMedium.fbx", "active-ragdolls/DemoModel.fbx", "unity-antagonistic/ybot.fbx")


@pytest.mark.parametrize("name", PEOPLE)
def test_bind_transforms_agree_on_where_the_mesh_was(name: str, shared_data: Path) -> None:
    scene = read_scene(parse_fbx((shared_data / name).read_bytes()))
    for skin_ in [number for number, each in scene.objects.items() if each.name == "Deformer"]:
        clusters = [scene.objects[number] for number in scene.under(skin_, "Deformer")]
        links, own = (
            np.array([each.array(key, "f8") for each in clusters]).reshape(-1, 4, 4).transpose(0, 2, 1)
            for key in ("TransformLink", "Transform")
        )
        meshes = links @ own
        assert np.abs(meshes - meshes[:1]).max(initial=0.0) < 1e-3 * np.abs(meshes).max(initial=1.0)


def test_bones_stand_where_the_bind_pose_has_them(shared_data: Path) -> None:
    scene = read_scene(parse_fbx((shared_data / PEOPLE[2]).read_bytes()))

    def placed(number: int) -> np.ndarray:
        above, own = scene.parents.get(number), local_matrix(scene.objects[number])
        return own if above is None else np.asarray(placed(above) @ own)

    clusters = [n for n, each in scene.objects.items() if each.first("TransformLink") is not None]
    assert len(clusters) == 104
    for cluster in clusters:
        for bone in scene.under(cluster, "Model"):
            stated = scene.objects[cluster].array("TransformLink", "f8").reshape(4, 4).T
            np.testing.assert_allclose(placed(bone)[:3, 3], stated[:3, 3], atol=0.01)


def test_character_is_written_as_glb_with_its_skin(shared_data: Path, tmp_path: Path) -> None:
    own, mesh = read_character(shared_data / "kenney-animated/characterMedium.fbx")
    assert mesh is not None
    write_character(tmp_path / "out.glb", own, mesh)
    again = read_gltf(tmp_path / "out.glb")
    assert again.mesh is not None
    assert again.skeleton.names == own.skeleton.names
    turn, place = own.pose(0).world()
    back_turn, back_place = again.clip.pose(0).world()
    np.testing.assert_allclose(skin(again.mesh, back_turn, back_place), skin(mesh, turn, place), atol=1e-4)


def test_bad_files_are_refused_in_one_line(shared_data: Path, tmp_path: Path) -> None:
    content = (shared_data / "kenney-animated/characterMedium.fbx").read_bytes()
    rng = np.random.default_rng(0)
    damaged = [b"nonsense" * 10, content[:200], content[: len(content) // 2], b"; FBX 6.1.0 project file\n" * 3]
    for _ in range(40):
        noise = bytearray(content)
        for at in rng.integers(27, len(content), 30):
            noise[at] = int(rng.integers(256))
        damaged.append(bytes(noise))
    complaints: list[str] = []
    for number, each in enumerate(damaged):
        file = tmp_path / f"{number}.fbx"
        file.write_bytes(each)
        try:
            read_character(file)
        except InputError as error:
            complaints.append(str(error))
    assert len(complaints) >= 4
    assert [each for each in complaints if "\n" in each] == []
