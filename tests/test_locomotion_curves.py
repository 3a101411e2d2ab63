"""The smoothest curve between bounds, against a general solver for bounded least squares."""

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from poise.locomotion.curves import smoothest

RATE, TIME, COUNT = 30.0, 0.15, 40


def by_least_squares(
    order: int, weights: np.ndarray, wishes: np.ndarray, low: np.ndarray, high: np.ndarray
) -> np.ndarray:
    rows = [np.diff(np.eye(COUNT), n=degree, axis=0) * (RATE * TIME) ** degree for degree in (order, 1)]
    rows.append(np.diag(np.sqrt(weights)))
    target = np.concatenate([np.zeros(len(rows[0]) + len(rows[1])), np.sqrt(weights) * wishes])
    return np.asarray(lsq_linear(np.concatenate(rows), target, (low, high), method="bvls", tol=1e-14).x)


@pytest.mark.parametrize("order", [2, 3])
def test_it_is_the_least_squares_curve_between_its_bounds(order: int, rng: np.random.Generator) -> None:
    weights, wishes = rng.uniform(0.1, 2.0, COUNT), np.sin(np.arange(COUNT) / 4.0)
    low, high = np.full(COUNT, -np.inf), np.full(COUNT, np.inf)
    low[12:16], high[28:33] = 1.0, -0.5
    free = np.zeros(COUNT, bool)
    found = smoothest(
        RATE, free, np.zeros(COUNT), time=TIME, order=order, weights=weights, wishes=wishes, bounds=(low, high)
    )
    assert (found > low - 0.03).all()
    assert (found < high + 0.03).all()
    np.testing.assert_allclose(found, by_least_squares(order, weights, wishes, low, high), atol=0.03)
    loose = smoothest(RATE, free, np.zeros(COUNT), time=TIME, order=order, weights=weights, wishes=wishes)
    everywhere = np.full(COUNT, np.inf)
    np.testing.assert_allclose(loose, by_least_squares(order, weights, wishes, -everywhere, everywhere), atol=1e-8)


def test_fixed_frames_stay_and_are_left_and_reached_smoothly() -> None:
    fixed = np.zeros(COUNT, bool)
    fixed[:10] = fixed[30:] = True
    values = np.where(np.arange(COUNT) < 20, 0.01 * np.arange(COUNT), 0.5)
    curve = smoothest(RATE, fixed, np.stack([values, -values], axis=1), time=0.5)
    np.testing.assert_array_equal(curve[fixed, 0], values[fixed])
    np.testing.assert_allclose(curve[:, 1], -curve[:, 0], atol=1e-12)
    bends = np.abs(np.diff(curve[:, 0], n=2))
    assert bends.max() < 0.01, "no corner where the fixed frames end: a straight line would have bends of 0.02"


def test_nothing_given_is_nothing_and_everything_given_stays() -> None:
    values = np.arange(5.0)
    np.testing.assert_array_equal(smoothest(RATE, np.zeros(5, bool), values, time=TIME), np.zeros(5))
    np.testing.assert_array_equal(smoothest(RATE, np.ones(5, bool), values, time=TIME), values)
    assert smoothest(RATE, np.zeros(1, bool), np.zeros(1), time=TIME, weights=1.0, wishes=2.0) == pytest.approx(2.0)
