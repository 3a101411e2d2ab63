"""DeepMimic motions: against SciPy's turns on the published humanoid, real files, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

from deepmimic_samples import TREE, Array, frames, plain_positions, save
from io_samples import clip_or_error
from poise.body import build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.ground import ground_height
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.motion import Clip, guess_roles
from poise.motion.edit import root_motion
from poise.motion.mirrored import look_at_handedness


def check(clip: Clip, rows: Array) -> None:
    positions = clip.world_positions()[0]
    assert sorted(clip.skeleton.names) == sorted(TREE)
    for name, wanted in plain_positions(rows).items():
        np.testing.assert_allclose(positions[:, clip.skeleton.index(name)], wanted[:, [2, 0, 1]], atol=1e-12)


@pytest.mark.parametrize("ending", ["txt", "json"])
def test_joints_are_where_a_plain_reading_puts_them(tmp_path: Path, ending: str) -> None:
    rows = frames()
    clip = read_clip(save(tmp_path / f"a.{ending}", rows))
    check(clip, rows)
    assert (len(clip), clip.source.format, clip.source.up_axis, clip.source.metres_per_unit) == (
        10,
        "deepmimic",
        "y",
        1,
    )
    assert clip.rate == pytest.approx(30.0)
    assert clip.source.notes == ("its lengths are those of DeepMimic's humanoid3d; the file does not say them",)
    for joint in range(len(clip.skeleton)):  # depth first
        below = clip.skeleton.descendants(joint)
        assert below == list(range(joint, joint + len(below)))


def test_every_part_of_the_body_is_known(tmp_path: Path) -> None:
    clip = read_clip(save(tmp_path / "a.txt", frames()))
    parts = {
        "hip": "thigh",
        "knee": "shank",
        "ankle": "foot",
        "shoulder": "upper_arm",
        "elbow": "forearm",
        "wrist": "hand",
    }
    wanted = {f"{side}_{part}": f"{side}_{role}" for side in ("left", "right") for part, role in parts.items()}
    wanted |= {"root": "pelvis", "chest": "spine", "neck": "neck"}
    assert dict(zip(clip.skeleton.names, guess_roles(clip.skeleton).by_joint, strict=True)) == wanted


def test_through_bvh_it_is_the_same_motion(tmp_path: Path) -> None:
    clip = read_clip(save(tmp_path / "a.txt", frames(40)))
    assert write_clip(tmp_path / "a.bvh", clip) == []
    back = read_clip(tmp_path / "a.bvh")
    for mine, theirs in zip(clip.world_positions(), back.world_positions(), strict=True):
        np.testing.assert_allclose(theirs, mine, rtol=0.0, atol=1e-6)


def test_frames_that_last_unevenly_become_even(tmp_path: Path) -> None:
    times = np.array([0.0, 0.02, 0.06, 0.08, 0.1, 0.12, 0.14, 0.2])
    rows = np.repeat(frames(1), len(times), axis=0)
    rows[:, 0] = [*np.diff(times), 0.0]
    rows[:, 1] = 1.5 * times
    ends = Rotation.from_rotvec([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    rows[:, 4:8] = Slerp([0.0, 0.2], ends)(times).as_quat(scalar_first=True)
    clip = read_clip(save(tmp_path / "a.txt", rows))
    assert (len(clip), clip.rate) == (11, pytest.approx(50.0))
    assert clip.source.notes[-1] == "frames last from 0.02 to 0.06 s; made even at 50 Hz"
    np.testing.assert_allclose(clip.translations[:, 0, 1], 1.5 * clip.times, atol=1e-12)
    turned = Rotation.from_quat(clip.rotations[:, 0], scalar_first=True).as_rotvec()  # about up, which is z here
    np.testing.assert_allclose(turned, np.linspace([0, 0, 0], [0, 0, 1], 11), atol=1e-4)
    rows[:, 0] = 0.02 * (1 + 1e-4 * np.arange(8))  # rounded
    assert len(read_clip(save(tmp_path / "a.txt", rows))) == 8


def test_one_frame_and_the_last_frames_duration(tmp_path: Path) -> None:
    assert read_clip(save(tmp_path / "a.txt", frames(1))).rate == pytest.approx(30.0)
    rows = frames(3)
    rows[2, 0] = 7.0
    assert (len(read_clip(save(tmp_path / "a.txt", rows))), rows.shape) == (3, (3, 44))


@pytest.mark.parametrize("loop", ["wrap", True])
def test_a_motion_that_goes_round_says_so(tmp_path: Path, loop: Any) -> None:
    notes = read_clip(save(tmp_path / "a.txt", frames(), Loop=loop)).source.notes
    assert notes[-1] == "it goes round (Loop: wrap); --cycles repeats it"


def test_quaternions_are_made_unit(tmp_path: Path) -> None:
    rows = frames()
    scaled = rows.copy()
    scaled[:, 8:12] *= 1.1
    clip = read_clip(save(tmp_path / "a.txt", scaled))
    check(clip, rows)
    assert clip.source.notes[-1] == "its quaternions are up to 10 % longer or shorter than 1; made 1"


def test_the_up_axis_may_be_said_and_a_unit_not(tmp_path: Path) -> None:
    path = save(tmp_path / "a.txt", frames())
    assert read_clip(path, up="z").world_positions()[0][0, 0] == pytest.approx(frames()[0, 1:4])
    with pytest.raises(InputError, match=r"a\.txt: a DeepMimic motion is in metres; a unit cannot be chosen"):
        read_clip(path, unit="cm")


HUMANS = ("backflip", "dance_a", "getup_faceup", "jump", "run", "walk")


@pytest.mark.shared
@pytest.mark.parametrize("name", [*(f"deepmimic/humanoid3d_{name}" for name in HUMANS), "pybullet/turn_left0"])
def test_real_files(shared_data: Path, tmp_path: Path, name: str) -> None:
    path = shared_data / f"{name}.txt"
    rows = np.array(json.loads(path.read_text())["Frames"])
    clip = read_clip(path)
    check(clip, rows)
    assert clip.rate == pytest.approx(1.0 / rows[0, 0])
    plan = build_body(clip, guess_roles(clip.skeleton))
    assert plan.stature == pytest.approx(1.55, abs=0.01)
    assert not any("mirrored" in note for note in clip.source.notes)
    write_clip(tmp_path / "a.bvh", clip)
    back = read_clip(tmp_path / "a.bvh")
    np.testing.assert_allclose(back.world_positions()[0], clip.world_positions()[0], rtol=0.0, atol=1e-6)


@pytest.mark.shared
def test_somebody_walks_upright_where_they_look(shared_data: Path) -> None:
    clip = read_clip(shared_data / "deepmimic" / "humanoid3d_walk.txt")
    roles = guess_roles(clip.skeleton)
    plan = build_body(clip, roles)
    assert ground_height(plan, body_frames(plan, generalized_from_clip(plan, clip))) == pytest.approx(0.0, abs=0.02)
    joints, ends = clip.world_positions()
    assert np.all(joints[:, clip.skeleton.index("neck"), 2] > 1.2)
    np.testing.assert_allclose(root_motion(clip).displacement[-1], [0.0, 1.24], atol=0.01)
    foot = list(clip.skeleton.end_parents).index(clip.skeleton.index("left_ankle"))
    assert np.mean(ends[:, foot, 1] - joints[:, clip.skeleton.index("left_ankle"), 1]) > 0.08
    told = look_at_handedness(clip, roles)
    assert told.toes < 0.1
    assert told.knees == 0.0


@pytest.mark.shared
@pytest.mark.parametrize(("name", "width"), [("deepmimic/dog3d_trot", 84), ("pybullet/laikago_walk", 20)])
def test_other_characters_are_refused(shared_data: Path, name: str, width: int) -> None:
    with pytest.raises(InputError, match=rf"frame 0: found {width} values; expected 44 numbers, those of humanoid3d"):
        read_clip(shared_data / f"{name}.txt")


def changed(at: tuple[int, ...], value: Any) -> list[Any]:
    rows: Any = frames(4).tolist()
    rows[at[0]][at[1]] = value
    return rows  # type: ignore[no-any-return]


WRONG: dict[str, tuple[str, str]] = {
    "text": ("nothing", "line 1: is not JSON: Expecting value"),
    "cut": (json.dumps({"Frames": frames(2).tolist()})[:-9], "line 1: is not JSON"),
    "deep": ("[" * 100_000, "is nested too deeply"),
    "long": ('{"Frames": [[' + "1" * 5000 + "]]}", "is not JSON: a number is too long"),
    "list": ("[]", "is no DeepMimic motion; expected an object with a list Frames"),
    "other": ('{"frames": []}', "is no DeepMimic motion"),
    "none": ('{"Frames": []}', "a list Frames that is not empty"),
    "loop": (json.dumps({"Loop": "mirror", "Frames": frames(2).tolist()}), "Loop: found 'mirror'; allowed: wrap, none"),
    "loops": (json.dumps({"Loop": ["wrap"], "Frames": frames(2).tolist()}), "Loop: found ['wrap']"),
    "row": ('{"Frames": [3]}', "frame 0: found 3; expected 44 numbers"),
    "width": (json.dumps({"Frames": [*frames(2).tolist(), [1.0]]}), "frame 2: found 1 values; expected 44 numbers"),
    "word": (json.dumps({"Frames": changed((1, 5), "x")}), "frame 1: found 'x'; expected a number"),
    "truth": (json.dumps({"Frames": changed((1, 5), True)}), "frame 1: found True; expected a number"),
    "whole": (json.dumps({"Frames": changed((1, 5), 10**400)}), "frame 1: found 1000"),
    "nan": (json.dumps({"Frames": changed((2, 2), float("nan"))}), "Frames: frame 2 has the number nan"),
    "far": (json.dumps({"Frames": changed((2, 2), 1e300)}), "Frames: frame 2 has the number 1e+300"),
    "zero": (
        json.dumps({"Frames": changed((1, 0), 0)}),
        "frame 1: the frame lasts 0 s: the frame rate must lie between",
    ),
    "back": (json.dumps({"Frames": changed((1, 0), -0.1)}), "frame 1: the frame lasts -0.1 s"),
    "uneven": (json.dumps({"Frames": changed((1, 0), 900.0)}), "at one rate there would be"),
    "quaternion": (
        json.dumps({"Frames": [[*row[:4], 0, 0, 0, 0, *row[8:]] for row in frames(2).tolist()]}),
        "frame 0: the quaternion of root has length 0; expected 1",
    ),
}


@pytest.mark.parametrize(("text", "message"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_is_one_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(InputError, match=r"^[^\n]*$") as caught:
        read_clip(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)
    assert len(str(caught.value)) < 600


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_text_gives_a_clip_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = save(tmp_path_factory.getbasetemp() / "deepmimic.txt", frames(3).round(3))
    text = path.read_text()
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.sampled_from([0, 1, 5, 40, 10_000]))
        new = data.draw(
            st.one_of(st.sampled_from(["", "[", "]", ",", "1e999", "NaN", "-", "9", "null"]), st.text(max_size=6))
        )
        text = text[:start] + new + text[start + length :]
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    found = clip_or_error(path)
    assert isinstance(found, Clip) or "\n" not in str(found)
