"""The ways from 0 to 1: one polynomial in three forms, at rest at both ends, and the one with the least jerk."""

from __future__ import annotations

import numpy as np
import pytest

from poise.math import _easing
from poise.math.easing import eased, minimum_jerk, smoothstep


def test_the_three_forms_of_least_jerk_are_the_same_to_the_bit() -> None:
    shares = np.linspace(0.0, 1.0, 201)
    expected = minimum_jerk(shares)
    assert [eased(float(share)) for share in shares] == expected.tolist()
    assert [_easing.minimum_jerk(float(share)) for share in shares] == pytest.approx(expected, abs=1e-15)
    assert (eased(-0.5), eased(1.5)) == (0.0, 1.0)
    assert minimum_jerk(np.array([2.0, 5.0, 8.0]), 3.0, 7.0).tolist() == [0.0, 0.5, 1.0]


def test_it_has_least_jerk_of_all_ways_that_rest_at_both_ends() -> None:
    """Any change of it that keeps place, velocity and acceleration at both ends makes the mean square of its jerk larger."""
    times = np.linspace(0.0, 1.0, 4001)
    third = np.gradient(np.gradient(np.gradient(minimum_jerk(times), times), times), times)[50:-50]
    for power in (3, 4, 5):
        bump = 0.3 * (times * (1.0 - times)) ** power * np.sin(3.0 * times)
        other = np.gradient(np.gradient(np.gradient(minimum_jerk(times) + bump, times), times), times)[50:-50]
        assert np.mean(other**2) > np.mean(third**2)


def test_a_smoothstep_rests_at_both_ends_and_is_odd_about_its_middle() -> None:
    shares = np.linspace(0.0, 1.0, 101)
    values = smoothstep(shares)
    np.testing.assert_allclose(values + values[::-1], 1.0, atol=1e-15)
    slopes = np.gradient(values, shares)
    assert abs(slopes[0]) < 0.05
    assert abs(slopes[-1]) < 0.05
    assert slopes.max() == pytest.approx(1.5, abs=1e-3)
    assert smoothstep(0.25) == pytest.approx(0.15625)
