"""What is seen is answered after a latency, and what could be seen to come for long as early as ever."""

from __future__ import annotations

import numpy as np
import pytest

from poise.anticipation import Memory, Sight, Threats
from poise.behaviors.anticipation import AnticipationOptions
from poise.errors import InputError
from poise.scenes.upper_body_figures import apple, heavy

TICK = 1.0 / 60.0
ALL = np.array([0])


def urgencies(early: list[bool | None], latency: float = 0.2, taken: bool = False) -> tuple[list[float], list[bool]]:
    """Urgency of one obstacle in sight that threatens within a second (None: does not), and whether it is minded, per tick."""
    memory, found, minded, about = Memory(1), [], [], np.array([taken])
    for tick, soon in enumerate(early):
        threats = Threats.none(1)
        if soon is not None:
            threats.urgency[0], threats.early[0], threats.counts[0] = 1.0, soon, True
        known, _ = memory.note(tick * TICK, ALL, np.array([True]), Sight(latency=latency), threats, about)
        found.append(float(threats.urgency[0]))
        minded.append(bool(known[0]))
    return found, minded


def test_what_threatens_suddenly_is_answered_after_the_latency_and_minded_no_sooner() -> None:
    found, minded = urgencies([False] * 30)
    first = int(np.flatnonzero(np.isfinite(found))[0])
    assert first == 12
    assert not any(minded[:first])
    assert all(minded[first:])


def test_what_is_seen_to_come_for_long_is_answered_in_time() -> None:
    found, _ = urgencies([True] * 20 + [False] * 10)
    assert np.flatnonzero(np.isfinite(found))[0] == 20


def test_what_threatens_again_is_answered_once_it_does_for_the_latency_unless_a_hand_is_about_it() -> None:
    course: list[bool | None] = [False] * 15 + [None] * 5 + [False] * 11 + [None] + [False] * 20
    assert np.flatnonzero(np.isfinite(urgencies(course)[0])).tolist() == [12, 13, 14, *range(44, 52)]
    again = np.flatnonzero(np.isfinite(urgencies(course, taken=True)[0]))
    assert again.tolist() == [12, 13, 14, *range(20, 31), *range(32, 52)]


def test_without_a_latency_it_is_answered_at_once() -> None:
    assert np.isfinite(urgencies([False] * 3, latency=0.0)[0]).all()


def test_a_latency_is_no_longer_than_a_second() -> None:
    with pytest.raises(InputError, match=r"sight\.latency: must be a number from 0 to 1 s"):
        Sight(latency=1.5)


@pytest.mark.parametrize(("latency", "waits"), [(0.0, 0.0), (0.12, 0.12), (0.2, 0.2)])
def test_a_hand_sets_out_after_the_apple_was_seen(latency: float, waits: float) -> None:
    session = apple("seen", AnticipationOptions(sight=Sight(latency=latency))).session()
    times = {event.kind: event.time for event in reversed(session.run(90).events)}
    assert times["reach"] - times["sees"] == pytest.approx(waits, abs=1.01 * TICK)


def test_what_hangs_ahead_is_met_as_early_with_a_latency_as_without() -> None:
    def reached(latency: float) -> float:
        events = heavy(AnticipationOptions(sight=Sight(latency=latency))).session().run(60).events
        return min(event.time for event in events if event.kind == "reach")

    assert reached(0.2) == reached(0.0)
