"""Two-bone limbs: exact, continuous through full reach, inside their limits, the same on both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from _builders import bones, human_clip, human_plan, random_positions, random_rotations, standing, without
from poise.body import BodyPlan
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.limits import anatomical, swing_twist_angles
from poise.errors import InputError
from poise.ik import LimbGoals, LimbOptions, LimbSolver, relaxed_positions
from poise.ik._kernels import from_swing_twist, surely_within
from poise.math import quat

Array = np.ndarray
PLAN = human_plan()
SOLVER = LimbSolver(PLAN)
FREE = LimbSolver(PLAN, LimbOptions(limits=False))
ROOT, MID, END = SOLVER.bodies.T
UPPER, LOWER = np.linalg.norm(PLAN.offsets[MID], axis=1), np.linalg.norm(PLAN.offsets[END], axis=1)
LENGTH = UPPER + LOWER


def goals_at(positions: Array, rotations: Array | None = None, poles: Array | None = None) -> LimbGoals:
    goals = LimbGoals.none(*positions.shape[:2])
    goals.positions[:], goals.weights[..., 0] = positions, 1.0
    if rotations is not None:
        goals.rotations[:], goals.weights[..., 1] = rotations, 1.0
    if poles is not None:
        goals.poles[:], goals.weights[..., 2] = poles, 1.0
    return goals


def directions(rng: np.random.Generator, *shape: int) -> Array:
    vectors = rng.normal(size=(*shape, 3))
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def angles(plan: BodyPlan, rows: Array) -> Array:
    turns = rows[:, 3:].reshape(len(rows), len(plan), 4)
    return swing_twist_angles(anatomical(turns, plan.neutral))


def test_goals_within_reach_are_met_exactly(rng: np.random.Generator) -> None:
    rows = random_positions(PLAN, rng, 500)
    roots = body_frames(PLAN, rows).positions[:, ROOT]
    goals = goals_at(roots + directions(rng, 500, 4) * (LENGTH * rng.uniform(0.6, 0.99, (500, 4)))[..., None])
    goals = goals_at(goals.positions, random_rotations(rng, 500, 4), roots + directions(rng, 500, 4))
    errors = FREE.solve(rows, goals)
    frames = body_frames(PLAN, rows)
    assert np.abs(frames.positions[:, END] - goals.positions).max() < 1e-9
    assert errors.max() < 1e-9
    assert quat.angle_between(frames.rotations[:, END], goals.rotations).max() < 1e-9
    upper = np.linalg.norm(frames.positions[:, MID] - frames.positions[:, ROOT], axis=-1)
    lower = np.linalg.norm(frames.positions[:, END] - frames.positions[:, MID], axis=-1)
    assert np.abs(upper - UPPER).max() < 1e-9
    assert np.abs(lower - LOWER).max() < 1e-9


def test_middle_joints_point_to_their_poles(rng: np.random.Generator) -> None:
    rows = random_positions(PLAN, rng, 300)
    roots = body_frames(PLAN, rows).positions[:, ROOT]
    axis, away = directions(rng, 300, 4), directions(rng, 300, 4)
    FREE.solve(rows, goals_at(roots + axis * (0.8 * LENGTH)[:, None], None, roots + away))
    mid = body_frames(PLAN, rows).positions[:, MID] - roots

    def across(v: Array) -> Array:
        v = v - np.sum(v * axis, axis=-1, keepdims=True) * axis
        return v / np.linalg.norm(v, axis=-1, keepdims=True)

    clear = np.linalg.norm(np.cross(axis, away), axis=-1) > 0.06
    assert np.abs(across(mid) - across(away))[clear].max() < 1e-9


def test_a_goal_where_the_end_is_changes_nothing() -> None:
    clip = human_clip()
    plan = human_plan(clip)
    solver, rows = LimbSolver(plan), generalized_from_clip(plan, clip)
    frames = body_frames(plan, rows)
    solved = rows.copy()
    solver.solve(solved, goals_at(frames.positions[:, solver.bodies[:, 2]], frames.rotations[:, solver.bodies[:, 2]]))
    assert np.abs(quat.angle_between(solved[:, 3:].reshape(-1, 4), rows[:, 3:].reshape(-1, 4))).max() < 1e-6


def test_no_joint_jumps_through_full_reach() -> None:
    row = relaxed_positions(PLAN)
    roots = body_frames(PLAN, row).positions[0, ROOT]
    ahead = np.array([0.5, 0.0, -1.0]) / np.sqrt(1.25)
    distances = np.arange(0.7, 1.6, 0.001)
    side = 0.05 * np.sin(20.0 * distances)[:, None] * [0.0, 1.0, 0.0]
    rows = np.tile(row, (len(distances), 1))
    goals = roots + (LENGTH[None, :, None] * distances[:, None, None]) * ahead + side[:, None]
    errors = SOLVER.solve(rows, goals_at(goals))
    turns = rows[:, 3:].reshape(len(rows), -1, 4)
    # Flexion's steepest slope is sqrt(2 / softness) / L per metre of goal.
    steepest = np.sqrt(2.0 / SOLVER.options.softness) * 0.001
    assert quat.angle_between(turns[1:], turns[:-1]).max() < 1.3 * steepest
    frames = body_frames(PLAN, rows)
    reached = np.linalg.norm(frames.positions[:, END] - roots, axis=-1) / LENGTH
    assert np.all(np.diff(reached, axis=0) > -1e-12)
    assert reached.max() <= 1.0 + 1e-12
    assert errors[distances < 0.99].max() < 1e-9
    straight = frames.positions[-1, END] - roots
    to_goal = goals[-1] - roots
    assert np.linalg.norm(np.cross(straight, to_goal), axis=-1).max() < 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.2, 1.0, 30.0, 1e5]))
def test_limits_hold_and_hinges_bend_one_way(seed: int, far: float) -> None:
    rng = np.random.default_rng(seed)
    rows = np.tile(relaxed_positions(PLAN), (8, 1))
    rows[:, 3:7] = random_rotations(rng, 8)
    goals = goals_at(rng.normal(size=(8, 4, 3)) * far, random_rotations(rng, 8, 4), rng.normal(size=(8, 4, 3)))
    SOLVER.solve(rows, goals)
    assert np.isfinite(rows).all()
    found = angles(PLAN, rows)[:, SOLVER.bodies.ravel()]
    lower = np.array([PLAN.limits[b].lower for b in SOLVER.bodies.ravel()])
    upper = np.array([PLAN.limits[b].upper for b in SOLVER.bodies.ravel()])
    assert np.all(found >= lower - 1e-9)
    assert np.all(found <= upper + 1e-9)
    flexion = angles(PLAN, rows)[:, MID, 1] * [-1.0, -1.0, 1.0, 1.0]
    assert flexion.min() > -1e-9


def mirrored(rows: Array) -> Array:
    names = [name.replace("Left", "?").replace("Right", "Left").replace("?", "Right") for name in PLAN.names]
    turns = rows[:, 3:].reshape(len(rows), -1, 4)[:, [PLAN.names.index(name) for name in names]]
    flipped = turns * [1.0, -1.0, 1.0, -1.0]
    return np.concatenate([rows[:, :3] * [1.0, -1.0, 1.0], flipped.reshape(len(rows), -1)], axis=1)


def test_mirrored_goals_give_mirrored_poses(rng: np.random.Generator) -> None:
    rows = random_positions(PLAN, rng, 100, spread=0.2)
    points = rng.normal(size=(3, 100, 4, 3)) * 0.7
    turns = random_rotations(rng, 100, 4)
    other = [1, 0, 3, 2]
    there = points[:, :, other] * [1.0, -1.0, 1.0]
    reflected = mirrored(rows)
    SOLVER.solve(reflected, goals_at(there[0], turns[:, other] * [1.0, -1.0, 1.0, -1.0], there[1]))
    SOLVER.solve(rows, goals_at(points[0], turns, points[1]))
    one, two = mirrored(rows)[:, 3:].reshape(-1, 4), reflected[:, 3:].reshape(-1, 4)
    assert quat.angle_between(one, two).max() < 1e-6


def test_a_batch_equals_a_loop_bit_for_bit(rng: np.random.Generator) -> None:
    rows = random_positions(PLAN, rng, 40)
    goals = goals_at(rng.normal(size=(40, 4, 3)), random_rotations(rng, 40, 4), rng.normal(size=(40, 4, 3)))
    batch, memory = rows.copy(), SOLVER.memory(40)
    errors = SOLVER.solve(batch, goals, memory, 0.01)
    for i in range(40):
        one = rows[i : i + 1].copy()
        error = SOLVER.solve(one, LimbGoals(*(part[i : i + 1] for part in goals)), SOLVER.memory(1), 0.01)
        assert one.tobytes() == batch[i : i + 1].tobytes()
        assert error.tobytes() == errors[i : i + 1].tobytes()


def test_twist_beyond_the_wrist_goes_to_the_forearm_and_not_faster_than_allowed() -> None:
    row = relaxed_positions(PLAN)
    frames = body_frames(PLAN, row)
    axis = frames.positions[0, END[0]] - frames.positions[0, MID[0]]
    axis /= np.linalg.norm(axis)
    memory = SOLVER.memory(1)
    past = None
    for frame in range(120):
        turn = quat.mul(quat.exp(axis * np.radians(min(frame * 2.0, 100.0))), frames.rotations[0, END])
        rows = row[None].copy()
        SOLVER.solve(rows, goals_at(frames.positions[:, END], turn[None]), memory, 1.0 / 60.0)
        twists = angles(PLAN, rows)[0, [MID[0], END[0]], 2]
        if past is not None:
            assert np.abs(twists - past).max() <= SOLVER.options.rate / 60.0 + 1e-9
        past = twists
    assert past is not None
    assert abs(past[1]) == pytest.approx(SOLVER.options.wrist_twist, abs=1e-6)
    assert abs(past[0]) == pytest.approx(np.radians(80.0), abs=1e-6)
    sudden = row[None].copy()
    turn = quat.mul(quat.exp(axis * np.radians(-100.0)), frames.rotations[0, END])
    SOLVER.solve(sudden, goals_at(frames.positions[:, END], turn[None]), memory, 1.0 / 60.0)
    step = np.abs(angles(PLAN, sudden)[0, [MID[0], END[0]], 2] - past)
    assert step.max() == pytest.approx(SOLVER.options.rate / 60.0, rel=1e-6)


def test_goals_that_are_no_numbers_leave_the_limb_alone(rng: np.random.Generator) -> None:
    rows = random_positions(PLAN, rng, 3)
    goals = goals_at(np.full((3, 4, 3), np.nan))
    solved = rows.copy()
    errors = SOLVER.solve(solved, goals)
    assert np.isnan(errors).all()
    np.testing.assert_array_equal(solved, rows)


def test_an_arm_without_a_hand_ends_at_its_end_site() -> None:
    clip = human_clip(without(bones(), "Hand"), motion=standing, seconds=0.1)
    plan = human_plan(clip)
    solver = LimbSolver(plan)
    assert solver.bodies[0, 2] == -1
    row = relaxed_positions(plan)[None]
    root = body_frames(plan, row).positions[0, solver.bodies[:, 0]]
    errors = solver.solve(row, goals_at((root + np.array([0.3, 0.0, -0.2]))[None]))
    assert errors[0, :2].max() < 1e-9


@pytest.mark.parametrize(
    ("change", "words"),
    [("end", "chain of one bone"), ("zero", "no length")],
)
def test_chains_that_are_no_limb_are_refused(change: str, words: str) -> None:
    import dataclasses

    plan: Any = human_plan(human_clip(without(bones(), "Hand"), motion=standing, seconds=0.1))
    if change == "end":
        skeleton = dataclasses.replace(plan.skeleton, end_parents=np.zeros(0, int), end_offsets=np.zeros((0, 3)))
        plan = dataclasses.replace(plan, skeleton=skeleton)
    else:
        offsets = plan.offsets.copy()
        offsets[plan.index("LeftForeArm")] = 0.0
        plan = dataclasses.replace(plan, offsets=offsets)
    with pytest.raises(InputError, match=words):
        LimbSolver(plan)


def test_the_quick_look_at_limits_never_says_yes_outside_and_mostly_yes_well_inside(rng: np.random.Generator) -> None:
    lower, upper = np.radians([-40.0, -100.0, -60.0]), np.radians([130.0, 60.0, 80.0])
    for turn in random_rotations(rng, 4000):
        found = swing_twist_angles(turn[None])[0]
        inside = bool(np.all(found >= lower + 0.01) and np.all(found <= upper - 0.01))
        quick = surely_within(tuple(turn), lower, upper, 0.01)
        assert inside or not quick
    said = []
    for found in rng.uniform(0.6 * lower, 0.6 * upper, (500, 3)):
        turn = from_swing_twist(tuple(found))
        assert surely_within(turn, lower, upper, 0.01) == surely_within(tuple(-k for k in turn), lower, upper, 0.01)
        said.append(surely_within(turn, lower, upper, 0.01))
    assert np.mean(said) > 0.95


@pytest.mark.parametrize("flexion", [-8.0, -2.0, 0.0, 1.0, 3.0, 6.0])
@pytest.mark.parametrize("aside", [0.0, 4.0, 10.0])
def test_a_straight_or_overstretched_knee_bends_about_its_hinge(flexion: float, aside: float) -> None:
    knee, limb, hard = PLAN.index("LeftLeg"), 2, LimbSolver(PLAN, LimbOptions(limits=False, softness=0.0))
    row = relaxed_positions(PLAN)
    bend = quat.exp(np.radians([aside, flexion, 0.0]))
    row[3 + 4 * knee : 7 + 4 * knee] = quat.mul(quat.mul(quat.conj(PLAN.neutral[knee]), bend), PLAN.neutral[knee])
    hip = body_frames(PLAN, row).positions[0, ROOT[limb]]
    before, found = body_frames(PLAN, row).positions[0, END[limb]], []
    for share in (1.0, 0.97, 0.9, 0.8, 0.7):
        goals = LimbGoals.none(1, 4)
        goals.positions[0, limb], goals.weights[0, limb, 0] = hip + share * (before - hip), 1.0
        reached = row[None].copy()
        assert hard.solve(reached, goals)[0, limb] < 1e-9
        found.append(np.degrees(angles(PLAN, reached)[0, knee]))
    sideways, flexed, _ = np.array(found).T
    assert np.abs(sideways).max() < 0.51 * np.pi * aside + 1e-6, (
        "a constant tilt reads as pi / 2 times as much at 90 degrees"
    )
    assert flexed[0] == pytest.approx(abs(flexion), abs=1.0), "bent backwards it bends forwards by as much"
    assert (np.diff(flexed) > 3.0).all()
