"""Cutting, resampling and repeating clips."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion import Clip, Skeleton
from poise.motion.edit import (
    follow,
    loop,
    motion_start,
    place,
    resample,
    rest_frame,
    root_motion,
    travelling_joint,
    trim,
)

SKELETON = Skeleton(
    ("root", "hips", "arm", "leg"), np.array([-1, 0, 1, 1]), np.array([[0, 0, 1], [0, 0, 0], [0, 0.2, 0.3], [0, 0, -1]])
)
FULL = 2.0 * np.pi


def gait(phase: np.ndarray, *, turn: float = 0.0, carrier: int = 0, rate: float = 60.0) -> Clip:
    """A smooth motion of period 1 in `phase` that goes on by a metre and turns by `turn` each period."""
    heading = turn * phase
    radius = 1.0 / turn if turn else 0.0
    line = np.stack([phase, 0.0 * phase], axis=-1)
    arc = radius * np.stack([np.sin(heading), 1.0 - np.cos(heading)], axis=-1)
    height = 1.0 + 0.03 * np.cos(2.0 * FULL * phase)
    place = np.column_stack([arc if turn else line, height])
    rotations = np.tile(quat.IDENTITY, (len(phase), 4, 1))
    lean = quat.exp(np.stack([0.1 * np.sin(FULL * phase), 0.05 * np.cos(FULL * phase), 0.0 * phase], axis=-1))
    rotations[:, carrier] = quat.mul(quat.from_axis_angle([0.0, 0.0, 1.0], heading), lean)
    rotations[:, 2] = quat.exp(np.stack([0.2 + 0.0 * phase, 0.7 * np.sin(FULL * phase), 0.1 * lean[:, 1]], axis=-1))
    rotations[:, 3] = quat.exp(np.stack([0.0 * phase, -0.6 * np.sin(FULL * phase), 0.0 * phase], axis=-1))
    translations = np.zeros((len(phase), 2, 3))
    translations[:, carrier] = place
    return Clip(SKELETON, rate, rotations, translations, np.array([0, 1]))


def drifted(clip: Clip, amount: float) -> Clip:
    """The clip with a growing error, so that its last pose no longer is its first."""
    u = np.linspace(0.0, 1.0, len(clip))[:, None, None]
    drift = u * amount * np.array([[0.3, -0.2, 0.0], [0.2, 0.1, 0.0], [1.0, 0.4, -0.5], [-0.3, 0.6, 0.2]])
    lifted = clip.translations + u * amount * np.array([[0.0, 0.0, 0.1], [0.0, 0.0, 0.05]])
    return clip.with_motion(quat.mul(clip.rotations, quat.exp(drift)), lifted)


def steps(clip: Clip) -> np.ndarray:
    return quat.log(quat.mul(quat.conj(clip.rotations[:-1]), clip.rotations[1:]))


@pytest.mark.parametrize("carrier", [0, 1])
@pytest.mark.parametrize("turn", [0.0, 0.8, -2.5])
def test_a_perfect_cycle_is_repeated_as_it_goes_on(turn: float, carrier: int) -> None:
    once = gait(np.arange(41) / 40.0, turn=turn, carrier=carrier)
    looped = loop(once, 3)
    truth = gait(np.arange(121) / 40.0, turn=turn, carrier=carrier)
    assert len(looped) == 121
    # The velocities at the seam are estimates from three frames: their error is what is left here.
    for got, expected in zip(looped.world(), truth.world(), strict=True):
        sign = np.sign(np.sum(got * expected, axis=-1, keepdims=True)) if got.shape[-1] == 4 else 1.0
        np.testing.assert_allclose(got * sign, expected, atol=2e-3)


@pytest.mark.parametrize("carrier", [0, 1])
@pytest.mark.parametrize("turn", [0.0, 1.2])
def test_the_seam_of_an_imperfect_cycle_is_smooth(turn: float, carrier: int) -> None:
    once = drifted(gait(np.arange(41) / 40.0, turn=turn, carrier=carrier), 0.4)
    raw = np.concatenate([once.rotations[:-1], once.rotations])
    jump = quat.angle_between(raw[39], raw[40]).max()
    looped = loop(once, 2)
    turns = steps(looped)
    ordinary = np.linalg.norm(np.diff(steps(once), axis=0), axis=-1).max()
    change = np.linalg.norm(np.diff(turns, axis=0), axis=-1)
    assert jump > 0.35
    assert change[37:42].max() < 2.0 * ordinary
    height = looped.world()[1][:, carrier, 2]
    assert abs(np.diff(height, 2)[37:42]).max() < 2.0 * abs(np.diff(once.world()[1][:, carrier, 2], 2)).max()
    assert abs(np.diff(height)).max() < 0.02


def test_the_middle_of_a_cycle_is_left_alone_and_the_height_stays() -> None:
    once = drifted(gait(np.arange(61) / 60.0), 0.3)
    looped = loop(once, 3, blend=0.2)
    np.testing.assert_allclose(looped.rotations[12:48], once.rotations[12:48], atol=1e-14)
    np.testing.assert_allclose(looped.translations[12:48], once.translations[12:48], atol=1e-14)
    np.testing.assert_allclose(looped.translations[60, 0, 2], looped.translations[[0, 120], 0, 2], atol=1e-12)
    np.testing.assert_allclose(np.diff(looped.translations[::60, 0], axis=0), [[1.0, 0.0, 0.0]] * 3, atol=0.01)


def test_no_frame_is_there_twice() -> None:
    looped = loop(drifted(gait(np.arange(21) / 20.0), 0.2), 3)
    assert np.linalg.norm(steps(looped), axis=-1).max(axis=-1).min() > 1e-3


def test_a_cycle_without_positions_stays_in_place() -> None:
    walk = gait(np.arange(21) / 20.0)
    still = replace(walk, translations=np.zeros((21, 0, 3)), translated=np.zeros(0, np.int64))
    looped = loop(still, 2)
    assert len(looped) == 41
    np.testing.assert_allclose(looped.world()[1][:, 0], np.tile([0.0, 0.0, 1.0], (41, 1)), atol=1e-12)


def test_two_frames_are_a_cycle() -> None:
    looped = loop(trim(gait(np.arange(3) / 20.0), 0, 2), 4)
    assert len(looped) == 5
    np.testing.assert_allclose(np.diff(looped.translations[:, 0, 0]), 0.05, atol=1e-12)


def test_the_travelling_joint_is_found() -> None:
    assert travelling_joint(gait(np.arange(9) / 8.0, carrier=0)) == 0
    assert travelling_joint(gait(np.arange(9) / 8.0, carrier=1)) == 1


def test_a_control_of_a_foot_carries_nobody() -> None:
    """A rig whose feet have controls beside the hips, before them in the file: they step while the hips hardly move."""
    skeleton = Skeleton(
        ("root", "foot_control", "foot_target", "hips", "spine", "head", "thigh", "shank"),
        np.array([-1, 0, 1, 0, 3, 4, 3, 6]),
        np.zeros((8, 3)),
    )
    phase = np.arange(17) / 16.0
    step, sway = np.sin(FULL * phase), 0.02 * np.cos(FULL * phase)
    translations = np.zeros((17, 3, 3))
    translations[:, 1, 0], translations[:, 2, 2] = step, 1.0 + sway
    turns = np.tile(quat.IDENTITY, (17, 8, 1))
    clip = Clip(skeleton, 24.0, turns, translations, np.array([0, 1, 3]))
    assert travelling_joint(clip) == 3
    translations[:, 0, 0] = phase
    assert travelling_joint(clip.with_motion(turns, translations)) == 0


def test_trim_keeps_the_frames_it_names() -> None:
    clip = gait(np.arange(41) / 40.0)
    cut = trim(clip, 10, 30)
    assert len(cut) == 20
    np.testing.assert_array_equal(cut.rotations, clip.rotations[10:30])
    np.testing.assert_array_equal(cut.translations, clip.translations[10:30])
    for start, stop in ((-1, 5), (5, 5), (7, 3), (0, 42)):
        with pytest.raises(InputError, match="cannot trim"):
            trim(clip, start, stop)


@pytest.mark.parametrize(("rate", "count"), [(120.0, 81), (60.0, 41), (30.0, 21), (25.0, 17)])
def test_resampling_follows_the_motion(rate: float, count: int) -> None:
    clip = gait(np.arange(41) / 40.0, turn=0.8)
    other = resample(clip, rate)
    assert (len(other), other.rate) == (count, rate)
    truth = gait(np.arange(count) * 60.0 / rate / 40.0, turn=0.8)
    assert quat.angle_between(other.rotations, truth.rotations).max() < 1e-4
    np.testing.assert_allclose(other.translations, truth.translations, atol=1e-5)


def test_one_frame_can_be_resampled() -> None:
    assert len(resample(gait(np.zeros(1)), 24.0)) == 1


def test_root_motion_is_seen_from_above() -> None:
    clip = gait(np.arange(201) / 40.0, turn=2.0)
    seen = root_motion(clip)
    phase = np.arange(201) / 40.0
    np.testing.assert_allclose(seen.heading, 2.0 * phase, atol=0.01)
    np.testing.assert_allclose(seen.displacement[:, 0], np.sin(2.0 * phase) / 2.0, atol=1e-12)


@pytest.mark.parametrize(
    "call",
    [
        lambda clip: loop(clip, 0),
        lambda clip: loop(trim(clip, 0, 1), 2),
        lambda clip: loop(clip, 2, blend=-0.1),
        lambda clip: loop(clip, 2, joint=3),
        lambda clip: resample(clip, 0.0),
        lambda clip: resample(clip, np.nan),
    ],
)
def test_what_makes_no_sense_is_refused(call) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError):
        call(gait(np.arange(9) / 8.0))


def test_a_rest_frame_is_told_from_motion() -> None:
    clip = gait(np.arange(41) / 40.0)
    assert not rest_frame(clip)
    posed = clip.rotations.copy()
    posed[0, 2] = quat.exp([0.0, 0.0, -1.0])
    assert motion_start(clip.with_motion(posed, clip.translations)) == 0, "far from the bind pose: a whip of the arm"
    posed[0, 2] = quat.IDENTITY
    posed[1:, 2] = quat.mul(posed[1:, 2], quat.exp([0.0, 0.0, 1.0]))
    assert motion_start(clip.with_motion(posed, clip.translations)) == 1
    smeared = posed.copy()
    smeared[:4, 2] = quat.slerp(posed[0, 2], posed[4, 2], [0.0, 0.3, 0.6, 0.85])
    assert motion_start(clip.with_motion(smeared, clip.translations)) == 4
    assert not rest_frame(gait(np.zeros(1)))


# Files of the list whose note and finding differ, and why.
NOT_A_REST_POSE = {"pybvh/bvh_test3.bvh"}  # frame 1 is 1.5 degrees from frame 0: the clip stands still and belongs
SMEARED = {"motion-viewer/cmu_run_filtered.bvh", "motion-viewer/walk.bvh"}  # a T pose, filtered into the first frames


@pytest.mark.shared
def test_rest_frames_of_real_files_are_those_of_the_list(shared_data: Path) -> None:
    marked, found = set(), set()
    for line in (shared_data / "README.md").read_text(encoding="utf-8").splitlines():
        cells = line.split("|")
        if len(cells) > 7 and re.match(r" `\S+\.bvh`", cells[1]):
            name = cells[1].strip(" `")
            try:
                clip = read_clip(shared_data / name)
            except InputError:
                assert name.startswith("kinect-motion-capture/kinect_")
                continue
            if "frame 0 is a rest pose" in cells[7]:
                marked.add(name)
            if rest_frame(clip):
                found.add(name)
                assert motion_start(clip) in (1, 5)
    assert len(marked) == 8
    assert found == (marked | SMEARED) - NOT_A_REST_POSE


def test_a_clip_follows_another_from_where_and_how_it_ends():
    run, walk = (read_clip(clip_path(name)) for name in ("run", "walk"))
    both = follow(run, place(walk, at=(5.0, -3.0), turn=1.2))
    assert len(both) == len(run) + len(walk) - 1
    apart = quat.angle_between(both.rotations[1:], both.rotations[:-1]).max(axis=1)
    own = max(quat.angle_between(each.rotations[1:], each.rotations[:-1]).max() for each in (run, walk))
    assert apart.max() < 1.6 * own
    way = np.linalg.norm(np.diff(both.translations[:, 0], axis=0), axis=1)
    assert way.max() < 1.2 * np.linalg.norm(np.diff(run.translations[:, 0], axis=0), axis=1).max()
    # The walk goes on in the run's heading.
    ends = [both.translations[k, 0, :2] for k in (0, len(run) - 1, -1)]
    ways = [ends[1] - ends[0], ends[2] - ends[1]]
    assert ways[0] @ ways[1] > 0.95 * np.linalg.norm(ways[0]) * np.linalg.norm(ways[1])
    with pytest.raises(InputError, match="differ"):
        follow(run, resample(walk, 50.0))


def test_a_clip_whose_hips_travel_below_a_root_that_stays_follows_as_well():
    run, walk = (read_clip(clip_path(name)) for name in ("run", "walk"))
    both = follow(run, walk)
    below = follow(*(_below_a_root(clip) for clip in (run, walk)))
    np.testing.assert_allclose(below.world()[1][:, 1:], both.world()[1], atol=1e-9)


def _below_a_root(clip):
    """The clip with another joint over its root, which stays where it is."""
    skeleton = clip.skeleton
    parents = np.array([-1, *(skeleton.parents + 1)])
    more = Skeleton(("world", *skeleton.names), parents, np.concatenate([np.zeros((1, 3)), skeleton.offsets]))
    stays = np.tile(quat.IDENTITY, (len(clip), 1, 1))
    return Clip(
        more, clip.rate, np.concatenate([stays, clip.rotations], axis=1), clip.translations, clip.translated + 1
    )
