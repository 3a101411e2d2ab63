"""Unit and up axis guessed: from bones and posture, whatever the posture, else an honest default."""

import re
from pathlib import Path

import numpy as np
import pytest

from io_samples import bvh, clip_or_error, read
from poise.errors import InputError
from poise.io import UNITS, read_clip
from poise.io.axes import Axes

NAMES = ("hip", "chest", "head", "left hand", "right hand", "left foot", "right foot")


def person(unit: float, up: str, names: tuple[str, ...] = NAMES, turn: str = "0 0 0") -> str:
    """A stick figure of 1.5 m from foot to head in the given unit and axes; `turn` turns the root about X Y Z."""
    axes = Axes(up, unit)
    hip, chest, head, left_hand, right_hand, left_foot, right_foot = names

    def joint(name: str, offset: tuple[float, float, float], inside: str = "", key: str = "JOINT") -> str:
        numbers = " ".join(f"{value:.6f}" for value in axes.lengths_out(np.array(offset)))
        channels = "Xrotation Yrotation Zrotation"
        return f"{key} {name}\n{{\nOFFSET {numbers}\nCHANNELS 3 {channels}\n{inside}}}\n"

    def arm(name: str, side: float) -> str:
        elbow = joint(f"{chest} {side} fore", (0.0, 0.28 * side, -0.05), joint(name, (0.0, 0.26 * side, -0.05)))
        return joint(f"{chest} {side} upper", (0.0, 0.18 * side, -0.02), elbow)

    def leg(name: str, side: float) -> str:
        shin = joint(f"{hip} {side} lower", (0.02, 0.0, -0.42), joint(name, (-0.02, 0.0, -0.42)))
        return joint(f"{hip} {side} upper", (0.0, 0.1 * side, -0.02), shin)

    trunk = joint(chest, (0.0, 0.0, 0.4), joint(head, (0, 0, 0.2)) + arm(left_hand, 1) + arm(right_hand, -1))
    root = joint(hip, (0.0, 0.0, 0.9), trunk + leg(left_foot, 1) + leg(right_foot, -1), "ROOT")
    return bvh(root.rstrip(), turn + " 0 0 0" * (root.count("OFFSET") - 1))


@pytest.mark.parametrize("up", ["x", "y", "z"])
@pytest.mark.parametrize("unit", ["m", "cm", "mm", "inch", "cmu"])
def test_every_unit_and_axis(tmp_path: Path, unit: str, up: str) -> None:
    (tmp_path / "clip.bvh").write_text(person(UNITS[unit], up))
    source = read_clip(tmp_path / "clip.bvh").source
    assert (source.metres_per_unit, source.up_axis) == (UNITS[unit], up)
    assert source.unit_reason.startswith(f"{unit}: the bones from foot to head measure")
    assert source.up_reason == f"{up}: the head is above the feet along it in the motion"


@pytest.mark.parametrize("turn", ["90 0 0", "180 0 0", "45 0 45"])
def test_lying_and_upside_down(tmp_path: Path, turn: str) -> None:
    (tmp_path / "clip.bvh").write_text(person(0.01, "y", turn=turn))
    source = read_clip(tmp_path / "clip.bvh").source
    assert (source.metres_per_unit, source.up_axis) in {(0.01, "y"), (0.01, "z")}
    if turn != "90 0 0":
        assert source.up_reason == "y: the head is above the feet along it in the rest pose; the motion does not tell"


def test_without_names_the_shape_tells(tmp_path: Path) -> None:
    (tmp_path / "clip.bvh").write_text(person(0.0254, "y", tuple("abcdefg")))
    source = read_clip(tmp_path / "clip.bvh").source
    assert source.metres_per_unit == UNITS["inch"]
    assert "longest way" in source.unit_reason
    assert source.up_axis == "y"


def test_what_is_no_person_falls_back_and_says_so(tmp_path: Path) -> None:
    text = bvh("ROOT lamp\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}", "1")
    (tmp_path / "clip.bvh").write_text(text)
    source = read_clip(tmp_path / "clip.bvh").source
    assert (source.metres_per_unit, source.up_axis) == (0.01, "y")
    assert source.unit_reason.startswith("cm by default: ")
    assert source.up_reason.startswith("y by default: ")


def test_a_giant_is_not_believed(tmp_path: Path) -> None:
    (tmp_path / "clip.bvh").write_text(person(0.25, "y"))
    assert "no person's length" in read_clip(tmp_path / "clip.bvh").source.unit_reason
    assert read(tmp_path, person(0.25, "y"), unit=0.25).source.metres_per_unit == 0.25


STATED = {"cm": "cm", "m": "m", "inch-like?": "inch", "CMU units (~5.6 cm)": "cmu"}
BY_BONES = {"kinect-motion-capture/kinect_1860.bvh": "cm"}
"""Its thighs are 47 units long and its shins 34; the table's guess took the height of a folded pose."""


@pytest.mark.shared
def test_the_real_files(shared_data: Path) -> None:
    row = re.compile(r"\| `(\S+\.bvh)` \|(?:[^|]*\|){4} ([^|]*) \|")
    stated = dict(row.findall((shared_data / "README.md").read_text(encoding="utf-8")))
    assert len(stated) == 76
    checked, wrong = 0, []
    for name, words in stated.items():
        clip = clip_or_error(shared_data / name)
        if isinstance(clip, InputError):
            continue
        source = clip.source
        match = re.match(r"([XYZ])-up, (.*) \(foot-to-head", words)
        if match is None:
            found = (source.unit_reason[:13], source.up_reason[:12])
            expected: tuple[object, ...] = ("cm by default", "y by default")
        else:
            found = (source.metres_per_unit, source.up_axis)
            expected = (UNITS[BY_BONES.get(name, STATED[match[2]])], match[1].lower())
            checked += 1
        if found != expected:
            wrong.append((name, found, expected))
    assert wrong == []
    assert checked == 69
