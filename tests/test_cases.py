"""Small failing inputs of the kinds that public reports tell of, each with its right value: ../shared/cases.

Each kind is tested from scratch too, without these files: test_bounds, test_repair, test_ik_rig, test_roles, test_io_*.
"""

from pathlib import Path

import numpy as np
import pytest

from poise.characters.retarget import retarget_onto
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character, write_clip
from poise.io.gltf import read_gltf
from poise.motion import Clip
from poise.motion.roles import guess_roles
from poise.report.clip_warnings import clip_warnings
from poise.runtime import Character, Session
from poise.scenes import clip_scene, read_scene
from poise.scenes.budget import check_budget, estimate

pytestmark = pytest.mark.shared

CASES = Path(__file__).resolve().parents[2] / "shared" / "cases"
FEET = ("LeftFoot", "RightFoot")


@pytest.fixture(scope="module")
def cases() -> Path:
    if not CASES.is_dir():
        pytest.skip("../shared/cases is not here")
    return CASES


@pytest.fixture(scope="module")
def walk(cases: Path) -> Clip:
    return read_clip(cases / "00_base_walk.bvh")


def places(clip: Clip, *names: str) -> np.ndarray:
    return clip.world_positions()[0][:, [clip.skeleton.index(name) for name in names]]


def played(clip: Clip, ticks: int | None = None) -> Session:
    scene = clip_scene(clip)
    check_budget(estimate(scene.characters, scene.setting))
    session = scene.session()
    session.run(ticks)
    return session


@pytest.mark.parametrize("name", ["00_base_walk.bvh", "00_base_squat.bvh", "00_base_character.glb"])
def test_the_bases_are_a_person_of_174_cm(cases: Path, name: str) -> None:
    who = Character.from_clip(read_clip(cases / name))
    assert who.plan.stature == pytest.approx(1.74, abs=0.005)
    assert all(role is not None for role in who.roles.by_joint)
    assert len(who.roles.by_joint) == 21
    assert who.clip.rate == pytest.approx(30.0, rel=1e-5)
    assert clip_warnings(who.plan, who.clip, who.floor) == []
    assert who.clip.source.notes == ()


REFUSED = {
    "01_glued_values.bvh": r"line 130: found .* as value 3",
    "12_two_roots.bvh": r"found several roots",
    "13_decimal_commas.bvh": r"line 4: found '0,00000'",
    "17_zero_frame_time.bvh": r"line 129: Frame Time is '0'",
    "run_far_root.bvh": r"the root is 1e\+07 m away in frame 0",
    "run_frame_time_1000.bvh": r"in 120000 ticks",
    "run_inertia.bvh": r"RightShoulder",
    "yaml_aliases.yaml": r"line 2: .*alias",
    "yaml_date.yaml": r"floor: .*2001-99-99",
    "yaml_roles_outside.yaml": r"'../secret.yml' is outside the scene file's folder",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_played_is_one_line(cases: Path, name: str) -> None:
    with pytest.raises(InputError, match=REFUSED[name]) as caught:
        read_scene(cases / name) if name.endswith(".yaml") else played(read_clip(cases / name), 2)
    assert "\n" not in str(caught.value)


def test_02_what_tracking_lost_is_bridged(cases: Path, walk: Clip) -> None:
    broken = Character.from_clip(read_clip(cases / "02_teleport_mid.bvh"))
    assert "frames 20–21 are lost (the root is 43 m off)" in broken.prepared.notes[0]
    results = []
    for who in (broken, Character.from_clip(walk)):
        session = Session({"w": who})
        session.run()
        results.append(session.result("w"))
    hands = [places(result, "LeftHand", "RightHand") for result in results]
    outside = [*range(17), *range(26, 60)]
    assert np.linalg.norm(hands[0] - hands[1], axis=-1)[outside].max() < 0.02
    np.testing.assert_allclose(results[0].translations[20:22], broken.prepared.source.translations[20:22], atol=1e-9)


def test_03_a_root_on_the_floor_is_no_pelvis(cases: Path) -> None:
    clip = read_clip(cases / "03_root_on_floor.bvh")
    assert clip.skeleton.names[guess_roles(clip.skeleton).joint("pelvis")] == "Hips"
    moved = retarget_onto(clip, *read_character(cases / "00_base_character.glb"))
    hips = places(moved, "Hips")[:, 0]
    assert np.linalg.norm(hips[-1, :2] - hips[0, :2]) == pytest.approx(0.983, abs=0.003)


def test_04_feet_of_an_ik_rig(cases: Path) -> None:
    clip = read_clip(cases / "04_ik_feet.bvh")
    roles = guess_roles(clip.skeleton)
    assert [clip.skeleton.names[roles.joint(role)] for role in ("left_foot", "right_foot")] == list(FEET)
    assert clip.source.metres_per_unit == 0.01
    assert "default" not in clip.source.unit_reason
    assert len(played(clip, 5).recording()) == 5


def test_05_an_armature_of_a_hundredth(cases: Path, tmp_path: Path) -> None:
    own, mesh = read_character(cases / "05_armature_scale_001.glb")
    assert Character.from_clip(own).plan.stature == pytest.approx(1.74, abs=0.005)
    write_character(tmp_path / "again.glb", own, mesh)
    again = read_gltf(tmp_path / "again.glb", "poise")
    np.testing.assert_allclose(again.clip.world_positions()[0], own.world_positions()[0], atol=1e-3)


def test_06_a_pose_of_turned_axes(cases: Path) -> None:
    truth = read_clip(cases / "06_truth.bvh")
    moved = retarget_onto(read_clip(cases / "06_a_pose_turned_axes.vrma"), *read_character(cases / "06_target.vrm"))
    ours, theirs = guess_roles(moved.skeleton), guess_roles(truth.skeleton)
    here, there = moved.world_positions()[0], truth.world_positions()[0]
    for above, below in (("thigh", "shank"), ("shank", "foot"), ("upper_arm", "forearm"), ("forearm", "hand")):
        for side in ("left_", "right_"):
            bones = [
                at[:, roles.joint(side + below)] - at[:, roles.joint(side + above)]
                for at, roles in ((here, ours), (there, theirs))
            ]
            units = [bone / np.linalg.norm(bone, axis=-1, keepdims=True) for bone in bones]
            count = min(map(len, units))
            apart = np.arccos(np.clip((units[0][:count] * units[1][:count]).sum(axis=-1), -1.0, 1.0))
            assert np.degrees(apart.max()) < 0.5


@pytest.mark.parametrize(("name", "travel"), [("short_legs", 0.64), ("long_legs", 1.28), ("giant", 1.97)])
def test_07_legs_of_other_lengths_walk_in_proportion(cases: Path, walk: Clip, name: str, travel: float) -> None:
    moved = retarget_onto(walk, *read_character(cases / f"07_{name}.glb"))
    hips = places(moved, "Hips")[:, 0]
    assert np.linalg.norm(hips[-1, :2] - hips[0, :2]) == pytest.approx(travel, abs=0.02)


@pytest.mark.parametrize("name", ["08_bad_mass_ratio", "08_tail_of_24", "09_zero_length"])
def test_08_09_odd_bodies_do_not_diverge(cases: Path, name: str) -> None:
    clip = read_clip(cases / f"{name}.bvh")
    session = played(clip)
    assert len(session.recording()) == session.tick_count


def test_10_left_handed_data_are_read_as_they_were_meant(cases: Path, tmp_path: Path) -> None:
    clip = read_clip(cases / "10_left_handed.bvh")
    assert "100 % of the bent knees bend backwards" in clip.source.notes[-1]
    moved = retarget_onto(clip, *read_character(cases / "00_base_character.glb"))
    hips, knees, feet = (
        places(moved, *(f"{side}{part}" for side in ("Left", "Right"))) for part in ("UpLeg", "Leg", "Foot")
    )
    assert feet[:, 0, 1].mean() == pytest.approx(0.09, abs=0.01)
    along = (feet - hips) / np.linalg.norm(feet - hips, axis=-1, keepdims=True)
    ahead = knees - hips - ((knees - hips) * along).sum(axis=-1, keepdims=True) * along
    assert ahead[..., 0].min() > -1e-3
    assert ahead[..., 0].max() > 0.05
    write_clip(tmp_path / "again.bvh", clip)
    again = read_clip(tmp_path / "again.bvh", mirrored=False)
    kept = read_clip(cases / "10_left_handed.bvh", mirrored=False)
    np.testing.assert_allclose(again.world_positions()[0], kept.world_positions()[0], atol=1e-6)


def test_14_a_floor_that_drifts_is_told(cases: Path) -> None:
    who = Character.from_clip(read_clip(cases / "14_floor_drift.bvh"))
    assert "--level" in clip_warnings(who.plan, who.clip, who.floor)[0]


def test_15_names_are_kept_and_both_toes_are_toes(cases: Path) -> None:
    clip = read_clip(cases / "15_duplicate_names.bvh")
    roles = guess_roles(clip.skeleton)
    assert [clip.skeleton.names[roles.joint(role)] for role in ("left_toes", "right_toes")] == ["Toe", "Toe_2"]
    assert "Toe_2" in clip.source.notes[0]
    assert len(Character.from_clip(read_clip(cases / "15_names.bvh")).plan) > 15


@pytest.mark.parametrize("name", ["11_quaternion_signs.glb", "16_gimbal.bvh", "05_armature_scale_001.glb"])
def test_16_round_trips_keep_every_place(cases: Path, tmp_path: Path, name: str) -> None:
    clip = read_clip(cases / name)
    write_clip(tmp_path / "there.glb", clip)
    write_clip(tmp_path / "back.bvh", read_clip(tmp_path / "there.glb"))
    back = read_clip(tmp_path / "back.bvh")
    np.testing.assert_allclose(back.world_positions()[0], clip.world_positions()[0], atol=1e-5)


def test_17_a_frame_time_that_is_a_rate(cases: Path, walk: Clip) -> None:
    clip = read_clip(cases / "17_frame_time_is_rate.bvh")
    assert clip.rate == 30.0
    assert "taken for a rate in Hz" in clip.source.notes[0]
    assert read_clip(cases / "17_frame_time_is_rate.bvh", rate=24.0).rate == 24.0
    assert clip.duration == pytest.approx(walk.duration, rel=1e-5)


def test_18_the_humanoid_table_says_the_roles(cases: Path) -> None:
    clip = read_clip(cases / "18_vrm_table_only.vrm")
    roles = guess_roles(clip.skeleton)
    names = {role: clip.skeleton.names[joint] for joint, role in enumerate(roles.by_joint) if role}
    assert names["left_upper_arm"] == "J054"
    assert names["right_upper_arm"] == "J058"
    assert (names["neck"], names["head"], names["left_foot"]) == ("J035", "J036", "J063")
    assert set(roles.reasons) == {"file", ""}


def test_19_the_walk_of_an_fbx(cases: Path, walk: Clip) -> None:
    """Legs and trunk as the BVH has them; its arms turn about two axes, which FBX takes in another order (see test_io_fbx)."""
    clip = read_clip(cases / "19_walk_animation.fbx")
    assert (len(clip), clip.rate) == (60, 30.0)
    same = ("Hips", "Head", "LeftArm", "LeftFoot", "RightFoot", "LeftToe")
    np.testing.assert_allclose(places(clip, *same), places(walk, *same), atol=1e-5)


def test_20_a_foot_that_sinks_for_a_moment_is_not_the_ground(cases: Path) -> None:
    who = Character.from_clip(read_clip(cases / "20_short_sink.bvh"))
    assert who.floor == pytest.approx(-0.009, abs=0.001)
    assert clip_warnings(who.plan, who.clip, who.floor) == []


def test_twenty_characters_of_a_scene_file_run(cases: Path) -> None:
    scene = read_scene(cases / "scene_20_characters.yaml")
    session = scene.session()
    session.run(5)
    assert len(session.characters) == 20
    assert not session.world.data.warning.number.any()


def test_every_case_is_here(cases: Path) -> None:
    text = Path(__file__).read_text(encoding="utf-8")
    names = [file.stem for file in cases.iterdir() if file.suffix != ".md"]
    assert [name for name in names if name not in text and name.removeprefix("07_") not in text] == []
