"""Zeros and axes of joints, whatever rest pose and joint axes a file has, and what lies outside a person's range."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from _builders import bones, human_clip, local_pose, random_rotations, skeleton_of, standing, walking
from poise.body import BodyOptions, BodyPlan, build_body
from poise.body.coordinates import generalized_from_clip
from poise.body.range_of_motion import range_angles
from poise.characters.prepare import prepare
from poise.errors import InputError
from poise.io import read_clip
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.roles import Roles, guess_roles
from poise.motion.skeleton import Skeleton
from poise.report.clip_warnings import clip_warnings
from poise.report.joint_ranges import range_summary

FAR = np.radians(15.0)


def bent(time: float) -> dict[str, np.ndarray]:
    """A walk with elbows that bend by 50 to 90 degrees."""
    vectors = walking(time)
    for side, left in (("Left", 1.0), ("Right", -1.0)):
        vectors[f"{side}ForeArm"] = np.array([0.0, 0.0, -left * (1.2 + 0.35 * np.sin(5.0 * time + left))])
    return vectors


def rebound(clip: Clip, rest: dict[str, np.ndarray], axes: np.ndarray) -> Clip:
    """The same motion of the same person on a skeleton whose rest pose is another one, with other joint axes.

    Args:
        clip: The motion.
        rest: Rotation vector of each joint in the new rest pose [rad]; the others do not turn.
        axes: Turn of each joint's own axes against the old ones, shape (J, 4).
    """
    skeleton = clip.skeleton
    turns = quat.exp(np.array([rest.get(name, np.zeros(3)) for name in skeleton.names]))
    rest_world, rest_places = forward_kinematics(skeleton, turns, skeleton.offsets)
    # The new frames at rest are those of the zero pose: each joint's frame there is the world's, turned by `axes`.
    below = quat.mul(quat.conj(rest_world), axes)
    world, places = clip.world()
    own = quat.mul(world, below)
    offsets, rotations = skeleton.offsets.copy(), own.copy()
    for joint, parent in enumerate(skeleton.parents):
        if parent >= 0:
            offsets[joint] = quat.rotate(quat.conj(axes[parent]), rest_places[joint] - rest_places[parent])
            rotations[:, joint] = quat.mul(quat.conj(own[:, parent]), own[:, joint])
    ends = quat.rotate(
        quat.conj(below[skeleton.end_parents]),
        skeleton.end_offsets,
    )
    other = Skeleton(skeleton.names, skeleton.parents, offsets, skeleton.end_parents, ends)
    moved = Clip(other, clip.rate, rotations, places[:, :1])
    assert np.allclose(moved.world()[1], places, atol=1e-9)
    return moved


def measured(plan: BodyPlan, clip: Clip) -> tuple[list[tuple[str | None, str]], np.ndarray]:
    found = range_angles(plan, generalized_from_clip(plan, clip)[:, 3:].reshape(len(clip), len(plan), 4))
    return [(plan.body_roles[body], kind) for body, kind in zip(found.bodies, found.kinds, strict=True)], found.angles


def outside(plan: BodyPlan, clip: Clip, role: str) -> np.ndarray:
    """How far a joint is outside its range, whichever way, shape (T,)."""
    found = range_angles(plan, generalized_from_clip(plan, clip)[:, 3:].reshape(len(clip), len(plan), 4))
    columns = [column for column, body in enumerate(found.bodies) if plan.body_roles[body] == role]
    return np.asarray(found.outside[:, columns].max(axis=1))


ARMS_DOWN = {"LeftArm": np.array([-1.4, 0.0, 0.0]), "RightArm": np.array([1.4, 0.0, 0.0])}
ARMS_OUT = {"LeftArm": np.array([-0.7, 0.0, 0.0]), "RightArm": np.array([0.7, 0.0, 0.0])}
TURNED = {"LeftArm": np.array([0.0, 1.2, 0.0]), "RightArm": np.array([0.0, 1.2, 0.0])}
BENT = {
    "LeftForeArm": np.array([0.0, 0.0, -0.6]),
    "RightForeArm": np.array([0.0, 0.0, 0.6]),
    "LeftLeg": np.array([0.0, 0.35, 0.0]),
    "RightLeg": np.array([0.0, 0.35, 0.0]),
}
RESTS = {"T": {}, "A": ARMS_OUT, "down": ARMS_DOWN, "turned": TURNED, "bent": BENT, "A bent": ARMS_OUT | BENT}


@pytest.mark.parametrize("rest", RESTS)
def test_elbows_and_knees_measure_the_same_on_every_rest_pose(rest: str) -> None:
    clip = human_clip(motion=bent)
    plain = np.tile(quat.IDENTITY, (len(clip.skeleton), 1))
    moved = rebound(clip, RESTS[rest], plain)
    roles = guess_roles(clip.skeleton)
    columns, expected = measured(build_body(clip, roles), clip)
    again, got = measured(build_body(moved, roles), moved)
    assert columns == again
    for index, (role, kind) in enumerate(columns):
        if role is not None and role.endswith(("forearm", "shank")):
            apart = np.degrees(np.abs(got[:, index] - expected[:, index])).max()
            assert apart < 1.0, (role, kind, apart)


def test_flexion_of_elbow_and_knee_is_the_angle_between_the_bones_on_any_joint_axes() -> None:
    """On joint axes of any kind, where the zero pose is no standing person: against the bones' own directions."""
    clip = human_clip(motion=bent)
    axes = random_rotations(np.random.default_rng(5), len(clip.skeleton))
    axes[0] = quat.IDENTITY
    moved = rebound(clip, {}, axes)
    # Local rotations of the new skeleton at zero are not those of a person any more.
    plan = build_body(moved, guess_roles(moved.skeleton))
    columns, got = measured(plan, moved)
    places = moved.world()[1]
    for side in ("Left", "Right"):
        for above, hinge, end, role, sign in (
            ("Arm", "ForeArm", "Hand", "forearm", -1.0),
            ("UpLeg", "Leg", "Foot", "shank", 1.0),
        ):
            points = [places[:, moved.skeleton.index(side + name)] for name in (above, hinge, end)]
            upper, lower = points[1] - points[0], points[2] - points[1]
            size = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
            angle = np.arccos(np.clip((upper * lower).sum(axis=1) / size, -1.0, 1.0))
            index = columns.index((f"{side.lower()}_{role}", "flexion"))
            bends = angle > FAR
            assert bends.any()
            assert np.degrees(np.abs(got[:, index] - sign * angle)[bends]).max() < 2.0


def test_a_person_who_walks_is_within_range_and_told_nothing() -> None:
    clip = human_clip(motion=bent)
    plan = build_body(clip, guess_roles(clip.skeleton))
    summary = range_summary(plan, clip)
    assert summary.percent[-1] == 0.0
    assert plan.axes_from[plan.index("LeftForeArm")] == "motion"
    assert not any("range" in line for line in clip_warnings(plan, clip, 0.0))


def test_the_rest_pose_alone_can_be_asked_for() -> None:
    clip = rebound(human_clip(motion=bent), TURNED, np.tile(quat.IDENTITY, (len(bones()), 1)))
    roles = guess_roles(clip.skeleton)
    fitted, rest = (build_body(clip, roles, BodyOptions(axes=axes)) for axes in ("motion", "rest"))
    arm = fitted.index("LeftArm")
    assert set(rest.axes_from) == {"rest pose"}
    assert np.degrees(quat.angle_between(fitted.axes[arm], rest.axes[arm])) > 30.0
    with pytest.raises(InputError, match="axes"):
        BodyOptions(axes="best")  # type: ignore[arg-type]


@pytest.mark.parametrize("rest", RESTS)
def test_hinges_of_the_body_stop_sideways_at_once_on_every_rest_pose(rest: str) -> None:
    clip = rebound(human_clip(motion=bent), RESTS[rest], np.tile(quat.IDENTITY, (len(bones()), 1)))
    plan = build_body(clip, guess_roles(clip.skeleton))
    for part in ("LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"):
        limits = plan.limits[plan.index(part)]
        assert np.degrees([-limits.lower[0], limits.upper[0]]).max() < 12.0, (part, limits)


def test_hinges_of_the_body_are_as_the_rest_pose_turns_them_where_that_is_asked_for() -> None:
    clip = rebound(human_clip(motion=bent), TURNED, np.tile(quat.IDENTITY, (len(bones()), 1)))
    plan = build_body(clip, guess_roles(clip.skeleton), BodyOptions(axes="rest"))
    sideways = [np.abs([plan.limits[plan.index(f"{side}ForeArm")].upper[0]]).max() for side in ("Left", "Right")]
    assert np.degrees(max(sideways)) > 25.0


def test_a_limb_that_never_bends_is_turned_as_its_rest_pose_bends() -> None:
    straight = {f"{side}{part}": np.zeros(3) for side in ("Left", "Right") for part in ("ForeArm", "Leg")}
    clip = human_clip(motion=lambda time: walking(time) | straight)
    plain = np.tile(quat.IDENTITY, (len(clip.skeleton), 1))
    roles = guess_roles(clip.skeleton)
    bending = human_clip(motion=bent)
    for rest, source in ((BENT, "rest pose bend"), ({}, "rest pose")):
        plan = build_body(rebound(clip, rest, plain), roles)
        assert {plan.axes_from[plan.index(f"Left{part}")] for part in ("Arm", "ForeArm", "UpLeg", "Leg")} == {source}
    # What the bent rest pose tells is what a motion that bends tells.
    told = build_body(rebound(clip, BENT, plain), roles)
    known = build_body(rebound(bending, BENT, plain), roles)
    for name in ("LeftArm", "RightForeArm", "LeftUpLeg", "RightLeg"):
        body = told.index(name)
        assert np.degrees(quat.angle_between(told.axes[body], known.axes[body])) < 4.0, name


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("joint", ["LeftHand", "LeftLeg", "Head"])
def test_a_bone_of_no_length_is_no_hinges(joint: str) -> None:
    clip = human_clip(motion=bent)
    offsets = clip.skeleton.offsets.copy()
    offsets[clip.skeleton.index(joint)] = 0.0
    flat = replace(clip, skeleton=replace(clip.skeleton, offsets=offsets))
    assert np.isfinite(build_body(flat, guess_roles(flat.skeleton)).neutral).all()


def test_arms_may_point_up_however_they_got_there_and_not_back() -> None:
    """Raised sideways or forwards, an arm that points up is within its range; one that points straight back is not."""
    skeleton = skeleton_of(bones())
    roles = guess_roles(skeleton)
    plan = build_body(human_clip(), roles)
    arm = plan.neutral[plan.index("LeftArm")]

    def reach(turn: np.ndarray) -> float:
        rotations, positions = local_pose(skeleton, standing(0.0))
        rotations[:] = quat.IDENTITY
        rotations[skeleton.index("LeftArm")] = quat.mul(turn, arm)
        return float(outside(plan, Clip(skeleton, 60.0, rotations[None], positions[None, :1]), "left_upper_arm")[0])

    inwards = quat.exp([0.0, 0.0, np.radians(60.0)])
    assert reach(quat.IDENTITY) == 0.0
    assert reach(quat.exp([np.radians(175.0), 0.0, 0.0])) == 0.0
    assert reach(quat.mul(inwards, quat.exp([0.0, -np.radians(178.0), 0.0]))) == 0.0
    assert reach(quat.exp([0.0, np.radians(50.0), 0.0])) == 0.0
    assert reach(quat.exp([0.0, np.radians(110.0), 0.0])) > FAR
    assert reach(quat.exp([-np.radians(80.0), 0.0, 0.0])) > FAR


PRODUCERS = (
    "3dmodelfiletest/Die.bvh",
    "animated-drawings/jumping_jacks.bvh",
    "bandai-namco/dataset-1_walk_normal_002.bvh",
    "bvh-toolbox/walk01.bvh",
    "deep-motion-editing/angry_13_000.bvh",
    "hello-avatar/Shove_Reaction.bvh",
    "mjolnir-zig/CesiumMan.glb",
    "mocapnet/waveleft.bvh",
    "pose-animation/pirouette.bvh",
    "pybvh/bvh_test1.bvh",
    "kaykit/Knight.glb",
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
)


@pytest.mark.shared
@pytest.mark.parametrize("file", PRODUCERS)
def test_what_nobody_can_do_is_outside_the_range_on_every_producers_rig(shared_data: Path, file: str) -> None:
    """Knees bent forwards by 30 degrees, elbows back by 40, a head turned by 150, in all frames that axes are fitted to."""
    clip = prepare(read_clip(shared_data / file), cutoff=None).clip
    clip = clip.with_motion(clip.rotations[:120], clip.translations[:120])
    roles = guess_roles(clip.skeleton)
    for side in ("left", "right"):
        for above, hinge, end, angle in (("upper_arm", "forearm", "hand", 40.0), ("thigh", "shank", "foot", -30.0)):
            wrong = _overstretched(clip, roles, [f"{side}_{part}" for part in (above, hinge, end)], np.radians(angle))
            beyond = outside(build_body(wrong, roles), wrong, f"{side}_{hinge}")
            assert np.percentile(beyond, 5.0) > FAR, (side, hinge)
    turned = _looking_back(clip, roles, np.radians(150.0))
    assert outside(build_body(turned, roles), turned, "head").min() > np.radians(30.0)


def _overstretched(clip: Clip, roles: Roles, limb: list[str], angle: float) -> Clip:
    """A hinge bent by an angle [rad] about the left of the bone above, in every frame."""
    plan = build_body(clip, roles)
    above, hinge, end = (int(roles.joint(role) or 0) for role in limb)
    world, places = clip.world()
    body = list(plan.joints).index(above)
    left = quat.rotate(quat.mul(world[:, above], quat.conj(plan.axes[body])), [0.0, 1.0, 0.0])
    wanted = quat.rotate(quat.exp(angle * left), places[:, hinge] - places[:, above])
    turn = quat.between(places[:, end] - places[:, hinge], wanted)
    return _with_world(clip, hinge, quat.mul(turn, world[:, hinge]))


def _looking_back(clip: Clip, roles: Roles, angle: float) -> Clip:
    plan = build_body(clip, roles)
    head, chest = int(roles.joint("head") or 0), int(roles.joints("spine")[-1])
    bodies = [list(plan.joints).index(joint) for joint in (chest, head)]
    ahead = quat.mul(clip.world()[0][:, chest], quat.conj(plan.neutral[bodies[0]]))
    turned = quat.mul(quat.mul(ahead, quat.exp([0.0, 0.0, angle])), plan.neutral[bodies[1]])
    return _with_world(clip, head, turned)


def _with_world(clip: Clip, joint: int, orientation: np.ndarray) -> Clip:
    """The clip with one joint turned to an orientation in the world, shape (T, 4)."""
    rotations = clip.rotations.copy()
    above = clip.world()[0][:, clip.skeleton.parents[joint]]
    rotations[:, joint] = quat.mul(quat.conj(above), orientation)
    return clip.with_motion(rotations, clip.translations)


CAPTURED = (
    "animated-drawings/wave_hello.bvh",
    "bandai-namco/dataset-1_kick_normal_001.bvh",
    "bandai-namco/dataset-1_punch_normal_001.bvh",
    "bandai-namco/dataset-2_run_normal_001.bvh",
    "bvh-toolbox/test_mocapbank.bvh",
    "deep-motion-editing/old_13_000.bvh",
    "deepmimic/humanoid3d_dance_a.txt",
    "hello-avatar/walk_hurt_rl.bvh",
    "mocap-project/03_01.bvh",
    "mocapnet/CMU_Sample_05_01.bvh",
    "motion-viewer/cmu_run_filtered.bvh",
    "pybvh/bvh_test2.bvh",
    "pybvh/bvh_test3.bvh",
    "pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh",
)


@pytest.mark.shared
@pytest.mark.parametrize("file", CAPTURED)
def test_captured_people_are_rarely_far_outside_their_range(shared_data: Path, file: str) -> None:
    clip = prepare(read_clip(shared_data / file), cutoff=None).clip
    summary = range_summary(build_body(clip, guess_roles(clip.skeleton)), clip)
    assert summary.percent[-1] < 5.0


@pytest.mark.shared
def test_joints_in_one_place_tell_no_direction(shared_data: Path) -> None:
    """Bones of no length: a division by it was told on the screen."""
    clip = read_clip(shared_data / "pybvh" / "cmu_12_01_walk.bvh", up="z", unit="inch")
    assert np.isfinite(build_body(clip, guess_roles(clip.skeleton)).masses).all()
