"""Handing joints over between clip and physics: same numbers, no jolt, back onto the clip."""

import numpy as np
import pytest

from _builders import assign_modes
from poise.assets import clip_path
from poise.behaviors.switching import Handover, Switching
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import standing_clip
from poise.control.tension import Tension
from poise.errors import InputError
from poise.gesture import Arms, ArmSwing, HandGoals
from poise.io import read_clip
from poise.math import quat
from poise.math.easing import rest_curve
from poise.runtime import Character, CharacterOptions, Session
from poise.signals import Mode
from poise.world.dynamics import CharacterDynamics

ARM = ("left_upper_arm",)


def test_a_quintic_begins_as_asked_and_ends_at_rest_at_zero() -> None:
    h, t = 1e-3, 0.7
    times = np.array([-h, 0.0, h])
    start = (0.3 - 1.2 * times + 2.5 * times**2)[:, None]
    curve = np.polynomial.Polynomial(rest_curve(start, h, t)[:, 0])
    for derivative, (begin, end) in enumerate(((0.3, 0.0), (-1.2, 0.0), (5.0, 0.0))):
        path = curve.deriv(derivative) if derivative else curve
        assert path(0.0) == pytest.approx(begin, abs=1e-6)
        assert path(t) == pytest.approx(end, abs=1e-9)


@pytest.fixture(scope="module")
def walker() -> Character:
    return Character.from_clip(read_clip(clip_path("walk")), CharacterOptions(anchors=("head",)))


def played(walker: Character, *orders: Handover, ticks: int = 70) -> Session:
    session = Session({"walker": walker}, behaviors={"walker": [Switching(orders)]})
    session.run(ticks)
    return session


def test_a_walkers_arm_drops_and_comes_back(walker: Character) -> None:
    away = Handover(time=0.2, joints=ARM, to="muscles", fade=0.2)
    back = Handover(time=0.7, joints=ARM, to="motion", fade=0.3)
    recording = played(walker, away, back).recording()
    at = 3 + 4 * walker.plan.with_role(*ARM)[0]
    apart = quat.angle_between(recording.positions[:, at : at + 4], recording.source[:, at : at + 4])
    ticks = recording.times
    assert apart[ticks < 0.2].max() < 1e-6
    assert apart[(ticks > 0.3) & (ticks < 0.7)].max() > 0.05
    assert apart[ticks > 1.02].max() < 1e-6
    strains = ("saturated", "eased")
    assert [event.kind for event in recording.events if event.kind not in strains] == ["released", "follows the clip"]


class Raised:
    """Both arms rise and stay ahead."""

    def goals(self, times: np.ndarray, arms: Arms) -> HandGoals:
        return ArmSwing(begin=0.2, duration=1.2, angle=np.pi / 2).goals(np.minimum(times, 0.8), arms)


def test_a_soft_trunk_carries_released_arms_where_they_are_not_where_they_aim() -> None:
    clip = standing_clip(read_clip(clip_path("walk")), 5.0, movement=gesturing(Raised()))
    options = CharacterOptions(anchors=("spine",), tension=Tension(frequency=1.0, load="gravity"))
    who, slack = Character.from_clip(clip, options), Tension(frequency=0.2, damping_ratio=3.0)
    arms = ("left_upper_arm", "right_upper_arm")
    order = Handover(time=0.9, joints=arms, to="muscles", fade=0.3, pose="clip", tension=slack)
    session = Session({"who": who}, behaviors={"who": [Switching([order])]})
    recording = session.run(280)
    columns, plan = session.layouts[0].positions, who.plan
    turns, meant = (
        body_frames(plan, rows[-1, columns]).rotations[0] for rows in (recording.positions, recording.kinematic)
    )
    chest, hand = plan.with_role("spine")[-1], plan.with_role("left_upper_arm")[0]
    assert quat.angle_between(turns[hand], meant[hand]) > np.radians(8.0)
    assert quat.angle_between(turns[chest], meant[chest]) < np.radians(0.1)


def test_going_back_restores_a_handover_under_way(walker: Character) -> None:
    session = played(walker, Handover(time=0.2, joints=ARM, to="muscles"), ticks=20)
    saved = session.save()
    first = session.run(20).positions[-1]
    session.restore(saved)
    assert np.array_equal(session.run(20).positions[-1], first)


def test_a_whole_body_is_led_back_onto_its_clip(walker: Character) -> None:
    session = played(walker, Handover(time=0.3, joints=("pelvis",), to="motion", fade=0.4), ticks=5)
    assign_modes(session, np.where(np.arange(len(walker.plan)) == 0, Mode.PASSIVE, Mode.TORQUE))
    recording = session.run(60)
    late = recording.times > 0.75
    assert np.abs(recording.positions[late, :3] - recording.source[late, :3]).max() < 1e-6


def test_handovers_can_be_asked_for_while_it_runs(walker: Character) -> None:
    stage = Switching()
    session = Session({"walker": walker}, behaviors={"walker": [stage]})
    session.run(5)
    stage.ask(Handover(time=0.0, joints=ARM, to="muscles"))
    session.run(1)
    assert session.references[0].modes[walker.plan.with_role(*ARM)[0]] == Mode.TORQUE


def test_unknown_joints_and_bad_numbers_are_refused(walker: Character) -> None:
    with pytest.raises(InputError, match="wing"):
        Session({"w": walker}, behaviors={"w": [Switching([Handover(time=0.0, joints=("wing",), to="muscles")])]})
    with pytest.raises(InputError, match="fade"):
        Handover(time=0.0, joints=ARM, to="muscles", fade=0.0)


def test_a_load_does_not_remember_an_earlier_motion(walker: Character) -> None:
    dynamics, count = CharacterDynamics(walker.plan), walker.plan.velocity_count
    row = generalized_from_clip(walker.plan, walker.clip)[0]
    before = dynamics.load(row).copy()
    dynamics.inverse(row, np.ones(count), np.ones(count))
    assert np.array_equal(dynamics.load(row), before)
