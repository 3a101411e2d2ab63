"""What muscles at their limit tell and when, and what holds a joint at the end of its range."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from poise.controllers.saturation import Saturation
from poise.runtime import Character, Session
from poise.scenes.people import stander
from poise.signals import Mode

STEP = 0.01
JOINT = 4


@pytest.fixture(scope="module")
def who() -> Character:
    return stander(1.0)


def told(who: Character, on: Iterable[int], ticks: int = 200) -> dict[str, list[tuple[int, float]]]:
    """What is told of a muscle that is at its limit in the ticks `on`: kind to (tick, time), of one joint alone."""
    flags = np.zeros(len(who.plan) - 1, dtype=bool)
    watched, limits, found = Saturation("who", who.plan, flags), set(on), dict[str, list[tuple[int, float]]]()
    for tick in range(ticks):
        flags[JOINT] = tick in limits
        for event in watched.notice(tick * STEP):
            assert event.subject == f"who/{who.plan.names[JOINT + 1]}"
            found.setdefault(event.kind, []).append((tick, event.time))
    return found


def test_a_muscle_is_told_to_be_at_its_limit_after_a_twentieth_of_a_second_and_free_after_a_quarter(
    who: Character,
) -> None:
    for begin in range(1, 30):
        found = told(who, range(begin, begin + 12))
        assert found == {
            "saturated": [(begin + 5, pytest.approx(begin * STEP))],
            "eased": [(begin + 12 + 25, pytest.approx((begin + 12) * STEP))],
        }


def test_a_muscle_that_touches_its_limit_briefly_is_not_told(who: Character) -> None:
    assert told(who, range(10, 15)) == {}
    # Nor is the time before it was free counted to the time after.
    assert told(who, [*range(10, 15), *range(16, 21)]) == {}


def test_a_muscle_that_is_free_for_a_moment_is_told_once(who: Character) -> None:
    found = told(who, [*range(10, 30), *range(54, 80)])
    assert [tick for tick, _ in found["saturated"]] == [15]
    assert [tick for tick, _ in found["eased"]] == [105]


def test_a_muscle_that_was_told_free_may_be_told_again(who: Character) -> None:
    found = told(who, [*range(10, 20), *range(60, 70)])
    assert [tick for tick, _ in found["saturated"]] == [15, 65]
    assert [tick for tick, _ in found["eased"]] == [45, 95]


def test_nothing_is_looked_after_while_all_is_quiet(who: Character) -> None:
    flags = np.zeros(len(who.plan) - 1, dtype=bool)
    watched = Saturation("who", who.plan, flags)
    assert watched.state.idle
    flags[JOINT] = True
    watched.notice(0.1)
    assert not watched.state.idle
    assert watched.state.since[JOINT] == 0.1
    flags[JOINT] = False
    watched.notice(0.2)
    assert watched.state.idle


def test_stops_are_springs_of_25_hertz_on_what_hangs_there(who: Character) -> None:
    session = Session({"who": who})
    (muscles,) = session.cast.controller.characters
    inertias = session.references[0].inertias
    np.testing.assert_allclose(muscles.stops, (2.0 * np.pi * 25.0) ** 2 * inertias, rtol=1e-12)
    assert (muscles.stops > 10.0 * muscles.state.stiffness).all()


def test_muscles_of_a_body_that_its_drive_moves_are_slack(who: Character) -> None:
    session = Session({"who": who})
    (muscles,) = session.cast.controller.characters
    session.set_mode("who", "left_upper_arm", Mode.TORQUE)
    session.run(30)
    assert muscles.state.stiffness.max() > 1.0
    assert muscles.state.damping.max() > 0.0
    session.set_mode("who", session.references[0].plan.names[0], Mode.MOTION)
    session.run(2)
    assert not muscles.state.stiffness.any()
    assert not muscles.state.damping.any()
