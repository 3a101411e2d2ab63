"""FBX by ufbx in a child: takes, skeletons, skins, text and binary, old and new; damaged ones are one line."""

import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from poise.body import build_body
from poise.characters.prepare import prepare
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character
from poise.io.bvh_read import read_bvh
from poise.io.fbx import read_fbx
from poise.io.gltf import read_gltf
from poise.math import quat
from poise.motion.roles import guess_roles
from poise.motion.skin import skin

pytestmark = pytest.mark.shared

# What is in each file: joints, frames, rate, and how tall a person it makes, by looking into it with other programs.
FILES = {
    "kenney-animated/characterMedium.fbx": (46, 1, 30.0, 3.05),
    "kenney-animated/run.fbx": (59, 17, 24.0, 3.04),
    "ufbx/maya_character_7500_binary.fbx": (62, 1, 30.0, 1.89),
    "ufbx/maya_human_ik_6100_ascii.fbx": (62, 1, 30.0, 1.89),
    "ufbx/maya_human_ik_7400_binary.fbx": (62, 120, 24.0, 1.89),
    "ufbx/maya_kenney_character_7700_binary.fbx": (59, 21, 24.0, 3.04),
    "unity-antagonistic/ybot.fbx": (67, 2, 30.0, 1.80),
    "unity-antagonistic/ybot@Walking.fbx": (67, 32, 30.0, 1.80),
    "ufbx/motionbuilder_actor_7700_ascii.fbx": (9, None, None, None),
}


@pytest.mark.parametrize("name", FILES)
def test_text_and_binary_of_all_ages_are_read(name: str, shared_data: Path) -> None:
    joints, frames, rate, stature = FILES[name]
    clip = read_clip(shared_data / name)
    assert len(clip.skeleton) == joints
    assert not any("glTF" in line for line in (*clip.source.notes, clip.source.unit_reason, clip.source.up_reason))
    if stature is not None:
        assert (len(clip), clip.rate) == (frames, rate)
        assert build_body(clip, guess_roles(clip.skeleton)).stature == pytest.approx(stature, abs=0.006)


@pytest.mark.parametrize(
    ("name", "metres", "unit", "up"),
    [
        ("kenney-animated/run.fbx", 0.01, "cm", "y"),
        ("ufbx/max_transformed_skin_7500_binary.fbx", 0.01, "cm", "z"),
        ("ufbx/maya_human_ik_7400_binary.fbx", 1.0, "m", "y"),
    ],
)
def test_the_unit_that_is_told_is_the_one_that_can_be_given(
    name: str, metres: float, unit: str, up: str, shared_data: Path
) -> None:
    clip = read_clip(shared_data / name)
    assert (clip.source.metres_per_unit, clip.source.up_axis) == (metres, up)
    assert clip.source.unit_reason == f"{unit}: stated by the file"
    assert clip.source.up_reason == f"{up}: stated by the file"
    given = read_clip(shared_data / name, unit=unit, up=up)
    place, again = clip.world_positions()[0], given.world_positions()[0]
    # Which way the file faces is its own affair; how tall it stands is not.
    assert np.ptp(again[..., 2]) == pytest.approx(np.ptp(place[..., 2]), abs=1e-4)


def test_a_rig_with_controls_of_feet_is_no_damaged_take(shared_data: Path) -> None:
    clip = read_clip(shared_data / "kenney-animated/run.fbx")
    assert prepare(clip).notes == ()


def test_a_take_is_what_its_curves_say(shared_data: Path) -> None:
    """The walk of the BVH beside it, each joint turned about Z first, then X, then Y, as FBX defines its order 4."""
    cases = shared_data.parent / "cases"
    file = cases / "19_walk_animation.fbx"
    if not file.is_file():
        pytest.skip("../shared/cases is not here")
    clip, walk = read_clip(file), read_bvh(cases / "00_base_walk.bvh")
    assert (len(clip), clip.rate) == (60, 30.0)
    order = [clip.skeleton.names.index(name) for name in walk.skeleton.names]
    np.testing.assert_allclose(clip.skeleton.offsets[order][1:], walk.skeleton.offsets[1:], atol=1e-6)
    np.testing.assert_allclose(clip.translations[:, 0], walk.translations[:, 0], atol=1e-6)
    rows = [line.split() for line in (cases / "00_base_walk.bvh").read_text().split("Frame Time")[1].splitlines()[1:]]
    angles = np.array([row for row in rows if row], dtype=np.float64)[:, 3:].reshape(60, -1, 3)
    turns = Rotation.from_euler("zxy", angles.reshape(-1, 3), degrees=True).as_quat().reshape(60, -1, 4)
    # The file's x, y, z are Poise's y, z, x.
    wanted = turns[..., [3, 2, 0, 1]]
    assert quat.angle_between(clip.rotations[:, order], wanted).max() < 1e-5


def test_a_skin_without_motion_stands_and_a_motion_without_skin_moves(shared_data: Path) -> None:
    folder = shared_data / "unity-antagonistic"
    walking, nothing = read_character(folder / "ybot@Walking.fbx")
    assert nothing is None
    assert np.ptp(walking.world_positions()[0][:, 0], axis=0).max() > 0.05
    own, mesh = read_character(folder / "ybot.fbx")
    assert mesh is not None
    body = skin(mesh, *own.pose(0).world())
    assert np.ptp(body[:, 2]) == pytest.approx(1.8, abs=0.03)
    # Both hang on the same skeleton.
    assert set(own.skeleton.names) == set(walking.skeleton.names)


def test_takes_are_chosen_by_name(shared_data: Path) -> None:
    file = shared_data / "active-ragdolls" / "DemoModel.fbx"
    walking = read_clip(file, animation="Player|Walking")
    assert len(walking) > 10
    with pytest.raises(InputError, match=r"Player\|Walking"):
        read_clip(file, animation="Flying")


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


def test_damaged_files_are_refused_in_one_line(
    shared_data: Path, tmp_path: Path, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poise.io.child._LONGEST", 20.0)
    content = (shared_data / "momentum/animation_test.fbx").read_bytes()
    file = tmp_path / "bad.fbx"
    complaints: list[str] = []
    for number in range(12):
        damaged = bytearray(content)
        for at in rng.integers(0, len(content), 40):
            damaged[at] = rng.integers(0, 256)
        file.write_bytes(damaged[: rng.integers(1, len(content))] if number % 3 == 0 else damaged)
        try:
            read_fbx(file)
        except InputError as error:
            complaints.append(str(error))
    assert complaints
    assert [each for each in complaints if "\n" in each or "bad.fbx" not in each] == []


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (subprocess.CompletedProcess([], -11, b"", b""), "its reader crashed on it"),
        (
            subprocess.CompletedProcess([], 1, b"", b"FileFormatError: no FBX\n"),
            "cannot be taken: FileFormatError: no FBX",
        ),
        (subprocess.CompletedProcess([], 0, b"nothing", b""), "the FBX is damaged"),
        (subprocess.TimeoutExpired("x", 1.0), "took longer than"),
    ],
)
def test_a_child_that_crashes_or_hangs_costs_the_file_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, result: object, says: str
) -> None:
    file = tmp_path / "some.fbx"
    file.write_bytes(b"Kaydara FBX Binary")

    def run(*_: object, **__: object) -> object:
        if isinstance(result, Exception):
            raise result
        return result

    monkeypatch.setattr(subprocess, "run", run)
    with pytest.raises(InputError, match=says):
        read_fbx(file)
