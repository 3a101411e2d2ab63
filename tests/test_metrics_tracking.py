"""Tracking errors of motions moved and turned by known amounts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from poise.errors import InputError
from poise.math import quat
from poise.metrics import joint_angle_error, joint_position_error


def test_a_shifted_motion(rng: np.random.Generator) -> None:
    positions = rng.normal(size=(10, 5, 3))
    shifted = positions + np.array([0.03, 0.0, 0.04])
    error = joint_position_error(positions, shifted, root=2)
    assert error.global_mean_mm == pytest.approx(50.0)
    assert error.root_relative_mean_mm == pytest.approx(0.0, abs=1e-9)
    assert error.max_mm == pytest.approx(50.0)
    assert error.success


def test_one_joint_astray() -> None:
    positions = np.zeros((10, 5, 3))
    astray = positions.copy()
    astray[3, 4, 1] = 2.0
    error = joint_position_error(positions, astray)
    assert error.global_mean_mm == pytest.approx(40.0)
    assert error.root_relative_mean_mm == pytest.approx(40.0)
    assert error.max_mm == pytest.approx(2000.0)
    assert error.success  # 0.4 m on average in its frame
    astray[3, 4, 1] = 2.6
    assert not joint_position_error(positions, astray).success


@given(st.floats(0.0, np.pi), st.integers(0, 3))
def test_turning_a_joint_by_an_angle(angle: float, joint: int) -> None:
    rng = np.random.default_rng(joint)
    rotations = quat.normalize(rng.normal(size=(6, 4, 4)))
    axis = rng.normal(size=3)
    turned = rotations.copy()
    turned[:, joint] = -quat.mul(rotations[:, joint], quat.from_axis_angle(axis / np.linalg.norm(axis), angle))
    error = joint_angle_error(rotations, turned)
    assert error.max_deg == pytest.approx(np.rad2deg(angle), abs=1e-5)
    assert error.mean_deg == pytest.approx(np.rad2deg(angle) / 4.0, abs=1e-5)


def test_nothing_and_bad_input() -> None:
    assert np.isnan(joint_position_error(np.zeros((0, 2, 3)), np.zeros((0, 2, 3))).max_mm)
    with pytest.raises(InputError, match="same frames"):
        joint_position_error(np.zeros((4, 2, 3)), np.zeros((4, 3, 3)))
    with pytest.raises(InputError, match="root"):
        joint_position_error(np.zeros((4, 2, 3)), np.zeros((4, 2, 3)), root=2)
