"""Reading BVH: the odd cases that real files have, and what is refused."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from io_samples import PLAIN, bvh, naive_positions, one_joint, read
from poise.errors import InputError
from poise.io import bvh_motion
from poise.math import quat
from poise.motion import Clip


def test_plain_file_against_scipy(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN)
    positions, ends = clip.world_positions()
    expected = naive_positions(PLAIN)
    assert clip.skeleton.names == ("Hips", "Spine", "Leg")
    for joint, name in enumerate(clip.skeleton.names):
        np.testing.assert_allclose(positions[:, joint], expected[name], atol=1e-11)
    assert ends.shape == (3, 2, 3)
    np.testing.assert_allclose(np.linalg.norm(ends[:, 0] - positions[:, 1], axis=1), 20.0)
    assert clip.source.frame_time_text == "0.0333333"
    assert clip.rate == 1.0 / 0.0333333


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda text: text.replace("\n", "\r\n"), "CRLF"),
        (lambda text: text.replace("\n", "\r"), "old Macintosh"),
        (lambda text: text + "\n\n \t\n", "blank tail"),
        (lambda text: text.rstrip("\n"), "no final newline"),
        (lambda text: text.replace("\n{", " {"), "brace on the name's line"),
        (lambda text: text.replace("Hips\n{", "Hips{"), "brace at the name"),
        (lambda text: text.replace(" ", "\t"), "tabs"),
        (lambda text: text.replace(" ", "   "), "many spaces"),
        (lambda text: text.replace("rotation", "ROTATION").replace("position", "POSITION"), "upper-case channels"),
        (lambda text: text.lower().replace("hips", "Hips").replace("spine", "Spine").replace("leg", "Leg"), "lower"),
        (lambda text: text.replace("\t\tOFFSET 0.5 40.0 0.25\n", "\t\tOFFSET\n0.5\n40.0 0.25 "), "any line breaks"),
        (lambda text: text.replace("OFFSET 0.5 40.0 0.25", "OFFSET 5e-1 4E+1 .25"), "exponents"),
        (lambda text: text.replace(" 91.0 ", " 9.1e+01 "), "exponents in rows"),
        (lambda text: "\ufeff" + text, "byte order mark"),
        (lambda text: "\n\n" + text.replace("MOTION\n", "MOTION \n\n"), "blank lines"),
        (lambda text: text.replace("\n0.0", "\n\n0.0").replace("\n1.0", "  \n1.0"), "blank lines between rows"),
    ],
)
def test_spellings_that_mean_the_same(tmp_path: Path, change: object, what: str) -> None:
    plain, other = read(tmp_path, PLAIN), read(tmp_path, change(PLAIN))  # type: ignore[operator]
    assert other.skeleton.names == plain.skeleton.names, what
    assert other.source.channels == plain.source.channels
    np.testing.assert_array_equal(other.rotations, plain.rotations)
    np.testing.assert_array_equal(other.world_positions()[1], plain.world_positions()[1])


def test_positions_replace_the_offset_on_any_joint_and_axis(tmp_path: Path) -> None:
    body = (
        "ROOT a\n{\nOFFSET 5 6 7\nCHANNELS 4 Zrotation Yrotation Xrotation Yposition\n"
        "JOINT b\n{\nOFFSET 1 2 3\nCHANNELS 5 Zposition Zrotation Xposition Yrotation Xrotation\n}\n}"
    )
    clip = read(tmp_path, bvh(body, "0 0 0 60 30 0 10 0 0", "0 0 0 61 31 0 11 0 0"))
    assert clip.translated.tolist() == [0, 1]
    np.testing.assert_array_equal(clip.translations[0], [[5, 60, 7], [10, 2, 30]])
    np.testing.assert_array_equal(clip.world_positions()[0][1, 1], [16, 63, 38])


@pytest.mark.parametrize(
    ("channels", "row", "axis_angles"),
    [
        ("Zrotation", "90", [(2, 90)]),
        ("Xrotation Zrotation", "30 40", [(0, 30), (2, 40)]),
        ("Yrotation Xposition Zrotation Xrotation", "20 9 30 40", [(1, 20), (2, 30), (0, 40)]),
        ("Xposition Yposition Zposition", "4 5 6", []),
    ],
)
def test_few_and_mixed_channels(tmp_path: Path, channels: str, row: str, axis_angles: list[tuple[int, float]]) -> None:
    clip = read(tmp_path, one_joint(channels, row))
    expected = quat.IDENTITY
    for axis, degrees in axis_angles:
        expected = quat.mul(expected, quat.from_axis_angle(np.eye(3)[axis], np.deg2rad(degrees)))
    assert float(quat.angle_between(clip.rotations[0, 0], expected)) < 1e-12
    assert clip.source.channels == (tuple(channels.split()),)


def test_root_without_position_channels_stays_at_its_offset(tmp_path: Path) -> None:
    clip = read(tmp_path, one_joint("Zrotation Yrotation Xrotation", "10 20 30"))
    assert clip.translations.shape == (1, 0, 3)
    np.testing.assert_array_equal(clip.world_positions()[0][0, 0], [1, 2, 3])


def test_names_with_spaces_colons_and_repeats(tmp_path: Path) -> None:
    leaf = "{\nOFFSET 0 1 0\nCHANNELS 1 Zrotation\n}\n"
    body = (
        "ROOT mixamorig:Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n"
        f"JOINT Left Arm\n{leaf}JOINT Arm\n{leaf}JOINT Arm{leaf}JOINT Arm_2\n{leaf}}}"
    )
    clip = read(tmp_path, bvh(body, "1 2 3 4 5"))
    assert clip.skeleton.names == ("mixamorig:Hips", "Left Arm", "Arm", "Arm_3", "Arm_2")
    assert any("'Arm' occurs again" in note for note in clip.source.notes)


def test_thousands_of_joints_with_one_name(tmp_path: Path) -> None:
    depth = 4095
    inside = "JOINT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n" * depth
    body = f"ROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n{inside}" + "}" * (depth + 1)
    clip = read(tmp_path, bvh(body, "0 " * (depth + 1)))
    assert len(set(clip.skeleton.names)) == depth + 1


@pytest.mark.parametrize(
    ("declared", "rows", "kept", "note"),
    [
        (2, ["1", "2", "3"], 3, "declares 2 frames and has 3; all are kept"),
        (4, ["1", "2", "3"], 3, "declares 4 frames and has 3; those are kept"),
        (2, ["1", "2", "3 4", "5"], 2, "damaged rows behind are left out"),
        (3, ["1", "2", "3"], 3, None),
    ],
)
def test_rows_and_declared_frames(tmp_path: Path, declared: int, rows: list[str], kept: int, note: str | None) -> None:
    text = bvh("ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}", *rows, frames=declared)
    clip = read(tmp_path, text)
    assert len(clip) == kept
    assert [note in each for each in clip.source.notes] == [True] if note else clip.source.notes == ()


ROOT = "ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}"
REFUSED = {
    "not a number": (bvh(ROOT, "1", "nan"), "line 11: found 'nan'; expected a number as value 1"),
    "infinite": (bvh(ROOT, "1", "-inf"), "line 11: found '-inf'"),
    "word": (bvh(ROOT, "1", "1,5"), "line 11: found '1,5'"),
    "underscore": (bvh(ROOT, "1_0"), "line 10: found '1_0'"),
    "huge": (bvh(ROOT, "1e300"), "line 10: found '1e300'"),
    "long row": (bvh(ROOT, "1", "2 3"), "line 11: the frame has 2 values; expected 1"),
    "short row": (PLAIN.rsplit(" ", 1)[0] + "\n", "line 30: the frame has 11 values; expected 12"),
    "two hierarchies": (bvh(f"{ROOT}\nHIERARCHY\n{ROOT}", "1"), "line 7: found several HIERARCHY blocks"),
    "two roots": (bvh(f"{ROOT}\n{ROOT}", "1"), "line 7: found several roots"),
    "no motion": (f"HIERARCHY\n{ROOT}\n", "line 7: there is no MOTION section"),
    "no rows": (bvh(ROOT, frames=3), "without a frame; expected 3 of 1 values"),
    "zero frames": (bvh(ROOT, frames=0), "line 8: Frames is '0'"),
    "negative frames": (bvh(ROOT, "1", frames=-1), "line 8: Frames is '-1'"),
    "zero period": (bvh(ROOT, "1", period="0"), "line 9: Frame Time is '0'"),
    "negative period": (bvh(ROOT, "1", period="-0.1"), "line 9: Frame Time is '-0.1'"),
    "period no number": (bvh(ROOT, "1", period="fast"), "line 9: found 'fast'"),
    "no period": (bvh(ROOT, "1").replace("Frame Time: 0.05\n", ""), "line 9: found '1'; expected 'Frame Time: s'"),
    "cut header": (bvh(ROOT).split("Frame Time")[0], "the file ends; expected 'Frame Time: s'"),
    "cut hierarchy": (PLAIN[:150], "the file ends; expected"),
    "open brace": (bvh(ROOT[:-1], "1"), "MOTION starts inside the hierarchy; expected '}' for joint 'a' of line 2"),
    "closing brace": (bvh(ROOT + "\n}", "1"), "line 7: found a '}' too many"),
    "unknown channel": (one_joint("Wrotation", "1"), "line 5: unknown channel 'Wrotation'; expected one of Xpos"),
    "endless name": (bvh(ROOT.replace(" a", " " + 300 * "a"), "1"), "line 2: a joint's name has at most 255 letters"),
    "channel twice": (one_joint("Zrotation Zrotation", "1 1"), "channel Zrotation is listed twice"),
    "channel count": (bvh(ROOT.replace(" 1 Z", " 9 Z"), "1"), "line 5: CHANNELS says '9'"),
    "too few channels listed": (bvh(ROOT.replace(" 1 Z", " 2 Z"), "1"), "line 6: unknown channel '}'"),
    "no channels": (one_joint(""), "line 2: no joint has channels"),
    "no offset": (bvh("ROOT a\n{\nCHANNELS 1 Zrotation\n}", "1"), "line 2: joint 'a' has no OFFSET"),
    "offset no number": (one_joint("Zrotation", "1", offset="0 x 0"), "line 4: found 'x'"),
    "offset infinite": (one_joint("Zrotation", "1", offset="0 inf 0"), "line 4: found 'inf'"),
    "two offsets": (bvh(ROOT.replace("CH", "OFFSET 0 0 0\nCH"), "1"), "line 5: OFFSET of joint 'a' stands twice"),
    "no name": (bvh(ROOT.replace("ROOT a", "ROOT"), "1"), "line 2: a joint has no name"),
    "stray word": (bvh(ROOT.replace("CH", "COLOR 3\nCH"), "1"), "line 5: found 'COLOR'; expected OFFSET, CHANNELS"),
    "other text": ("<html>\n<body>", "line 1: found '<html>'; expected HIERARCHY"),
    "blank": (" \n\n", "the file ends; expected HIERARCHY"),
    "a second motion": (bvh(ROOT, "1", "MOTION", "Frames: 1", "2", frames=5), "line 11: found 'MOTION'"),
    "very many joints": (bvh("ROOT a\n{\nOFFSET 0 0 0\n" + "JOINT a\n{\n" * 5000), "more than 4096 joints"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_in_one_line_that_says_where(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "clip.bvh"))
    assert caught.value.place is not None
    assert caught.value.place.startswith("line ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("up", "file_axes"), [("y", (2, 0, 1)), ("x", (1, 2, 0)), ("z", (0, 1, 2))], ids=["y", "x", "z"]
)
def test_axes_and_unit_conjugate_everything(tmp_path: Path, up: str, file_axes: tuple[int, int, int]) -> None:
    in_file: Clip = read(tmp_path, PLAIN)
    in_poise: Clip = read(tmp_path, PLAIN, unit="cm", up=up)
    for mine, theirs in zip(in_poise.world_positions(), in_file.world_positions(), strict=True):
        np.testing.assert_allclose(mine, 0.01 * theirs[..., file_axes], atol=1e-14)
    np.testing.assert_allclose(in_poise.skeleton.offsets, 0.01 * in_file.skeleton.offsets[..., file_axes])
    assert "xyz"[file_axes[2]] == up
    assert np.linalg.det(np.eye(3)[list(file_axes)]) == pytest.approx(1.0)


WORDS = st.one_of(
    st.floats(-1e6, 1e6).map(repr),
    st.floats(-180.0, 180.0).map("{:.6f}".format),
    st.floats(-1e-6, 1e-6).map("{:e}".format),
    st.floats(-1e3, 1e3).map("{:.17g}".format),
    st.integers(-(10**7), 10**7).map(str),
    st.sampled_from(["-0", ".5", "-5.", "+3", "1E+02", "00012", "123456789012345678901234567", "1e-30", "0.1e1"]),
)


@given(
    st.integers(1, 5).flatmap(
        lambda width: st.lists(st.lists(WORDS, min_size=width, max_size=width), min_size=1, max_size=6)
    )
)
def test_rows_are_the_numbers_that_python_reads(rows: list[list[str]]) -> None:
    found = bvh_motion._numbers(["\t ".join(row) + " " for row in rows], len(rows[0]))
    wanted = np.array([[float(word) for word in row] for row in rows])
    if np.abs(wanted).max() > 1e9:
        assert found is None
    else:
        assert found is not None
        assert found.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    "word", ["x", "1_0", "--2", "1e", "1e+", ".", "+", "1,5", "0x10", "1.2.3", "1-2", "\u0663", "1e400"]
)
def test_rows_with_a_word_that_is_no_number_are_none(word: str) -> None:
    assert bvh_motion._numbers(["1 2", f"3 {word}", "5 6"], 2) is None
    assert bvh_motion._numbers(["1 2", "3", "5 6"], 2) is None
