"""Gestures on skeletons: the hand path of the clip, blending, live in a session, as a loop."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

from poise.assets import clip_path
from poise.behaviors.gesturing import Gesturing, conducting_turns, loop_turns
from poise.body.coordinates import body_frames
from poise.characters.gesture_clips import gesture_clip, gesturing
from poise.errors import InputError
from poise.gesture import (
    BEATS,
    Arms,
    BeatGestures,
    Clapping,
    Conducting,
    Gesture,
    LiveConducting,
    LiveTempo,
    Style,
    TempoMap,
    clap,
)
from poise.ik import relaxed_positions
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skin import skin
from poise.report.skins import skin_for
from poise.runtime import Character, CharacterOptions, Session

Array = NDArray[np.float64]

TIMES = 2.0 + np.cumsum([0.5, 0.45, 0.4, 0.55, 0.8, 0.6, 0.4])


@pytest.fixture(scope="module")
def walk() -> Clip:
    return read_clip(clip_path("walk"))


def joint_path(clip: Clip, role: str) -> Array:
    joint = Character.from_clip(clip).roles.joint(role)
    return clip.world_positions()[0][:, joint]


def ictus_errors(clip: Clip, times: Array) -> Array:
    height = CubicSpline(clip.times, joint_path(clip, "right_hand")[:, 2])
    turning = height.derivative().roots(extrapolate=False)
    lowest = turning[height(turning, 2) > 0.0]
    return np.abs(lowest[:, None] - times).min(axis=0)


@pytest.mark.parametrize("beats", BEATS)
def test_the_hand_of_the_skeleton_is_lowest_on_the_beat(walk: Clip, beats: int) -> None:
    gesture = Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES), beats=beats)
    clip = gesture_clip(gesture, walk, TIMES[-1] + 2.0, 240.0)
    assert ictus_errors(clip, TIMES).max() < 1e-3
    feet = joint_path(clip, "left_foot")
    assert np.ptp(feet, axis=0).max() < 1e-9


def test_elbows_bend_naturally_and_below_the_shoulders(walk: Clip) -> None:
    gesture = Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES), styles=[Style(volume=1.5)])
    clip = gesture_clip(gesture, walk, TIMES[-1] + 2.0)
    for side, outward in (("left", 1.0), ("right", -1.0)):
        shoulder, elbow, wrist = (joint_path(clip, f"{side}_{part}") for part in ("upper_arm", "forearm", "hand"))
        assert np.all(elbow[:, 2] < shoulder[:, 2] - 0.1)
        assert np.all(outward * (elbow - shoulder)[:, 1] > -0.08)
        hinge = np.cross(elbow - shoulder, wrist - elbow)
        assert np.all(hinge[:, 1] < 0.0), "forearms bend forward"


@pytest.mark.parametrize(
    "gesture",
    [
        Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES), styles=[Style(volume=1.5)]),
        Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES), left="rest", cues=(3,)),
        Clapping(tempo=TempoMap.from_beats(TIMES), count=len(TIMES)),
        BeatGestures(ends=(1.0, 1.6, 4.0)),
    ],
    ids=lambda gesture: type(gesture).__name__,
)
def test_joints_turn_with_continuous_acceleration(walk: Clip, gesture: Gesture) -> None:
    plan, step = Character.from_clip(walk).plan, 5e-4
    times = np.arange(0.0, TIMES[-1] + 2.0, step)
    rows = np.tile(relaxed_positions(plan), (len(times), 1))
    gesturing(gesture)(plan, rows, times)
    acceleration = np.diff(rows, 2, axis=0) / step**2
    assert np.abs(np.diff(acceleration, axis=0)).max() < 0.07 * np.abs(acceleration).max()
    assert np.abs(acceleration).max() < 250.0


def test_conducting_palms_look_down_and_clapping_palms_at_one_another(walk: Clip) -> None:
    plan = Character.from_clip(walk).plan
    tempo, count = TempoMap.from_beats(TIMES), len(TIMES)
    for gesture, axis, least in (
        (Conducting(tempo=tempo, count=count), 2, 0.5),
        (Clapping(tempo=tempo, count=count), 1, 0.8),
    ):
        rows = np.tile(relaxed_positions(plan), (count, 1))
        gesturing(gesture)(plan, rows, TIMES)
        for side, inward in (("left", -1.0), ("right", 1.0)):
            hand = plan.with_role(f"{side}_hand")[0]
            turn = quat.mul(body_frames(plan, rows).rotations[:, hand], quat.conj(plan.neutral[hand]))
            palm = quat.rotate(turn, [0.0, inward, 0.0])
            assert np.all(palm[:, axis] * (inward if axis == 1 else -1.0) > least)


def test_the_head_nods_down_at_each_beat(walk: Clip) -> None:
    plan = Character.from_clip(walk).plan
    rows = np.tile(relaxed_positions(plan), (len(TIMES), 1))
    gesturing(Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES)))(plan, rows, TIMES)
    head = plan.with_role("head")[0]
    turn = quat.mul(body_frames(plan, rows).rotations[:, head], quat.conj(plan.neutral[head]))
    rises = quat.rotate(turn, [1.0, 0.0, 0.0])[:, 2]
    assert rises.max() < -0.02


def test_palms_meet_within_a_centimetre(walk: Clip) -> None:
    clip = gesture_clip(Clapping(tempo=TempoMap.from_beats(TIMES), count=len(TIMES)), walk, TIMES[-1] + 2.0, 240.0)
    arms = Arms.of(Character.from_clip(clip).plan)
    apart = (joint_path(clip, "left_hand") - joint_path(clip, "right_hand"))[:, 1] - arms.palms.sum()
    assert apart.min() > -1e-3
    assert np.abs(CubicSpline(clip.times, apart)(TIMES)).max() < 0.01


def test_a_gesture_over_a_clip_leaves_the_rest_alone(walk: Clip) -> None:
    character = Character.from_clip(walk)
    clip = gesture_clip(BeatGestures(ends=(0.6,), preparation=0.3, hold=0.1, retraction=0.3), walk, over=True)
    arm = {
        int(j)
        for b in character.plan.with_role("right_upper_arm")
        for j in character.plan.joints[list(character.plan.subtree(b))]
    }
    head = {int(character.plan.joints[b]) for b in character.plan.with_role("neck", "head")}
    moved = {j for j in range(len(walk.skeleton)) if np.abs(clip.rotations[:, j] - walk.rotations[:, j]).max() > 1e-9}
    assert arm & moved
    assert moved <= arm | head
    assert np.allclose(clip.rotations[0], walk.rotations[0], atol=1e-9)
    assert len(clip) == len(walk)


def test_live_conducting_moves_exact_arms_in_a_session(walk: Clip) -> None:
    still = gesture_clip(BeatGestures(ends=(99.0,)), walk, 4.0)
    character = Character.from_clip(still, CharacterOptions(anchors=()))
    live = LiveConducting(LiveTempo(100.0))
    stage = Gesturing(live)
    session = Session({"who": character}, behaviors={"who": [stage]})
    session.run(90)
    saved = session.save()
    live.tempo.ask(150.0)
    first = session.run(60)
    session.restore(saved)
    live.tempo.ask(150.0)
    again = session.run(60)
    assert np.array_equal(first.positions, again.positions)
    driven = np.abs(first.kinematic[-60:] - first.positions[-60:]).max()
    assert driven < 1e-9
    layout = session.layouts[0]
    hand = character.plan.with_role("right_hand")[0]
    path = body_frames(character.plan, first.positions[:, layout.positions]).positions[:, hand]
    assert np.ptp(path[-60:], axis=0)[2] > 0.1


def test_loops_close_smoothly(walk: Clip) -> None:
    plan = Character.from_clip(walk).plan
    phases = np.arange(96) / 96.0
    for bodies, turns in (
        *(conducting_turns(plan, beats) for beats in BEATS),
        loop_turns(plan, lambda arms: clap(phases, arms)),
    ):
        assert turns.shape == (96, len(bodies), 4)
        assert {plan.with_role(f"{side}_upper_arm")[0] for side in ("left", "right")} <= set(bodies.tolist())
        step = np.linalg.norm(np.diff(np.concatenate([turns, turns[:1]]), axis=0), axis=2).max(axis=1)
        assert step[-1] <= step.max() < 0.2
        bend = np.abs(np.diff(np.concatenate([turns, turns[:3]]), 2, axis=0)).max(axis=(1, 2))
        assert bend[-3:].max() <= bend[:-3].max() * 1.001


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    [
        "bandai-namco/dataset-1_guide_normal_001.bvh",
        "bvh-toolbox/test_freebvh.bvh",
        "animated-drawings/jumping_jacks.bvh",
    ],
)
def test_any_skeleton_conducts_on_the_beat(shared_data: Path, name: str) -> None:
    gesture = Conducting(tempo=TempoMap.from_beats(TIMES), count=len(TIMES), beats=3)
    clip = gesture_clip(gesture, read_clip(shared_data / name), TIMES[-1] + 2.0, 240.0)
    assert ictus_errors(clip, TIMES).max() < 1e-3


def test_what_cannot_be_is_refused(walk: Clip) -> None:
    gesture = BeatGestures(ends=(1.0,))
    with pytest.raises(InputError, match="up to an hour"):
        gesture_clip(gesture, walk, -1.0)


def test_drawn_hands_touch_at_a_clap_and_do_not_cross(walk: Clip) -> None:
    clip = gesture_clip(Clapping(tempo=TempoMap.from_beats(TIMES), count=len(TIMES)), walk, TIMES[-1] + 2.0, 240.0)
    mesh = skin_for(None, clip, Character.from_clip(clip).plan)
    follows = mesh.joints[np.arange(len(mesh.joints)), mesh.weights.argmax(axis=1)]
    hands = [follows == clip.skeleton.index(name) for name in ("LeftHand", "RightHand")]
    around = slice(round((TIMES[0] - 0.1) * 240.0), round((TIMES[0] + 0.1) * 240.0))
    rotations, positions = (part[around] for part in clip.world())
    skins = skin(mesh, rotations, positions)
    gaps = [float(each[hands[0], 1].min() - each[hands[1], 1].max()) for each in skins]
    assert abs(min(gaps)) < 3e-3
