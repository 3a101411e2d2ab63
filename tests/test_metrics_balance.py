"""The support polygon of a box, of a line and of a point, with a centre of mass at known places."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull

from poise.errors import InputError
from poise.metrics import balance

BOX = np.array([[0.0, 0.0], [0.4, 0.0], [0.4, 0.2], [0.0, 0.2], [0.2, 0.1], [0.2, 0.0]])  # one inside, one on an edge


def margin(query: list[float], points: np.ndarray, contact: np.ndarray | None = None) -> float:
    touching = np.ones((1, len(points)), bool) if contact is None else contact[None]
    return float(balance.support_margin([query], points[None], touching)[0])


def test_a_standing_box() -> None:
    np.testing.assert_array_equal(balance.support_polygon(BOX), BOX[:4])
    assert margin([0.2, 0.1], BOX) == pytest.approx(0.1)
    assert margin([0.35, 0.12], BOX) == pytest.approx(0.05)
    assert margin([0.4, 0.1], BOX) == pytest.approx(0.0)
    assert margin([0.46, 0.1], BOX) == pytest.approx(-0.06)
    assert margin([0.43, 0.24], BOX) == pytest.approx(-0.05)


def test_lines_points_and_nothing() -> None:
    line = np.array([[0.0, 0.0], [0.1, 0.0], [0.4, 0.0]])
    assert margin([0.2, 0.0], line) == 0.0
    assert margin([0.2, 0.03], line) == pytest.approx(-0.03)
    assert margin([0.43, 0.04], line) == pytest.approx(-0.05)
    assert margin([0.03, 0.04], np.zeros((3, 2))) == pytest.approx(-0.05)
    assert np.isnan(margin([0.0, 0.0], BOX, np.zeros(6, bool)))
    assert np.isnan(margin([0.0, float("nan")], BOX))
    assert [len(balance.support_polygon(each)) for each in (line, np.zeros((3, 2)), np.zeros((0, 2)))] == [2, 1, 0]


def test_only_points_in_contact_count() -> None:
    contact = np.array([True, True, False, False, False, False])
    assert margin([0.2, 0.1], BOX, contact) == pytest.approx(-0.1)


@given(st.integers(0, 10_000), st.floats(-np.pi, np.pi), st.floats(-5.0, 5.0))
def test_against_qhull_in_any_place_and_heading(seed: int, yaw: float, shift: float) -> None:
    rng = np.random.default_rng(seed)
    points, query = rng.normal(size=(8, 2)), rng.normal(size=2)
    hull = ConvexHull(points)
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, s], [-s, c]])
    measured = margin(list(query @ turn + shift), points @ turn + shift)
    assert len(balance.support_polygon(points)) == len(hull.vertices)
    beyond = np.max(hull.equations[:, :2] @ query + hull.equations[:, 2])
    if beyond < 0.0:
        assert measured == pytest.approx(-beyond, abs=1e-9)
    else:
        assert measured <= -beyond + 1e-9  # a corner is further away than the line of its edge


def test_centre_of_mass_and_where_it_is_going() -> None:
    positions = np.array([[[0.0, 0.0, 1.0], [1.0, 0.0, 2.0]]])
    com = balance.centre_of_mass(positions, [1.0, 3.0])
    np.testing.assert_allclose(com, [[0.75, 0.0, 1.75]])
    velocity = np.array([[0.5, -0.2, 3.0]])
    height = 9.81 / 4.0  # omega is 2 rad/s
    at = np.array([[0.1, 0.2, height + 0.3]])
    np.testing.assert_allclose(balance.extrapolated_centre_of_mass(at, velocity, 0.3), [[0.35, 0.1]])
    assert np.isnan(balance.extrapolated_centre_of_mass(at, velocity, 9.0)).all()


def test_summary_of_margins() -> None:
    summary = balance.margin_summary([0.1, -0.05, np.nan, 0.04])
    assert (summary.mean_m, summary.min_m) == (pytest.approx(0.03), -0.05)
    assert (summary.outside_percent, summary.supported_percent) == (pytest.approx(100.0 / 3.0), 75.0)
    assert np.isnan(balance.margin_summary([np.nan]).mean_m)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="booleans"):
        balance.support_margin(np.zeros((1, 2)), np.zeros((1, 3, 3)), np.ones((1, 3)))
    with pytest.raises(InputError, match="mass"):
        balance.centre_of_mass(np.zeros((1, 2, 3)), [0.0, 0.0])
