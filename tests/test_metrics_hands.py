"""Jerk ratios, reversals and arrivals of hands, and accelerations of joints, on motions whose answers are known."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.math import quat
from poise.metrics import (
    acceleration_ratio,
    angular_accelerations,
    arrival_ratio,
    arrival_speeds,
    jerk_ratio,
    near,
    reversals,
)
from poise.metrics.hands import QUICK_REACH, QUICK_SPEED

RATE = 60.0
TIMES = np.arange(120) / RATE


def cubic(jerk: float) -> np.ndarray:
    """One hand that moves with a constant jerk [m/s³], shape (T, 1, 3)."""
    return np.stack([jerk / 6.0 * TIMES**3, 0.0 * TIMES, 0.0 * TIMES], axis=1)[:, None]


@pytest.mark.parametrize(("own", "found", "expected"), [(400.0, 1000.0, 2.5), (10.0, 300.0, 1.5), (0.0, 100.0, 0.5)])
def test_jerk_is_held_against_the_larger_of_the_own_one_and_a_quick_reach(
    own: float, found: float, expected: float
) -> None:
    assert jerk_ratio(cubic(own), cubic(found), RATE) == pytest.approx(expected, rel=1e-6)


def test_jerk_counts_where_one_of_its_four_frames_is_listed() -> None:
    hand = cubic(100.0)
    hand[60::2] += 0.01
    where = np.zeros((120, 1), dtype=bool)
    where[:50] = True
    assert jerk_ratio(cubic(0.0), hand, RATE, where=where) == pytest.approx(0.5, rel=1e-6)
    assert jerk_ratio(cubic(0.0), hand, RATE, where=~where) > 1.0
    assert np.isnan(jerk_ratio(cubic(0.0), hand, RATE, where=np.zeros((120, 1), dtype=bool)))


def test_only_accelerations_over_the_threshold_that_turn_round_are_reversals() -> None:
    swing = np.stack([0.01 * np.sin(2.0 * np.pi * 4.0 * TIMES), 0.0 * TIMES, 0.0 * TIMES], axis=1)[:, None]
    assert not reversals(swing, RATE).any()  # 6.3 m/s² at most
    shake = cubic(0.0)
    shake[1::2, :, 1] = 0.01  # 1 cm to and fro every frame: 72 m/s²
    assert reversals(shake, RATE).all()
    assert reversals(shake, RATE).shape == (117, 1)
    assert not reversals(shake, RATE, threshold=100.0).any()
    turn = cubic(0.0)
    turn[60:, :, 0] = 0.02  # one step: up and down again
    assert reversals(turn, RATE).sum() == 1


def test_arrivals_are_told_once_with_the_speed_of_the_frame_before() -> None:
    place = np.stack([2.0 * TIMES, 0.0 * TIMES, 0.0 * TIMES], axis=1)
    touching = np.zeros(120, dtype=bool)
    touching[[0, 1, 30, 31, 35, 80]] = True
    np.testing.assert_allclose(arrival_speeds(place, RATE, touching), [2.0, 2.0])


def test_a_quick_reach_is_as_fast_and_jerks_as_much_as_is_said() -> None:
    share = np.linspace(0.0, 1.0, 10001)
    way = 0.3 * (10.0 * share**3 - 15.0 * share**4 + 6.0 * share**5)
    step = 0.45 * share[1]
    assert np.diff(way).max() / step == pytest.approx(QUICK_SPEED, rel=1e-3)
    assert (np.diff(way, 3) / step**3)[0] == pytest.approx(QUICK_REACH, rel=0.02)


def test_the_fastest_touch_is_told_beside_what_the_clip_does_or_a_quick_reach() -> None:
    hand = np.zeros((120, 2, 3))
    hand[:, 0, 0], hand[:, 1, 1] = 2.0 * TIMES, 0.5 * TIMES
    touching = np.zeros((120, 2), dtype=bool)
    assert np.isnan(arrival_ratio(hand, hand, RATE, touching))
    touching[50, 1] = True
    assert arrival_ratio(0.0 * hand, hand, RATE, touching) == pytest.approx(0.5 / QUICK_SPEED)
    touching[80, 0] = True
    assert arrival_ratio(0.0 * hand, hand, RATE, touching) == pytest.approx(2.0 / QUICK_SPEED)
    assert arrival_ratio(2.0 * hand, hand, RATE, touching) == pytest.approx(0.5)


def test_angular_acceleration_of_a_turn_that_speeds_up() -> None:
    axis = np.array([0.0, 0.6, 0.8])
    turns = quat.exp(0.5 * 40.0 * TIMES[:, None] ** 2 * axis)[:, None]
    np.testing.assert_allclose(angular_accelerations(turns, RATE), 40.0, rtol=1e-9)
    calm = np.ones(120, dtype=bool)
    still = np.tile(quat.IDENTITY, (120, 1, 1))
    np.testing.assert_allclose(acceleration_ratio(still, turns, RATE, calm), 40.0 / 300.0, rtol=1e-9)
    np.testing.assert_allclose(acceleration_ratio(turns, turns, RATE, calm, least=1.0), 1.0, rtol=1e-9)
    np.testing.assert_allclose(acceleration_ratio(still, turns, RATE, ~calm), 0.0)


def test_frames_near_ticks() -> None:
    assert np.flatnonzero(near([3, 9], 10, 1, 2)).tolist() == [2, 3, 4, 5, 8, 9]


def test_shapes_are_checked() -> None:
    with pytest.raises(InputError, match="positions"):
        reversals(np.zeros((4, 3)), RATE)
    with pytest.raises(InputError, match="where"):
        jerk_ratio(cubic(1.0), cubic(1.0), RATE, where=np.zeros((7, 1), dtype=bool))
    with pytest.raises(InputError, match="rate"):
        angular_accelerations(np.zeros((4, 1, 4)), 0.0)
