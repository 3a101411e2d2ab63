"""AMASS and SMPL files: against SciPy's turns on the models' published tree, and what is refused."""

import io
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from io_samples import PLAIN, clip_or_error, read
from poise.body import build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_height
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.motion import Clip, Skeleton, guess_roles
from poise.motion.edit import root_motion
from smpl_samples import NAMES, motion, parents_of, plain_positions, save, standing

WIDTHS = sorted(NAMES)


@pytest.mark.parametrize("width", WIDTHS)
def test_joints_are_where_the_formula_of_the_models_puts_them(tmp_path: Path, width: int) -> None:
    entries = motion(width)
    clip = read_clip(save(tmp_path / "a.npz", entries))
    assert (len(clip), clip.rate, clip.source.format, clip.source.up_axis) == (12, 60.0, "smpl", "z")
    assert sorted(clip.skeleton.names) == sorted(NAMES[width])
    positions = clip.world_positions()[0]
    for name, wanted in plain_positions(entries, clip.skeleton).items():
        np.testing.assert_allclose(positions[:, clip.skeleton.index(name)], wanted, atol=1e-12)


@pytest.mark.parametrize("width", WIDTHS)
def test_the_tree_is_that_of_the_models_and_comes_depth_first(tmp_path: Path, width: int) -> None:
    skeleton = read_clip(save(tmp_path / "a.npz", motion(width))).skeleton
    for name, parent in zip(NAMES[width], parents_of(width), strict=True):
        above = skeleton.parents[skeleton.index(name)]
        assert above == (-1 if parent < 0 else skeleton.index(NAMES[width][parent]))
    for joint in range(len(skeleton)):
        below = skeleton.descendants(joint)
        assert below == list(range(joint, joint + len(below)))


@pytest.mark.parametrize("width", WIDTHS)
def test_every_part_of_the_body_is_known(tmp_path: Path, width: int) -> None:
    clip = read_clip(save(tmp_path / "a.npz", motion(width)))
    roles = guess_roles(clip.skeleton)
    wanted: dict[str, str | None] = {"pelvis": "pelvis", "neck": "neck", "head": "head"}
    wanted |= {f"spine{number}": "spine" for number in (1, 2, 3)}
    parts = {"hip": "thigh", "knee": "shank", "ankle": "foot", "foot": "toes"}
    parts |= {"collar": "clavicle", "shoulder": "upper_arm", "elbow": "forearm", "wrist": "hand"}
    wanted |= {f"{side}_{part}": f"{side}_{role}" for side in ("left", "right") for part, role in parts.items()}
    assert {name: role for name, role in zip(clip.skeleton.names, roles.by_joint, strict=True) if role} == wanted


@pytest.mark.parametrize(("gender", "stature"), [("male", 1.756), (b"female", 1.629), ("neutral", 1.692), ("", 1.692)])
def test_a_person_of_mean_proportions_stands_on_the_floor(tmp_path: Path, gender: str | bytes, stature: float) -> None:
    entries = standing() | {"gender": np.array(gender)}
    entries["trans"][:, 2] = 0.545 * stature
    clip = read_clip(save(tmp_path / "a.npz", entries))
    plan = build_body(clip, guess_roles(clip.skeleton))
    assert plan.stature == pytest.approx(stature, rel=1e-9)
    assert ground_height(plan, body_frames(plan, generalized_from_clip(plan, clip))) == pytest.approx(0.0, abs=0.01)
    joints, ends = clip.world_positions()
    assert max(joints[0, :, 2].max(), ends[0, :, 2].max()) == pytest.approx(stature)
    # AMASS' people face -y where nothing turns them, so their left is x.
    left, right = (joints[0, clip.skeleton.index(f"{side}_wrist")] for side in ("left", "right"))
    np.testing.assert_allclose(left - right, [2 * (0.115 + 0.186 + 0.146) * stature, 0.0, 0.0], atol=1e-12)
    toes, ankle = (joints[0, clip.skeleton.index(name)] for name in ("left_foot", "left_ankle"))
    assert toes[1] < ankle[1] - 0.1
    assert root_motion(clip).displacement[-1] == pytest.approx([0.0, -0.14])


def test_the_bind_pose_stands_in_t_pose_and_faces_x(tmp_path: Path) -> None:
    clip = read_clip(save(tmp_path / "a.npz", standing(72)))
    still = clip.with_motion(np.tile([1.0, 0.0, 0.0, 0.0], (1, 24, 1)), clip.skeleton.offsets[None, :1])
    joints = {name: still.world_positions()[0][0, still.skeleton.index(name)] for name in still.skeleton.names}
    assert joints["left_foot"][0] > joints["left_ankle"][0] + 0.1
    assert joints["head"][2] > joints["pelvis"][2] > joints["left_ankle"][2] > 0.0
    np.testing.assert_allclose(joints["left_hand"] * [1, -1, 1], joints["right_hand"], atol=1e-12)
    np.testing.assert_allclose(joints["left_wrist"][[0, 2]], joints["left_shoulder"][[0, 2]], atol=1e-12)


def test_a_file_in_parts_is_as_one_in_a_piece(tmp_path: Path) -> None:
    entries = motion(165)
    poses = entries["poses"]
    parts = {"root_orient": poses[:, :3], "pose_body": poses[:, 3:66], "pose_jaw": poses[:, 66:69]}
    parts |= {"pose_eye": poses[:, 69:75], "pose_hand": poses[:, 75:]}
    whole = read_clip(save(tmp_path / "whole.npz", entries))
    apart = read_clip(save(tmp_path / "apart.npz", entries, poses=None, **parts))
    np.testing.assert_array_equal(apart.rotations, whole.rotations)
    faceless = read_clip(save(tmp_path / "hands.npz", entries, poses=None, **(parts | {"pose_jaw": None})))
    assert sorted(faceless.skeleton.names) == sorted(NAMES[156])
    body = save(tmp_path / "body.npz", entries, poses=None, root_orient=poses[:, :3], pose_body=poses[:, 3:66])
    assert sorted(read_clip(body).skeleton.names) == sorted(NAMES[66])


def test_both_spellings_of_the_rate_and_the_users_own(tmp_path: Path) -> None:
    path = save(tmp_path / "a.npz", motion(), mocap_framerate=None, mocap_frame_rate=np.array([120], dtype=np.int32))
    assert read_clip(path).rate == 120.0
    assert read_clip(path, rate=100.0).rate == 100.0


def test_where_y_is_up_in_the_world_it_is_seen_or_said(tmp_path: Path) -> None:
    entries = motion()
    entries["poses"][:, :3] -= [np.pi / 2, 0.0, 0.0]
    path = save(tmp_path / "a.npz", entries)
    clip = read_clip(path)
    assert (clip.source.up_axis, clip.source.up_reason) == ("y", "y: the head is above the feet along it in the motion")
    for name, wanted in plain_positions(entries, clip.skeleton).items():
        np.testing.assert_allclose(
            clip.world_positions()[0][:, clip.skeleton.index(name)], wanted[:, [2, 0, 1]], atol=1e-12
        )
    said = read_clip(path, up="x")
    assert said.source.up_reason == "given by the user"
    for name, wanted in plain_positions(entries, clip.skeleton).items():
        np.testing.assert_allclose(
            said.world_positions()[0][:, said.skeleton.index(name)], wanted[:, [1, 2, 0]], atol=1e-12
        )


def test_who_lies_is_not_stood_up(tmp_path: Path) -> None:
    entries = motion()
    entries["poses"][:, :3] = [np.pi, 0.0, 0.0]  # on the face, the head towards -y
    assert read_clip(save(tmp_path / "a.npz", entries)).source.up_axis == "z"


@pytest.mark.parametrize("width", WIDTHS)
def test_through_bvh_it_is_the_same_motion(tmp_path: Path, width: int) -> None:
    clip = read_clip(save(tmp_path / "a.npz", motion(width, frames=40)))
    assert write_clip(tmp_path / "a.bvh", clip) == []
    back = read_clip(tmp_path / "a.bvh")
    assert back.skeleton.names == clip.skeleton.names
    assert back.rate == pytest.approx(clip.rate)
    for mine, theirs in zip(clip.world_positions(), back.world_positions(), strict=True):
        np.testing.assert_allclose(theirs, mine, rtol=0.0, atol=1e-6)


def test_a_clip_of_poise_stays_one_whatever_else_is_in_the_file(tmp_path: Path) -> None:
    write_clip(tmp_path / "clip.npz", read(tmp_path, PLAIN))
    with np.load(tmp_path / "clip.npz") as data:
        entries = {key: data[key] for key in data}
    assert read_clip(save(tmp_path / "both.npz", entries, **motion())).source.format == "bvh"
    for other in ({"x": np.zeros(3)}, {"schema": np.array("poise-recording-3"), "trans": np.zeros(3)}):
        with pytest.raises(InputError, match=r"a clip has the entry schema = 'poise-clip', a motion of SMPL has poses"):
            read_clip(save(tmp_path / "other.npz", other))


class Trap:
    """What would tell if it were unpickled."""

    sprung = False

    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return _spring, ("",)


def _spring(_: str) -> None:
    Trap.sprung = True


def test_nothing_is_unpickled(tmp_path: Path) -> None:
    trap = np.array([Trap()], dtype=object)
    path = save(tmp_path / "a.npz", motion(), markers_latent_vids=trap, betas=trap)
    assert len(read_clip(path)) == 12
    for key in ("poses", "trans", "gender", "mocap_framerate"):
        with pytest.raises(InputError, match=rf"entry '{key}': .*Python objects, which are never unpickled"):
            read_clip(save(tmp_path / "b.npz", motion(), **{key: trap}))
    assert not Trap.sprung
    with np.load(path, allow_pickle=True) as data:
        data["betas"]
    assert Trap.sprung


NAN, HUGE = motion()["trans"].copy(), motion()["poses"].copy()
NAN[7, 1], HUGE[2, 5] = np.nan, 1e300
WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "no poses": ({"poses": None}, "entry 'root_orient': the entry is missing"),
    "no body": ({"poses": None, "root_orient": np.zeros((12, 3))}, "entry 'pose_body': the entry is missing"),
    "no trans": ({"trans": None}, "entry 'trans': the entry is missing; expected numbers of shape (frames >= 1, 3)"),
    "no rate": ({"mocap_framerate": None}, "entry mocap_framerate or mocap_frame_rate: the entry is missing"),
    "width": ({"poses": np.zeros((12, 100))}, "shape (12, 100); expected numbers of shape (frames >= 1, 66 | 72 |"),
    "flat": ({"poses": np.zeros(156)}, "entry 'poses': the entry has type float64 and shape (156,)"),
    "deep": ({"poses": np.zeros((12, 52, 3))}, "shape (12, 52, 3)"),
    "none": ({"poses": np.zeros((0, 156)), "trans": np.zeros((0, 3))}, "frames >= 1"),
    "words": ({"poses": np.full((12, 156), "a")}, "entry 'poses': the entry has type <U1"),
    "complex": ({"trans": np.zeros((12, 3), complex)}, "entry 'trans': the entry has type complex128"),
    "lengths": ({"trans": np.zeros((11, 3))}, "entry 'trans': the entry has 11 frames, and poses has 12"),
    "nan": ({"trans": NAN}, "entry 'trans': frame 7 has the number nan; expected finite ones"),
    "huge": ({"poses": HUGE}, "entry 'poses': frame 2 has the number 1e+300"),
    "rate 0": ({"mocap_framerate": np.array(0.0)}, "entry 'mocap_framerate': the frame rate must lie between 0.001"),
    "rate nan": ({"mocap_framerate": np.array(np.nan)}, "entry 'mocap_framerate': the frame rate must lie"),
    "rates": ({"mocap_framerate": np.array([60.0, 60.0])}, "shape (2,); expected one number"),
    "rate word": ({"mocap_framerate": np.array("60")}, "entry 'mocap_framerate': the entry has type <U2"),
    "gender": ({"gender": np.array(3)}, "entry 'gender': the entry has type int64 and shape (); expected one word"),
    "parts": (
        {"poses": None, "root_orient": np.zeros((12, 3)), "pose_body": np.zeros((3, 63))},
        "root_orient and the poses of body, face and hands have [12, 3] frames",
    ),
}


@pytest.mark.parametrize(("changes", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_line(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    path = save(tmp_path / "a.npz", motion(), **changes)
    with pytest.raises(InputError, match=r"^[^\n]*$") as caught:
        read_clip(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_unit_is_not_for_smpl(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.npz: a SMPL motion is in metres; a unit cannot be chosen"):
        read_clip(save(tmp_path / "a.npz", motion()), unit="cm")


def test_what_unpacks_out_of_proportion_or_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    np.savez_compressed(path, **motion(), poses_of_all=np.zeros((1 << 24,)))
    with pytest.raises(InputError, match=r"a\.npz: the file unpacks to 1342\d* bytes"):
        read_clip(path)
    for frames in (10_000_000, 10_000_000_000_000):
        poses = io.BytesIO()
        header = {"descr": "<f8", "fortran_order": False, "shape": (frames, 156)}
        np.lib.format.write_array_header_1_0(poses, header)
        save(path, motion(), poses=None)
        with zipfile.ZipFile(path, "a") as archive:
            archive.writestr("poses.npy", poses.getvalue() + bytes(64))
        with pytest.raises(InputError, match="entry 'poses': the entry is damaged"):
            read_clip(path)


def test_an_entry_that_is_no_array_is_refused(tmp_path: Path) -> None:
    for name in ("poses", "rotations"):
        with zipfile.ZipFile(tmp_path / "a.npz", "w") as archive:
            archive.writestr(f"{name}.npy", b"not an array")
            archive.writestr("schema" if name == "rotations" else "trans", b"not one either")
        with pytest.raises(InputError, match="damaged"):
            read_clip(tmp_path / "a.npz")
    (tmp_path / "b.npz").write_bytes(pickle.dumps({"poses": [1]}))
    with pytest.raises(InputError, match=r"this is not a NumPy \.npz file"):
        read_clip(tmp_path / "b.npz")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_bytes_give_a_clip_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = save(tmp_path_factory.getbasetemp() / "smpl.npz", motion(66, frames=3))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))] if data.draw(st.booleans()) else content)
    found = clip_or_error(path)
    assert isinstance(found, Clip) or "\n" not in str(found)


def test_offsets_are_those_of_public_anthropometry(tmp_path: Path) -> None:
    skeleton: Skeleton = read_clip(save(tmp_path / "a.npz", standing())).skeleton
    lengths = {name: np.linalg.norm(skeleton.offsets[skeleton.index(name)]) / 1.756 for name in skeleton.names}
    for name, share in (("knee", 0.245), ("ankle", 0.246), ("elbow", 0.186), ("wrist", 0.146)):  # Drillis and Contini
        assert lengths[f"left_{name}"] == pytest.approx(share)
        assert lengths[f"right_{name}"] == pytest.approx(share)
    # Buchholz: the middle finger's bones are 0.446 + 0.266 + 0.170 + 0.108 of the hand, which is 0.108 of stature.
    middle = [lengths[f"right_middle{number}"] for number in (2, 3)]
    np.testing.assert_allclose(middle, [0.266 * 0.108, 0.170 * 0.108])
