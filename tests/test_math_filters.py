import numpy as np
import pytest
from scipy import signal
from scipy.signal import freqz

from poise.errors import InputError
from poise.math import quat
from poise.math.filters import (
    Coefficients,
    _settling,
    _warped,
    butterworth,
    lowpass,
    lowpass_rotations,
    published_butterworth,
)


def both_passes(coefficients: Coefficients, frequency: float, rate: float) -> float:
    _, response = freqz(coefficients.b, coefficients.a, worN=[frequency], fs=rate)
    return float(np.abs(response[0]) ** 2)


@pytest.mark.parametrize(("cutoff", "rate"), [(20, 333), (6, 120), (20, 120), (10, 30), (14, 30)])
def test_gain_at_the_cutoff_over_both_passes(cutoff: float, rate: float) -> None:
    assert both_passes(butterworth(cutoff, rate), cutoff, rate) == pytest.approx(np.sqrt(0.5), abs=1e-9)


@pytest.mark.parametrize(("cutoff", "rate", "real"), [(20, 333, 6.4), (15, 333, 4.0), (20, 120, 15.6), (6, 120, 1.7)])
def test_the_printed_coefficients_cut_off_elsewhere(cutoff: float, rate: float, real: float) -> None:
    printed = published_butterworth(cutoff, rate)
    assert np.sum(printed.b) / np.sum(printed.a) == pytest.approx(1.0)
    assert both_passes(printed, real, rate) == pytest.approx(np.sqrt(0.5), abs=0.02)


def test_no_phase_lag_and_noise_removed(rng: np.random.Generator) -> None:
    time = np.arange(600) / 120.0
    wave = np.sin(2 * np.pi * 1.0 * time)
    smooth = lowpass(wave + 0.05 * rng.normal(size=600), butterworth(6.0, 120.0))
    lag = np.argmax(np.correlate(smooth, wave, mode="full")) - 599
    assert lag == 0
    assert np.abs(smooth - wave)[20:-20].max() < 0.05


def test_angular_acceleration_noise_falls_fivefold(rng: np.random.Generator) -> None:
    time = np.arange(600) / 120.0
    vectors = np.stack([np.sin(3 * time), 0.3 * np.cos(2 * time), 0.0 * time], axis=1)
    noisy = quat.exp(vectors + 0.002 * rng.normal(size=(600, 3)))

    def acceleration_error(rotations: np.ndarray) -> float:
        def second(q: np.ndarray) -> np.ndarray:
            velocity = quat.log(quat.mul(quat.conj(q[:-1]), q[1:])) * 120.0
            return np.diff(velocity, axis=0) * 120.0

        return float(np.sqrt(np.mean((second(rotations) - second(quat.exp(vectors)))[30:-30] ** 2)))

    assert acceleration_error(lowpass_rotations(noisy, butterworth(6.0, 120.0))) < acceleration_error(noisy) / 5.0


def test_bad_cutoff_is_refused() -> None:
    with pytest.raises(InputError, match="between 0 and 15 Hz"):
        butterworth(16.0, 30.0)


@pytest.mark.parametrize(("cutoff", "rate"), [(20, 333), (6, 120), (12, 60), (14, 30)])
@pytest.mark.parametrize("count", [10, 30, 700])
def test_filtering_is_scipys(cutoff: float, rate: float, count: int, rng: np.random.Generator) -> None:
    values, coefficients = rng.normal(size=(count, 2, 3)), butterworth(cutoff, rate)
    assert signal.butter(2, np.arctan(_warped(cutoff, rate)) * rate / np.pi, fs=rate)[0] == pytest.approx(
        coefficients.b
    )
    pad = min(count - 1, 3 * _settling(coefficients))
    other = signal.filtfilt(coefficients.b, coefficients.a, values, axis=0, padlen=pad)
    np.testing.assert_allclose(lowpass(values, coefficients), other, rtol=1e-10, atol=1e-12)
