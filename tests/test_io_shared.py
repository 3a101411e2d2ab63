"""Real BVH files of many programs: read, written, read again."""

from pathlib import Path

import numpy as np
import pytest

from io_samples import clip_or_error, naive_positions
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.io.axes import Axes
from poise.motion import Clip

pytestmark = pytest.mark.shared

REFUSED = {
    "kinect_nan.bvh": "line 126: found 'nan'; expected a number as value 9 of the frame",
    "kinect_three_hierarchies_no_motion.bvh": "line 122: found several HIERARCHY blocks; expected one skeleton",
}


def dialect(clip: Clip) -> tuple[object, ...]:
    source = clip.source
    return (
        clip.skeleton.names,
        clip.skeleton.parents.tolist(),
        clip.skeleton.end_parents.tolist(),
        source.channels,
        source.frame_time_text,
        clip.rate,
        len(clip),
        source.metres_per_unit,
        source.up_axis,
    )


def test_round_trip_of_every_file(shared_data: Path, tmp_path: Path) -> None:
    files = sorted(shared_data.rglob("*.bvh"))
    assert len(files) == 76
    refused, worst = {}, 0.0
    for file in files:
        clip = clip_or_error(file)
        if isinstance(clip, InputError):
            refused[file.name] = str(clip)
            assert str(clip).startswith(str(file))
            continue
        assert write_clip(tmp_path / "again.bvh", clip) == [], file.name
        again = read_clip(tmp_path / "again.bvh")
        assert dialect(again) == dialect(clip), file.name
        for mine, theirs in zip(clip.world_positions(), again.world_positions(), strict=True):
            worst = max(worst, float(np.abs(mine - theirs).max(initial=0.0)))
    assert refused.keys() == REFUSED.keys()
    assert all(REFUSED[name] in message for name, message in refused.items())
    assert worst < 1e-6


@pytest.mark.parametrize(
    "name",
    [
        "bandai-namco/dataset-1_run_normal_001.bvh",
        "3dmodelfiletest/WalkForward.bvh",
        "animated-drawings/dab.bvh",
        "pose-animation/avatar_walk.bvh",
        "bvh-toolbox/walk01.bvh",
        "mocapnet/rightkick.bvh",
        "pybvh/rotation_first_root.bvh",
    ],
)
def test_positions_against_scipy(shared_data: Path, name: str) -> None:
    clip = read_clip(shared_data / name)
    axes = Axes(clip.source.up_axis, clip.source.metres_per_unit)
    positions = axes.lengths_out(clip.world_positions()[0])
    expected = naive_positions((shared_data / name).read_text())
    for joint, joint_name in enumerate(clip.skeleton.names):
        np.testing.assert_allclose(positions[:, joint], expected[joint_name], atol=1e-9)


def test_more_rows_than_declared(shared_data: Path) -> None:
    clip = read_clip(shared_data / "mocap-project" / "TomTomTest.bvh")
    assert len(clip) == 433
    assert clip.source.notes == ("the file declares 433 frames and has 435 rows; the damaged rows behind are left out",)
