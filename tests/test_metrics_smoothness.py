"""Jerk and motion errors against analytic derivatives."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.metrics import smoothness


def circle(radius: float, omega: float, rate: float, seconds: float = 2.0) -> np.ndarray:
    angle = omega * np.arange(round(seconds * rate) + 1) / rate
    return radius * np.stack([np.cos(angle), np.sin(angle), np.zeros_like(angle)], axis=-1)[:, None]


def test_jerk_of_a_circle() -> None:
    """Each difference of a circle multiplies by 2 sin(ω Δt / 2), so the value is exact at any rate."""
    radius, omega = 0.4, 5.0
    for rate in (30.0, 120.0):
        exact = radius * (2.0 * np.sin(omega / (2.0 * rate)) * rate) ** 3
        summary = smoothness.jerk_summary(circle(radius, omega, rate), rate)
        np.testing.assert_allclose([summary.mean_m_s3, summary.p95_m_s3, summary.max_m_s3], exact, rtol=1e-6)
        assert exact == pytest.approx(radius * omega**3, rel=0.01)


def test_jerk_of_a_sinusoid() -> None:
    amplitude, omega, rate = 0.1, 2.0 * np.pi, 240.0
    time = np.arange(2401) / rate
    positions = np.zeros((len(time), 1, 3))
    positions[:, 0, 2] = amplitude * np.sin(omega * time)
    summary = smoothness.jerk_summary(positions, rate)
    assert summary.max_m_s3 == pytest.approx(amplitude * omega**3, rel=1e-3)
    assert summary.mean_m_s3 == pytest.approx(amplitude * omega**3 * 2.0 / np.pi, rel=2e-3)
    assert summary.p95_m_s3 == pytest.approx(amplitude * omega**3 * np.sin(0.95 * np.pi / 2.0), rel=2e-3)


def test_constant_acceleration_has_no_jerk(rng: np.random.Generator) -> None:
    time = np.arange(60)[:, None, None] / 30.0
    a, b, c = rng.normal(size=(3, 1, 4, 3))
    assert smoothness.jerk_summary(a + b * time + c * time**2, 30.0).max_m_s3 < 1e-7


def test_velocity_and_acceleration_error() -> None:
    time = np.arange(61)[:, None, None] / 30.0
    still = np.zeros((61, 2, 3))
    drifting = still + time * [3.0, 0.0, 4.0]
    falling = still + time**2 * [0.0, 0.0, 1.5]
    assert smoothness.velocity_error(still, drifting, 30.0) == pytest.approx(5.0)
    assert smoothness.acceleration_error(still, drifting, 30.0) == pytest.approx(0.0, abs=1e-9)
    assert smoothness.acceleration_error(still, falling, 30.0) == pytest.approx(3.0)
    assert smoothness.velocity_error(drifting, drifting + 7.0, 30.0) == pytest.approx(0.0, abs=1e-9)


def test_short_motions_are_nan_and_other_shapes_refused() -> None:
    for frames in (1, 2, 3):
        assert np.isnan(smoothness.jerk_summary(np.zeros((frames, 2, 3)), 30.0).mean_m_s3)
    assert np.isnan(smoothness.velocity_error(np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), 30.0))
    with pytest.raises(InputError, match="same frames"):
        smoothness.velocity_error(np.zeros((4, 2, 3)), np.zeros((5, 2, 3)), 30.0)
    with pytest.raises(InputError, match="rate"):
        smoothness.jerk(np.zeros((4, 2, 3)), float("nan"))
