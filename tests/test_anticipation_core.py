"""The rules and motions that hands answer with, each against what it is defined by."""

from __future__ import annotations

import numpy as np
import pytest

from poise.anticipation import NOTHING, Bounds, assign_hands, held_off, meeting_point, palm_turn
from poise.anticipation.guiding import Approach
from poise.anticipation.handling import Feeling
from poise.anticipation.rules import published_reaction_time, reaction_time, tension
from poise.behaviors.hands._kernels import _stands_off
from poise.behaviors.hands.felt import Felt
from poise.behaviors.hands.turning._kernels import changing, spinning
from poise.math import quat
from poise.math._easing import approached

APPROACH = Approach()
_BOUNDS = Bounds(quickest=0.2, slowest=0.8, softest=2.0, firmest=8.0)


@pytest.mark.parametrize(("distance", "speed"), [(0.9, 1.0), (1.2, 1.5), (0.6, 0.2), (3.0, 1.0), (0.55, 4.0)])
def test_ahead_of_the_region_reaction_time_is_equation_5(distance: float, speed: float) -> None:
    printed = published_reaction_time(distance, 0.5, speed, _BOUNDS.quickest, _BOUNDS.slowest)
    assert reaction_time(distance, 0.5, speed, _BOUNDS) == pytest.approx(printed)
    assert printed == pytest.approx(min(max(0.8 * (distance - 0.5) / speed, 0.2), 0.8))


def test_inside_the_region_the_printed_form_is_always_quickest_and_ours_is_not() -> None:
    assert published_reaction_time(0.45, 0.5, 0.5) == 0.5
    assert reaction_time(0.45, 0.5, 0.5, _BOUNDS) == pytest.approx(0.8 * 0.3 / 0.5)
    assert reaction_time(0.45, 0.5, 0.0, _BOUNDS) == _BOUNDS.slowest


def test_tension_grows_with_mass_between_its_bounds_and_stiffness_linearly() -> None:
    found = np.array([tension(mass, 15.0, _BOUNDS) for mass in (0.0, 3.75, 7.5, 11.25, 15.0)])
    assert (np.diff(found) > 0.0).all()
    np.testing.assert_allclose(np.diff(found**2, n=2), 0.0, atol=1e-9)
    assert (found[0], found[-1], tension(99.0, 15.0, _BOUNDS)) == pytest.approx((2.0, 8.0, 8.0))


def test_an_approach_starts_as_it_moved_and_ends_at_rest() -> None:
    error, rate, gain, duration, step = (0.3, -0.2, 0.0), (1.0, 2.0, -0.5), (4.0, -2.0, 1.0), 0.5, 1e-4

    def left(time: float) -> np.ndarray:
        return np.array(approached(error, rate, gain, duration, time))

    np.testing.assert_allclose(left(0.0), [error, rate, gain], atol=1e-12)
    np.testing.assert_allclose(left(duration), 0.0, atol=1e-12)
    np.testing.assert_allclose(left(0.6), 0.0, atol=1e-12)
    for time in (0.1, 0.23, 0.4):
        slope = (left(time + step) - left(time - step)) / (2.0 * step)
        np.testing.assert_allclose(slope[:2], left(time)[1:], atol=1e-5)


def test_an_approach_asked_anew_is_the_same_way() -> None:
    state, step = ((0.3, -0.2, 0.1), (1.0, 2.0, -0.5), (4.0, -2.0, 1.0)), 0.05
    whole = [np.array(approached(*state, 0.5, step * n)) for n in range(1, 10)]
    for n in range(9):
        state = approached(*state, 0.5 - step * n, step)
        np.testing.assert_allclose(np.array(state), whole[n], atol=1e-9)


def test_an_approach_from_rest_has_the_least_jerk() -> None:
    times = np.linspace(0.0, 1.0, 201)
    place = np.array([approached((1.0, 0.0, 0.0), (0.0,) * 3, (0.0,) * 3, 1.0, time)[0][0] for time in times])
    np.testing.assert_allclose(place, 1.0 - times**3 * (10.0 - 15.0 * times + 6.0 * times**2), atol=1e-12)


@pytest.mark.parametrize("angle", [1e-6, 0.3, 1.5, 3.0])
def test_rates_of_rotation_vectors_are_spins(angle: float) -> None:
    vector, rate, step = angle * np.array([0.6, -0.48, 0.64]), np.array([0.4, 1.2, -0.7]), 1e-6
    turns = [quat.exp(vector + sign * step * rate) for sign in (-1.0, 1.0)]
    spin = np.array(spinning(tuple(vector), tuple(rate)))
    np.testing.assert_allclose(spin, quat.log(quat.mul(quat.conj(turns[0]), turns[1])) / (2.0 * step), atol=1e-6)
    np.testing.assert_allclose(changing(tuple(vector), tuple(spin)), rate, atol=1e-9)


def test_a_hand_comes_from_before_a_surface_that_passes_and_straight_at_one_that_comes() -> None:
    normal, ahead = (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0)
    off = np.array(
        [_stands_off((far, 0.05, 0.0), normal, ahead, APPROACH.numbers) for far in (0.0, 0.05, 0.1, 0.3, 1.0)]
    )
    assert not off[:, [0, 2]].any()
    assert off[0, 1] == 0.0
    assert (np.diff(off[:, 1]) > 0.0).all()
    assert off[2, 1] == pytest.approx(0.5 * APPROACH.before)
    assert _stands_off((0.3, 0.05, 0.0), normal, (0.0, -1.0, 0.0), APPROACH.numbers) == (0.0, 0.0, 0.0)
    assert _stands_off((0.3, 0.05, 0.0), normal, (0.0, 0.0, 0.0), APPROACH.numbers) == (0.0, 0.0, 0.0)


def test_a_hand_gets_over_what_it_is_behind() -> None:
    assert _stands_off((0.0, -0.06, 0.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0), APPROACH.numbers) == pytest.approx(
        (0.0, 0.0, 0.12)
    )


def test_what_is_felt_is_the_mass_whatever_the_push() -> None:
    for mass, force in ((0.5, 3.0), (4.0, 20.0), (12.0, 80.0)):
        felt, tick, velocity, answers = Felt(), 1.0 / 60.0, np.array([-1.0, 0.2, 0.0]), []
        push = np.array([-force, 0.0, 0.0])  # On the hand; the thing feels the opposite.
        for k in range(20):
            answers.append(felt.feel(k * tick, tick, 3, push if k else np.zeros(3), velocity, Feeling()))
            velocity = velocity - tick * push / mass
        assert sum(answers) == 1
        assert felt.mass == pytest.approx(mass, rel=0.15)
        assert felt.surprises(mass / 5.0, Feeling()) == (mass > 1.0)
        assert not felt.surprises(mass, Feeling())


def meeting(
    which: int, urgency: float, ways: tuple[float, float], reached: tuple[bool, bool] = (True, True)
) -> list[float]:
    """With an obstacle that is across for neither hand."""
    return [which, ways[0], 0.6, 0.0, reached[0], ways[1], 0.6, 0.0, reached[1], urgency]


def test_a_hand_keeps_what_it_has_until_something_is_clearly_more_urgent() -> None:
    def taken(urgency: list[float], has: int) -> tuple[int, int]:
        rows = [meeting(4 + n, each, (0.5, 0.5), (True, False)) for n, each in enumerate(urgency)]
        return assign_hands(np.array(rows), (has, NOTHING), lambda which, left, right: False)

    assert taken([0.5, 0.6], has=5) == (5, NOTHING)
    assert taken([0.3, 0.9], has=5) == (4, NOTHING)


def test_two_hands_answer_two_obstacles_and_never_share_one_unless_they_should() -> None:
    rows, none = np.array([meeting(7, 0.4, (0.3, 0.4)), meeting(2, 0.5, (0.3, 0.4))]), (NOTHING, NOTHING)
    assert sorted(assign_hands(rows, none, lambda which, left, right: False)) == [2, 7]
    assert assign_hands(rows, none, lambda which, left, right: which == 7 and left == right == 0.6) == (7, 7)
    assert assign_hands(rows[:1], none, lambda which, left, right: False) == (7, NOTHING)
    assert assign_hands(rows[:0], none, lambda which, left, right: True) == none


def test_what_is_held_off_is_led_smoothly_to_the_distance_and_left_alone_far_away() -> None:
    centre, way = np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.0, 0.8])
    lengths = [
        float(np.linalg.norm(held_off(centre + far * way, centre, 0.4) - centre)) for far in np.linspace(0.01, 2.0, 200)
    ]
    assert min(lengths) >= 0.4
    assert (np.diff(lengths) >= 0.0).all()
    assert lengths[-1] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_palm_faces_the_surface_and_fingers_keep_their_direction_as_far_as_it_allows(seed: int) -> None:
    random = np.random.default_rng(seed)
    normal, fingers, palm = (vector / np.linalg.norm(vector) for vector in random.normal(size=(3, 3)))
    along = np.cross(palm, random.normal(size=3))
    along /= np.linalg.norm(along)
    turn = palm_turn(normal, fingers, palm, along)
    assert np.linalg.norm(turn) == pytest.approx(1.0)
    np.testing.assert_allclose(quat.rotate(turn, palm), -normal, atol=1e-9)
    flat = fingers - (fingers @ normal) * normal
    np.testing.assert_allclose(quat.rotate(turn, along), flat / np.linalg.norm(flat), atol=1e-9)


def test_fingers_along_the_normal_point_up_instead() -> None:
    ahead, down = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, -1.0])
    turn = palm_turn(ahead, ahead, np.array([0.0, 1.0, 0.0]), down)
    np.testing.assert_allclose(quat.rotate(turn, down), [0.0, 0.0, 1.0], atol=1e-9)


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
