"""A motion on other skeletons: onto itself, there and back, lengths, feet."""

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from _builders import human_clip
from poise.assets import clip_path
from poise.body.retarget import retarget
from poise.characters.retarget import retarget_onto
from poise.cli.main import app
from poise.errors import InputError
from poise.io import read_character, read_clip
from poise.io.gltf import read_gltf
from poise.math import quat
from poise.metrics import measure
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.motion.roles import guess_roles
from poise.report.measured import motion_of
from poise.runtime import Character
from shared_people import MPFB_RIGS, cgmath_person, mpfb_person

READ = {
    "kaykit/Knight.glb": None,
    "mjolnir-zig/CesiumMan.glb": None,
    "pose-animation/humanoid.glb": "inch",
    "active-ragdolls/DemoModel.fbx": None,
    "kenney-animated/characterMedium.fbx": None,
    "ufbx/maya_kenney_character_7700_binary.fbx": None,
    "unity-antagonistic/ybot.fbx": None,
}
"""Skinned people in files that Poise reads, and their unit where the file is wrong about it."""


def walk() -> Clip:
    return read_clip(clip_path("walk"))


def skate(character: Character) -> float:
    motion = motion_of(character.plan, character.clip, character.floor)
    return float(measure(motion)["feet"]["weighted_skate_m_s"])


def test_onto_itself_is_the_identity() -> None:
    clip = walk()
    roles = guess_roles(clip.skeleton)
    moved, scale = retarget(clip, roles, clip, roles)
    assert scale == 1.0
    for result in (moved, retarget_onto(clip, clip)):
        assert quat.angle_between(result.rotations, clip.rotations).max() < 1e-9
        np.testing.assert_allclose(result.world()[1], clip.world()[1], atol=1e-9)


def test_there_and_back() -> None:
    clip, other = walk(), human_clip()
    roles, others = guess_roles(clip.skeleton), guess_roles(other.skeleton)
    there, scale = retarget(clip, roles, other, others)
    back, again = retarget(there, others, clip, roles)
    assert scale * again == pytest.approx(1.0)
    alike = [j for j, role in enumerate(roles.by_joint) if role is None or others.joint(role) is not None]
    apart = quat.angle_between(back.world()[0], clip.world()[0])[:, alike]
    assert np.degrees(apart.max()) < 1.0


def test_bones_keep_their_lengths_and_point_where_they_pointed() -> None:
    clip, other = walk(), human_clip()
    roles, others = guess_roles(clip.skeleton), guess_roles(other.skeleton)
    moved = retarget_onto(clip, other)
    places, theirs = moved.world()[1], clip.world()[1]
    parents = moved.skeleton.parents[1:]
    lengths = np.linalg.norm(places[:, 1:] - places[:, parents], axis=-1)
    wanted = np.broadcast_to(np.linalg.norm(other.skeleton.offsets[1:], axis=-1), lengths.shape)
    np.testing.assert_allclose(lengths, wanted, atol=1e-9)
    for side in ("left_", "right_"):
        here, there = (
            p[:, r.joint(side + "forearm")] - p[:, r.joint(side + "upper_arm")]
            for p, r in ((places, others), (theirs, roles))
        )
        cosine = (here * there).sum(axis=1) / np.linalg.norm(here, axis=1) / np.linalg.norm(there, axis=1)
        assert np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))).max() < 0.1


@pytest.mark.shared
@pytest.mark.parametrize("name", READ)
def test_people_of_other_files_walk_without_more_skate(name: str, shared_data: Path) -> None:
    clip = loop(walk(), 2)
    own, mesh = read_character(shared_data / name, unit=READ[name])
    character = Character.from_clip(retarget_onto(clip, own, mesh), None, mesh)
    source = Character.from_clip(clip)
    assert skate(character) < 1.1 * skate(source)
    # A body built anew from the walk may see the soles a little differently where the file's rest pose is no stand.
    assert character.floor == pytest.approx(source.floor, abs=1e-3)


@pytest.mark.shared
@pytest.mark.parametrize("name", [*MPFB_RIGS, "cgmath"])
def test_people_built_from_parts_walk_without_more_skate(name: str, shared_data: Path) -> None:
    own, mesh = cgmath_person(shared_data / "cgmath") if name == "cgmath" else mpfb_person(shared_data / "mpfb2", name)
    clip = loop(walk(), 2)
    character = Character.from_clip(retarget_onto(clip, own, mesh), None, mesh)
    assert skate(character) < 1.1 * skate(Character.from_clip(clip))


@pytest.mark.shared
def test_command_writes_the_character_in_its_own_skin(shared_data: Path, tmp_path: Path) -> None:
    knight, target = shared_data / "kaykit/Knight.glb", tmp_path / "out.glb"
    done = CliRunner().invoke(app, ["convert", str(clip_path("walk")), str(target), "--onto", str(knight)])
    assert done.exit_code == 0, done.output
    before, after = read_gltf(knight), read_gltf(target, "poise")
    assert before.mesh is not None
    assert after.mesh is not None
    np.testing.assert_array_equal(after.mesh.vertices, before.mesh.vertices)
    assert len(after.animations) == len(before.animations) + 1
    assert len(after.clip) == len(walk())
    assert "play it with --animation poise" in done.output
    again = CliRunner().invoke(app, ["convert", str(clip_path("walk")), str(knight), "--onto", str(knight)])
    assert again.exit_code != 0


def test_only_scenes_made_for_a_clip_take_another_character(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["run", "rough", "--character", "Knight.glb", "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert isinstance(done.exception, InputError)
    assert "forest, jog" in str(done.exception)
