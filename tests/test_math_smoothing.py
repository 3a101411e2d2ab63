import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d, uniform_filter1d

from poise.math.smoothing import running_mean, smoothed


@pytest.mark.parametrize("size", [1, 3, 7, 101])
def test_running_mean_is_scipys_over_the_samples_there_are(size: int, rng: np.random.Generator) -> None:
    values = rng.normal(size=(40, 2))
    total = uniform_filter1d(values, size, axis=0, mode="constant")
    there = uniform_filter1d(np.ones_like(values), size, axis=0, mode="constant")
    np.testing.assert_allclose(running_mean(values, size), total / there, atol=1e-12)


@pytest.mark.parametrize("deviation", [0.1, 0.7, 3.6, 30.0])
@pytest.mark.parametrize("count", [1, 3, 80])
def test_smoothed_is_scipys_gaussian(deviation: float, count: int, rng: np.random.Generator) -> None:
    values = rng.normal(size=(count, 2))
    expected = gaussian_filter1d(values, deviation, axis=0, mode="nearest")
    np.testing.assert_allclose(smoothed(values, deviation), expected, atol=1e-12)
