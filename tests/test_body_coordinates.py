"""Pose to generalized coordinates and back, velocities, body frames, and curves through a clip."""

from __future__ import annotations

from collections.abc import Callable

import mujoco as mj
import numpy as np
import pytest

from _builders import (
    bones,
    human_clip,
    human_plan,
    inserted,
    local_pose,
    on_one_line,
    random_positions,
    random_rotations,
    rooted,
    standing,
    walking,
    without,
)
from poise.body import BodyPlan
from poise.body.coordinates import (
    body_frames,
    clip_frames,
    clip_from_generalized,
    generalized_from_clip,
    generalized_positions,
    generalized_velocities,
    joint_velocities,
    pose_from_generalized,
)
from poise.body.heading import facing
from poise.body.trajectory import Trajectory
from poise.errors import InputError
from poise.math import quat
from poise.math.spline import PositionSpline, RotationSpline
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.world import CharacterDynamics
from poise.world.character import add_character

TIGHT = 1e-12


def with_riders() -> Clip:
    """A still, turned bone above the left forearm and one above the right thigh: riders between bodies."""
    rows = inserted(inserted(bones(), "LeftArmTwist", "LeftForeArm"), "RightHipHelper", "RightUpLeg")
    held = {"LeftArmTwist": np.array([0.3, 0.2, -0.4]), "RightHipHelper": np.array([-0.2, 0.1, 0.3])}
    return human_clip(rows, lambda time: walking(time) | held)


def with_pelvis_channels() -> Clip:
    """A root above the pelvis, and position channels on both."""
    clip = human_clip(rooted(bones()))
    pelvis = np.tile(clip.skeleton.offsets[1], (len(clip), 1))
    pelvis += 0.05 * np.sin(np.outer(clip.times, [3.0, 4.0, 5.0]))
    return Clip(
        clip.skeleton,
        clip.rate,
        clip.rotations,
        np.stack([clip.translations[:, 0], pelvis], axis=1),
        np.array([0, 1]),
    )


CLIPS: dict[str, Callable[[], Clip]] = {
    "pelvis is the root": human_clip,
    "root above the pelvis": lambda: human_clip(rooted(bones())),
    "root above, pelvis moves": with_pelvis_channels,
    "riders between bodies": with_riders,
    "all bones on one line": lambda: on_one_line(human_clip()),
    "no neck, clavicles, hands": lambda: human_clip(without(bones(), "Neck", "Shoulder", "Hand")),
}


@pytest.fixture(params=CLIPS)
def clip(request: pytest.FixtureRequest) -> Clip:
    return CLIPS[request.param]()


def poses(clip: Clip, rng: np.random.Generator, count: int = 12) -> tuple[np.ndarray, np.ndarray]:
    """Wild poses of the clip's skeleton: every joint turned at random, also riders; the root anywhere."""
    rotations = random_rotations(rng, count, len(clip.skeleton))
    translations = np.tile(clip.skeleton.offsets, (count, 1, 1))
    translations[:, clip.translated] += rng.normal(size=(count, len(clip.translated), 3))
    return rotations, translations


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """Largest difference of unit quaternions up to sign, a linear measure that resolves 1e-12."""
    return float(np.minimum(np.abs(a - b).max(axis=-1), np.abs(a + b).max(axis=-1)).max())


def test_coordinates_of_a_pose_put_back_into_it_change_nothing(clip: Clip, rng: np.random.Generator) -> None:
    plan = human_plan(clip)
    moves = int(plan.joints[0]) in clip.translated
    rotations, translations = poses(clip, rng)
    positions = generalized_positions(plan, rotations, translations)
    back_q, back_p = pose_from_generalized(plan, positions, rotations, translations, pelvis_moves=moves)
    assert distance(back_q, rotations) < TIGHT
    assert np.abs(back_p - translations).max() < TIGHT


def test_positions_survive_the_way_through_another_pose(clip: Clip, rng: np.random.Generator) -> None:
    plan = human_plan(clip)
    moves = int(plan.joints[0]) in clip.translated
    positions = random_positions(plan, rng, 12, spread=1.5)
    rotations, translations = poses(clip, rng)
    pose = pose_from_generalized(plan, positions, rotations, translations, pelvis_moves=moves)
    again = generalized_positions(plan, *pose)
    assert np.abs(again[:, :3] - positions[:, :3]).max() < TIGHT
    assert distance(again[:, 3:].reshape(12, -1, 4), positions[:, 3:].reshape(12, -1, 4)) < TIGHT


def test_frames_of_a_clip_are_those_of_its_coordinates(clip: Clip) -> None:
    plan = human_plan(clip)
    compiled, plain = body_frames(plan, generalized_from_clip(plan, clip)), clip_frames(plan, clip)
    assert np.abs(compiled.positions - plain.positions).max() < TIGHT
    assert distance(compiled.rotations, plain.rotations) < TIGHT


def test_riders_keep_the_base_pose(clip: Clip, rng: np.random.Generator) -> None:
    plan = human_plan(clip)
    positions = random_positions(plan, rng, 4)
    rotations, translations = poses(clip, rng, 4)
    turned, moved = pose_from_generalized(plan, positions, rotations, translations, pelvis_moves=False)
    riders = np.setdiff1d(np.arange(len(clip.skeleton)), plan.joints)
    assert len(riders) >= 2
    assert np.array_equal(turned[:, riders], rotations[:, riders])
    assert np.array_equal(moved[:, 1:], translations[:, 1:])


def test_a_clip_comes_back_with_physics_off(clip: Clip) -> None:
    plan = human_plan(clip)
    result = clip_from_generalized(plan, generalized_from_clip(plan, clip), clip)
    assert distance(result.rotations, clip.rotations) < TIGHT
    assert np.abs(result.translations - clip.translations).max() < TIGHT
    assert result.translations.shape == clip.translations.shape


def test_quaternion_signs_are_continuous_over_time() -> None:
    def spinning(time: float) -> dict[str, np.ndarray]:
        return walking(time) | {"Hips": np.array([0.0, 0.0, 4.0 * time])}

    clip = human_clip(motion=spinning, seconds=3.0)
    rows = generalized_from_clip(human_plan(clip), clip)[:, 3:].reshape(len(clip), -1, 4)
    assert np.sum(rows[1:] * rows[:-1], axis=-1).min() > 0.9


def motion_rates(clip: Clip, time: float, moving: Callable[[float], dict[str, np.ndarray]]) -> tuple[np.ndarray, ...]:
    """Pose, and its rates by central differences of the motion itself."""
    step = 1e-5
    q, p = local_pose(clip.skeleton, moving(time))
    (q0, p0), (q1, p1) = (local_pose(clip.skeleton, moving(time + d)) for d in (-step, step))
    angular = quat.log(quat.mul(quat.conj(q0), q1)) / (2.0 * step)
    return q, p, angular, (p1 - p0) / (2.0 * step)


def lively(time: float) -> dict[str, np.ndarray]:
    """The walk, with a turning root, riders that turn too, and a pelvis on top."""
    return walking(time) | {
        "Root": np.array([0.1, 0.2, 0.9]) * np.sin(2.0 * time),
        "LeftArmTwist": np.array([0.2, 0.4, 0.1]) * np.sin(3.0 * time),
        "RightHipHelper": np.array([0.3, -0.2, 0.1]) * np.cos(2.0 * time),
    }


RIDING = rooted(inserted(inserted(bones(), "LeftArmTwist", "LeftForeArm"), "RightHipHelper", "RightUpLeg"))


def riding_plan() -> tuple[Clip, BodyPlan]:
    """A skeleton whose riders (held in the clip the plan is built from) turn in the poses that are tested."""
    clip = human_clip(RIDING, standing, seconds=0.1)
    plan = human_plan(clip)
    assert {"Root", "LeftArmTwist", "RightHipHelper"}.isdisjoint(plan.names)
    return clip, plan


def test_velocities_are_the_rate_of_the_positions() -> None:
    clip, plan = riding_plan()
    step = 1e-6
    for time in (0.13, 0.4, 0.77):
        rates = motion_rates(clip, time, lively)
        velocities = generalized_velocities(plan, *rates)
        before, after = (
            generalized_positions(plan, *local_pose(clip.skeleton, lively(time + d))) for d in (-step, step)
        )
        linear = (after[:3] - before[:3]) / (2.0 * step)
        turns = quat.mul(quat.conj(before[3:].reshape(-1, 4)), after[3:].reshape(-1, 4))
        expected = np.concatenate([linear, (quat.log(turns) / (2.0 * step)).ravel()])
        assert np.abs(expected).max() > 1.0
        assert np.abs(velocities - expected).max() < 1e-6


def test_velocities_go_there_and_back(rng: np.random.Generator) -> None:
    clip, plan = riding_plan()
    count, joints = 6, len(clip.skeleton)
    rotations, translations = poses(clip, rng, count)
    angular, linear = rng.normal(size=(2, count, joints, 3))
    velocities = generalized_velocities(plan, rotations, translations, angular, linear)
    assert np.abs(joint_velocities(plan, velocities, rotations, angular) - angular).max() < TIGHT
    # Other velocities for the bodies; riders keep theirs.
    wanted = rng.normal(size=velocities.shape)
    turned = joint_velocities(plan, wanted, rotations, angular)
    riders = np.setdiff1d(np.arange(joints), plan.joints)
    assert np.array_equal(turned[:, riders], angular[:, riders])
    again = generalized_velocities(plan, rotations, translations, turned, linear)
    assert np.abs(again[:, 3:] - wanted[:, 3:]).max() < TIGHT


def compiled(plan: BodyPlan) -> mj.MjModel:
    spec = mj.MjSpec()
    add_character(spec, "c", plan)
    return spec.compile()


def test_body_frames_agree_with_mujoco(clip: Clip, rng: np.random.Generator) -> None:
    plan = human_plan(clip)
    model = compiled(plan)
    data = mj.MjData(model)
    positions = random_positions(plan, rng, 5, spread=1.5)
    frames = body_frames(plan, positions)
    for row in range(5):
        data.qpos[:] = positions[row]
        mj.mj_kinematics(model, data)
        assert np.abs(frames.positions[row] - data.xpos[1:]).max() < TIGHT
        assert distance(frames.rotations[row], data.xquat[1:]) < TIGHT


def test_forward_kinematics_agrees_with_mujoco(rng: np.random.Generator) -> None:
    skeleton = human_clip(rooted(bones())).skeleton
    spec, made = mj.MjSpec(), []
    rotations, translations = random_rotations(rng, len(skeleton)), rng.normal(size=(len(skeleton), 3))
    for joint, parent in enumerate(skeleton.parents):
        above = spec.worldbody if parent < 0 else made[parent]
        made.append(above.add_body(pos=translations[joint], quat=rotations[joint]))
    model = spec.compile()
    data = mj.MjData(model)
    mj.mj_kinematics(model, data)
    turn, place = forward_kinematics(skeleton, rotations, translations)
    assert np.abs(place - data.xpos[1:]).max() < TIGHT
    assert distance(turn, data.xquat[1:]) < TIGHT


def test_bodies_are_where_the_clip_has_their_joints(clip: Clip) -> None:
    plan = human_plan(clip)
    frames = body_frames(plan, generalized_from_clip(plan, clip))
    rotations, positions = clip.world()
    assert np.abs(frames.positions - positions[:, plan.joints]).max() < TIGHT
    assert distance(frames.rotations, rotations[:, plan.joints]) < TIGHT


def test_curves_meet_the_clip_at_every_frame(clip: Clip) -> None:
    plan = human_plan(clip)
    curve, rows = Trajectory(plan, clip), np.zeros((len(clip), plan.position_count))
    curve.rows(clip.times, rows)
    keys = generalized_from_clip(plan, clip)
    assert np.abs(rows - keys).max() < TIGHT
    for frame in (0, 7, len(clip) - 1):
        assert np.abs(curve.moment(float(clip.times[frame])).positions - keys[frame]).max() < TIGHT


def test_curves_are_the_splines_and_their_derivatives() -> None:
    clip = human_clip()
    plan = human_plan(clip)
    curve, keys = Trajectory(plan, clip), generalized_from_clip(plan, clip)
    turns = RotationSpline(clip.times, keys[:, 3:].reshape(len(clip), -1, 4))
    places = PositionSpline(clip.times, keys[:, :3])
    times = np.sort(np.random.default_rng(1).uniform(0.0, clip.duration, 40))
    rows = np.zeros((40, plan.position_count))
    curve.rows(times, rows)
    assert np.abs(rows[:, :3] - places(times)).max() < TIGHT
    assert np.abs(rows[:, 3:] - turns(times).reshape(40, -1)).max() < TIGHT
    for row, time in enumerate(times):
        moment = curve.moment(float(time))
        assert np.abs(moment.positions - rows[row]).max() < TIGHT
        spin, push = turns.angular_velocity(time)[0], turns.angular_acceleration(time)[0]
        assert np.abs(moment.velocities - np.concatenate([places(time, 1)[0], spin.ravel()])).max() < 1e-9
        assert np.abs(moment.accelerations - np.concatenate([places(time, 2)[0], push.ravel()])).max() < 1e-8


def test_moments_agree_with_finite_differences() -> None:
    clip = human_clip()
    plan = human_plan(clip)
    curve, step, rows = Trajectory(plan, clip), 1e-4, np.zeros((3, plan.position_count))
    for time in (0.2034, 0.611, 1.004):
        curve.rows(time + step * np.arange(-1.0, 2.0), rows)
        velocity = np.zeros((2, plan.velocity_count))
        for half in range(2):
            turn = quat.mul(quat.conj(rows[half, 3:].reshape(-1, 4)), rows[half + 1, 3:].reshape(-1, 4))
            velocity[half] = np.concatenate([rows[half + 1, :3] - rows[half, :3], quat.log(turn).ravel()]) / step
        moment = curve.moment(time)
        scale = np.abs(moment.accelerations).max()
        assert scale > 5.0
        assert np.abs(velocity.mean(axis=0) - moment.velocities).max() < 1e-6 * scale
        assert np.abs((velocity[1] - velocity[0]) / step - moment.accelerations).max() < 1e-3 * scale


def test_curves_rest_before_and_after_the_clip() -> None:
    clip = human_clip()
    curve = Trajectory(human_plan(clip), clip)
    for outside, frame in ((-0.3, 0), (clip.duration + 0.3, -1)):
        moment = curve.moment(outside)
        assert np.allclose(moment.positions, curve.keys[frame], atol=TIGHT)
        assert not moment.velocities.any()
        assert not moment.accelerations.any()
    assert curve.moment(clip.duration).velocities.any()


@pytest.mark.parametrize("frames", [1, 2, 3])
def test_clips_of_a_few_frames_have_curves(frames: int) -> None:
    clip = human_clip(seconds=(frames - 1) / 60.0)
    assert len(clip) == frames
    plan = human_plan(clip)
    rows = np.zeros((5, plan.position_count))
    Trajectory(plan, clip).rows(np.linspace(-0.1, 0.2, 5), rows)
    assert np.isfinite(rows).all()
    assert np.allclose(np.linalg.norm(rows[:, 3:].reshape(5, -1, 4), axis=-1), 1.0)


def test_total_mass_and_centre_of_mass_agree_with_mujoco(clip: Clip, rng: np.random.Generator) -> None:
    plan = human_plan(clip, mass=63.0)
    model = compiled(plan)
    data = mj.MjData(model)
    positions = random_positions(plan, rng, 1)
    data.qpos[:] = positions[0]
    mj.mj_fwdPosition(model, data)
    assert model.body_subtreemass[1] == pytest.approx(63.0, abs=1e-9)
    frames = body_frames(plan, positions)
    centres = frames.positions[0] + quat.rotate(frames.rotations[0], plan.centres)
    assert np.abs(plan.masses @ centres / 63.0 - data.subtree_com[1]).max() < 1e-12
    # Mass and turning inertia of the whole about its centre of mass, added up by hand.
    tensor = np.zeros((3, 3))
    for body in range(len(plan)):
        axes, arm = quat.to_matrix(frames.rotations[0, body]), centres[body] - data.subtree_com[1]
        tensor += axes @ plan.inertias[body] @ axes.T + plan.masses[body] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    matrix = CharacterDynamics(plan).mass_matrix(positions[0])
    assert np.allclose(matrix[:3, :3], 63.0 * np.eye(3), atol=1e-9)
    own, lever = quat.to_matrix(positions[0, 3:7]), data.subtree_com[1] - positions[0, :3]
    about_pelvis = tensor + 63.0 * (lever @ lever * np.eye(3) - np.outer(lever, lever))
    assert np.allclose(matrix[3:6, 3:6], own.T @ about_pelvis @ own, atol=1e-9)


def test_poses_of_another_skeleton_are_refused() -> None:
    clip = human_clip()
    with pytest.raises(InputError, match=rf"poses of {len(clip.skeleton)} joints need rotations"):
        forward_kinematics(clip.skeleton, clip.rotations, clip.translations[:, :1])


@pytest.mark.parametrize("angle", [-3.0, -0.7, 0.0, 1.2, 2.9])
def test_a_body_faces_where_its_belly_points(angle: float) -> None:
    """The heading is where x of the neutral pose has gone, however far it leans."""
    plan = human_plan()
    row = np.concatenate([np.zeros(3), np.tile(quat.IDENTITY, len(plan))])
    lean, turn = quat.exp(np.array([0.0, 0.4, 0.0])), quat.exp(np.array([0.0, 0.0, angle]))
    row[3:7] = quat.mul(quat.mul(turn, lean), plan.neutral[0])
    assert facing(plan, row) == pytest.approx(angle)
