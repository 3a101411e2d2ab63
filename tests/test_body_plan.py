"""Which joints become bodies, how they stand in the neutral pose, how far they turn, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import (
    Bone,
    bones,
    human_clip,
    human_plan,
    inserted,
    local_pose,
    on_one_line,
    rooted,
    skeleton_of,
    standing,
    walking,
    without,
)
from poise.body import BodyPlan, build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.limits import anatomical, limits_for, strength_for, swing_twist_angles, widened
from poise.errors import InputError
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.roles import guess_roles, mirror_role
from poise.runtime import Character, Session
from poise.world import SceneSpec


def breadth_first(rows: dict[str, Bone]) -> dict[str, Bone]:
    """The same skeleton, listed level by level."""

    def depth(name: str) -> int:
        parent = rows[name].parent
        return 0 if parent is None else 1 + depth(parent)

    return {name: rows[name] for name in sorted(rows, key=depth)}


RIDERS = ("LeftToeBase", "RightToeBase")


def test_bodies_are_fewer_than_joints_and_keep_the_trees_order() -> None:
    plan = human_plan()
    assert plan.names == tuple(name for name in bones() if name not in RIDERS)
    for body in range(1, len(plan)):
        assert plan.names[plan.parents[body]] == bones()[plan.names[body]].parent
    assert plan.parents[0] == -1
    assert (plan.position_count, plan.velocity_count) == (7 + 4 * 18, 6 + 3 * 18)
    assert [plan.names[body] for body in plan.subtree(plan.index("LeftArm"))] == ["LeftArm", "LeftForeArm", "LeftHand"]
    assert plan.with_role("spine") == (1, 2)


def test_fingers_and_still_bones_ride_and_moving_ones_between_bodies_become_bodies() -> None:
    rows = inserted(inserted(bones(), "LeftArmTwist", "LeftForeArm"), "RightArmTwist", "RightForeArm")

    def motion(time: float) -> dict[str, np.ndarray]:
        return walking(time) | {
            "LeftArmTwist": np.array([0.0, 0.2 * np.sin(4.0 * time), 0.0]),
            "RightArmTwist": np.array([0.0, 0.3, 0.1]),
        }

    plan = human_plan(human_clip(rows, motion))
    assert "LeftArmTwist" in plan.names
    assert "RightArmTwist" not in plan.names
    assert plan.names[plan.parents[plan.index("LeftForeArm")]] == "LeftArmTwist"
    assert plan.names[plan.parents[plan.index("RightForeArm")]] == "RightArm"
    # The joint still sits at the bone's end, since the still bone's own turn is in the offset.
    turned = 0.5 * np.array(bones()["RightForeArm"].offset) + quat.rotate(quat.exp([0.0, 0.3, 0.1]), [0.0, -0.14, 0.0])
    assert np.allclose(plan.offsets[plan.index("RightForeArm")], turned, atol=1e-12)


@pytest.mark.parametrize("gone", ["Leg", "Foot", "ForeArm", "Arm"])
def test_missing_roles_are_refused_and_listed(gone: str) -> None:
    clip = human_clip(seconds=0.2)
    names = {f"{side}{gone}": None for side in ("Left", "Right")}
    roles = guess_roles(clip.skeleton, names)
    lost = {guess_roles(clip.skeleton).by_joint[clip.skeleton.index(name)] for name in names}
    missing = [role for role in lost if role]
    with pytest.raises(InputError) as caught:
        build_body(clip, roles)
    assert len(missing) == 2
    assert all(role in str(caught.value) for role in missing)
    assert "\n" not in str(caught.value)


def test_an_unknown_body_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="unknown body 'Tail'; known: Chest, Head, Hips"):
        human_plan().index("Tail")


def forward_frames(plan: BodyPlan) -> tuple[np.ndarray, np.ndarray]:
    """Joint positions and orientations of the neutral pose: every coordinate the identity, the pelvis as it stands."""
    positions = np.zeros(plan.position_count)
    positions[3::4] = 1.0
    positions[3:7] = plan.neutral[0]
    frames = body_frames(plan, positions)
    return frames.positions[0], frames.rotations[0]


def clips() -> dict[str, Clip]:
    walk = human_clip(seconds=1.0)
    turned = quat.exp([0.0, 0.0, 2.3])
    aside = np.array(walk.rotations)
    aside[:, 0] = quat.mul(turned, aside[:, 0])
    return {
        "T-pose file": walk,
        "all bones on one line": on_one_line(walk),
        "walking elsewhere": walk.with_motion(aside, quat.rotate(turned, walk.translations)),
        "one line, walking elsewhere": on_one_line(walk.with_motion(aside, quat.rotate(turned, walk.translations))),
        "root above the pelvis": human_clip(rooted(bones()), seconds=1.0),
        "no neck, no clavicles": human_clip(without(bones(), "Neck", "Shoulder"), seconds=1.0),
    }


@pytest.mark.parametrize("name", clips())
def test_identity_coordinates_are_a_person_standing_with_hanging_arms(name: str) -> None:
    clip = clips()[name]
    plan = human_plan(clip)
    place, turn = forward_frames(plan)
    assert np.allclose(quat.angle_between(turn, plan.neutral), 0.0, atol=1e-7)

    def along(start: str, end: str) -> np.ndarray:
        way = place[plan.index(end)] - place[plan.index(start)]
        return way / np.linalg.norm(way)

    for side, left in (("Left", 1.0), ("Right", -1.0)):
        for start, end in (("Arm", "ForeArm"), ("ForeArm", "Hand"), ("UpLeg", "Leg"), ("Leg", "Foot")):
            assert np.allclose(along(side + start, side + end), [0.0, 0.0, -1.0], atol=1e-9), (side, start)
        toe = clip.skeleton.offsets[clip.skeleton.index(f"{side}ToeBase")]
        ahead = quat.rotate(turn[plan.index(f"{side}Foot")], toe)
        assert ahead[0] > 0.7 * np.linalg.norm(toe)
        assert abs(ahead[1]) < 1e-9
        assert -0.75 * np.linalg.norm(toe) < ahead[2] <= 0.0
        assert left * (place[plan.index(f"{side}UpLeg")] - place[0])[1] > 0.05
        assert left * (place[plan.index(f"{side}Arm")] - place[0])[1] > 0.05
    top = plan.index("Neck" if "Neck" in plan.names else "Head")
    assert along("Hips", plan.names[top])[2] > 1.0 - 1e-9


def test_the_foot_keeps_its_slope_and_its_sole_lies_under_the_ankle() -> None:
    plan = human_plan()
    _, turn = forward_frames(plan)
    foot = plan.index("LeftFoot")
    box = plan.colliders[foot][0]
    assert box.kind == "box"
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * box.size
    world = quat.rotate(turn[foot], box.position + quat.rotate(box.rotation, corners))
    assert world[:, 2].max() == pytest.approx(0.0, abs=1e-9)
    assert world[:, 2].min() == pytest.approx(-max(0.039 * plan.stature, 0.06 + 0.005 * plan.stature), abs=1e-3)
    assert world[:, 0].min() < -0.02
    assert world[:, 0].max() > 0.13


@pytest.mark.parametrize("fallen", [-90.0, 90.0, 180.0])
def test_somebody_who_lies_does_not_tell_how_feet_stand(fallen: float) -> None:
    walk = human_clip(seconds=1.0)
    turns, places = np.array(walk.rotations), walk.translations * [1.0, 1.0, 0.15]
    turns[:, 0] = quat.mul(quat.exp([0.0, np.radians(fallen), 0.0]), turns[:, 0])
    lying, standing = human_plan(walk.with_motion(turns, places)), human_plan(walk)
    for foot in ("LeftFoot", "RightFoot"):
        away = quat.angle_between(lying.neutral[lying.index(foot)], standing.neutral[standing.index(foot)])
        assert np.degrees(away) < 0.01


# Method-notes 7, left side; its x is our flexion (y), its y our twist (z), its z our abduction (x).
TABLE = {
    "left_hand": {"x": (-27, 47), "z": (-90, 81)},
    "left_forearm": {"x": (-142, 0), "y": (-103, 113)},
    "left_upper_arm": {"x": (-188, 61), "y": (-80, 80), "z": (-48, 134)},
    "neck": {"x": (-60, 61), "y": (-79, 79), "z": (-41, 41)},
    "left_thigh": {"x": (-113, 20), "y": (-31, 30), "z": (-31, 53)},
    "left_shank": {"x": (0, 113), "y": (-43, 35)},
    "left_foot": {"x": (-38, 35), "z": (-24, 23)},
}
OURS = {"x": 1, "y": 2, "z": 0}
SLACK = {"left_forearm": 5.0, "left_shank": 5.0}
"""Degrees beyond a straight elbow or knee that we allow."""


@pytest.mark.parametrize("role", TABLE)
def test_limits_are_the_corrected_table(role: str) -> None:
    limits = limits_for(role, 1)
    for axis, (low, high) in TABLE[role].items():
        got = np.degrees([limits.lower[OURS[axis]], limits.upper[OURS[axis]]])
        slack = SLACK.get(role, 0.0) if axis == "x" else 0.0
        assert low - slack - 1e-9 <= got[0] <= low + 1e-9
        assert high - 1e-9 <= got[1] <= high + slack + 1e-9


def test_the_right_hip_has_its_misprint_corrected() -> None:
    assert np.degrees([limits_for("right_thigh", 1).lower[2], limits_for("right_thigh", 1).upper[2]]) == pytest.approx(
        [-30.0, 31.0]
    )


@pytest.mark.parametrize("part", ["hand", "forearm", "upper_arm", "clavicle", "thigh", "shank", "foot"])
def test_right_limits_are_the_mirror_of_left_ones(part: str) -> None:
    left, right = limits_for(f"left_{part}", 1), limits_for(mirror_role(f"left_{part}"), 1)
    flexion, others = 1, [0, 2]
    assert left.lower[flexion] == right.lower[flexion]
    assert left.upper[flexion] == right.upper[flexion]
    assert np.allclose(left.lower[others], -right.upper[others])
    assert np.allclose(left.upper[others], -right.lower[others])
    assert np.all(left.lower < left.upper)


def test_chains_share_one_range_and_helpers_turn_freely() -> None:
    whole, half = limits_for("spine", 1), limits_for("spine", 2)
    assert np.allclose(2.0 * half.upper, whole.upper)
    assert np.allclose(limits_for(None, 1).upper, np.pi)
    plan = human_plan()
    assert np.allclose(plan.limits[plan.index("Neck")].upper, limits_for("neck", 2).upper, atol=np.radians(4.0))


def test_swing_and_twist_angles_are_the_stated_rotation() -> None:
    angles = np.radians([[20.0, -50.0, 30.0], [-40.0, 10.0, -100.0], [0.0, 0.0, 170.0]])
    swing = np.concatenate([angles[:, :2], np.zeros((3, 1))], axis=1)
    twist = np.concatenate([np.zeros((3, 2)), angles[:, 2:]], axis=1)
    assert np.allclose(swing_twist_angles(quat.mul(quat.exp(swing), quat.exp(twist))), angles, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "vector", "axis", "sign"),
    [
        ("LeftLeg", (0.0, 1.0, 0.0), 1, 1.0),  # knee bends backwards: shank towards -x
        ("LeftUpLeg", (0.0, -1.0, 0.0), 1, -1.0),  # hip flexes forwards: thigh towards +x
        ("LeftUpLeg", (1.0, 0.0, 0.0), 0, 1.0),  # left leg goes out to the left
        ("RightUpLeg", (-1.0, 0.0, 0.0), 0, -1.0),  # right leg goes out to the right
        ("LeftUpLeg", (0.0, 0.0, 1.0), 2, 1.0),
    ],
)
def test_signs_of_the_anatomical_axes(name: str, vector: tuple[float, ...], axis: int, sign: float) -> None:
    skeleton = skeleton_of(bones())
    plan = human_plan()
    rotations, positions = local_pose(skeleton, standing(0.0))
    rotations[skeleton.index(name)] = quat.exp(0.5 * np.array(vector))
    clip = Clip(skeleton, 60.0, rotations[None], positions[None, :1])
    coordinates = generalized_from_clip(plan, clip)[:, 3:].reshape(1, -1, 4)
    angles = swing_twist_angles(anatomical(coordinates, plan.neutral))[0, plan.index(name)]
    assert angles[axis] == pytest.approx(0.5 * sign, abs=0.1)


def test_hanging_arms_raised_forwards_flex_negative_and_sideways_abduct_positive_on_the_left() -> None:
    skeleton, plan = skeleton_of(bones()), human_plan()

    def angles(name: str, world_turn: np.ndarray) -> np.ndarray:
        rotations, positions = local_pose(skeleton, standing(0.0))
        arm = plan.neutral[plan.index(name)]
        rotations[:] = quat.IDENTITY
        rotations[skeleton.index(name)] = quat.mul(world_turn, arm)
        clip = Clip(skeleton, 60.0, rotations[None], positions[None, :1])
        coordinates = generalized_from_clip(plan, clip)[:, 3:].reshape(1, -1, 4)
        return swing_twist_angles(anatomical(coordinates, plan.neutral))[0, plan.index(name)]

    forwards, outwards = quat.exp([0.0, -0.7, 0.0]), quat.exp([0.7, 0.0, 0.0])
    assert angles("LeftArm", forwards) == pytest.approx([0.0, -0.7, 0.0], abs=0.15)
    assert angles("RightArm", forwards) == pytest.approx([0.0, -0.7, 0.0], abs=0.15)
    assert angles("LeftArm", outwards) == pytest.approx([0.7, 0.0, 0.0], abs=0.15)
    assert angles("RightArm", quat.conj(outwards)) == pytest.approx([-0.7, 0.0, 0.0], abs=0.15)


def test_limits_admit_what_the_clip_does() -> None:
    def splits(time: float) -> dict[str, np.ndarray]:
        return walking(time) | {"LeftUpLeg": np.array([1.4 * np.sin(6.0 * time), 0.0, 0.0])}

    clip = human_clip(motion=splits)
    plan = human_plan(clip)
    coordinates = generalized_from_clip(plan, clip)[:, 3:].reshape(len(clip), -1, 4)
    angles = swing_twist_angles(anatomical(coordinates, plan.neutral))
    lower = np.array([limits.lower for limits in plan.limits])
    upper = np.array([limits.upper for limits in plan.limits])
    assert np.all(angles[:, 1:] >= lower[1:])
    assert np.all(angles[:, 1:] <= upper[1:])
    table = limits_for("left_thigh", 1)
    thigh = plan.limits[plan.index("LeftUpLeg")]
    assert thigh.upper[0] > table.upper[0] + 0.4
    assert thigh.upper[1] == table.upper[1]
    assert widened(table, np.zeros((1, 3))).upper == pytest.approx(table.upper)


def test_strength_is_in_proportion_to_mass() -> None:
    assert strength_for("left_forearm", 75.0) == 60.0
    assert strength_for("right_thigh", 37.5) == 100.0
    plan = human_plan(mass=60.0)
    assert plan.strengths[plan.index("LeftHand")] == pytest.approx(12.0)


def test_stature_and_mass_by_default_are_human() -> None:
    plan = human_plan()
    assert 1.65 < plan.stature < 1.9
    assert plan.total_mass == pytest.approx(22.5 * plan.stature**2)


@pytest.mark.parametrize("joint", ["LeftForeArm", "RightForeArm", "LeftLeg", "RightLeg"])
@pytest.mark.parametrize("turned", [-70.0, 0.0, 40.0])
def test_hinges_bend_about_y_however_the_bone_above_is_turned(joint: str, turned: float) -> None:
    """A bone may be turned about itself in a file as it likes; its elbow bends where it bends."""
    clip = human_clip()
    skeleton = clip.skeleton
    hinge, above = skeleton.index(joint), int(skeleton.parents[skeleton.index(joint)])
    along = skeleton.offsets[hinge] / np.linalg.norm(skeleton.offsets[hinge])
    twist = quat.exp(np.radians(turned) * along)
    # Flexion of 0.3 to 1.3 rad about one axis of the upper bone, which is turned about itself and back again below it.
    bend = 0.8 + 0.5 * np.sin(np.linspace(0.0, 6.0, len(clip)))
    axis = (
        np.array([0.0, 1.0, 0.0]) if joint.endswith("Leg") else np.array([0.0, 0.0, -1.0 if joint[0] == "L" else 1.0])
    )
    rotations = clip.rotations.copy()
    rotations[:, hinge] = quat.mul(quat.mul(twist, quat.exp(bend[:, None] * axis)), quat.conj(twist))
    plan = build_body(clip.with_motion(rotations, clip.translations), guess_roles(skeleton))
    body = plan.names.index(joint)
    coordinates = generalized_from_clip(plan, clip.with_motion(rotations, clip.translations))[:, 3:]
    turns = quat.mul(plan.bind_rotations[body], coordinates.reshape(len(clip), -1, 4)[:, body])
    turns = quat.mul(quat.mul(plan.axes[plan.parents[body]], turns), quat.conj(plan.axes[body]))
    angles = swing_twist_angles(turns)
    sign = 1.0 if joint.endswith("Leg") else -1.0
    # The neutral leg is straight and the bind pose's is not, so flexion starts a little elsewhere.
    assert np.ptp(angles[:, 1] - sign * bend) < 0.02
    assert np.abs(angles[:, 0]).max() < 0.06
    assert above == plan.joints[plan.parents[body]]


def test_the_order_in_which_a_file_lists_joints_changes_nothing() -> None:
    """Physics orders bodies depth first; a file may list its joints level by level."""
    ends = []
    for rows in (bones(), breadth_first(bones())):
        walker = Character.from_clip(human_clip(rows, seconds=1.0))
        session = Session({"walker": walker}, SceneSpec(floor=walker.floor))
        clip = session.run(45).clip("walker")
        places = clip.world()[1][-1]
        ends.append({name: places[number] for number, name in enumerate(clip.skeleton.names)})
    for name, place in ends[0].items():
        np.testing.assert_allclose(ends[1][name], place, atol=1e-6, err_msg=name)
