"""Acclaim files: against a plain reading of the format with 3 x 3 matrices, and what is refused."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from poise.body import build_body
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.motion.roles import guess_roles

ASF = """:version 1.10
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
    id 1
    name hip
    direction 0.6 -0.8 0
    length 2.5
    axis 0 0 20 XYZ
  end
  begin
    id 2
    name thigh
    direction 0.3 -0.9 0.1
    length 7
    axis 10 -30 20 XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-70.0 70.0)
           (-60.0 70.0)
  end
  begin
    id 3
    name shin
    direction 0 -1 0
    length 8
    axis -40 5 70 XYZ
    dof rx rz
  end
  begin
    id 4
    name back
    direction 0 1 0
    length 4
    axis 0 0 0 XYZ
    dof rz ry rx
  end
:hierarchy
  begin
    root back hip
    hip thigh
    thigh shin
  end
"""
AMC = """#!OML
:FULLY-SPECIFIED
:DEGREES
1
root 1 2 3 10 20 30
thigh 15 -25 35
shin 40 -5
back 1 2 3
2
root 1.5 2 3.5 -170 5 60
thigh -15 25 5
shin 20 15
back 30 -20 10
"""


def naive(asf: str, amc: str) -> list[dict[str, np.ndarray]]:
    """Where every bone ends in every frame: W = W_parent C M C^T, and the end is the beginning plus W direction length."""
    bones: dict[str, dict[str, list[str]]] = {}
    for block in re.findall(r"begin\s+(id.*?)\bend", asf, flags=re.DOTALL):
        rows = [line.split() for line in block.splitlines() if line.split()]
        bone = {row[0]: row[1:] for row in rows}
        bones[bone["name"][0]] = bone
    links = re.search(r":hierarchy\s+begin(.*?)end", asf, flags=re.DOTALL)
    assert links is not None
    parents = {}
    for line in links[1].splitlines():
        for child in line.split()[1:]:
            parents[child] = line.split()[0]
    frames = []
    for frame in re.split(r"^\d+\s*$", amc, flags=re.MULTILINE)[1:]:
        values = {row.split()[0]: [float(v) for v in row.split()[1:]] for row in frame.splitlines() if row.strip()}
        root = values["root"]
        turn = {"root": Rotation.from_euler("xyz", root[3:], degrees=True).as_matrix()}
        end = {"root": np.array(root[:3])}
        waiting = dict(parents)
        while waiting:
            name = next(child for child, parent in waiting.items() if parent in turn)
            parent, bone = waiting.pop(name), bones[name]
            axis = [float(v) for v in bone["axis"][:3]]
            frame_of = Rotation.from_euler("xyz", axis, degrees=True).as_matrix()
            dof = "".join(channel[1] for channel in bone.get("dof", []))
            own = Rotation.from_euler(dof, values[name], degrees=True).as_matrix() if dof else np.eye(3)
            turn[name] = turn[parent] @ frame_of @ own @ frame_of.T
            along = np.array([float(v) for v in bone["direction"]])
            end[name] = end[parent] + turn[name] @ along / np.linalg.norm(along) * float(bone["length"][0])
        frames.append(end)
    return frames


def check(file: Path, asf: str, amc: str) -> None:
    clip = read_clip(file, unit=1.0, up="z")
    places, ends = clip.world_positions()
    skeleton = clip.skeleton
    for frame, wanted in enumerate(naive(asf, amc)):
        for joint, parent in enumerate(skeleton.parents):
            begins = wanted["root"] if parent < 0 else wanted[skeleton.names[parent]]
            np.testing.assert_allclose(places[frame, joint], begins, atol=1e-9)
        for end, joint in enumerate(skeleton.end_parents):
            np.testing.assert_allclose(ends[frame, end], wanted[skeleton.names[joint]], atol=1e-9)


def test_bones_are_where_a_plain_reading_puts_them(tmp_path: Path) -> None:
    (tmp_path / "07.asf").write_text(ASF)
    (tmp_path / "07_01.amc").write_text(AMC)
    check(tmp_path / "07_01.amc", ASF, AMC)
    clip = read_clip(tmp_path / "07_01.amc")
    assert (len(clip), clip.rate) == (2, 120.0)
    assert read_clip(tmp_path / "07_01.amc", rate=60.0).rate == 60.0
    assert clip.source.notes[0] == "its skeleton is 07.asf"


@pytest.mark.shared
def test_a_walk_of_the_cmu_database(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "fairmotion"
    check(folder / "11_01.amc", (folder / "11.asf").read_text(), (folder / "11_01.amc").read_text())
    clip = read_clip(folder / "11_01.amc")
    assert len(clip) == 597
    assert build_body(clip, guess_roles(clip.skeleton)).stature == pytest.approx(1.83, abs=0.01)
    write_clip(tmp_path / "walk.bvh", clip)
    back = read_clip(tmp_path / "walk.bvh")
    own = [back.skeleton.index(name) for name in clip.skeleton.names]
    np.testing.assert_allclose(back.world_positions()[0][:, own], clip.world_positions()[0], atol=1e-5)


@pytest.mark.parametrize(
    ("asf", "amc", "says"),
    [
        (None, AMC, "an AMC needs the ASF of its skeleton beside it, such as 07.asf"),
        (ASF, "1\nroot 1 2 3\n", "line 2: bone 'root' has 3 values; expected 6"),
        (ASF, "root 1 2 3 4 5 6\n", "line 1: found 'root'; expected a frame's number"),
        (ASF, "1\ntail 3\n", "line 2: found 'tail'"),
        (ASF, "1\nshin 3 x\n", "line 2: found 'x'"),
        (ASF, "# nothing\n", "there are no frames"),
        (ASF.replace("hip thigh", "hip tail"), AMC, "the hierarchy names 'tail', which is no bone"),
        (ASF.replace("    thigh shin\n", ""), AMC, "1 bones do not hang on the root"),
        (ASF.replace("back hip", "back hip shin"), AMC, "bone 'shin' hangs on two bones"),
        (ASF.replace("name shin", "name hip"), AMC, "has no name or one that is taken"),
        (ASF.replace("0 0 20 XYZ", "0 0 20 XXY"), AMC, "the axis order is 'xxy'"),
        (ASF.replace("0 0 20 XYZ", "0 0"), AMC, "found 2 values; expected 3"),
        (ASF.replace("dof rx rz", "dof rx qz"), AMC, "has the channel 'qz'"),
    ],
)
def test_what_is_wrong_is_one_line(tmp_path: Path, asf: str | None, amc: str, says: str) -> None:
    if asf is not None:
        (tmp_path / "07.asf").write_text(asf)
    (tmp_path / "07_01.amc").write_text(amc)
    with pytest.raises(InputError, match=r"^[^\n]*$") as caught:
        read_clip(tmp_path / "07_01.amc")
    assert says in str(caught.value)
