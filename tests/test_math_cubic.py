import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator

from poise.math.cubic import monotone_cubic, not_a_knot


@pytest.mark.parametrize("count", [2, 3, 4, 5, 40])
@pytest.mark.parametrize("shape", [(), (3,), (2, 4)])
def test_a_spline_is_scipys(count: int, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    knots, values = np.cumsum(rng.uniform(0.1, 1.0, count)), rng.normal(size=(count, *shape))
    ours, other = not_a_knot(knots, values), CubicSpline(knots, values, bc_type="not-a-knot")
    places = np.concatenate([knots, rng.uniform(knots[0] - 0.1, knots[-1] + 0.1, 50)])
    for order in range(4):
        np.testing.assert_allclose(ours(places, order), other(places, order), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(ours.derivative()(places), other(places, 1), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("count", [2, 3, 4, 40])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_a_monotone_cubic_is_scipys(count: int, shape: tuple[int, ...], rng: np.random.Generator) -> None:
    knots, values = np.cumsum(rng.uniform(0.1, 1.0, count)), rng.integers(-2, 3, size=(count, *shape)).astype(float)
    places = np.concatenate([knots, np.linspace(knots[0], knots[-1], 50)])
    ours, other = monotone_cubic(knots, values), PchipInterpolator(knots, values)
    np.testing.assert_allclose(ours(places), other(places), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(ours.derivative()(places), other(places, 1), rtol=1e-12, atol=1e-12)
