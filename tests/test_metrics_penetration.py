"""Capsules at known distances, and against the definition by sampling and by optimisation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from poise.errors import InputError
from poise.metrics import capsule_penetration, pair_penetration, penetration_summary, segment_distance

HERE, X, Y, Z = np.zeros(3), *np.eye(3)

KNOWN = {
    "crossing": (-X, X, -Y, Y, 0.0),
    "skew": (-X, X, -Y + 0.3 * Z, Y + 0.3 * Z, 0.3),
    "parallel, side by side": (HERE, X, 0.5 * Y, X + 0.5 * Y, 0.5),
    "parallel, shifted past the end": (HERE, X, 4 * X + 4 * Y, 5 * X + 4 * Y, 5.0),
    "antiparallel": (HERE, X, X + 0.5 * Y, 0.5 * Y, 0.5),
    "in one line, apart": (HERE, X, 3 * X, 2 * X, 1.0),
    "in one line, overlapping": (HERE, 2 * X, X, 3 * X, 0.0),
    "end to inside": (-X, X, 0.2 * Z, Z, 0.2),
    "two points": (HERE, HERE, 3 * X + 4 * Z, 3 * X + 4 * Z, 5.0),
    "point beside a segment": (0.5 * X + Y, 0.5 * X + Y, HERE, X, 1.0),
    "the same segment": (HERE, X, HERE, X, 0.0),
}


@pytest.mark.parametrize("case", KNOWN)
def test_known_distances(case: str) -> None:
    p0, p1, q0, q1, expected = KNOWN[case]
    for a, b, c, d in ((p0, p1, q0, q1), (p1, p0, q0, q1), (q0, q1, p1, p0)):
        assert segment_distance(a, b, c, d) == pytest.approx(expected, abs=1e-12)


def test_against_sampling(rng: np.random.Generator) -> None:
    p0, p1, q0, q1 = rng.normal(size=(4, 40, 3))
    s = np.linspace(0.0, 1.0, 161)
    p = p0[:, None] + s[:, None] * (p1 - p0)[:, None]
    q = q0[:, None] + s[:, None] * (q1 - q0)[:, None]
    sampled = np.linalg.norm(p[:, :, None] - q[:, None], axis=-1).min(axis=(1, 2))
    exact = segment_distance(p0, p1, q0, q1)
    assert np.all(exact <= sampled + 1e-12)
    np.testing.assert_allclose(exact, sampled, atol=0.03)


@given(arrays(np.float64, (4, 3), elements=st.integers(-2, 2)), st.floats(-1e-9, 1e-9))
def test_small_changes_make_small_differences(ends: np.ndarray, nudge: float) -> None:
    """Whole numbers give many parallel, crossing and degenerate cases; a nudge must not throw them off."""
    nudged = ends.astype(np.float64)
    nudged[1, 0] += nudge
    assert abs(float(segment_distance(*ends)) - float(segment_distance(*nudged))) <= 1e-8


def test_capsules_at_a_known_depth() -> None:
    assert capsule_penetration(HERE, X, 0.1, 0.15 * Y, X + 0.15 * Y, 0.1) == pytest.approx(0.05)
    assert capsule_penetration(HERE, X, 0.1, 0.3 * Y, X + 0.3 * Y, 0.1) == 0.0
    depths = capsule_penetration(np.zeros((4, 1, 3)), X, 0.1, np.zeros((1, 2, 3)) + 0.1 * Y, 0.1 * Y, [0.05, 0.2])
    np.testing.assert_allclose(depths, [[0.05, 0.2]] * 4)


def test_pairs_over_time() -> None:
    frames, speed = 11, 0.1
    starts = np.zeros((frames, 3, 3))
    starts[:, 1, 2] = speed * np.arange(frames)  # rises from the first; the third stays far away
    starts[:, 2, 0] = 50.0
    ends = starts + X
    pairs = np.array([[0, 1], [2, 1]])
    depths = pair_penetration(starts, ends, [0.2, 0.1, 0.3], pairs)
    np.testing.assert_allclose(depths[:, 0], np.maximum(0.0, 0.3 - speed * np.arange(frames)), atol=1e-12)
    radii = np.array([0.2, 0.1, 0.3])
    a, b = pairs.T
    again = capsule_penetration(starts[:, a], ends[:, a], radii[a], starts[:, b], ends[:, b], radii[b])
    np.testing.assert_array_equal(depths, again)
    summary = penetration_summary(depths, tolerance=1e-9)
    assert summary.max_mm == pytest.approx(300.0)
    assert summary.mean_mm == pytest.approx(1000.0 * 0.6 / frames)
    assert summary.frames_percent == pytest.approx(300.0 / frames)
    assert penetration_summary(depths[:, [1]]).max_mm == 0.0
    assert np.isnan(penetration_summary(depths[:, []]).max_mm)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="broadcast"):
        segment_distance(np.zeros((2, 3)), HERE, np.zeros((3, 3)), HERE)
    with pytest.raises(InputError, match="shape"):
        segment_distance(np.zeros(2), HERE, HERE, HERE)
    with pytest.raises(InputError, match="radii"):
        capsule_penetration(np.zeros((2, 3)), HERE, np.zeros(3), HERE, HERE, 0.1)
    with pytest.raises(InputError, match="pairs"):
        pair_penetration(np.zeros((2, 2, 3)), np.zeros((2, 2, 3)), [0.1, 0.1], [[0, 2]])
