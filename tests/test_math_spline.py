import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from scipy.spatial.transform import RotationSpline as ScipyRotationSpline

from poise.errors import InputError
from poise.math import quat
from poise.math.spline import PositionSpline, RotationSpline


@pytest.fixture
def keys(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    times = np.arange(40) / 30.0
    phase = rng.uniform(0, 6, size=(5, 3))
    vectors = 0.8 * np.sin(4.0 * times[:, None, None] + phase)
    return times, quat.exp(vectors)


def test_meets_every_key(keys: tuple[np.ndarray, np.ndarray]) -> None:
    times, rotations = keys
    assert quat.angle_between(RotationSpline(times, rotations)(times), rotations).max() < 1e-7


def test_velocity_and_acceleration_are_the_derivatives(keys: tuple[np.ndarray, np.ndarray]) -> None:
    times, rotations = keys
    spline, step = RotationSpline(times, rotations), 1e-5
    t = np.linspace(0.05, 1.2, 301)
    before, after = spline(t - step), spline(t + step)
    velocity = quat.log(quat.mul(quat.conj(before), after)) / (2 * step)
    assert np.allclose(spline.angular_velocity(t), velocity, atol=1e-6)
    difference = (spline.angular_velocity(t + step) - spline.angular_velocity(t - step)) / (2 * step)
    # Third derivatives jump at the keys; compare away from them.
    off = np.abs(t[:, None] - times).min(axis=1) > 2 * step
    assert np.allclose(spline.angular_acceleration(t)[off], difference[off], atol=1e-5)


def test_acceleration_is_continuous_at_keys(keys: tuple[np.ndarray, np.ndarray]) -> None:
    times, rotations = keys
    spline, inside = RotationSpline(times, rotations), times[2:-2]
    left, right = spline.angular_acceleration(inside - 1e-9), spline.angular_acceleration(inside + 1e-9)
    assert np.abs(left - right).max() < 1e-4 * np.abs(left).max()


def test_agrees_with_an_independent_rotation_spline(keys: tuple[np.ndarray, np.ndarray]) -> None:
    times, rotations = keys
    t = np.linspace(0.2, 1.0, 100)
    for joint in range(3):
        other = ScipyRotationSpline(times, Rotation.from_quat(rotations[:, joint], scalar_first=True))
        ours = RotationSpline(times, rotations[:, joint])
        apart = quat.angle_between(ours(t), other(t).as_quat(scalar_first=True))
        assert apart.max() < np.radians(0.05)
        assert np.abs(ours.angular_velocity(t) - other(t, 1)).max() < 0.02 * np.abs(other(t, 1)).max()


def test_uniform_turn_has_constant_velocity() -> None:
    times = np.arange(30) * 0.02
    spline = RotationSpline(times, quat.exp(times[:, None] * np.array([0.0, 0.0, 3.0])))
    velocity = spline.angular_velocity(np.linspace(0.1, 0.5, 50))
    assert np.allclose(velocity, [0.0, 0.0, 3.0], atol=1e-6)


def test_wide_gaps_stay_exact_at_the_keys() -> None:
    rotations = quat.exp(np.array([[0.0, 0, 0], [3.0, 0, 0], [0.1, 2.9, 0], [0.0, 0, -3.1]]))
    spline = RotationSpline(np.arange(4.0), rotations)
    assert quat.angle_between(spline(np.arange(4.0)), rotations).max() < 1e-7
    assert np.abs(spline.angular_velocity(np.linspace(0, 3, 400))).max() < 12.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_keys(count: int) -> None:
    rotations = quat.exp(0.1 * np.arange(3 * count, dtype=float).reshape(count, 3))
    spline = RotationSpline(np.arange(count) * 0.1, rotations)
    assert quat.angle_between(spline(np.arange(count) * 0.1), rotations).max() < 1e-7
    assert np.isfinite(PositionSpline(np.arange(count) * 0.1, np.zeros((count, 3)))([0.05])).all()


@pytest.mark.parametrize("times", [[0.0, 0.0], [1.0, 0.0], [0.0], [0.0, np.nan]])
def test_bad_times_are_refused(times: list[float]) -> None:
    with pytest.raises(InputError):
        RotationSpline(times, np.tile(quat.IDENTITY, (2, 1)))
