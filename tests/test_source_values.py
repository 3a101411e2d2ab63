"""A file's own numbers come out wherever the motion still is the file's: number by number, on the files of ten producers."""

from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.io import read_clip, write_clip
from poise.scenes import clip_scene, rooted
from poise.signals import Mode

PRODUCERS = [
    "3dmodelfiletest/WalkForward.bvh",
    "animated-drawings/dab.bvh",
    "bandai-namco/dataset-1_walk_normal_001.bvh",
    "bvh-toolbox/walk01.bvh",
    "deep-motion-editing/neutral_16_000.bvh",
    "hello-avatar/jog_lsw.bvh",
    "mocap-project/TomTomTest.bvh",
    "mocapnet/waveleft.bvh",
    "motion-viewer/walk.bvh",
    "pose-animation/pirouette.bvh",
    "pybvh/bvh_test3.bvh",
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
]


def numbers(file: Path) -> np.ndarray:
    """The rows of a BVH file as numbers, read without Poise."""
    lines = file.read_text(errors="replace").split("MOTION")[1].strip().split("\n")
    rows = [line.split() for line in lines[2:] if line.strip()]
    return np.array(
        rows[: int(lines[0].split()[1])], dtype=np.float64
    )  # one file has damaged rows behind the declared ones


def check(file: Path, folder: Path, seconds: float) -> None:
    scene = rooted(clip_scene(read_clip(file), props=False))
    who, session = scene.characters["character"], scene.session()
    session.run(min(round(seconds / session.clock.tick), session.tick_count))
    result = session.result("character")
    assert write_clip(folder / "out.bvh", result) == []
    before, after = numbers(file)[: len(result)], numbers(folder / "out.bvh")
    physical = {who.plan.skeleton.names[joint] for joint in who.plan.joints[who.modes != Mode.MOTION]}
    joints = [name for name, own in zip(result.skeleton.names, result.source.channels, strict=True) for _ in own]
    follows = np.array([name not in physical for name in joints])
    assert follows.sum() > 20
    assert len(after) > 20
    assert np.array_equal(before[:, follows], after[:, follows])
    assert not np.array_equal(before, after) or seconds == 0.0, "arms are moved by their muscles"


def test_the_shipped_walk_comes_out_in_its_own_numbers(tmp_path: Path) -> None:
    check(clip_path("walk"), tmp_path, 1.0)


@pytest.mark.shared
@pytest.mark.parametrize("name", PRODUCERS)
def test_a_producers_numbers_come_out_where_nothing_physical_happened(
    name: str, tmp_path: Path, shared_data: Path
) -> None:
    check(shared_data / name, tmp_path, 1.2)


ONE_JOINT = """HIERARCHY
ROOT hips
{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 End Site
 {
  OFFSET 0 1 0
 }
}
MOTION
Frames: 6
Frame Time: 0.0333333
"""
ODD = [
    [0.1, 90.123456789, 0.0, 179.5, 10.0, -3.25],
    [0.1, 90.5, 0.0, -179.5, 10.0, -3.25],
    [0.1, 90.5, 1e-9, 541.0, 90.0, 12.0],
    [0.1, 90.5, 0.0, -170.0, 170.0, 181.0],
    [0.1, 90.5, 0.0, -720.25, 0.0, 0.0],
    [0.1, 90.5, -2.0, 0.0, 0.0, 359.9999999],
]


def test_wraps_other_solutions_locked_axes_and_long_decimals_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "odd.bvh"
    file.write_text(ONE_JOINT + "\n".join(" ".join(map(repr, row)) for row in ODD) + "\n")
    clip = read_clip(file, unit="cm", up="y")
    write_clip(tmp_path / "out.bvh", clip)
    assert np.array_equal(numbers(tmp_path / "out.bvh"), ODD)


def test_what_changes_is_written_anew_and_without_a_jump(tmp_path: Path) -> None:
    """Frames 2 and 3 are turned a little: theirs alone are new numbers, in the turns of the frame before."""
    file = tmp_path / "spin.bvh"
    rows = [[0.0, 90.0, 0.0, 370.0 + 5.0 * frame, 3.0, 2.0] for frame in range(6)]
    file.write_text(ONE_JOINT + "\n".join(" ".join(map(repr, row)) for row in rows) + "\n")
    clip = read_clip(file, unit="cm", up="y")
    turned = clip.rotations.copy()
    turned[2:4] = turned[[3, 4]]
    write_clip(tmp_path / "out.bvh", clip.with_motion(turned, clip.translations))
    after, before = numbers(tmp_path / "out.bvh"), np.array(rows)
    assert np.array_equal(after[[0, 1, 4, 5]], before[[0, 1, 4, 5]])
    assert np.allclose(after[2:4], before[3:5], atol=1e-5)
