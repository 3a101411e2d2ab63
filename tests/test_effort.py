"""Loads, fatigue and their events."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.assets import clip_path
from poise.behaviors.effort_meter import EffortMeter, EffortOptions
from poise.errors import InputError
from poise.io import read_clip
from poise.metrics.effort import FatigueRates, endurance, fatigue_rates, joint_loads, rested, tire
from poise.motion.edit import loop
from poise.runtime import Character, CharacterOptions, Session

SHOULDER = FatigueRates(np.array([0.0182]), np.array([0.00168]))


def held(load: float, seconds: float, step: float = 0.1) -> list[float]:
    """Active share over time under a steady load."""
    state, active = rested(1), []
    for _ in range(round(seconds / step)):
        state = tire(state, [load], SHOULDER, step)
        assert sum(float(part[0]) for part in state) == pytest.approx(1.0, abs=1e-12)
        active.append(float(state.active[0]))
    return active


@pytest.mark.parametrize("load", [0.3, 0.5, 0.8])
def test_a_steady_load_is_held_as_long_as_the_closed_form_says(load: float) -> None:
    expected = endurance(load, 0.0182, 0.00168)
    active = held(load, expected + 10.0)
    # The controller lags a little, so that "held" is within 2 % of the load.
    gave_up = next(i for i, share in enumerate(active) if i > 20 and share < 0.98 * load)
    assert 0.1 * gave_up == pytest.approx(expected, rel=0.1)
    assert 50.0 < endurance(0.5, 0.0182, 0.00168) < 65.0  # the shoulder's published 50 % endurance is about a minute


def test_a_weak_load_is_held_for_ever_and_rest_restores() -> None:
    assert endurance(0.05, 0.0182, 0.00168) == float("inf")
    state = tire(rested(1), [1.0], SHOULDER, 3000.0)
    assert state.active[0] == pytest.approx(0.00168 / (0.0182 + 0.00168), rel=0.05)  # fatigue and recovery in balance
    assert tire(state, [0.0], SHOULDER, 3000.0).capacity[0] > 0.98


def test_rates_and_loads_by_joint() -> None:
    rates = fatigue_rates(["left_upper_arm", "right_foot", None])
    assert rates.fatigue.tolist() == [0.0182, 0.00589, 0.0097]
    assert joint_loads([[3.0, 4.0, 0.0], [0.0, 0.0, 1.0]], [10.0, 2.0]).tolist() == [0.5, 0.5]


def walk(strength: float, options: EffortOptions) -> tuple[Session, EffortMeter]:
    """The shipped walk, all kinematic, by a person of so much of the usual strength."""
    who = Character.from_clip(loop(read_clip(clip_path("walk")), 2), CharacterOptions(anchors=()))
    weak = replace(who, plan=replace(who.plan, strengths=strength * who.plan.strengths))
    meter = EffortMeter(options)
    return Session({"walker": weak}, behaviors={"walker": [meter]}), meter


def test_torques_are_what_the_limb_needs() -> None:
    session, meter = walk(1.0, EffortOptions())
    session.run(ticks=20)
    plan = session.characters["walker"].plan
    arm = plan.with_role("left_upper_arm")[0]
    # An arm that hangs and swings needs a few newton metres at the shoulder, less than its weight at full reach.
    weight = 9.81 * plan.masses[list(plan.subtree(arm))].sum()
    assert 0.1 < np.linalg.norm(meter.state.torques[arm - 1]) < 0.5 * weight
    assert 0.0 < meter.of("left_upper_arm")[0] < 0.5
    with pytest.raises(InputError, match="no 'left_toes'"):
        meter.of("left_toes")


def test_a_strong_walker_says_nothing_and_a_weak_one_complains_once() -> None:
    strong, _ = walk(1.0, EffortOptions())
    strong.run(ticks=60)
    arms = [e for e in strong.recording().events if "Arm" in e.subject or "Hand" in e.subject]
    assert arms == []
    weak, _ = walk(0.01, EffortOptions(pace=30.0))
    weak.run(ticks=60)
    told = [(e.kind, e.subject) for e in weak.recording().events]
    assert ("too heavy", "walker/LeftArm") in told
    assert ("tired", "walker/LeftArm") in told
    assert told.count(("tired", "walker/LeftArm")) == 1


def test_what_is_saved_goes_on_the_same() -> None:
    session, meter = walk(0.02, EffortOptions(pace=30.0))
    session.run(ticks=10)
    moment = session.save()
    session.run(ticks=10)
    first, events = meter.state.fatigue.fatigued.copy(), session.recording().events
    session.restore(moment)
    session.run(ticks=10)
    assert np.array_equal(first, meter.state.fatigue.fatigued)
    assert session.recording().events == events


def test_options_are_checked() -> None:
    with pytest.raises(InputError, match=r"effort\.tired_at: must be a number from 0\.01 to 1"):
        EffortOptions(tired_at=2.0)
