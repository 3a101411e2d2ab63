"""A clip on a robot's own hinges, judged by a fresh MuJoCo model of the robot's own file."""

import csv
from pathlib import Path

import mujoco as mj
import numpy as np
import pytest
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.characters.prepare import prepare
from poise.io import read_clip
from poise.io.robot import write_robot_trajectory
from poise.motion.roles import guess_roles
from poise.robots import OntoRobot, Robot, onto_robot, read_robot
from robot_samples import humanoid_mjcf, humanoid_urdf

Array = NDArray[np.float64]
BONES = (("upper_arm", "forearm"), ("forearm", "hand"), ("thigh", "shank"), ("shank", "foot"))
BODIES = {"shank": "shin", "foot": "ankle"}
"""Bodies of the MJCF that are not called as their roles are."""


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Robot:
    file = tmp_path_factory.mktemp("robot") / "own.xml"
    file.write_text(humanoid_mjcf())
    return read_robot(file)


@pytest.fixture(scope="module")
def walked(robot: Robot) -> OntoRobot:
    return onto_robot(read_clip(clip_path("walk")), robot)


def fresh(robot: Robot) -> mj.MjModel:
    """The robot as MuJoCo reads its file, without the meshes that are not there."""
    spec = mj.MjSpec.from_file(str(robot.description.path))
    for mesh in spec.meshes:
        spec.delete(mesh)
    return spec.compile()


def test_what_is_seen_of_a_robot(robot: Robot) -> None:
    model = fresh(robot)
    assert robot.mass == pytest.approx(model.body_mass.sum())
    assert robot.height == pytest.approx(0.95 + 0.1 + 0.35 + 0.2, abs=0.1)
    assert robot.figure.leg == pytest.approx(0.42 + 0.38 + 0.0, abs=0.01)
    assert [segment.role for segment in robot.figure.segments][:2] == ["pelvis", "spine"]
    assert {segment.role for segment in robot.figure.segments} >= {"head", "left_hand", "right_foot", "left_shank"}
    hips = next(segment for segment in robot.figure.segments if segment.role == "left_thigh")
    assert [robot.model.bend_names[hinge] for hinge in hips.hinges] == [
        "left_hip_yaw",
        "left_hip_roll",
        "left_hip_pitch",
    ]
    left, right = robot.figure.soles
    assert left.ends[1, 0] - left.ends[0, 0] == pytest.approx(0.24)
    assert np.allclose(left.ends, right.ends)


def test_a_trajectory_is_the_models_own_qpos(robot: Robot, walked: OntoRobot, tmp_path: Path) -> None:
    model, trajectory = fresh(robot), walked.trajectory
    assert trajectory.qpos.shape == (len(prepare(read_clip(clip_path("walk"))).clip), model.nq)
    assert trajectory.joints == tuple(model.joint(joint).name for joint in range(model.njnt))
    assert trajectory.columns[:7] == tuple(f"root.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz"))
    write_robot_trajectory(tmp_path / "walk.csv", trajectory)
    write_robot_trajectory(tmp_path / "walk.npz", trajectory)
    lines = (tmp_path / "walk.csv").read_text().splitlines()
    comments = [line for line in lines if line.startswith("#")]
    assert "# rate_hz: 30.0" in comments
    assert "qw qx qy qz" in comments[-1]
    rows = list(csv.reader(lines[len(comments) :]))
    assert tuple(rows[0]) == trajectory.columns
    assert np.array_equal(np.array(rows[1:], dtype=float), trajectory.qpos)
    with np.load(tmp_path / "walk.npz") as data:
        assert np.array_equal(data["qpos"], trajectory.qpos)
        assert float(data["rate"]) == 30.0
        assert tuple(data["joint_names"]) == trajectory.joints


def test_ranges_are_never_left(robot: Robot, walked: OntoRobot) -> None:
    model, qpos = fresh(robot), walked.trajectory.qpos
    for joint in range(1, model.njnt):
        column = qpos[:, model.jnt_qposadr[joint]]
        low, high = model.jnt_range[joint]
        assert column.min() >= low - 1e-12
        assert column.max() <= high + 1e-12


def placed(robot: Robot, qpos: Array) -> tuple[Array, Array, Array]:
    """Positions (T, bodies, 3), and of the feet's boxes centres (T, 2, 3) and axes (T, 2, 3, 3)."""
    model = fresh(robot)
    data = mj.MjData(model)
    boxes = [int(model.body(f"{side}_foot").geomadr[0]) for side in ("left", "right")]
    found = []
    for row in qpos:
        data.qpos[:] = row
        mj.mj_kinematics(model, data)
        found.append((data.xpos.copy(), data.geom_xpos[boxes], data.geom_xmat[boxes].reshape(2, 3, 3)))
    positions, centres, axes = (np.array(each) for each in zip(*found, strict=True))
    return positions, centres, axes


def corners(robot: Robot, qpos: Array) -> Array:
    """Corners of the soles [m], shape (T, 2, 4, 3): two at the heel, two at the ball."""
    _, centres, axes = placed(robot, qpos)
    local = np.array([[x, y, -0.02] for x in (-0.12, 0.12) for y in (-0.05, 0.05)])
    return np.asarray(centres[:, :, None] + np.einsum("tfij,cj->tfci", axes, local))


def test_bones_point_where_the_clips_do(robot: Robot, walked: OntoRobot) -> None:
    model, clip = fresh(robot), prepare(read_clip(clip_path("walk"))).clip
    roles, (_, joints) = guess_roles(clip.skeleton), clip.world()
    positions, _, _ = placed(robot, walked.trajectory.qpos)
    for side in ("left", "right"):
        for upper, lower in BONES:
            own = [model.body(f"{side}_{BODIES.get(part, part)}").id for part in (upper, lower)]
            theirs = [roles.joint(f"{side}_{part}") for part in (upper, lower)]
            if None in theirs:
                continue
            bone, wanted = (np.diff(at[:, pair], axis=1)[:, 0] for at, pair in ((positions, own), (joints, theirs)))
            cosine = (bone * wanted).sum(axis=1) / np.linalg.norm(bone, axis=1) / np.linalg.norm(wanted, axis=1)
            away = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
            # Legs end where feet stand, whose ankles are elsewhere than a person's.
            mean, most = (2.0, 6.0) if upper in ("upper_arm", "forearm") else (8.0, 20.0)
            assert away.mean() < mean, (side, upper)
            assert away.max() < most, (side, upper)


def test_feet_stand_where_the_clips_do(robot: Robot, walked: OntoRobot) -> None:
    soles = corners(robot, walked.trajectory.qpos)
    for side in range(2):
        for end in range(2):
            stands = walked.goals.contact[:, 2 * side + end]
            both = stands[1:] & stands[:-1]
            steps = np.linalg.norm(np.diff(soles[:, side, 2 * end : 2 * end + 2].mean(axis=1)[:, :2], axis=0), axis=1)
            assert both.sum() >= 5
            assert steps[both].max() < 1e-3
            assert np.abs(soles[stands, side, 2 * end : 2 * end + 2, 2]).max() < 0.01
    assert soles[..., 2].min() > -0.01


def test_hinges_move_smoothly(robot: Robot, walked: OntoRobot) -> None:
    rate, clip = walked.trajectory.rate, prepare(read_clip(clip_path("walk"))).clip
    hinges = np.diff(walked.trajectory.qpos[:, 7:], axis=0) * rate
    assert np.abs(hinges).max() < 12.0
    turns = np.arccos(np.clip(np.abs((clip.rotations[1:] * clip.rotations[:-1]).sum(axis=2)), 0.0, 1.0)) * 2.0 * rate
    assert np.abs(np.diff(hinges, axis=0)).max() < 3.0 * np.abs(np.diff(turns, axis=0)).max()
    again = onto_robot(read_clip(clip_path("walk")), robot)
    assert np.array_equal(again.trajectory.qpos, walked.trajectory.qpos)


def test_a_fixed_base_leaves_only_the_hinges(walked: OntoRobot, tmp_path: Path) -> None:
    (tmp_path / "fixed.xml").write_text(humanoid_mjcf(free=False))
    moved = onto_robot(read_clip(clip_path("walk")), read_robot(tmp_path / "fixed.xml"))
    assert moved.trajectory.free == ""
    assert moved.trajectory.columns == walked.trajectory.columns[7:]
    assert np.allclose(moved.trajectory.qpos, walked.trajectory.qpos[:, 7:])
    assert any("the base is fixed" in note for note in moved.notes)


def test_a_urdf_gets_a_free_base(tmp_path: Path) -> None:
    (tmp_path / "own.urdf").write_text(humanoid_urdf())
    robot = read_robot(tmp_path / "own.urdf")
    assert robot.mass == pytest.approx(1.5 * 22)
    assert any("22 meshes are not read" in note for note in robot.notes)
    shank = next(segment for segment in robot.figure.segments if segment.role == "left_shank")
    assert robot.model.body_names[shank.body] == "left_knee_link"
    moved = onto_robot(read_clip(clip_path("walk")), robot)
    assert moved.trajectory.columns[:7] == tuple(
        f"floating_base.{part}" for part in ("x", "y", "z", "qw", "qx", "qy", "qz")
    )
    assert moved.trajectory.columns[7:] == moved.trajectory.joints[1:]
    way = moved.trajectory.qpos[-1, :2] - moved.trajectory.qpos[0, :2]
    clip = prepare(read_clip(clip_path("walk"))).clip
    theirs = clip.world()[1][:, int(guess_roles(clip.skeleton).joint("pelvis") or 0)]
    assert way == pytest.approx(moved.goals.scale * (theirs[-1] - theirs[0])[:2], abs=0.02)


def test_lost_meshes_are_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(humanoid_mjcf(meshes=True))
    robot = read_robot(tmp_path / "own.xml")
    assert any("2 meshes are not read" in note for note in robot.notes)
    assert any("soles are taken to be a person's" in note for note in robot.notes)
    assert np.isfinite(onto_robot(read_clip(clip_path("walk")), robot).trajectory.qpos).all()


def test_a_robot_without_a_head_stands_upright(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(humanoid_mjcf(head=False))
    moved = onto_robot(read_clip(clip_path("walk")), read_robot(tmp_path / "own.xml"))
    w, x, y, z = moved.trajectory.qpos[:, 3:7].T
    up = 1.0 - 2.0 * (x**2 + y**2)
    assert np.degrees(np.arccos(up)).max() < 15.0
    del w, z


def renamed(text: str) -> str:
    """Arms called AL0, AL1, … as on some robots, which says no part of a body."""
    for side in ("left", "right"):
        for number, part in enumerate(("upper_arm", "forearm", "hand")):
            text = text.replace(f'body name="{side}_{part}"', f'body name="A{side[0].upper()}{number}"')
    return text


def test_a_role_map_says_what_names_do_not(tmp_path: Path) -> None:
    (tmp_path / "own.xml").write_text(renamed(humanoid_mjcf()))
    given: dict[str, str | None] = {
        f"A{side[0].upper()}{number}": f"{side}_{part}"
        for side in ("left", "right")
        for number, part in enumerate(("upper_arm", "forearm", "hand"))
    }
    robot = read_robot(tmp_path / "own.xml", given)
    assert {segment.role for segment in robot.figure.segments} >= {"left_hand", "right_forearm"}


def test_arms_without_names_are_told_by_their_shape(tmp_path: Path) -> None:
    text, parts = humanoid_urdf(), ("shoulder_pitch", "shoulder_roll", "shoulder_yaw", "elbow")
    for side in ("left", "right"):
        for number, part in enumerate(parts):
            text = text.replace(f"{side}_{part}_link", f"A{side[0].upper()}{number}")
    (tmp_path / "own.urdf").write_text(text)
    (tmp_path / "named.urdf").write_text(humanoid_urdf())
    shaped, named = read_robot(tmp_path / "own.urdf"), read_robot(tmp_path / "named.urdf")
    assert [segment.role for segment in shaped.figure.segments] == [segment.role for segment in named.figure.segments]
    assert [segment.body for segment in shaped.figure.segments] == [segment.body for segment in named.figure.segments]


@pytest.mark.shared
@pytest.mark.parametrize(
    "name",
    ["bandai-namco/dataset-2_walk-turn-left_normal_001.bvh", "bandai-namco/dataset-2_wave-both-hands_normal_001.bvh"],
)
def test_recorded_motions(name: str, robot: Robot, shared_data: Path) -> None:
    moved = onto_robot(read_clip(shared_data / name), robot)
    soles = corners(robot, moved.trajectory.qpos)
    assert soles[..., 2].min() > -0.01
    for side in range(2):
        flat = moved.goals.contact[:, 2 * side : 2 * side + 2].all(axis=1)
        steps = np.linalg.norm(np.diff(soles[:, side].mean(axis=1), axis=0), axis=1)
        assert flat.any()
        assert np.median(steps[flat[1:] & flat[:-1]]) < 1e-4
    assert np.abs(np.diff(moved.trajectory.qpos[:, 7:], axis=0)).max() * moved.trajectory.rate < 20.0
