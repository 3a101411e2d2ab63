"""Hands go where they are led: elbows swivel without jumps meanwhile, and a body is gone round in time."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_clip, walking
from poise.anticipation.guiding import Calming, Clearing
from poise.behaviors.anticipation import Anticipation, AnticipationOptions, Expectation
from poise.behaviors.hands import SIDES, _kernels, hand_trajectory
from poise.behaviors.hands.body_clearance._kernels import clear_of_body, step_aside
from poise.behaviors.hands.columns import FOLLOWS, LED, TRACK
from poise.behaviors.hands.elbow._kernels import swivel_elbow
from poise.behaviors.hands.felt import Felt
from poise.behaviors.hands.turning._kernels import _from_hand_angles, _hand_angles
from poise.body.coordinates import body_frames
from poise.body.layout import turn_at
from poise.math import quat
from poise.scenes import anticipating, clip_scene, named_scene
from poise.scenes.upper_body_figures import heavy

TICK = 1.0 / 60.0
AHEAD = np.array([1.0, 0.0, 0.0])
CLEAR, CALM = Clearing(), (Calming.elbow, Calming.settles)
FAR = (np.array([[9.0, 9.0, 9.0]]), np.array([[9.0, 9.0, 8.0]]), np.array([0.1]))


def swivelled(angles: np.ndarray, axes: np.ndarray) -> np.ndarray:
    """Where an elbow is off the way to the hand, told as an angle about it, for where it is wanted."""
    track, found = np.zeros(TRACK), []
    for angle, axis in zip(angles, axes, strict=True):
        level = np.cross(axis, [0.0, 0.0, 1.0])
        level /= np.linalg.norm(level)
        up = np.cross(level, axis)
        wanted = np.cos(angle) * level + np.sin(angle) * up
        bend = swivel_elbow(track, tuple(wanted), tuple(wanted), tuple(axis), AHEAD, CALM, TICK)
        assert abs(np.dot(bend, axis)) < 1e-9
        found.append(np.arctan2(np.dot(bend, up), np.dot(bend, level)))
    return np.array(found)


def test_an_elbow_whose_place_jumps_swivels_there_without_one() -> None:
    angles = np.where(np.arange(90) < 20, 0.2, 1.8)
    found = swivelled(angles, np.tile([1.0, 0.0, 0.0], (90, 1)))
    assert np.abs(np.diff(found)).max() < 0.25, "the jump is 1.6 rad in one tick"
    assert abs(found[-1] - 1.8) < 0.02


def test_an_elbow_that_is_led_calmly_is_where_it_is_wanted_while_the_hand_moves() -> None:
    time = np.arange(120) * TICK
    axes = np.stack([np.cos(0.8 * time), np.sin(0.8 * time), 0.2 + 0.0 * time], axis=1)
    angles = 0.6 * np.sin(3.0 * time)
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    np.testing.assert_allclose(swivelled(angles, axes), angles, atol=0.02)


def test_a_hand_steps_aside_before_it_would_run_into_its_body_and_without_a_jump() -> None:
    """A capsule 10 cm thick on a way at 1 m/s: the hand is off it in time, and nowhere quicker than flesh can be."""
    trunk = (np.array([[0.0, 0.3, -0.5]]), np.array([[0.0, 0.3, 0.5]]), np.array([0.1]))
    body = ((0.0, 2.0, 0.0), (0.0, 2.2, 0.0), AHEAD, trunk, (np.inf, 0.0, CLEAR.short))

    def clear(at: float) -> np.ndarray:
        place = (at - 0.6, 0.37, 0.0)
        hand = ((9.0, 0.0, 0.0), (9.0, 0.0, 0.0), (0.0, 0.0, 0.0), (9.0, 0.0, 0.0), (9.0, 0.0, 0.0))
        return np.subtract(clear_of_body(place, hand, body, 1.0), place)

    none, soon = (0.0, 0.0, 0.0), CLEAR.foresees
    state, ways, asked = (none, none, none), [], []
    for time in np.arange(0.0, 1.2, TICK):
        now = tuple(clear(time))
        state = step_aside(state, now, tuple(clear(time + soon)), tuple(clear(time + 0.5 * soon)), soon, TICK)
        ways.append(state[0])
        asked.append(now)
    wide = np.linalg.norm(asked, axis=1)
    assert wide.max() > 0.02
    assert np.linalg.norm(ways, axis=1)[int(wide.argmax())] > 0.6 * wide.max(), "it is there in time"
    jerk, abrupt = (np.abs(np.diff(each, 3, axis=0)).max() / TICK**3 for each in (ways, asked))
    assert jerk < 0.1 * abrupt
    assert np.linalg.norm(ways[-1]) < 1e-3


def chest(reach: float = 2.0) -> tuple[object, ...]:
    """A body that stands at the origin, facing ahead, with one capsule for a chest, and an arm that goes so far."""
    trunk = np.array([[0.0, 0.0, 0.9]]), np.array([[0.0, 0.0, 1.4]]), np.array([0.2])
    return (0.0, 0.2, 1.4), (0.0, 0.0, 1.4), (1.0, 0.0, 0.0), trunk, (reach, CLEAR.soft, CLEAR.short)


def test_a_way_that_leads_far_out_of_reach_is_shortened_by_no_more_than_ten_centimetres() -> None:
    far = (2.0, 0.2, 1.4)
    hand = (far, far, (0.0, 0.0, 0.0), far, far)
    assert 2.0 - clear_of_body(far, hand, chest(0.6), 1.0)[0] == pytest.approx(0.1)
    near = (0.65, 0.2, 1.4)
    assert 0.05 < 0.65 - clear_of_body(near, hand, chest(0.6), 1.0)[0] < 0.1, (
        "what is a little too far comes within reach"
    )


@pytest.mark.parametrize(("follows", "least", "most"), [(0.0, 0.04, 0.055), (1.0, 0.1, 0.4)])
def test_on_its_way_to_something_a_hand_goes_ahead_of_its_own_chest_no_more_than_5_cm_early(
    follows: float, least: float, most: float
) -> None:
    """Its way leads into the chest in a fifth of a second, and not yet now; on its way back it makes room for all of that."""
    clear, inside = (0.5, 0.2, 1.2), (0.05, 0.05, 1.2)
    hand = (clear, clear, (0.0, 0.0, 0.0), clear, clear)
    track, off = np.zeros(TRACK), np.zeros(3)
    track[FOLLOWS] = follows
    for _ in range(60):
        off = np.array(
            _kernels._aside(track, (clear, inside, inside), hand, chest(), 1.0, (CLEAR.foresees, CLEAR.early), TICK)
        )
    assert least < off[0] < most


@pytest.mark.parametrize("name", ["garden", "gate"])
def test_hands_are_where_they_are_led(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An arm whose every joint makes up for jumps by itself is up to 37 cm off then."""
    led: list[tuple[float, int, np.ndarray]] = []
    lead = hand_trajectory.HandTrajectory.lead

    def noted(self: hand_trajectory.HandTrajectory, states: list[object], moment: object) -> None:
        lead(self, states, moment)  # type: ignore[arg-type]
        for hand, state in enumerate(states):
            if state.phase != "idle":  # type: ignore[attr-defined]
                led.append((moment.time + moment.tick, hand, self._arms.goals[hand, LED : LED + 3].copy()))  # type: ignore[attr-defined]

    monkeypatch.setattr(hand_trajectory.HandTrajectory, "lead", noted)
    session = named_scene(name).session()
    recording, layout = session.run(), session.layouts[0]
    plan = next(iter(session.characters.values())).plan
    places = body_frames(plan, np.ascontiguousarray(recording.kinematic[:, layout.positions])).positions
    hands = [plan.with_role(f"{side}_hand")[0] for side in ("left", "right")]
    off = [
        np.linalg.norm(places[int(np.abs(recording.times - time).argmin()), hands[hand]] - at) for time, hand, at in led
    ]
    assert len(off) > 100
    assert np.percentile(off, 90.0) < 0.02
    assert np.percentile(off, 99.0) < 0.08


def test_two_hands_on_one_thing_feel_all_of_its_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them alone hardly touches what the other one pushes, and would take it for light."""
    felt: list[float] = []
    feel = Felt.feel

    def noted(self: Felt, *told: object) -> bool:
        answers = feel(self, *told)  # type: ignore[arg-type]
        felt.extend([self.mass] if answers else [])
        return answers

    monkeypatch.setattr(Felt, "feel", noted)
    heavy(AnticipationOptions(expectations={"weight": Expectation(mass=2.0)}), mass=12.0).session().run(180)
    assert len(felt) >= 2
    assert min(felt) > 6.0


@pytest.mark.parametrize("twist", [-2.0, -0.4, 0.0, 0.9, 2.2])
def test_a_hands_angles_are_of_the_turn_that_they_are_made_into(twist: float) -> None:
    """There and back, with the twist within and beyond what the wrist itself turns by."""
    angles = (0.3, -0.5, twist)
    again = _hand_angles(_from_hand_angles(angles, 0.7), 0.7)
    np.testing.assert_allclose(again, angles, atol=1e-9)


def test_a_hand_is_given_back_where_the_clip_has_it_with_an_arm_stretched_farther_than_it_is_led() -> None:
    """Arms of this walker hang quite straight, 3 % farther from their shoulders than a hand is led to."""

    def straight(time: float) -> dict[str, np.ndarray]:
        return {name: 0.0 * v if name.endswith("ForeArm") else v for name, v in walking(time).items()}

    session = anticipating(clip_scene(human_clip(motion=straight, seconds=8.0))).session()
    anticipation = next(each for each in session.behaviors if isinstance(each, Anticipation))
    plan, given_back, before = next(iter(session.characters.values())).plan, [], ["idle", "idle"]
    while session.count < session.tick_count:
        session.tick()
        now = [state.phase for state in anticipation.hands]
        given_back += [(session.count, hand) for hand in range(2) if (before[hand], now[hand]) == ("return", "idle")]
        before = now
    recording, columns = session.recording(), session.layouts[0].positions
    assert given_back
    for count, hand in given_back:
        elbow = turn_at(plan.with_role(f"{SIDES[hand]}_forearm")[0]) + np.arange(4)
        led, own = (skeleton[count - 1, columns][elbow] for skeleton in (recording.kinematic, recording.source))
        assert np.degrees(quat.angle_between(led, own)) < 22.0, "29 and 32 where it was kept as near as it is led"
