"""A file's own numbers come out wherever the motion still is the file's: number by number, on the files of ten producers."""

import re
from pathlib import Path

import numpy as np
import pytest

from poise.assets import clip_path
from poise.characters import Character
from poise.characters.own_values import change_shares, with_own_values
from poise.io import read_clip, write_clip
from poise.math import quat
from poise.motion.edit import loop
from poise.scenes import clip_scene, rooted

PRODUCERS = {
    "3dmodelfiletest/WalkForward.bvh": "hand",
    "animated-drawings/dab.bvh": "hand",
    "bandai-namco/dataset-1_walk_normal_001.bvh": "",
    "bvh-toolbox/walk01.bvh": "",
    "deep-motion-editing/neutral_16_000.bvh": "",
    "hello-avatar/jog_lsw.bvh": "hand",
    "mocap-project/TomTomTest.bvh": "rshldr|rforearm|rhand",  # which rests on the hip
    "mocapnet/waveleft.bvh": "",
    "motion-viewer/walk.bvh": "wrist",
    "pose-animation/pirouette.bvh": "shldr|forearm|hand",
    "pybvh/bvh_test3.bvh": "",
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh": "",
}
"""Files, and the joints in them that muscles do not keep where they are meant to be, or that touch something."""


def numbers(file: Path) -> np.ndarray:
    """The rows of a BVH file as numbers, read without Poise."""
    lines = file.read_text(errors="replace").split("MOTION")[1].strip().split("\n")
    rows = [line.split() for line in lines[2:] if line.strip()]
    return np.array(
        rows[: int(lines[0].split()[1])], dtype=np.float64
    )  # one file has damaged rows behind the declared ones


def check(file: Path, folder: Path, seconds: float, moves: str) -> None:
    scene = rooted(clip_scene(read_clip(file), props=False))
    session = scene.session()
    session.run(min(round(seconds / session.clock.tick), session.tick_count))
    result = session.result("character")
    assert write_clip(folder / "out.bvh", result) == []
    before, after = numbers(file)[: len(result)], numbers(folder / "out.bvh")
    assert len(after) > 20
    joints = [name for name, own in zip(result.skeleton.names, result.source.channels, strict=True) for _ in own]
    differ = {name for name, other in zip(joints, (before != after).any(axis=0), strict=True) if other}
    assert {name for name in differ if not moves or not re.search(moves, name.lower())} == set()
    recording = session.recording()
    columns = recording.outcomes["character"].columns
    assert not np.array_equal(recording.positions[:, columns], recording.kinematic[:, columns]), "muscles move arms"


def test_the_shipped_walk_comes_out_in_its_own_numbers(tmp_path: Path) -> None:
    check(clip_path("walk"), tmp_path, 1.0, "")


@pytest.mark.shared
@pytest.mark.parametrize("name", PRODUCERS)
def test_a_producers_numbers_come_out_where_nothing_physical_happened(
    name: str, tmp_path: Path, shared_data: Path
) -> None:
    check(shared_data / name, tmp_path, 1.2, PRODUCERS[name])


OTHERS = {
    "dcl-emotes/wave.glb": ("", "hand"),
    "kaykit/Knight.glb": ("Running_A", ""),
    "mjolnir-zig/CesiumMan.glb": ("", "arm_joint"),
    "three-vrm/test.vrma": ("", "upperarm|lowerarm|hand"),
    "unity-antagonistic/ybot@Walking.fbx": ("", ""),
    "kenney-animated/run.fbx": ("", "arm|hand"),
    "usd-wg/RiggedFigure.usdz": ("", ""),
    "fairmotion/11_01.amc": ("", ""),
}
"""Files that are no rows of numbers: the animation, and the joints that muscles do not keep, or that touch something."""


@pytest.mark.shared
@pytest.mark.parametrize("name", OTHERS)
def test_rotations_of_other_files_come_out_to_the_bit_where_nothing_physical_happened(
    name: str, tmp_path: Path, shared_data: Path
) -> None:
    if name.endswith("usdz"):
        pytest.importorskip("pxr")
    animation, moves = OTHERS[name]
    clip = read_clip(shared_data / name, animation=animation or None)
    scene = rooted(clip_scene(clip, props=False))
    session = scene.session()
    session.run(min(round(1.5 / session.clock.tick), session.tick_count))
    result = session.result("character")
    assert np.array_equal(result.translations, clip.translations[: len(result)])
    differs = (result.rotations != clip.rotations[: len(result)]).any(axis=2)
    joints = {clip.skeleton.names[joint] for joint in np.flatnonzero(differs.any(axis=0))}
    plan = scene.characters["character"].plan
    bodies = {clip.skeleton.names[joint] for joint in plan.joints}
    assert {
        joint for joint in joints if not moves or not re.search(moves, joint.lower()) or joint not in bodies
    } == set()
    write_clip(tmp_path / "out.glb", result)
    again = read_clip(tmp_path / "out.glb")
    same = ~differs
    assert np.degrees(quat.angle_between(again.rotations, clip.rotations[: len(result)])[same].max()) < 2e-4, "float32"


def test_what_is_touched_goes_its_own_way_and_comes_back_without_a_jump() -> None:
    clip = loop(read_clip(clip_path("walk")), 3)
    scene = clip_scene(clip)
    session = scene.session()
    session.run()
    recording, result = session.recording(), session.result("character")
    plan, every = scene.characters["character"].plan, session.clock.ticks_per_frame
    touched = recording.touched("character")
    assert touched.any()
    frames = np.array([touched[max((frame - 1) * every, 0) : frame * every].any() for frame in range(len(result))])
    arms = plan.joints[touched.any(axis=0)]
    differs = (result.rotations != clip.rotations[: len(result)]).any(axis=2)
    assert differs[frames][:, arms].any(axis=1).all()
    assert 0 < differs[:, arms].any(axis=1).sum() < 0.8 * len(result)
    legs = [
        plan.joints[body] for body in plan.with_role("left_upper_leg", "right_upper_leg", "left_foot", "right_foot")
    ]
    assert not differs[:, legs].any(), "the root is kinematic"

    def fastest_turn(rotations: np.ndarray) -> float:
        return float(quat.angle_between(rotations[1:], rotations[:-1]).max()) * clip.rate

    came = recording.positions[::every, recording.outcomes["character"].columns][:, 3:].reshape(len(result), -1, 4)
    bodies = np.flatnonzero(touched.any(axis=0))
    assert fastest_turn(result.rotations[:, arms]) < 1.1 * max(
        fastest_turn(came[:, bodies]), fastest_turn(clip.rotations[:, arms])
    )


def test_the_way_over_is_smooth_and_exact_at_both_ends() -> None:
    plan = Character.from_clip(read_clip(clip_path("walk"))).plan
    hand = plan.with_role("left_hand")[0]
    physical = np.zeros(len(plan), dtype=np.bool_)
    physical[list(plan.subtree(plan.parents[hand]))] = True
    rows = np.zeros((61, plan.position_count))
    rows[:, 3::4] = 1.0
    touched = np.zeros((61, len(plan)), dtype=np.bool_)
    touched[30, hand] = True
    shares = change_shares(plan, physical, (rows, rows, rows), touched, 60.0)
    assert np.array_equal(np.flatnonzero(shares.any(axis=0)), np.flatnonzero(physical)), "the limb goes as one"
    assert shares[30, hand] == 1.0
    assert np.array_equal(np.flatnonzero(shares[:, hand]), np.arange(21, 40)), "0.15 s before and after"
    assert np.abs(np.diff(shares[:, hand])).max() < 0.2


def test_what_trembles_in_a_trunk_does_not_shake_an_arm_that_left_the_clip() -> None:
    """The trunk's own numbers tremble, and the clip's arm makes up for it; the arm that came out is elsewhere and does not."""
    followed = read_clip(clip_path("walk"))
    plan = Character.from_clip(followed).plan
    arm, chest = plan.with_role("left_upper_arm")[0], plan.with_role("spine")[-1]
    shake = np.random.default_rng(3).normal(0.0, 0.01, (len(followed), 3))
    trembles, bends = followed.rotations.copy(), followed.rotations.copy()
    trembles[:, plan.joints[chest]] = quat.mul(trembles[:, plan.joints[chest]], quat.exp(shake))
    bends[:, plan.joints[arm]] = quat.mul(bends[:, plan.joints[arm]], quat.from_axis_angle([1.0, 0.0, 0.0], 0.8))
    own = followed.with_motion(trembles, followed.translations)
    moved = followed.with_motion(bends, followed.translations)
    shares = np.zeros((len(own), len(plan)))
    shares[:, list(plan.subtree(arm))] = 1.0
    late = np.zeros(len(own), dtype=np.bool_)
    result = with_own_values(plan, (own, followed, moved), shares, late)
    assert np.array_equal(result.rotations[:, plan.joints[chest]], own.rotations[:, plan.joints[chest]])
    on_arm = plan.joints[list(plan.subtree(arm))]
    apart = quat.angle_between(result.world()[0][:, on_arm], moved.world()[0][:, on_arm])
    assert apart.max() < 1e-6 < 0.01 < quat.angle_between(own.world()[0], followed.world()[0]).max()
    late[7] = True
    result = with_own_values(plan, (own, followed, moved), 0.0 * shares, late)
    kept = np.flatnonzero(~late)
    assert np.array_equal(result.rotations[kept], own.rotations[kept])
    assert np.array_equal(result.rotations[7], moved.rotations[7])
    result = with_own_values(plan, (own, followed, moved), np.ones_like(shares), late)
    assert np.array_equal(result.rotations, moved.rotations)


def test_what_hangs_on_something_that_moved_has_moved() -> None:
    plan = Character.from_clip(read_clip(clip_path("walk"))).plan
    rows = np.zeros((9, plan.position_count))
    rows[:, 3::4] = 1.0
    leans = rows.copy()
    chest = plan.with_role("spine")[-1]
    leans[4, 3 + 4 * chest : 7 + 4 * chest] = quat.from_axis_angle([1.0, 0.0, 0.0], 0.1)
    physical, touched = np.zeros(len(plan), dtype=np.bool_), np.zeros((9, len(plan)), dtype=np.bool_)
    shares = change_shares(plan, physical, (leans, leans, rows), touched, 30.0)
    assert np.array_equal(np.flatnonzero(shares[4] == 1.0), sorted(plan.subtree(chest)))


ONE_JOINT = """HIERARCHY
ROOT hips
{
 OFFSET 0 0 0
 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
 End Site
 {
  OFFSET 0 1 0
 }
}
MOTION
Frames: 6
Frame Time: 0.0333333
"""
ODD = [
    [0.1, 90.123456789, 0.0, 179.5, 10.0, -3.25],
    [0.1, 90.5, 0.0, -179.5, 10.0, -3.25],
    [0.1, 90.5, 1e-9, 541.0, 90.0, 12.0],
    [0.1, 90.5, 0.0, -170.0, 170.0, 181.0],
    [0.1, 90.5, 0.0, -720.25, 0.0, 0.0],
    [0.1, 90.5, -2.0, 0.0, 0.0, 359.9999999],
]


def test_wraps_other_solutions_locked_axes_and_long_decimals_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "odd.bvh"
    file.write_text(ONE_JOINT + "\n".join(" ".join(map(repr, row)) for row in ODD) + "\n")
    clip = read_clip(file, unit="cm", up="y")
    write_clip(tmp_path / "out.bvh", clip)
    assert np.array_equal(numbers(tmp_path / "out.bvh"), ODD)


def test_what_changes_is_written_anew_and_without_a_jump(tmp_path: Path) -> None:
    """Frames 2 and 3 are turned a little: theirs alone are new numbers, in the turns of the frame before."""
    file = tmp_path / "spin.bvh"
    rows = [[0.0, 90.0, 0.0, 370.0 + 5.0 * frame, 3.0, 2.0] for frame in range(6)]
    file.write_text(ONE_JOINT + "\n".join(" ".join(map(repr, row)) for row in rows) + "\n")
    clip = read_clip(file, unit="cm", up="y")
    turned = clip.rotations.copy()
    turned[2:4] = turned[[3, 4]]
    write_clip(tmp_path / "out.bvh", clip.with_motion(turned, clip.translations))
    after, before = numbers(tmp_path / "out.bvh"), np.array(rows)
    assert np.array_equal(after[[0, 1, 4, 5]], before[[0, 1, 4, 5]])
    assert np.allclose(after[2:4], before[3:5], atol=1e-5)
