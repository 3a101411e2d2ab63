"""Charts of what is changed during a run: tension and who moves what."""

import re

import pytest

from _builders import human_clip
from poise.motion.roles import ROLES
from poise.report.page.changes import change_plots, part_of
from poise.runtime import Character, Session
from poise.signals import Mode


def walker() -> Session:
    return Session({"walker": Character.from_clip(human_clip())})


def spans(figure: str) -> list[tuple[str, float, float]]:
    """Row and words, start and end of each bar."""
    found = re.findall(r"<title>([^<]*), ([\d.]+)–([\d.]+) s</title></rect>", figure)
    return [(words, float(start), float(end)) for words, start, end in found]


def test_nothing_changed_nothing_shown() -> None:
    session = walker()
    session.run(20)
    assert change_plots(session, "walker", 1.0) == []


def test_tension_is_shown_by_part() -> None:
    session = walker()
    session.run(10)
    tension = session.references[0].tension
    session.set("walker", "tension.frequency", 3.0 * tension.frequency)
    session.run(20)
    (figure,) = change_plots(session, "walker", 1.0)
    assert "Tension" in figure
    assert re.findall(r'class="key s\d">([^<]*)', figure) == ["left arm", "right arm"]
    heights = [
        [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", path)] for path in re.findall(r' d="(M[^"]*)"', figure)
    ]
    assert len(heights) == 2
    assert all(each[0] - each[-1] > 100.0 for each in heights), "nine times as stiff at the end"


def test_who_moves_what_is_shown_from_when_to_when() -> None:
    session = walker()
    tick = session.clock.tick
    session.run(10)
    session.set_mode("walker", ("left_forearm",), Mode.PASSIVE)
    session.run(20)
    figure = change_plots(session, "walker", 30 * tick)[-1]
    assert spans(figure) == [
        ("left forearm, hand: its muscles", 0.0, pytest.approx(10 * tick, abs=0.006)),
        ("left forearm, hand: nobody", pytest.approx(10 * tick, abs=0.006), pytest.approx(30 * tick, abs=0.006)),
    ]
    assert re.findall(r'class="key (\w+)"', figure) == ["torque", "passive"]


def test_every_role_has_a_part() -> None:
    assert {part_of(role) for role in ROLES} == {
        "trunk",
        "neck and head",
        "left arm",
        "right arm",
        "left leg",
        "right leg",
    }
    assert part_of(None) == "other"
