"""USD read: against UsdSkel's own word, what is declared, and every refusal in one line."""

import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from scipy.spatial import cKDTree

from poise.errors import InputError
from poise.io import read_character, read_clip
from poise.io.gltf.read import GltfCharacter
from poise.io.usd import read_usd
from poise.io.usd.joints import JOINT
from poise.motion.skin import skin
from usd_samples import OwnWord, random_rig

BONES = """#usda 1.0
(
    metersPerUnit = 0.01
    upAxis = "Z"
    timeCodesPerSecond = 30
)
def SkelRoot "Man"
{
    def Skeleton "Rig" ( prepend apiSchemas = ["SkelBindingAPI"] )
    {
        uniform token[] joints = ["Hips", "Hips/Head"]
        uniform matrix4d[] bindTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 90, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 160, 1))]
        uniform matrix4d[] restTransforms = [
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 90, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 70, 1))]
        rel skel:animationSource = </Man/Nod>
    }
    def SkelAnimation "Nod"
    {
        uniform token[] joints = ["Hips", "Hips/Head"]
        float3[] translations = [(0, 0, 90), (0, 0, 70)]
        quatf[] rotations.timeSamples = {
            0: [(1, 0, 0, 0), (1, 0, 0, 0)],
            30: [(1, 0, 0, 0), (0.70710677, 0.70710677, 0, 0)],
        }
        half3[] scales = [(1, 1, 1), (1, 1, 1)]
    }
    def Mesh "Skin" ( prepend apiSchemas = ["SkelBindingAPI", "MaterialBindingAPI"] )
    {
        int[] faceVertexCounts = [4]
        int[] faceVertexIndices = [0, 1, 2, 3]
        point3f[] points = [(0, 0, 90), (0, -20, 90), (0, -20, 160), (0, 0, 160)]
        texCoord2f[] primvars:st = [(0, 0), (1, 0), (1, 1), (0, 0.75)] ( interpolation = "faceVarying" )
        rel skel:skeleton = </Man/Rig>
        int[] primvars:skel:jointIndices = [0, 0, 1, 1] ( elementSize = 1; interpolation = "vertex" )
        float[] primvars:skel:jointWeights = [1, 1, 1, 1] ( elementSize = 1; interpolation = "vertex" )
        rel material:binding = </Man/Paint>
    }
    def Material "Paint"
    {
        token outputs:surface.connect = </Man/Paint/Surface.outputs:surface>
        def Shader "Surface"
        {
            uniform token info:id = "UsdPreviewSurface"
            color3f inputs:diffuseColor.connect = </Man/Paint/Image.outputs:rgb>
            token outputs:surface
        }
        def Shader "Image"
        {
            uniform token info:id = "UsdUVTexture"
            asset inputs:file = @skin.png@
            float3 outputs:rgb
        }
    }
}
"""

CLIPS = """def SkelRoot "Man" (
    clips = {
        dictionary default = {
            asset[] assetPaths = [@a.usda@]
        }
    }
)"""


def write(folder: Path, text: str = BONES, name: str = "man.usda") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def joint_columns(character: GltfCharacter, word: OwnWord) -> list[int]:
    """Where in the clip each of the stage's joints is."""
    nodes = character.body.document.root.value["nodes"]
    tokens = [nodes[node]["extras"].get(JOINT) for node in character.body.rest.joints]
    return [tokens.index(joint) for joint in word.joints]


@pytest.mark.parametrize("seed", range(4))
def test_joints_and_points_are_where_usdskel_has_them(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "rig.usdc"
    random_rig(file, seed)
    character, word = read_usd(file), OwnWord(file)
    assert (len(character.clip), character.clip.rate, character.animations) == (9, 24.0, ("Walk",))
    rotations, positions = character.clip.world()
    columns = joint_columns(character, word)
    assert character.mesh is not None
    assert [look.color for look in character.mesh.materials] == [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]
    assert character.mesh.triangle_materials.tolist() == [0, 0, 0, 1, 1, 1]
    size = float(np.abs(positions).max())
    for frame in range(9):
        np.testing.assert_allclose(positions[frame, columns], word.places(1.0 + frame), atol=2e-6 * size)
        points = skin(character.mesh, rotations[frame], positions[frame])
        theirs = word.points("/World/Character/Skin", 1.0 + frame)
        # A point at the border of two materials is there twice.
        assert max(cKDTree(theirs).query(points)[0].max(), cKDTree(points).query(theirs)[0].max()) < 2e-5 * size


def test_units_axes_rate_and_names_are_the_files_own(tmp_path: Path) -> None:
    clip = read_clip(write(tmp_path))
    assert (clip.skeleton.names, clip.name, len(clip), clip.rate) == (("Hips", "Head"), "Nod", 31, 30.0)
    np.testing.assert_allclose(clip.world_positions()[0][0], [[0.0, 0.0, 0.9], [0.0, 0.0, 1.6]], atol=1e-7)
    assert "0.01 m, metersPerUnit of the file" in clip.source.unit_reason
    assert "z, upAxis of the file" in clip.source.up_reason
    silent = read_clip(write(tmp_path, BONES.replace("metersPerUnit = 0.01", "").replace('upAxis = "Z"', "")))
    assert "where a file is silent" in silent.source.unit_reason
    np.testing.assert_allclose(silent.world_positions()[0][0, 1], [1.6, 0.0, 0.0], atol=1e-7)
    told = read_clip(tmp_path / "man.usda", unit="inch", up="z")
    np.testing.assert_allclose(told.world_positions()[0][0, 1], [0.0, 0.0, 160 * 0.0254], atol=1e-6)


def test_the_image_is_the_right_way_up(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4), (10, 200, 30)).save(tmp_path / "skin.png")
    mesh = read_character(write(tmp_path)).mesh
    assert mesh is not None
    assert mesh.uvs is not None
    assert mesh.materials[0].image == (tmp_path / "skin.png").read_bytes()
    highest = int(np.argmax(mesh.vertices[:, 2] + mesh.vertices[:, 0]))
    # USD counts from the lower left, Poise from the upper left.
    corners = {tuple(np.round(row, 3)) for row in mesh.uvs.tolist()}
    assert corners == {(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.25)}
    assert mesh.uvs[highest, 1] < 0.5


def test_a_point_with_two_places_on_the_image_becomes_two_vertices(tmp_path: Path) -> None:
    text = BONES.replace("faceVertexCounts = [4]", "faceVertexCounts = [3, 3]").replace(
        "faceVertexIndices = [0, 1, 2, 3]", "faceVertexIndices = [0, 1, 2, 0, 2, 3]"
    )
    text = text.replace("[(0, 0), (1, 0), (1, 1), (0, 0.75)]", "[(0, 0), (1, 0), (1, 1), (0.5, 0), (1, 1), (0, 1)]")
    mesh = read_character(write(tmp_path, text)).mesh
    assert mesh is not None
    assert (len(mesh), len(mesh.triangles)) == (5, 2)


def test_a_skeleton_alone_stands_and_an_animation_alone_moves(tmp_path: Path) -> None:
    skeleton = (
        BONES[: BONES.index('    def SkelAnimation "Nod"')].replace("rel skel:animationSource = </Man/Nod>", "") + "}"
    )
    standing = read_clip(write(tmp_path, skeleton))
    assert len(standing) == 1
    assert "the file has no animation; its rest pose is one frame" in standing.source.notes
    start, end = BONES.index('    def SkelAnimation "Nod"'), BONES.index('    def Mesh "Skin"')
    header = BONES[: BONES.index("def SkelRoot")]
    nodding, mesh = read_character(write(tmp_path, header + BONES[start:end]))
    assert mesh is None
    assert any("no skeleton" in note for note in nodding.source.notes)
    whole = read_clip(write(tmp_path))
    np.testing.assert_allclose(nodding.world_positions()[0], whole.world_positions()[0], atol=1e-6)


def test_animations_are_chosen_by_name(tmp_path: Path) -> None:
    second = BONES[BONES.index('    def SkelAnimation "Nod"') : BONES.index('    def Mesh "Skin"')].replace(
        '"Nod"', '"Bow"'
    )
    file = write(tmp_path, BONES.replace('    def Mesh "Skin"', second + '    def Mesh "Skin"'))
    assert read_usd(file).animations == ("Nod", "Bow")
    assert read_clip(file, animation="Bow").name == "Bow"
    with pytest.raises(InputError, match="Nod"):
        read_clip(file, animation="Fly")


def test_names_that_occur_again_say_where_they_are(tmp_path: Path) -> None:
    text = BONES.replace('["Hips", "Hips/Head"]', '["Root/Left/Hand", "Root/Right/Hand"]')
    assert read_clip(write(tmp_path, text)).skeleton.names == ("Rig", "Left_Hand", "Right_Hand")
    named = BONES.replace(
        "uniform matrix4d[] bind", 'uniform token[] jointNames = ["the hips", "head:1"]\nuniform matrix4d[] bind'
    )
    assert read_clip(write(tmp_path, named)).skeleton.names == ("the hips", "head:1")


def test_layers_and_images_lie_in_the_folder_or_below(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "parts").mkdir(parents=True)
    write(home / "parts", name="man.usda")
    secret = tmp_path / "outside.usda"
    secret.write_text(BONES)
    one = '#usda 1.0\ndef SkelRoot "A" ( references = @{}@</Man> ) {{ }}\n'
    referring = read_clip(write(home, one.format("./parts/man.usda"), "good.usda"))
    # A second of 30 time codes there is a second of 24 here.
    assert (len(referring), referring.rate) == (25, 24.0)
    for named in ("../outside.usda", str(secret), "parts/link.usda"):
        (home / "parts" / "link.usda").unlink(missing_ok=True)
        (home / "parts" / "link.usda").symlink_to(secret)
        with pytest.raises(InputError, match="outside its own folder") as refused:
            read_clip(write(home, one.format(named), "bad.usda"))
        assert "\n" not in str(refused.value)
    below = BONES.replace("    metersPerUnit", "    subLayers = [@../../outside.usda@]\n    metersPerUnit")
    write(home / "parts", below, "deep.usda")
    with pytest.raises(InputError, match="outside its own folder"):
        read_clip(write(home, one.format("parts/deep.usda"), "bad.usda"))
    pictured = read_usd(write(home, BONES.replace("@skin.png@", f"@{secret}@"), "picture.usda"))
    assert pictured.mesh is not None
    assert [look for look in pictured.mesh.materials if look.image] == []
    assert any("outside the file's folder" in note for note in pictured.clip.source.notes)
    lacking = BONES.replace("    metersPerUnit", "    subLayers = [@gone.usda@]\n    metersPerUnit")
    gone = read_clip(write(home, lacking, "lacking.usda"))
    assert any("'gone.usda' is not there" in note for note in gone.source.notes)


def test_no_pipe_is_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.usda")
    with pytest.raises(InputError):
        read_clip(write(tmp_path, '#usda 1.0\ndef "A" ( references = @pipe.usda@ ) {}\n'))
    with pytest.raises(InputError, match="not a plain file"):
        read_clip(tmp_path / "pipe.usda")


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("#usda 1.0", "usda", "not a USD file"),
        ("#usda 1.0", "#usda one", "Unable to parse layer version"),
        ('joints = ["Hips", "Hips/Head"]', 'joints = ["Hips", "Hips"]', "names a joint twice"),
        ('joints = ["Hips", "Hips/Head"]', 'joints = ["Hips/Head", "Hips"]', "a joint before the joint above it"),
        ("translations = [(0, 0, 90), (0, 0, 70)]", "translations = [(0, 0, 90)]", "has 1 values for 2 joints"),
        ("(0, 0, 70, 1))]", "(0, 0, inf, 1))]", "not finite"),
        ("(0, 0, 70, 1))]", "(0, 0, 1e30, 1))]", "expected finite numbers"),
        ("faceVertexCounts = [4]", "faceVertexCounts = [400000000]", "do not fit 4 faceVertexIndices"),
        ("faceVertexIndices = [0, 1, 2, 3]", "faceVertexIndices = [0, 1, 2, 9]", "must lie in 0…3"),
        ("jointIndices = [0, 0, 1, 1]", "jointIndices = [0, 0, 1, 7]", "a joint that its skeleton does not have"),
        ("jointWeights = [1, 1, 1, 1]", "jointWeights = [1, 1, 1]", "do not fit 4 points"),
        ("jointWeights = [1, 1, 1, 1]", "jointWeights = [1, 1, 1, 0]", "point 3 follows no joint"),
        ("metersPerUnit = 0.01", "metersPerUnit = -1", "expected positive numbers"),
        ("timeCodesPerSecond = 30", "timeCodesPerSecond = 0", "expected positive numbers"),
        ("30: [(1, 0, 0, 0), (0.7", "1e12: [(1, 0, 0, 0), (0.7", "too long|above"),
        (
            'def SkelRoot "Man"',
            CLIPS,
            "value clips",
        ),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, before: str, after: str, says: str) -> None:
    assert before in BONES
    file = write(tmp_path, BONES.replace(before, after))
    with pytest.raises(InputError, match=says) as refused:
        read_clip(file)
    assert "\n" not in str(refused.value)
    assert "man.usda" in str(refused.value)


def test_a_skin_that_cannot_be_bound_is_left_out(tmp_path: Path) -> None:
    clip, mesh = read_character(write(tmp_path, BONES.replace("(0, 0, 160, 1))]", "(0, 0, nan, 1))]")))
    assert mesh is None
    assert any("read without a skin" in note for note in clip.source.notes)


def test_a_stage_without_a_skeleton_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no skeleton"):
        read_clip(write(tmp_path, '#usda 1.0\ndef Xform "A" {}\n'))
