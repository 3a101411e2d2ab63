"""A body that its feet do not catch falls: hands first, head last, told with who pushed it; and only then."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from poise.behaviors.falling import FallState
from poise.behaviors.push import Push
from poise.body.coordinates import body_frames
from poise.control.falling import Falling
from poise.control.root import RootDrive
from poise.report.sentences import event_sentence
from poise.reproductions.compliant.draws import walks
from poise.reproductions.compliant.falls import landed, saved, tripped
from poise.runtime import Character, Session
from poise.runtime.record import Recording
from poise.scenes.people import stander, walker
from poise.scenes.thrown import thrown
from poise.world import SceneSpec

FRONT, BACK, SIDE = (1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0)


def yielding(who: Character, drive: RootDrive | None = None) -> Character:
    return replace(who, options=replace(who.options, root="compliant", root_drive=drive or RootDrive()))


def pushed(who: Character, impulse: float, course: tuple[float, float, float]) -> Session:
    push = Push(10.0 * impulse * np.array(course), 0.5, 0.1, "spine")
    return Session({"who": who}, SceneSpec(floor=who.floor), behaviors={"who": [push]})


@cache
def fallen(course: tuple[float, float, float], impulse: float = 120.0) -> tuple[Session, Recording]:
    session = pushed(yielding(stander(4.0)), impulse, course)
    return session, session.run()


def kinds(recording: Recording) -> list[str]:
    return [event.kind for event in recording.events]


def places(session: Session, recording: Recording) -> NDArray[np.float64]:
    plan = session.references[0].plan
    return body_frames(plan, recording.positions[:, session.layouts[0].positions]).positions


@pytest.mark.parametrize("course", [FRONT, BACK, SIDE])
def test_a_push_that_no_step_catches_ends_on_the_ground_hands_first(course: tuple[float, float, float]) -> None:
    session, recording = fallen(course)
    assert kinds(recording).count("falls") == kinds(recording).count("down") == 1
    assert np.isfinite(recording.positions).all()
    first, peak = landed(session, recording)
    weight = session.references[0].plan.total_mass * 9.81
    hands = min(first[part] for part in first if part.endswith(("hand", "forearm")))
    assert all(hands < first[part] for part in ("spine", "head") if part in first)
    assert max(peak[part] for part in peak if part.endswith("hand")) < 5.0 * weight
    assert peak.get("head", 0.0) < 2.0 * weight
    there = places(session, recording)
    assert there[-1, 0, 2] < 0.35
    assert np.abs(there[-1] - there[-11]).max() * 6.0 < 0.3, "m/s: it lies"


@pytest.mark.parametrize(("who", "course"), [(stander(3.0), FRONT), (stander(3.0), SIDE), (walker(3), BACK)])
def test_a_push_that_steps_catch_fells_nobody(who: Character, course: tuple[float, float, float]) -> None:
    assert not {"falls", "loses balance", "down"} & set(kinds(pushed(yielding(who), 60.0, course).run(150)))


def test_a_walker_falls_as_well_and_the_clip_stops_there() -> None:
    session = pushed(yielding(walker(5)), 150.0, FRONT)
    recording = session.run(240)
    assert "down" in kinds(recording)
    assert places(session, recording)[-1, 0, 2] < 0.4
    assert session.references[0].clock.pace == 0.0


def test_who_may_not_fall_glides_upright() -> None:
    session = pushed(yielding(stander(4.0), RootDrive(falls=False)), 120.0, FRONT)
    recording = session.run()
    assert "falls" not in kinds(recording)
    assert places(session, recording)[-1, 0, 2] > 0.8


def test_it_is_told_who_pushed() -> None:
    who = yielding(stander(3.0))
    chest = np.array([-0.1, 0.0, 1.2])
    ball = thrown("cannon_ball", chest, np.array([9.0, 0.0, 0.0]), 0.3, time=0.3, mass=30.0, radius=0.15)
    session = Session({"guard": who}, SceneSpec(props=(ball,), floor=who.floor))
    events = session.run().events
    (told,) = [event for event in events if event.kind == "falls"]
    assert event_sentence(told.kind, told.subject, session.characters).text == "guard falls (pushed by cannon ball)"
    assert 0.6 < told.time < 1.2


def test_who_was_pushed_long_ago_loses_balance() -> None:
    who = yielding(stander(6.0), RootDrive(torque=0.0, damping_ratio=0.1, falling=Falling(remembered=0.0)))
    session = pushed(who, 3.0, SIDE)
    events = [event for event in session.run().events if event.kind in ("falls", "loses balance")]
    assert [event.kind for event in events] == ["loses balance"]


def test_arms_get_out_within_a_third_of_a_second_and_towards_the_fall() -> None:
    session, recording = fallen(FRONT)
    begin = next(event.time for event in recording.events if event.kind == "falls")
    now = round((begin + 0.35) / recording.tick)
    there, plan = places(session, recording)[now], session.references[0].plan
    for side in ("left", "right"):
        (shoulder,), (hand,) = (plan.with_role(f"{side}_{part}") for part in ("upper_arm", "hand"))
        assert there[hand, 0] - there[shoulder, 0] > 0.1
    straight = (
        np.linalg.norm(there[hand] - there[shoulder])
        / np.linalg.norm(plan.offsets[list(plan.with_role("left_forearm", "left_hand"))], axis=1).sum()
    )
    assert 0.75 < straight < 0.99, "elbows a little bent"


@pytest.mark.parametrize("seed", [1, 2])
def test_what_the_row_about_falls_counts_is_not_there_where_nobody_falls(seed: int) -> None:
    assert saved(seed, falls=True)
    assert not saved(seed, falls=False)


def test_who_trips_gets_the_hands_out_before_the_head_and_towards_where_the_body_goes() -> None:
    (walk,) = [source for source in walks(quick=True) if source.name == "walk"]
    spared, hurt = tripped(walk, 1, Falling().leans), tripped(walk, 1, np.pi)
    assert spared is not None
    assert hurt is not None
    assert spared < 0.3 * hurt


@pytest.mark.parametrize(("goes", "ahead"), [(Falling().goes, True), (10.0, False)])
def test_a_trunk_that_goes_on_falls_where_it_goes_and_not_where_the_pelvis_is_held_back(
    goes: float, ahead: bool
) -> None:
    who = yielding(walker(5), RootDrive(falling=Falling(goes=goes)))
    session = pushed(who, 40.0, BACK)
    session.run(38)
    state = session.behaviors[-1].state
    assert isinstance(state, FallState)
    assert (state.course[0] > 0.5) == ahead
