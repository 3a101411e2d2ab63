"""The rules and motions that hands answer with, each against what it is defined by."""

from __future__ import annotations

import numpy as np
import pytest

from poise.anticipation import NOTHING, Bounds, Glide, assign_hands, meeting_point
from poise.anticipation.rules import printed_reaction_time, reaction_time, tension

_BOUNDS = Bounds(quickest=0.2, slowest=0.8, softest=2.0, firmest=8.0)


@pytest.mark.parametrize(("distance", "speed"), [(0.9, 1.0), (1.2, 1.5), (0.6, 0.2), (3.0, 1.0), (0.55, 4.0)])
def test_ahead_of_the_region_reaction_time_is_equation_5(distance: float, speed: float) -> None:
    printed = printed_reaction_time(distance, 0.5, speed, _BOUNDS.quickest, _BOUNDS.slowest)
    assert reaction_time(distance, 0.5, speed, _BOUNDS) == pytest.approx(printed)
    assert printed == pytest.approx(min(max(0.8 * (distance - 0.5) / speed, 0.2), 0.8))


def test_inside_the_region_the_printed_form_is_always_quickest_and_ours_is_not() -> None:
    assert printed_reaction_time(0.45, 0.5, 0.5) == 0.5
    assert reaction_time(0.45, 0.5, 0.5, _BOUNDS) == pytest.approx(0.8 * 0.3 / 0.5)
    assert reaction_time(0.45, 0.5, 0.0, _BOUNDS) == _BOUNDS.slowest


def test_tension_grows_with_mass_between_its_bounds_and_stiffness_linearly() -> None:
    found = np.array([tension(mass, 15.0, _BOUNDS) for mass in (0.0, 3.75, 7.5, 11.25, 15.0)])
    assert (np.diff(found) > 0.0).all()
    np.testing.assert_allclose(np.diff(found**2, n=2), 0.0, atol=1e-9)
    assert (found[0], found[-1], tension(99.0, 15.0, _BOUNDS)) == pytest.approx((2.0, 8.0, 8.0))


def test_a_glide_is_smooth_to_the_second_derivative_at_both_ends() -> None:
    glide = Glide(1.0, 0.5, np.array([0.3, -0.2]), np.array([1.0, 2.0]))
    step = 1e-3
    for time, rate, place in ((1.0, glide.rate, glide.offset), (1.5, np.zeros(2), np.zeros(2))):
        inward = step if time == 1.0 else -step
        first, second = glide.at(time + inward), glide.at(time + 2.0 * inward)
        np.testing.assert_allclose(glide.at(time), place, atol=1e-12)
        np.testing.assert_allclose((first - place) / inward, rate, atol=1e-3)
        np.testing.assert_allclose((second - 2.0 * first + place) / step**2, 0.0, atol=1.0)
    middle = (glide.at(1.2 + step) - glide.at(1.2 - step)) / (2.0 * step)
    np.testing.assert_allclose(glide.rate_at(1.2), middle, atol=1e-4)


def test_a_hand_keeps_what_it_has_until_something_is_clearly_more_urgent() -> None:
    ways, across = np.full((2, 2), 0.5), np.zeros((2, 2), dtype=bool)
    reachable = np.array([[True, True], [False, False]])

    def taken(urgency: list[float]) -> tuple[int, int]:
        return assign_hands(np.array(urgency), ways, across, reachable, (0, NOTHING), lambda which: False)

    assert taken([0.6, 0.5]) == (0, NOTHING)
    assert taken([0.9, 0.3]) == (1, NOTHING)


def test_meeting_points_are_those_of_brute_force() -> None:
    random = np.random.default_rng(3)
    times = np.linspace(0.0, 2.0, 20001)
    for _ in range(40):
        point, centre = random.normal(size=3), random.normal(size=3)
        closing, distance = (centre - point) * random.uniform(0.3, 2.0) + 0.3 * random.normal(size=3), 0.3
        way = point + times[:, None] * closing
        away = np.linalg.norm(way - centre, axis=1)
        within = np.flatnonzero(away <= distance)
        expected = way[within[0] if len(within) else away.argmin()]
        np.testing.assert_allclose(meeting_point(point, centre, closing, distance, 2.0), expected, atol=2e-3)
