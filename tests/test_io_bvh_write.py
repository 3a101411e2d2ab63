"""Writing BVH: the same dialect again, and what is extended where the channels cannot hold the motion."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from io_samples import PLAIN, bvh, naive_positions, one_joint, read
from poise.io import read_clip, write_clip
from poise.io.euler import from_euler, to_euler
from poise.math import quat
from poise.motion import Clip, Skeleton

ORDERS = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]


def written(folder: Path, clip: Clip, *, unit: str | float = "m", up: str = "z") -> tuple[Clip, list[str]]:
    path = folder / "written.bvh"
    notes = write_clip(path, clip)
    return read_clip(path, unit=unit, up=up), notes


def same_motion(a: Clip, b: Clip, within: float = 1e-6) -> None:
    for mine, theirs in zip(a.world_positions(), b.world_positions(), strict=True):
        np.testing.assert_allclose(mine, theirs, atol=within)


@pytest.mark.parametrize(("unit", "up"), [("m", "z"), ("cm", "y"), ("cmu", "y"), ("inch", "x"), ("0.3", "z")])
def test_round_trip_keeps_the_dialect(tmp_path: Path, unit: str, up: str) -> None:
    clip = read(tmp_path, PLAIN, unit=unit, up=up)
    again, notes = written(tmp_path, clip, unit=unit, up=up)
    assert notes == []
    assert again.skeleton.names == clip.skeleton.names
    assert again.skeleton.parents.tolist() == clip.skeleton.parents.tolist()
    assert again.source.channels == clip.source.channels
    assert (again.rate, again.source.frame_time_text) == (clip.rate, "0.0333333")
    same_motion(again, clip)
    text = (tmp_path / "written.bvh").read_text()
    assert "OFFSET 0.500000" in text
    for name, positions in naive_positions(text).items():
        np.testing.assert_allclose(positions, naive_positions(PLAIN)[name], atol=1e-5)


@pytest.mark.parametrize("order", ORDERS)
def test_euler_both_ways_against_scipy(rng: np.random.Generator, order: tuple[int, int, int]) -> None:
    angles = rng.uniform(-np.pi, np.pi, (200, 3, 3))
    letters = "".join("XYZ"[axis] for axis in order)
    scipy = Rotation.from_euler(letters, angles.reshape(-1, 3)).as_quat(scalar_first=True).reshape(200, 3, 4)
    ours = from_euler(angles, order)
    assert float(quat.angle_between(ours, scipy).max()) < 1e-7
    back = from_euler(to_euler(ours, order), order)
    assert float(np.abs(np.abs(np.sum(back * ours, axis=-1)) - 1.0).max()) < 1e-13


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("through_lock", [False, True])
def test_angles_are_continuous(order: tuple[int, int, int], through_lock: bool) -> None:
    t = np.linspace(0.0, 1.0, 400)[:, None]
    middle = 0.9 * np.sin(9 * t) if not through_lock else 0.5 * np.pi - 3.0 * (t - t[200])
    angles = np.stack([11.0 * t, middle, -7.0 * t], axis=-1)
    found = to_euler(from_euler(angles, order), order)
    away = np.abs(np.cos(middle[:, 0])) > 1e-6
    np.testing.assert_allclose(found[away], angles[away], atol=1e-6)
    np.testing.assert_allclose(found, angles, atol=0.05)
    assert away.all() != through_lock


def test_gimbal_lock_moves_only_what_is_determined() -> None:
    t = np.linspace(0.0, 1.0, 50)[:, None]
    locked = np.stack([0.5 + t, np.full_like(t, 0.5 * np.pi), 0.2 + 0.0 * t], axis=-1)
    rotations = from_euler(locked, (2, 1, 0)) + 1e-12 * np.random.default_rng(1).normal(size=(50, 1, 4))
    found = to_euler(rotations, (2, 1, 0))
    assert np.abs(np.diff(found, axis=0)).max() < 0.03
    assert float(quat.angle_between(from_euler(found, (2, 1, 0)), rotations).max()) < 1e-6


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([axes for order in ORDERS for axes in (order, order[:2], order[:1])]),
    st.lists(st.floats(-3.1, 3.1), min_size=3, max_size=3),
)
def test_any_count_of_axes_comes_back(axes: tuple[int, ...], values: list[float]) -> None:
    rotations = from_euler(np.array(values)[None, None, : len(axes)], axes)
    back = from_euler(to_euler(rotations, axes), axes)
    assert float(quat.angle_between(back, rotations).max()) < 1e-6


@pytest.mark.parametrize(
    ("channels", "row"),
    [("Zrotation", "100"), ("Xrotation Yrotation", "200 -300"), ("Yposition Zrotation", "7 10"), ("Xposition", "3")],
)
def test_few_channels_stay_while_they_suffice(tmp_path: Path, channels: str, row: str) -> None:
    clip = read(tmp_path, one_joint(channels, row, row))
    again, notes = written(tmp_path, clip)
    assert notes == []
    assert again.source.channels == clip.source.channels
    same_motion(again, clip)


def test_few_channels_are_extended_with_a_note(tmp_path: Path) -> None:
    clip = read(tmp_path, one_joint("Yposition Xrotation", "7 10"))
    turned = clip.with_motion(clip.rotations, clip.translations + np.array([0.1, 0.0, 0.0]))
    again, notes = written(tmp_path, turned)
    assert again.source.channels == (("Xposition", "Yposition", "Zposition", "Xrotation"),)
    assert notes == ["joint 'Hips' moves; it now has three position channels"]
    rotated: NDArray[np.float64] = quat.from_axis_angle(np.array([0.0, 0.6, 0.8]), np.array([[0.3]]))
    again, notes = written(tmp_path, clip.with_motion(rotated, clip.translations))
    assert again.source.channels == (("Yposition", "Xrotation", "Zrotation", "Yrotation"),)
    assert notes == ["joint 'Hips' turns; it now has the channels Xrotation Zrotation Yrotation"]
    assert float(quat.angle_between(again.rotations, rotated).max()) < 1e-7


def built(names: tuple[str, ...] = ("root", "left", "right", "tip")) -> Clip:
    """A clip made in Python, whose joints are in breadth-first order and of which one joint slides."""
    rng = np.random.default_rng(3)
    skeleton = Skeleton(
        names,
        np.array([-1, 0, 0, 1]),
        np.array([[0, 0, 1.0], [0, 0.2, 0], [0, -0.2, 0], [0, 0.3, 0.1]]),
        np.array([3, 2]),
        np.array([[0, 0.1, 0], [0, -0.1, 0]]),
    )
    rotations = quat.exp(rng.normal(0, 0.5, (5, 4, 3)))
    return Clip(skeleton, 120.0, rotations, rng.normal(1, 0.2, (5, 2, 3)), np.array([0, 1]))


def test_a_clip_from_elsewhere_is_written_y_up_in_cm(tmp_path: Path) -> None:
    clip = built()
    again, notes = written(tmp_path, clip, unit="cm", up="y")
    assert again.skeleton.names == ("root", "left", "tip", "right")
    assert notes == ["the joints are written depth first, as BVH nests them; their order is new"]
    positions = ("Xposition", "Yposition", "Zposition")
    rotations = ("Zrotation", "Yrotation", "Xrotation")
    assert again.source.channels == (positions + rotations, positions + rotations, rotations, rotations)
    assert again.rate == clip.rate
    order = [clip.skeleton.index(name) for name in again.skeleton.names]
    np.testing.assert_allclose(again.world_positions()[0], clip.world_positions()[0][:, order], atol=1e-6)
    text = (tmp_path / "written.bvh").read_text()
    assert "OFFSET 0.000000 100.000000 0.000000" in text


def test_names_that_bvh_cannot_hold_are_changed_with_a_note(tmp_path: Path) -> None:
    again, notes = written(tmp_path, built(("a{b}", "x\ny", "", "x_y")), unit="cm", up="y")
    assert sorted(again.skeleton.names) == ["a_b_", "joint", "x_y", "x_y_2"]
    assert sum("is written as" in note for note in notes) == 4


def test_channels_of_another_skeleton_are_not_used(tmp_path: Path) -> None:
    clip = built()
    other = replace(clip, source=replace(clip.source, channels=(("Zrotation",),)))
    again, notes = written(tmp_path, other, unit="cm", up="y")
    assert any("another skeleton" in note for note in notes)
    assert len(again.source.channels[0]) == 6


def test_changed_rate_is_written(tmp_path: Path) -> None:
    clip = read(tmp_path, bvh("ROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}", "1", "2"))
    again, _ = written(tmp_path, replace(clip, rate=60.0))
    assert again.rate == 60.0
