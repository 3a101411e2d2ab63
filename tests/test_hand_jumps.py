"""Arms do not jump with what is wished of them: jumps are taken out of every joint, and what does not jump is met exactly."""

from __future__ import annotations

import numpy as np
import pytest

from poise.anticipation.guiding import Calming
from poise.behaviors.hands.following import WAYS, fill_arms, start_ways
from poise.behaviors.hands.following._kernels import WAY, WISH, without_jumps
from poise.body.limits import swing_twist_angles
from poise.math import quat

Joint = tuple[tuple[float, float, float, float], np.ndarray, np.ndarray]

TICK = 1.0 / 60.0


SETTLES, QUICK = 0.3, (Calming.turns, Calming.turns, Calming.bends, Calming.settles)
WRIST = (1.0, 0.0, 0.0, 0.0), np.array([-0.5, -1.5, -2.0]), np.array([0.8, 1.4, 2.0])
"""Neutral pose, least and greatest swings and twist of a left wrist, roughly."""
FREE = (1.0, 0.0, 0.0, 0.0), np.full(3, -np.pi), np.full(3, np.pi)


def played(wishes: np.ndarray, led: bool = True, settles: float = SETTLES, joint: Joint = FREE) -> np.ndarray:
    """What comes of wished coordinates, shape (T, 4)."""
    way = np.zeros(WAY)
    way[WISH : WISH + 4] = wishes[0]
    return np.array([without_jumps(tuple(wish), way, joint, led, settles, QUICK, TICK) for wish in wishes])


def about_x(angles: np.ndarray) -> np.ndarray:
    return quat.exp(np.stack([angles, 0.0 * angles, 0.0 * angles], axis=1))


def angles_of(turns: np.ndarray) -> np.ndarray:
    return quat.log(turns)[:, 0]


def test_a_calm_wish_is_met_exactly() -> None:
    times = np.arange(120) * TICK
    wishes = about_x(0.5 - 0.5 * np.cos(2.0 * np.pi * 0.9 * times))
    np.testing.assert_allclose(played(wishes), wishes, atol=1e-12)


def test_a_wish_that_jumps_is_followed_without_a_jump() -> None:
    angles = np.where(np.arange(90) < 20, 0.0, 0.8)
    found = angles_of(played(about_x(angles)))
    jumps = np.abs(np.diff(found, 2)) / TICK**2
    assert jumps.max() < 100.0, "the jump itself has 2,880 rad/s²"
    assert abs(found[60] - 0.8) < 0.02
    assert found.max() < 0.95


def test_a_wish_that_chatters_shakes_nothing() -> None:
    """Inverse kinematics between two solutions, 3 degrees apart."""
    angles = 0.4 + 0.05 * (-1.0) ** np.arange(120)
    found = angles_of(played(about_x(angles)))[30:]
    assert np.ptp(found) < 0.3 * 0.1


def test_what_the_clip_does_is_no_jump() -> None:
    wishes = about_x(np.where(np.arange(40) < 20, 0.0, 0.8))
    np.testing.assert_array_equal(played(wishes, led=False), wishes)


@pytest.mark.parametrize("rate", [60.0, 120.0])
def test_all_of_a_jump_is_made_up_for(rate: float) -> None:
    way = np.zeros(WAY)
    way[WISH] = 1.0
    goal = tuple(quat.exp([0.0, 0.6, 0.0]))
    for _ in range(round(3.0 * rate)):
        found = without_jumps(goal, way, FREE, True, SETTLES, QUICK, 1.0 / rate)
    np.testing.assert_allclose(found, goal, atol=1e-6)


def test_a_hurried_arm_makes_up_for_a_jump_sooner() -> None:
    wishes = about_x(np.where(np.arange(90) < 20, 0.0, 0.8))
    late = [0.8 - angles_of(played(wishes, settles=settles))[26] for settles in (0.1, 0.2, 0.3)]
    assert late[0] < 0.5 * late[1] < 0.5 * late[2]


def test_one_that_may_jump_meets_every_wish_at_once() -> None:
    wishes = about_x(np.where(np.arange(40) < 20, 0.0, 0.8))
    np.testing.assert_array_equal(played(wishes, settles=0.0), wishes)


def test_one_that_may_jump_from_now_on_lets_go_of_what_is_left() -> None:
    """A jump that is being made up for ends without another one when the hand touches something fixed."""
    way, goal = np.zeros(WAY), tuple(about_x(np.array([0.8]))[0])
    way[WISH] = 1.0
    found = np.array(
        [without_jumps(goal, way, FREE, True, SETTLES if tick < 6 else 0.0, QUICK, TICK) for tick in range(40)]
    )
    angles = angles_of(found)
    assert np.abs(np.diff(angles[4:8])).max() < 0.15, "no second jump"
    assert abs(angles[-1] - 0.8) < 1e-3


def test_an_arm_that_was_let_go_goes_along_with_what_its_clip_does_quickly() -> None:
    """It was led a radian off; while that is made up for the clip turns it to and fro with 500 rad/s²."""
    bodies, turns = np.arange(1, 7).reshape(2, 3), np.tile([1.0, 0.0, 0.0, 0.0], (7, 1))
    arms = bodies, turns, np.full((7, 3), -np.pi), np.full((7, 3), np.pi)
    ways, last = np.zeros((2, WAYS, WAY)), np.zeros((2, 3, 4))
    last[..., 0] = 1.0
    quick = 0.2 * np.sin(50.0 * TICK * np.arange(60))
    upper = slice(7, 11)

    def rows(angle: float) -> np.ndarray:
        row = np.zeros((1, 7 + 4 * 6))
        row[:, 3::4] = 1.0
        row[:, upper] = about_x(np.array([angle]))[0]
        return row

    start_ways(rows(quick[0])[0], bodies, ways)
    off = []
    for tick, angle in enumerate(quick):
        end, out, led = rows(angle + 1.0)[0], rows(angle), tick < 30
        fill_arms(out, end, arms, ((led, False), (SETTLES, SETTLES)), (last, ways), Calming().numbers, TICK)
        off.append(quat.angle_between(out[0, upper], about_x(np.array([angle]))[0]))
    assert abs(off[29] - 1.0) < 0.1
    assert off[-1] < 0.01
    assert np.diff(off[30:]).max() < 0.01, "it hardly gets farther off again"


def twisted(angles: np.ndarray) -> np.ndarray:
    return quat.exp(np.stack([0.0 * angles, 0.0 * angles, angles], axis=1))


def test_a_wrist_goes_from_one_end_of_its_twist_to_the_other_through_its_range() -> None:
    """From -110 to 110 degrees the short way leads through 180, which no wrist has."""
    wishes = twisted(np.where(np.arange(120) < 20, -1.92, 1.92))
    twist = swing_twist_angles(played(wishes, joint=WRIST))[:, 2]
    assert np.abs(twist).max() < 2.0 + 1e-9
    assert np.abs(np.diff(twist)).max() < 0.4, "no jump on the way"
    assert abs(twist[-1] - 1.92) < 0.02


def test_a_joint_that_swings_towards_the_end_of_its_range_brakes_before_it() -> None:
    """It is wished to go on at 8 rad/s and to stop dead at the end."""
    angles = np.minimum(-2.8 + 8.0 * TICK * np.arange(90), 0.8)
    found = angles_of(played(about_x(angles), joint=(WRIST[0], np.full(3, -3.0), WRIST[2])))
    assert found.max() < 0.8 + 1e-9
    assert np.abs(np.diff(found, 2)).max() / TICK**2 < 260.0, "a stop at once has 480 rad/s²"
    assert angles_of(played(about_x(angles))).max() > 1.2, "where it may it goes beyond"


def test_what_is_beyond_the_range_in_the_clip_stays_as_it_is() -> None:
    wishes = about_x(1.0 - 0.5 * np.cos(4.0 * TICK * np.arange(90)))
    np.testing.assert_allclose(played(wishes, joint=WRIST), wishes, atol=1e-12)
