"""USD written: what USD itself, its validators and our readers find in it; onto a user's own stage nothing else changes."""

import io
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from gltf_samples import Naive
from io_samples import PLAIN
from poise.assets import clip_path
from poise.body import build_body
from poise.body.mannequin import mannequin
from poise.characters.character import Character
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character, write_clip, write_own_format
from poise.io.usd import child
from poise.io.usd.read import read_usd
from poise.motion import Clip, Skeleton
from poise.motion.roles import guess_roles
from poise.motion.skin import Material, SkinnedMesh, skin
from poise.report.outputs import protect_sources
from test_io_usd_read import BONES, write
from usd_samples import OwnWord, Usd, UsdSkel, complaints, random_rig


def png(color: tuple[int, int, int]) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (4, 4), color).save(content, "PNG")
    return content.getvalue()


def walk_and_skin() -> tuple[Clip, SkinnedMesh]:
    walk = read_clip(clip_path("walk"))
    return walk, mannequin(walk, build_body(walk, guess_roles(walk.skeleton)))


@pytest.mark.parametrize("suffix", [".usda", ".usdc", ".usd", ".usdz"])
def test_a_clip_comes_back(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / "plain.bvh"
    source.write_text(PLAIN)
    clip = read_clip(source)
    assert write_clip(tmp_path / f"out{suffix}", clip) == []
    again = read_clip(tmp_path / f"out{suffix}")
    assert (again.skeleton.names, again.rate, again.name) == (clip.skeleton.names, clip.rate, "plain")
    np.testing.assert_array_equal(again.skeleton.parents, clip.skeleton.parents)
    for ours, theirs in zip(again.world_positions(), clip.world_positions(), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-5)
    assert complaints(tmp_path / f"out{suffix}") == set()


def test_usd_and_glb_of_a_clip_agree_joint_by_joint(tmp_path: Path) -> None:
    walk, mesh = walk_and_skin()
    write_character(tmp_path / "walk.usdc", walk, mesh)
    write_character(tmp_path / "walk.glb", walk, mesh)
    word, naive = OwnWord(tmp_path / "walk.usdc"), Naive(tmp_path / "walk.glb")
    names = list(UsdSkel.Skeleton(word.skeleton).GetJointNamesAttr().Get())
    nodes = {node.get("name"): at for at, node in enumerate(naive.nodes)}
    rotations, positions = walk.world()
    for frame in (0, 7, len(walk) - 1):
        world = naive.world(0, frame / walk.rate)
        glb = np.array([world[nodes[name]][:3, 3] for name in names])[:, [2, 0, 1]]
        usd = word.places(float(frame))
        np.testing.assert_allclose(usd, glb, atol=1e-5)
        np.testing.assert_allclose(usd[: len(walk.skeleton)], positions[frame], atol=1e-5)
        theirs = word.points("/Character/Body", float(frame))
        np.testing.assert_allclose(theirs, skin(mesh, rotations[frame], positions[frame]), atol=1e-5)


def test_validators_are_content_and_can_complain(tmp_path: Path) -> None:
    walk, mesh = walk_and_skin()
    uvs = np.random.default_rng(3).uniform(size=(len(mesh), 2))
    looks = (Material((0.2, 0.4, 0.6)), Material((1.0, 1.0, 1.0), png((200, 30, 60)), holes=True))
    which = np.arange(len(mesh.triangles)) % 2
    painted = SkinnedMesh(
        mesh.vertices, mesh.triangles, mesh.joints, mesh.weights, mesh.inverse_bind, mesh.normals, uvs, which, looks
    )
    file = tmp_path / "walk.usdz"
    assert write_character(file, walk, painted) == []
    assert complaints(file) == set()
    with zipfile.ZipFile(file) as package:
        names = [entry.filename for entry in package.infolist()]
        assert names == ["Character.usdc", "textures/image_1.png"]
        for entry in package.infolist():
            (tmp_path / entry.filename).parent.mkdir(exist_ok=True)
            package.extract(entry, tmp_path)
    with zipfile.ZipFile(tmp_path / "careless.usdz", "w") as package:
        package.write(tmp_path / names[0], names[0])
    assert complaints(tmp_path / "careless.usdz")
    again = read_character(file).mesh
    assert again is not None
    assert again.uvs is not None
    assert [(look.image, look.holes) for look in again.materials] == [(None, False), (png((200, 30, 60)), True)]
    np.testing.assert_allclose(again.materials[0].color, (0.2, 0.4, 0.6), atol=1e-6)
    corners = {tuple(row) for row in np.round(uvs[mesh.triangles[1]], 5).tolist()}
    assert corners <= {tuple(row) for row in np.round(again.uvs, 5).tolist()}
    assert "written into .usdz only" in write_character(tmp_path / "walk.usda", walk, painted)[0]


def test_names_that_usd_does_not_allow_come_back(tmp_path: Path) -> None:
    names = ("mixamorig:Hips", "左手", "1 two", "1_two")
    skeleton = Skeleton(names, np.array([-1, 0, 0, 0]), np.eye(4)[:, :3])
    still = np.tile([1.0, 0.0, 0.0, 0.0], (2, 4, 1))
    clip = Clip(
        skeleton=skeleton, rate=25.0, rotations=still, translations=np.zeros((2, 1, 3)), translated=np.array([0])
    )
    write_clip(tmp_path / "odd.usda", clip)
    assert read_clip(tmp_path / "odd.usda").skeleton.names == names
    assert complaints(tmp_path / "odd.usda") == set()


def test_the_same_is_written_twice_to_the_bit(tmp_path: Path) -> None:
    walk, mesh = walk_and_skin()
    for suffix in (".usda", ".usdc", ".usdz"):
        one, two = tmp_path / f"one{suffix}", tmp_path / f"two{suffix}"
        write_character(one, walk, mesh)
        write_character(two, walk, mesh)
        assert one.read_bytes() == two.read_bytes()


def values(stage: Usd.Stage) -> dict[str, Any]:
    """Everything that is authored on a stage, as text, by path."""
    found: dict[str, Any] = {}
    for prim in stage.TraverseAll():
        found[str(prim.GetPath())] = f"{prim.GetTypeName()} {prim.GetAppliedSchemas()}"
        for attribute in prim.GetAuthoredAttributes():
            times = attribute.GetTimeSamples()
            found[str(attribute.GetPath())] = str([attribute.Get(), [(time, attribute.Get(time)) for time in times]])
        for relation in prim.GetAuthoredRelationships():
            found[str(relation.GetPath())] = str(relation.GetTargets())
    return found


@pytest.mark.parametrize("seed", range(2))
def test_on_the_users_own_stage_all_else_stays(tmp_path: Path, seed: int) -> None:
    source, target = tmp_path / "rig.usdc", tmp_path / "out.usda"
    random_rig(source, seed)
    clip, mesh = read_character(source)
    assert mesh is not None
    backwards = Clip(
        skeleton=clip.skeleton,
        rate=clip.rate,
        rotations=clip.rotations[::-1],
        translations=clip.translations[::-1],
        translated=clip.translated,
        source=clip.source,
    )
    assert write_character(target, backwards, mesh) == []
    again, word = read_usd(target, "poise"), OwnWord(target)
    np.testing.assert_allclose(again.clip.world_positions()[0], backwards.world_positions()[0], atol=1e-5)
    # USD itself plays the new motion from the old one's first time code on.
    first, last = OwnWord(source).places(1.0), word.places(9.0)
    np.testing.assert_allclose(last, first, atol=1e-5)
    before, after = values(Usd.Stage.Open(str(source))), values(word.stage)
    new = "/World/Character/Rig/poise"
    binding = "/World/Character/Rig.skel:animationSource"
    moved = {"/World/Character/Rig", *(key for key in after if key.startswith("/World/Character.xformOp"))}
    changed = {key for key in before if before[key] != after.get(key)}
    assert changed <= moved
    assert {key for key in after if key not in before} - moved - {binding} == {
        key for key in after if key.startswith(new)
    }
    assert after[binding] == f"[Sdf.Path('{new}')]"
    assert complaints(target) <= complaints(source)
    assert write_character(tmp_path / "more.usda", read_clip(target), None) == []
    assert set(read_usd(tmp_path / "more.usda").animations) == {"Walk", "poise", "poise_2"}


def test_a_stage_of_several_files_comes_back_as_one_package(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "parts").mkdir(parents=True)
    (home / "parts" / "skin.png").write_bytes(png((1, 2, 3)))
    write(home / "parts")
    prim = f'#usda 1.0\ndef "A" ( instanceable = true\n references = @{home}/parts/man.usda@</Man> ) {{ }}\n'
    file = write(home, prim, "several.usda")
    clip, mesh = read_character(file)
    written = write_own_format(tmp_path / "out", clip, mesh)
    assert written == (tmp_path / "out.usdz", [])
    again, skinned = read_character(tmp_path / "out.usdz", animation="poise")
    np.testing.assert_allclose(again.world_positions()[0], clip.world_positions()[0], atol=1e-6)
    assert skinned is not None
    assert skinned.materials[0].image == png((1, 2, 3))
    with pytest.raises(InputError, match=r"write \.usdz, which takes them in"):
        write_character(tmp_path / "out.usda", clip, mesh)
    assert not (tmp_path / "out.usda").exists()


def test_blend_shapes_of_the_old_animation_go_on(tmp_path: Path) -> None:
    shapes = 'uniform token[] blendShapes = ["smile"]\n float[] blendShapeWeights.timeSamples = { 0: [0], 30: [1] }\n half3[]'
    clip, mesh = read_character(write(tmp_path, BONES.replace("half3[]", shapes)))
    write_character(tmp_path / "out.usda", clip, mesh)
    stage = Usd.Stage.Open(str(tmp_path / "out.usda"))
    new = UsdSkel.Animation.Get(stage, "/Man/Rig/poise")
    assert list(new.GetBlendShapesAttr().Get()) == ["smile"]
    assert new.GetBlendShapeWeightsAttr().GetTimeSamples() == [0.0, 30.0]


def test_what_is_no_usd_character_has_no_own_format(tmp_path: Path) -> None:
    walk, mesh = walk_and_skin()
    assert write_own_format(tmp_path / "walk", walk, mesh) is None
    write_character(tmp_path / "walk.usda", walk, mesh)
    clip = read_clip(tmp_path / "walk.usda")
    written = write_own_format(tmp_path / "again", clip, mesh)
    assert written is not None
    assert written[0].name == "again.usda"
    with pytest.raises(InputError, match="written over this clip"):
        protect_sources(tmp_path, "walk", {"walker": Character.from_clip(clip)})


def test_the_motion_of_another_skeleton_is_refused(tmp_path: Path) -> None:
    file = write(tmp_path)
    clip = read_clip(file)
    file.write_text(BONES.replace("Hips/Head", "Hips/Neck"))
    with pytest.raises(InputError, match="not those of the original"):
        write_character(tmp_path / "out.usda", clip, None)


def test_the_pose_of_a_glb_is_that_of_the_usd(tmp_path: Path) -> None:
    random_rig(tmp_path / "rig.usdc", 1)
    clip, mesh = read_character(tmp_path / "rig.usdc")
    write_character(tmp_path / "rig.glb", clip, mesh)
    again, _ = read_character(tmp_path / "rig.glb", animation="poise")
    np.testing.assert_allclose(again.world_positions()[0], clip.world_positions()[0], atol=1e-5)


def test_without_usd_one_line_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "find_spec", lambda name: None)
    for door in (lambda: read_clip(write(tmp_path)), lambda: write_clip(tmp_path / "out.usda", walk_and_skin()[0])):
        with pytest.raises(InputError, match=r'pip install "poise\[usd\]"') as refused:
            door()
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (subprocess.CompletedProcess([], -11, b"", b""), "its reader crashed on it"),
        (subprocess.CompletedProcess([], 0, b"nothing", b""), "its reader broke off"),
        (subprocess.TimeoutExpired("x", 1.0), "took longer than"),
    ],
)
def test_a_child_that_crashes_or_hangs_costs_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: object, says: str
) -> None:
    def run(*_: object, **__: object) -> object:
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(InputError, match=says):
        read_clip(write(tmp_path))
