"""Hands that are in no more of a hurry than there is cause for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from poise.anticipation import Rules, Threats, Watched, _kernels, find_threats
from poise.anticipation.coming import Coming
from poise.anticipation.guiding import Approach
from poise.anticipation.leading import Leading
from poise.anticipation.rules import movement_time
from poise.behaviors.anticipation import AnticipationOptions
from poise.body.coordinates import body_frames
from poise.scenes.people import walker
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.scenes.upper_body_figures import anticipating, ball
from poise.signals import Nearest
from poise.world.props import Plant
from poise.world.scene import SceneSpec


@pytest.mark.parametrize(("available", "priority", "jerk"), [(0.1, 1.0, 400.0), (0.1, 2.0, 800.0), (9.0, 1.0, 200.0)])
def test_a_reach_takes_the_time_there_is_between_an_ordinary_one_and_a_hurried_one(
    available: float, priority: float, jerk: float
) -> None:
    time = movement_time(0.4, available, priority)
    # A way of least jerk, x = d (10 s³ - 15 s⁴ + 6 s⁵), has its largest third derivative at the ends.
    s = np.linspace(0.0, 1.0, 201)
    third = 0.4 * (60.0 - 360.0 * s + 360.0 * s**2) / time**3
    assert np.abs(third).max() == pytest.approx(jerk)
    assert movement_time(0.4, 0.45, 1.0) == 0.45
    assert movement_time(0.4, available, priority, 200.0) == pytest.approx(2.0 ** (1.0 / 3.0) * time)


def threatened(
    flies: bool,
    velocity: tuple[float, float, float],
    at: tuple[float, float, float] = (0.3, 0.0, 0.0),
    *,
    steady: bool = False,
    taken: bool = False,
    passes: bool = True,
) -> bool:
    """Whether something at a place seen from a spot of 0.5 m, ahead of it, counts."""
    distance, normal = np.array([[np.linalg.norm(at)]]), np.array([[[-1.0, 0.0, 0.0]]])
    nearest = Nearest(distance, np.array([[at]]), normal, np.array([[velocity]]))
    flags = (np.array([flies]), np.array([steady]), np.full((1, 1), 0.5), np.array([taken]))
    watched = Watched(np.array([0.5]), np.ones(1), np.full((1, 1), 0.8), *flags, Coming(passes=passes).numbers)
    spots = np.zeros((1, 3))
    threats = Threats.none(1)
    find_threats(nearest, spots, np.zeros((1, 3)), watched, 0.2, np.array([1.0, 0.0, 0.0]), threats)
    return bool(threats.counts[0])


@pytest.mark.parametrize(
    ("taken", "speed", "counts"), [(False, 0.29, False), (False, 0.31, True), (True, 0.14, False), (True, 0.16, True)]
)
def test_what_can_give_way_and_stays_before_who_stays_is_let_be(taken: bool, speed: float, counts: bool) -> None:
    assert threatened(False, (-speed, 0.0, 0.0), taken=taken) == counts
    assert threatened(False, (0.0, 0.0, 0.0), steady=True), "what stands fast does not give way"


@pytest.mark.parametrize("taken", [False, True])
@pytest.mark.parametrize(("beside", "counts"), [(0.49, True), (0.51, False)])
def test_what_goes_by_outside_a_region_is_let_be(beside: float, taken: bool, counts: bool) -> None:
    """Straight ahead at 1 m/s it gets no nearer to the middle of 0.5 m than it is to the side."""
    assert threatened(False, (-1.0, 0.0, 0.0), (0.6, beside, 0.0), taken=taken) == counts
    assert threatened(False, (-1.0, 0.0, 0.0), (0.6, beside, 0.0), steady=True)
    assert threatened(False, (-1.0, 0.0, 0.0), (0.6, beside, 0.0), taken=taken, passes=False), "as in the paper"


def test_what_flies_and_falls_short_is_left_and_what_rests_or_comes_is_not() -> None:
    assert not threatened(True, (-0.8, 0.0, -2.0))
    assert not threatened(True, (1.0, 0.0, -2.0)), "it was met, and falls"
    assert threatened(True, (-1.5, 0.0, -2.0))
    assert threatened(True, (0.0, 0.0, 0.0)), "held where it is it is as good as any obstacle"
    assert threatened(False, (-0.8, 0.0, -2.0))


def test_the_foreseen_way_of_what_falls_does_not_jump_from_step_to_step() -> None:
    """Its mean velocity until it is nearest, at times between the steps of the search; x = v t says when that is."""
    speed, gravity = 4.0, 9.81
    for time in np.arange(0.3, 0.4, 0.007):
        point = np.array([[[speed * time, 0.0, 0.5 * gravity * time**2]]])
        velocity = np.array([[[-speed, 0.0, 0.0]]])
        near = (np.array([[1.0]]), point, np.array([[[-1.0, 0.0, 0.0]]]), velocity)
        _kernels.expect(
            near, np.zeros((1, 3)), np.zeros((1, 3)), np.ones(1), np.zeros(1, dtype=np.int64), (gravity, 2.0, 0.1)
        )
        assert velocity[0, 0, 2] == pytest.approx(-0.5 * gravity * time, abs=2e-3)


def palms(scene: Scene) -> tuple[np.ndarray, dict[str, np.ndarray], list[tuple[float, str]]]:
    """Ends of ticks, where wrists were meant to be, and what hands did when."""
    session = scene.session()
    recording, layout = session.run(), session.layouts[0]
    plan = next(iter(session.characters.values())).plan
    places = body_frames(plan, np.ascontiguousarray(recording.kinematic[:, layout.positions])).positions
    hands = {side: places[:, plan.with_role(f"{side}_hand")[0]] for side in ("left", "right")}
    return recording.times, hands, [(event.time, event.kind) for event in recording.events]


def test_a_hand_does_not_follow_what_it_met_on_its_way_down() -> None:
    times, hands, told = palms(ball(speed=4.0))
    touched = next(time for time, kind in told if kind == "contact")
    released = next(time for time, kind in told if kind == "release")
    held = (times > touched + 0.15) & (times < released)
    moved = hands["left"][held]
    assert held.sum() > 10
    assert np.linalg.norm(moved - moved[0], axis=1).max() < 0.1


def test_rules_say_how_quickly_a_hand_moves() -> None:
    def speed(rules: Rules) -> float:
        times, hands, _ = palms(ball(AnticipationOptions(rules=rules), speed=4.0))
        return float(np.linalg.norm(np.diff(hands["left"], axis=0), axis=1).max() / (times[1] - times[0]))

    assert speed(Rules(movement_time=lambda *_: 0.1)) > 1.25 * speed(Rules())
    told = []
    options = AnticipationOptions(
        rules=Rules(movement_time=lambda *given: told.append(given[3]) or movement_time(*given)),
        leading=Leading(approach=Approach(jerk=321.0)),
    )
    palms(ball(options, speed=4.0))
    assert set(told) == {321.0}, "the rule is told what a user sets"


def test_one_hand_goes_out_to_what_is_there_at_once_and_two_to_what_takes_its_time() -> None:
    def goes_out(speed: float) -> int:
        prop = thrown("ball", np.array([0.1, 0.0, 1.3]), np.array([-speed, 0.0, 0.0]), 3.0 / speed, time=0.5, mass=0.6)
        scene = ball()
        told = palms(replace(scene, setting=replace(scene.setting, props=(prop,))))[2]
        return sum(kind == "reach" for _, kind in told)

    assert goes_out(8.0) == 1
    assert goes_out(3.0) == 2


@pytest.mark.parametrize(("light", "beside", "sets_out"), [(0.1, 0.3, False), (0.1, 0.05, True), (0.0, 0.3, True)])
def test_a_blade_of_grass_is_brushed_past_unless_it_comes_at_the_face(
    light: float, beside: float, sets_out: bool
) -> None:
    who = walker(2)
    length = 1.35 if beside > 0.1 else 1.7
    blade = Plant(
        name="blade", position=(1.8, beside, who.floor), length=length, mass=0.06, stiffness=2.0, damping=0.25
    )
    options = AnticipationOptions(coming=Coming(light=light))
    scene = anticipating(Scene("grass", {"walker": who}, SceneSpec(props=(blade,), floor=who.floor)), options)
    session = scene.session()
    assert any(event.kind == "reach" for event in session.run(90).events) == sets_out
