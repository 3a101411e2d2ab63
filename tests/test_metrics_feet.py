"""Feet against motions whose skate, depth and gap are known in closed form."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import uniform_filter1d

from poise.errors import InputError
from poise.metrics import feet


def sliding(speed: float, height: float, rate: float = 30.0, seconds: float = 2.0) -> np.ndarray:
    """Two points that slide along x at a constant speed and height."""
    time = np.arange(round(seconds * rate) + 1) / rate
    points = np.zeros((len(time), 2, 3))
    points[..., 0] = speed * time[:, None]
    points[:, 1, 1] = 0.3
    points[..., 2] = height
    return points


def walking(rate: float, seconds: float = 4.0) -> np.ndarray:
    """A foot that skids 0.3 m while down, in the floor by up to 8 mm, then swings: one step a second."""
    time = np.arange(round(seconds * rate) + 1) / rate
    phase = time % 1.0
    stance = np.clip(phase / 0.6, 0.0, 1.0)
    swing = np.clip((phase - 0.6) / 0.4, 0.0, 1.0)
    skid = 0.3 * stance**2 * (3.0 - 2.0 * stance)
    forward = 0.7 * swing**3 * (10.0 - 15.0 * swing + 6.0 * swing**2)
    z = np.where(phase < 0.6, -0.008 * np.sin(np.pi * stance), 0.15 * np.sin(np.pi * swing))
    return np.stack([np.floor(time + 1e-9) + skid + forward, np.zeros_like(time), z], axis=-1)[:, None]


def numbers(points: np.ndarray, rate: float, floor: float | np.ndarray = 0.0) -> np.ndarray:
    depth, gap = feet.ground_penetration(points, floor), feet.floating(points, floor)
    return np.array(
        [
            feet.skating_ratio(points, rate, floor),
            feet.weighted_skate(points, floor),
            feet.penetrating_skate(points, rate, floor),
            feet.stance_speed(points, rate, floor),
            *(depth.mean_mm, depth.max_mm, depth.frames_percent),
            *(gap.mean_mm, gap.max_mm, gap.frames_percent),
        ]
    )


def test_a_foot_sliding_at_one_metre_per_second() -> None:
    points = sliding(1.0, 0.0)
    assert feet.skating_ratio(points, 30.0) == 1.0
    assert feet.skating_ratio(sliding(0.49, 0.0), 30.0) == 0.0
    assert feet.skating_ratio(sliding(1.0, 0.051), 30.0) == 0.0
    assert feet.stance_speed(points, 30.0) == pytest.approx(1.0)
    assert feet.weighted_skate(points) == pytest.approx(2.0)


def test_weight_falls_from_one_to_nothing() -> None:
    assert feet.weighted_skate(sliding(1.0, 0.0125)) == pytest.approx(2.0 * (2.0 - np.sqrt(2.0)))
    assert feet.weighted_skate(sliding(1.0, 0.025)) == pytest.approx(0.0)
    assert feet.weighted_skate(sliding(1.0, -0.1)) == pytest.approx(2.0)
    assert feet.weighted_skate(sliding(1.0, 0.0165), height=0.033) == pytest.approx(2.0 * (2.0 - np.sqrt(2.0)))


def test_penetrating_skate_is_the_published_number_at_30_hz() -> None:
    assert feet.penetrating_skate(sliding(0.3, -0.006), 30.0) == pytest.approx(10.0)
    assert feet.penetrating_skate(sliding(0.3, -0.006, rate=120.0), 120.0) == pytest.approx(10.0)
    assert feet.penetrating_skate(sliding(0.3, -0.006, 60.0), 60.0, reference_rate=60.0) == pytest.approx(5.0)
    assert feet.penetrating_skate(sliding(0.3, -0.004), 30.0) == 0.0


def test_depth_and_gap() -> None:
    points = sliding(0.0, 0.0, seconds=1.0)[:20]
    points[:5, 0, 2] = -0.02  # one point 20 mm deep in a quarter of the frames
    points[5:10, :, 2] = 0.03  # both 30 mm high in another
    points[10:12, 1, 2] = -0.004  # within the tolerance
    assert feet.ground_penetration(points) == feet.GroundPenetration(5.0, 20.0, 25.0)
    assert feet.floating(points) == feet.Floating(7.5, 30.0, 25.0)
    assert feet.floating(points, grounded=np.arange(20) >= 10).max_mm == 0.0
    assert np.isnan(feet.floating(points, grounded=np.zeros(20, bool)).mean_mm)
    assert feet.ground_penetration(points[10:12]).max_mm == 4.0


def test_contact_says_when_a_foot_should_stand() -> None:
    points = sliding(1.0, 0.0)
    points[:, 1, 2] = 0.5
    contact = np.zeros(points.shape[:2], bool)
    contact[:, 1] = True
    points[:, 1, 0] *= 2.0
    assert feet.stance_speed(points, 30.0) == pytest.approx(1.0)
    assert feet.stance_speed(points, 30.0, contact=contact) == pytest.approx(2.0)
    assert np.isnan(feet.stance_speed(points, 30.0, contact=np.zeros_like(contact)))


def test_what_swings_past_does_not_stand() -> None:
    """A toe swings past a standing foot at 1 cm and 3 m/s: by height alone its speed would count half."""
    points = sliding(0.1, 0.0)
    points[:, 1, 0] *= 30.0
    points[:, 1, 2] = 0.01
    assert feet.stance_speed(points, 30.0) == pytest.approx(0.1)
    assert feet.stance_speed(points, 30.0, speed=4.0) == pytest.approx(1.55)
    assert np.isnan(feet.stance_speed(sliding(3.0, 0.0), 30.0))
    assert feet.skating_ratio(sliding(3.0, 0.0), 30.0) == 1.0, "what slides that fast is counted there"


def test_the_parts_of_weighted_skate_add_up() -> None:
    points = walking(30.0)
    assert feet.weighted_steps(points).shape == (len(points) - 1, 1)
    assert feet.weighted_steps(points).sum() == pytest.approx(feet.weighted_skate(points))


def test_the_rate_does_not_matter() -> None:
    np.testing.assert_allclose(numbers(walking(30.0), 30.0), numbers(walking(120.0), 120.0), rtol=0.08, atol=0.01)
    np.testing.assert_allclose(numbers(walking(120.0), 120.0), numbers(walking(960.0), 960.0), rtol=0.025, atol=0.0)


@given(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-1.0, 1.0))
def test_place_and_heading_do_not_matter(x: float, y: float, yaw: float, z: float) -> None:
    points = walking(30.0)
    c, s = np.cos(yaw), np.sin(yaw)
    moved = points @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]) + [x, y, z]
    np.testing.assert_allclose(numbers(moved, 30.0, z), numbers(points, 30.0), rtol=1e-9, atol=1e-9)


def test_uneven_ground_is_subtracted_point_by_point(rng: np.random.Generator) -> None:
    points = walking(30.0)
    ground = rng.normal(size=points.shape[:2])
    raised = points.copy()
    raised[..., 2] += ground
    np.testing.assert_allclose(numbers(raised, 30.0, ground), numbers(points, 30.0), atol=1e-9)


def test_the_published_skating_code_gives_the_same_at_its_rate(rng: np.random.Generator) -> None:
    """The arithmetic of GMD's `calculate_skating_ratio` at 20 Hz, away from the padded ends."""
    points = np.cumsum(rng.normal(scale=0.03, size=(400, 2, 3)), axis=0)
    points[..., 2] = rng.uniform(0.0, 0.06, size=(400, 2))
    points[[0, 1, 2, 3, -4, -3, -2, -1], :, 2] = 1.0
    speed = np.linalg.norm(np.diff(points[..., :2], axis=0), axis=-1) * 20.0
    window = uniform_filter1d(speed, 5, axis=0, mode="constant")
    low = (points[:-1, :, 2] < 0.05) & (points[1:, :, 2] < 0.05)
    expected = (low & (speed > 0.5) & (window > 0.5)).any(axis=1).mean()
    assert 0.1 < expected < 0.9
    assert feet.skating_ratio(points, 20.0) == expected


def test_nothing_to_measure_is_nan() -> None:
    assert np.isnan(numbers(np.zeros((5, 0, 3)), 30.0)).all()
    assert np.isnan(numbers(np.zeros((1, 2, 3)), 30.0)[:4]).all()


@pytest.mark.parametrize(
    ("points", "rate", "floor"),
    [
        (np.zeros((5, 3)), 30.0, 0.0),
        (np.zeros((5, 2, 3)), 0.0, 0.0),
        (np.zeros((5, 2, 3)), 30.0, np.zeros(5)),
        ("feet", 30.0, 0.0),
    ],
)
def test_bad_input(points: np.ndarray, rate: float, floor: np.ndarray) -> None:
    with pytest.raises(InputError):
        feet.skating_ratio(points, rate, floor)
