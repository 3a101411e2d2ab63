"""What takes get wrong: lost moments, jumps, repeated frames, frame times, mirrored data; found, named and mended."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from _builders import human_clip, mirrored_clip
from poise.characters.prepare import prepare
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.io.frame_time import guess_rate
from poise.math import quat
from poise.motion import Clip
from poise.motion.mirrored import look_at_handedness, mirror
from poise.motion.roles import guess_roles
from poise.repair import mend, put_back, untouched
from poise.repair.repeats import count_repeats
from poise.report.clip_warnings import clip_warnings
from poise.report.quality import session_quality
from poise.runtime import Character, CharacterOptions, Session


@pytest.fixture(scope="module")
def walk() -> Clip:
    return human_clip(seconds=2.0)


def moved(clip: Clip, frames: slice, by: tuple[float, float, float]) -> Clip:
    translations = clip.translations.copy()
    translations[frames, 0] += by
    return clip.with_motion(clip.rotations, translations)


def turned(clip: Clip, joint: str, frames: slice, degrees: float) -> Clip:
    rotations = clip.rotations.copy()
    number = clip.skeleton.index(joint)
    rotations[frames, number] = quat.mul(rotations[frames, number], quat.exp(np.radians([degrees, 0.0, 0.0])))
    return clip.with_motion(rotations, clip.translations)


def test_a_sound_take_is_left_alone(walk: Clip) -> None:
    assert mend(walk).clip is walk
    assert mend(walk).notes == ()
    fast = human_clip(motion=lambda t: {"root": np.array([9.0 * t, 0.0, 0.95 + 0.3 * np.sin(9.0 * t)])})
    assert not mend(fast).notes


@pytest.mark.parametrize("by", [(0.5, 0.0, 0.0), (0.0, -43.0, 0.0), (0.0, 0.0, 1e5)])
@pytest.mark.parametrize("frames", [slice(40, 41), slice(40, 44), slice(0, 3), slice(119, 121)])
def test_a_teleport_is_named_and_bridged(walk: Clip, by: tuple[float, float, float], frames: slice) -> None:
    mended = mend(moved(walk, frames, by), first=1)
    assert np.flatnonzero(mended.glitches.frames).tolist() == list(range(121))[frames]
    assert len(mended.notes) == 1
    assert f"{1 + frames.start}" in mended.notes[0]
    assert "--keep-glitches" in mended.notes[0]
    inside = frames.start > 0 and frames.stop < len(walk)  # at an end there is but one neighbor to hold
    np.testing.assert_allclose(
        mended.clip.world_positions()[0], walk.world_positions()[0], atol=0.02 if inside else 0.15
    )


def grown(clip: Clip, times: float) -> Clip:
    """The same motion of somebody so many times as tall."""
    skeleton = clip.skeleton
    taller = replace(skeleton, offsets=times * skeleton.offsets, end_offsets=times * skeleton.end_offsets)
    return replace(clip, skeleton=taller, translations=times * clip.translations)


def hops(height: float) -> Clip:
    """Somebody at 24 Hz, as a cartoon is, who stands, is higher by so much [m] a frame later, and is down again soon."""
    clip = human_clip(motion=lambda t: {"root": np.array([0.0, 0.0, 0.95 + 0.01 * t])}, seconds=2.0, rate=24.0)
    return moved(clip, slice(20, 26), (0.0, 0.0, height))


def test_what_is_sudden_is_told_by_the_size_of_the_body() -> None:
    """A step of 0.3 m within 1/24 s, 7.2 m/s, is nobody's; of somebody twice as tall it is, and a step of 0.6 m is not."""
    assert mend(hops(0.3)).notes
    assert not mend(grown(hops(0.15), 2.0)).notes
    assert mend(grown(hops(0.3), 2.0)).notes
    assert not mend(hops(0.15)).notes
    assert mend(grown(hops(0.3), 0.5)).notes


def test_where_a_limb_alone_is_moved_the_whole_body_has_the_size() -> None:
    """As in a rig whose feet are keyed by place while the body stands: a foot is 0.2 m long, and a step of it is no jump."""
    stands = human_clip(motion=lambda t: {"root": np.array([0.0, 0.0, 0.95])}, seconds=2.0, rate=24.0)
    foot = stands.skeleton.index("LeftFoot")
    lifted = stands.skeleton.offsets[foot] + np.interp(np.arange(49), [10, 11, 20, 21], [0.0, 0.1, 0.1, 0.0])[:, None]
    assert not mend(replace(stands, translations=lifted[:, None], translated=np.array([foot]))).notes


def test_a_moment_that_is_lost_at_a_run_is_bridged_at_a_run(walk: Clip) -> None:
    """Behind it the body is where its speed has brought it, farther than a step may differ."""
    runs = human_clip(motion=lambda t: {"root": np.array([9.0 * t, 0.0, 0.95])}, seconds=2.0)
    for frames in (slice(40, 41), slice(40, 46)):
        mended = mend(moved(runs, frames, (0.0, 0.8, 0.0)))
        assert np.flatnonzero(mended.glitches.frames).tolist() == list(range(121))[frames]
        assert not mended.glitches.jumps
        np.testing.assert_allclose(mended.clip.translations, runs.translations, atol=1e-9)


@pytest.mark.shared
def test_no_clip_of_a_cartoon_is_doubted(shared_data: Path) -> None:
    for name in ("Running", "Jump", "Punch", "WalkJump", "Death"):
        clip = read_clip(shared_data / "robot-expressive" / "RobotExpressive.glb", animation=name)
        assert mend(clip).notes == ()


def test_a_jump_that_stays_is_closed_and_comes_back_in_the_output(walk: Clip) -> None:
    jumped = moved(walk, slice(60, None), (10.0, 3.0, 0.0))
    mended = mend(jumped)
    assert [frame for frame, _ in mended.glitches.jumps] == [60]
    steps = np.linalg.norm(np.diff(mended.clip.translations[:, 0], axis=0), axis=1)
    assert steps.max() < 0.1
    back = put_back(mended, jumped, mended.clip)
    np.testing.assert_allclose(back.translations, jumped.translations, atol=0.05)


@pytest.mark.parametrize("joint", ["LeftHand", "RightFoot", "Spine"])
def test_a_rotation_that_pops_is_bridged_in_that_joint_alone(walk: Clip, joint: str) -> None:
    popped = turned(walk, joint, slice(50, 53), 170.0)
    mended = mend(popped)
    number = walk.skeleton.index(joint)
    assert np.argwhere(mended.glitches.joints).tolist() == [[frame, number] for frame in (50, 51, 52)]
    assert f"the rotation of {joint} pops in frames 50–52" in mended.notes[0]
    assert quat.angle_between(mended.clip.rotations, walk.rotations).max() < np.radians(6.0)
    np.testing.assert_array_equal(put_back(mended, popped, mended.clip).rotations, popped.rotations)


def test_frames_of_zeros_within_a_take_are_lost(walk: Clip) -> None:
    rotations, translations = walk.rotations.copy(), walk.translations.copy()
    rotations[70:73] = quat.IDENTITY
    mended = mend(walk.with_motion(rotations, translations))
    assert np.flatnonzero(mended.glitches.frames).tolist() == [70, 71, 72]


def test_a_take_that_is_mostly_lost_is_refused(walk: Clip, rng: np.random.Generator) -> None:
    translations = walk.translations + rng.uniform(-5.0, 5.0, walk.translations.shape)
    with pytest.raises(InputError, match=r"% of the frames are lost"):
        mend(walk.with_motion(walk.rotations, translations))
    assert untouched(walk).clip is walk


def test_repeated_frames_are_taken_once(walk: Clip) -> None:
    twice = walk.with_motion(walk.rotations[::2].repeat(2, axis=0), walk.translations[::2].repeat(2, axis=0))
    assert count_repeats(twice) == 2
    mended = mend(twice)
    assert "every frame is there 2 times: 30 Hz written as 60" in mended.notes[0]
    np.testing.assert_allclose(mended.clip.translations[:118], walk.translations[:118], atol=2e-3)
    assert count_repeats(walk) == 1
    still = walk.with_motion(walk.rotations[:1].repeat(50, axis=0), walk.translations[:1].repeat(50, axis=0))
    assert count_repeats(still) == 1


@pytest.mark.parametrize(
    ("frame_time", "rate", "says"),
    [
        (1 / 30, 30.0, ""),
        (0.1, 10.0, ""),
        (30.0, 30.0, "a rate in Hz"),
        (120.0, 120.0, "a rate in Hz"),
        (33.3, 30.0, "milliseconds"),
        (8.333, 120.0, "milliseconds"),
        (16.6667, 60.0, "milliseconds"),
        (1000.0, 0.001, "nobody records"),
        (3.0, 1.0 / 3.0, "nobody records"),
    ],
)
def test_frame_times_that_are_no_seconds(frame_time: float, rate: float, says: str) -> None:
    guessed, note = guess_rate(frame_time)
    assert guessed == pytest.approx(rate, rel=0.01)
    assert says in note
    assert bool(says) == bool(note)
    assert not note or "--rate" in note


def test_a_rate_that_is_given_wins(walk: Clip, tmp_path: Path) -> None:
    write_clip(tmp_path / "walk.bvh", walk)
    text = (tmp_path / "walk.bvh").read_text().replace("Frame Time: 0.016666666666666666", "Frame Time: 30")
    (tmp_path / "walk.bvh").write_text(text)
    assert read_clip(tmp_path / "walk.bvh").rate == 30.0
    given = read_clip(tmp_path / "walk.bvh", rate=60.0)
    assert given.rate == 60.0
    assert not any("--rate" in note for note in given.source.notes)
    with pytest.raises(InputError, match="frame rate"):
        read_clip(tmp_path / "walk.bvh", rate=-1.0)


def test_nan_is_filled_from_the_frames_around_it(walk: Clip, tmp_path: Path) -> None:
    file = tmp_path / "walk.bvh"
    write_clip(file, walk)
    lines = file.read_text().splitlines()
    for row in (-20, -21, -22):
        words = lines[row].split()
        lines[row] = " ".join([words[0], "nan", *words[2:9], "NaN", *words[10:]])
    file.write_text("\n".join(lines))
    clip = read_clip(file)
    assert clip.source.notes[-1].startswith(
        "3 frames hold nan in 6 values, filled from the frames around them: 99, 100, 101"
    )
    np.testing.assert_allclose(clip.world_positions()[0], walk.world_positions()[0], atol=0.05)


def test_mirrored_data_are_told_by_toes_and_knees_and_read_as_they_were(walk: Clip, tmp_path: Path) -> None:
    # Sides keep their names while everything is seen in a mirror.
    wrong = mirror(walk, 1)
    told = look_at_handedness(wrong, guess_roles(wrong.skeleton))
    assert told.mirrored
    assert told.toes == 1.0
    assert told.knees == 1.0
    assert not look_at_handedness(walk, guess_roles(walk.skeleton)).mirrored
    assert not look_at_handedness(mirrored_clip(walk), guess_roles(walk.skeleton)).mirrored
    write_clip(tmp_path / "wrong.bvh", replace(wrong, source=replace(wrong.source, mirrored="")))
    read = read_clip(tmp_path / "wrong.bvh")
    assert "left and right are mirrored: in 100 % of the frames the toes point backwards" in read.source.notes[-1]
    np.testing.assert_allclose(read.world_positions()[0], walk.world_positions()[0], atol=1e-5)
    write_clip(tmp_path / "again.bvh", read)
    assert (tmp_path / "again.bvh").read_text() == (tmp_path / "wrong.bvh").read_text()
    kept = read_clip(tmp_path / "wrong.bvh", mirrored=False)
    np.testing.assert_allclose(kept.world_positions()[0], wrong.world_positions()[0], atol=1e-5)
    assert not read_clip(tmp_path / "wrong.bvh", mirrored=False).source.notes
    forced = read_clip(tmp_path / "again.bvh", mirrored=True)
    np.testing.assert_allclose(forced.world_positions()[0], walk.world_positions()[0], atol=1e-5)


def test_physics_follows_the_mended_copy_and_the_output_keeps_the_source(walk: Clip) -> None:
    broken = moved(turned(walk, "LeftForeArm", slice(80, 82), 150.0), slice(30, 32), (43.0, 0.0, 0.0))
    results = {}
    for name, clip in (("whole", walk), ("broken", broken)):
        session = Session({"w": Character.from_clip(clip, CharacterOptions(cutoff=None))})
        session.run()
        results[name] = session.result("w")
    np.testing.assert_allclose(results["broken"].translations[30:32], broken.translations[30:32], atol=1e-9)
    arm = walk.skeleton.index("LeftForeArm")
    np.testing.assert_allclose(results["broken"].rotations[80:82, arm], broken.rotations[80:82, arm], atol=1e-9)
    hands = [walk.skeleton.index(name) for name in ("LeftHand", "RightHand")]
    positions = [results[name].world_positions()[0] for name in ("broken", "whole")]
    away = np.linalg.norm(positions[0] - positions[1], axis=-1)
    elsewhere = np.setdiff1d(np.arange(121), [*range(28, 40), *range(79, 92)])
    assert away[elsewhere][:, hands].max() < 0.02
    quality = session_quality(session)["w"]["smoothness"]["root_jerk_max_m_s3"]
    assert max(quality["before"], quality["after"]) < 1e4, "43 m in a sixtieth of a second would be 1e7"


def test_what_is_farther_than_anybody_walks_is_refused(walk: Clip) -> None:
    far = moved(walk, slice(None), (1e7, 0.0, 0.0))
    with pytest.raises(InputError, match=r"the root is 1e\+07 m away in frame"):
        Character.from_clip(far)


def sunk(clip: Clip, by: np.ndarray) -> Clip:
    translations = clip.translations.copy()
    translations[:, 0, 2] += by
    return clip.with_motion(clip.rotations, translations)


def test_the_ground_is_where_feet_stand_not_where_they_sink_for_a_moment(walk: Clip) -> None:
    frames = np.arange(len(walk))
    level = Character.from_clip(walk).floor
    sinking = sunk(walk, -0.05 * ((frames > 60) & (frames < 70)))
    assert Character.from_clip(sinking).floor == pytest.approx(level, abs=0.004)
    assert Character.from_clip(sunk(walk, np.full(len(walk), 0.4))).floor == pytest.approx(level + 0.4, abs=1e-6)


def test_a_ground_that_drifts_is_told_and_taken_out(walk: Clip) -> None:
    frames = np.arange(len(walk))
    drifting = sunk(walk, 0.3 * frames / len(walk))
    who, level = Character.from_clip(drifting), Character.from_clip(drifting, CharacterOptions(level=True))
    assert clip_warnings(who.plan, who.clip, who.floor)[0].startswith(
        "the level that feet stand at rises steadily, by 3"
    )
    assert clip_warnings(level.plan, level.clip, level.floor) == []
    assert "set level: the ground drifted by 3" in level.clip.source.notes[-1]
    np.testing.assert_allclose(level.prepared.source.translations, walk.translations, atol=0.02)
    sound = Character.from_clip(walk, CharacterOptions(level=True))
    np.testing.assert_array_equal(sound.prepared.source.translations, walk.translations)


def test_each_thing_that_is_done_names_the_option_that_undoes_it(walk: Clip) -> None:
    rotations, translations = walk.rotations.copy(), walk.translations.copy()
    rotations[0, 1:] = quat.IDENTITY
    rotations[0, walk.skeleton.index("LeftArm")] = quat.exp(np.array([0.0, 0.0, 0.3]))
    taken = turned(
        moved(walk.with_motion(rotations, translations), slice(60, None), (9.0, 0.0, 0.0)), "Head", slice(30, 33), 90
    )
    done = prepare(taken, None)
    assert done.skipped == 1
    for said in ("rest pose", "m elsewhere", "pops in"):
        (line,) = [note for note in done.notes if said in note]
        assert "--keep-glitches" in line
    kept = prepare(taken, None, mending=False)
    assert kept.skipped == 0
    assert not kept.notes
    assert np.array_equal(kept.clip.rotations, taken.rotations)


@pytest.mark.parametrize(("faster", "told"), [(1.0, False), (2.0, False), (12.0, True)])
def test_what_moves_faster_than_anybody_is_told(walk: Clip, faster: float, told: bool) -> None:
    who = Character.from_clip(replace(walk, rate=faster * walk.rate), CharacterOptions(cutoff=None))
    lines = clip_warnings(who.plan, who.clip, who.floor)
    assert any(line.startswith("joints move at") and "--rate" in line for line in lines) is told
