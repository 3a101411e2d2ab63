"""Joint limits on angles written by hand."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.metrics import limit_violation, violation

LOWER, UPPER = np.array([-1.0, -np.inf]), np.array([0.5, 2.0])


def test_violation_of_both_ends() -> None:
    angles = np.array([[0.0, -9.0], [0.6, 2.0], [-1.2, 2.3], [0.5, 0.0]])
    np.testing.assert_allclose(violation(angles, LOWER, UPPER), [[0, 0], [0.1, 0], [0.2, 0.3], [0, 0]], atol=1e-15)
    summary = limit_violation(angles, LOWER, UPPER)
    assert summary.max_deg == pytest.approx(np.rad2deg(0.3))
    assert summary.frames_percent == 50.0
    assert limit_violation(angles, LOWER, UPPER, tolerance=0.15).frames_percent == 25.0


def test_no_angles_and_bad_limits() -> None:
    assert np.isnan(limit_violation(np.zeros((3, 0)), [], []).max_deg)
    with pytest.raises(InputError, match="angle 1"):
        violation(np.zeros((3, 2)), [0.0, 1.0], [0.0, 0.9])
    with pytest.raises(InputError, match="shape"):
        violation(np.zeros((3, 2)), [0.0], [0.0])
