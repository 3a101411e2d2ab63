"""Whole bodies from goals, and clips from tracks."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline

from _builders import human_clip, human_plan
from poise.assets import clip_path
from poise.body import BodyPlan, build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.errors import InputError
from poise.ik import (
    ENDS,
    BodySolver,
    ElasticPole,
    Goal,
    Goals,
    SolverOptions,
    Targets,
    Track,
    clip_from_targets,
    relaxed_positions,
    solve_pose,
    targets_from_clip,
)
from poise.io import read_clip
from poise.math import quat
from poise.motion import Clip, guess_roles

Array = np.ndarray
PLAN = human_plan()
ROW = relaxed_positions(PLAN)


@cache
def walk() -> tuple[BodyPlan, Clip]:
    clip = read_clip(clip_path("walk"))
    return build_body(clip, guess_roles(clip.skeleton)), clip


def place_of(plan: BodyPlan, row: Array, role: str) -> Array:
    return body_frames(plan, row).positions[0, plan.with_role(role)[0]]


def rms(plan: BodyPlan, one: Array, two: Array, role: str) -> float:
    at = plan.with_role(role)[0]
    turns = (rows[:, 3 + 4 * at : 7 + 4 * at] for rows in (one, two))
    return float(np.degrees(np.sqrt(np.mean(quat.angle_between(*turns) ** 2))))


def test_a_walk_solved_from_its_own_ends_is_the_walk() -> None:
    plan, clip = walk()
    rows, targets, solver = generalized_from_clip(plan, clip), targets_from_clip(plan, clip), BodySolver(plan)
    for frame, row in enumerate(rows):
        goals = Goals({name: track.goal(frame) for name, track in targets.ends.items()}, targets.pelvis.goal(frame))
        solved = solver.solve(row, goals, clip.period)
        assert quat.angle_between(solved[3:].reshape(-1, 4), row[3:].reshape(-1, 4)).max() < 1e-6


def test_a_walk_from_hips_hands_feet_and_head_alone_is_close_and_poles_help() -> None:
    plan, clip = walk()
    rows, targets = generalized_from_clip(plan, clip), targets_from_clip(plan, clip)
    elastic = generalized_from_clip(plan, clip_from_targets(plan, targets))
    plain = generalized_from_clip(plan, clip_from_targets(plan, targets, SolverOptions()))
    there, here = body_frames(plan, rows), body_frames(plan, elastic)
    away = np.linalg.norm(there.positions - here.positions, axis=-1)
    for role, most in (("left_hand", 1e-3), ("right_foot", 2e-3), ("head", 5e-3), ("pelvis", 1e-9)):
        assert away[:, plan.with_role(role)[0]].max() < most
    for side in ("left", "right"):
        assert rms(plan, rows, elastic, f"{side}_shank") < 1.0
        assert rms(plan, rows, elastic, f"{side}_thigh") < 8.0
        assert rms(plan, rows, elastic, f"{side}_thigh") < rms(plan, rows, plain, f"{side}_thigh")
        assert rms(plan, rows, elastic, f"{side}_upper_arm") < rms(plan, rows, plain, f"{side}_upper_arm")
        assert away[:, plan.with_role(f"{side}_forearm")[0]].max() < 0.08


def test_gaps_in_a_track_hold_its_last_good_row() -> None:
    plan, clip = walk()
    full = targets_from_clip(plan, clip)
    hand = full.ends["left_hand"]
    positions = hand.positions.copy()
    positions[10:20] = np.nan
    gaps = Targets(full.rate, full.pelvis, {**full.ends, "left_hand": Track(positions, hand.rotations)})
    solved = clip_from_targets(plan, gaps)
    where = body_frames(plan, generalized_from_clip(plan, solved)).positions[:, plan.with_role("left_hand")[0]]
    np.testing.assert_allclose(where[10:20], np.tile(hand.positions[9], (10, 1)), atol=2e-3)


def test_a_character_whose_pelvis_is_not_its_root_works_too() -> None:
    from _builders import bones, rooted

    clip = human_clip(rooted(bones()), seconds=0.2)
    plan = build_body(clip, guess_roles(clip.skeleton))
    targets = targets_from_clip(plan, clip, ("left_foot", "right_foot"))
    solved = body_frames(plan, generalized_from_clip(plan, clip_from_targets(plan, targets)))
    np.testing.assert_allclose(solved.positions[:, 0], targets.pelvis.positions, atol=1e-9)
    foot = plan.with_role("left_foot")[0]
    np.testing.assert_allclose(solved.positions[:, foot], targets.ends["left_foot"].positions, atol=5e-3)


def test_the_trunk_leans_after_a_hand_out_of_reach_and_only_then() -> None:
    shoulder = place_of(PLAN, ROW, "left_upper_arm")
    near, far = shoulder + np.array([0.3, 0.0, -0.3]), shoulder + np.array([0.65, 0.0, 0.0])
    stiff = BodySolver(PLAN, SolverOptions(lean=False))
    lean = BodySolver(PLAN)
    spine = PLAN.with_role("spine")[0]
    part = slice(3 + 4 * spine, 7 + 4 * spine)
    np.testing.assert_array_equal(lean.solve(ROW, Goals({"left_hand": Goal(near)}))[part], ROW[part])
    row = lean.solve(ROW, Goals({"left_hand": Goal(far)}))
    stiff.solve(ROW, Goals({"left_hand": Goal(far)}))
    assert place_of(PLAN, row, "left_upper_arm")[0] > shoulder[0] + 0.02
    assert lean.misses["left_hand"] < 0.5 * stiff.misses["left_hand"]


def test_weights_lie_between_the_pose_and_the_goal() -> None:
    start = place_of(PLAN, ROW, "right_hand")
    goal = start + np.array([0.2, 0.05, 0.2])
    for weight in (0.0, 0.25, 1.0):
        row = BodySolver(PLAN).solve(ROW, Goals({"right_hand": Goal(goal, weight=weight)}))
        np.testing.assert_allclose(place_of(PLAN, row, "right_hand"), start + weight * (goal - start), atol=1e-9)


def test_unknown_goals_hold_the_last_good_ones_and_far_ones_give_a_direction() -> None:
    solver, lost = BodySolver(PLAN), Goals({"left_hand": Goal(np.full(3, np.nan))})
    np.testing.assert_array_equal(solver.solve(ROW, lost), ROW)
    goal = place_of(PLAN, ROW, "left_hand") + np.array([0.1, 0.0, 0.1])
    held = solver.solve(ROW, Goals({"left_hand": Goal(goal)}))
    np.testing.assert_array_equal(solver.solve(ROW, lost), held)
    one = BodySolver(PLAN).solve(ROW, Goals({"left_hand": Goal(np.array([1e300, 0.0, 0.0]))}))
    two = BodySolver(PLAN).solve(ROW, Goals({"left_hand": Goal(np.array([1e5, 0.0, 0.0]))}))
    np.testing.assert_allclose(one, two, atol=1e-3)


numbers = st.one_of(st.floats(-2.0, 2.0), st.sampled_from([np.nan, np.inf, -1e300, 1e7, 0.0]))
points = st.lists(numbers, min_size=3, max_size=3)
turns = st.lists(numbers, min_size=4, max_size=4)


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(ENDS), st.tuples(points, turns, points)), points, points, st.floats(0.0, 3.0))
def test_no_goal_gives_a_broken_pose(
    ends: dict[str, tuple[list[float], ...]], pelvis: list[float], look: list[float], tick: float
) -> None:
    solver = BodySolver(PLAN, SolverOptions(poles=ElasticPole()))
    goals = Goals(
        {name: Goal(*map(np.array, parts)) for name, parts in ends.items()}, Goal(np.array(pelvis)), np.array(look)
    )
    for _ in range(2):
        row = solver.solve(ROW, goals, tick)
        assert np.isfinite(row).all()
        np.testing.assert_allclose(np.linalg.norm(row[3:].reshape(-1, 4), axis=1), 1.0, atol=1e-9)


def test_the_same_goals_give_the_same_bits() -> None:
    plan, clip = walk()
    targets = targets_from_clip(plan, clip)
    one, two = (clip_from_targets(plan, targets) for _ in range(2))
    assert one.rotations.tobytes() == two.rotations.tobytes()


def test_a_single_pose_needs_no_plan() -> None:
    clip = human_clip(seconds=0.2)
    pose, roles = clip.pose(3), guess_roles(clip.skeleton)
    hand = clip.skeleton.index("LeftHand")
    goal = pose.world()[1][hand] + [0.1, 0.05, 0.1]
    solved = solve_pose(pose, roles, Goals({"left_hand": Goal(goal)}))
    np.testing.assert_allclose(solved.world()[1][hand], goal, atol=1e-9)
    foot = clip.skeleton.index("RightFoot")
    np.testing.assert_allclose(solved.world()[1][foot], pose.world()[1][foot], atol=1e-9)


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="unknown goal 'left_ear'"):
        Goals({"left_ear": Goal(np.zeros(3))})
    with pytest.raises(InputError, match="position needs 3 numbers"):
        Goal(np.zeros(2))
    with pytest.raises(InputError, match="weight must lie between"):
        Goal(np.zeros(3), weight=float("nan"))
    with pytest.raises(InputError, match=r"track head.*5 frames and the pelvis 4"):
        Targets(30.0, Track(np.zeros((4, 3))), {"head": Track(np.zeros((5, 3)))})
    with pytest.raises(InputError, match="track pelvis: no frame has finite numbers"):
        Targets(30.0, Track(np.full((4, 3), np.nan)))
    with pytest.raises(InputError, match="finite generalized positions"):
        BodySolver(PLAN).solve(np.full(PLAN.position_count, np.nan), Goals())


def test_an_arm_with_an_elastic_pole_swings_round_without_jumps() -> None:
    """From the hip forward, overhead, out to the side and back in four seconds."""
    solver = BodySolver(PLAN, SolverOptions(poles=ElasticPole(), lean=False))
    keys = np.array(
        [[0.1, 0.1, -0.45], [0.4, 0.05, -0.2], [0.35, 0.0, 0.3], [0.1, 0.1, 0.47], [0.1, 0.4, 0.2], [0.1, 0.4, -0.2]]
    )
    times = np.linspace(0.0, len(keys), 240)
    path = place_of(PLAN, ROW, "left_upper_arm") + CubicSpline(
        np.arange(len(keys) + 1), np.concatenate([keys, keys[:1]]), bc_type="periodic"
    )(times)
    rows, misses = [], []
    for point in path:
        rows.append(solver.solve(ROW, Goals({"left_hand": Goal(point)}), 1.0 / 60.0))
        misses.append(solver.misses["left_hand"])
    joints = np.array(rows)[:, 3:].reshape(len(rows), -1, 4)
    assert np.degrees(quat.angle_between(joints[1:], joints[:-1])).max() < 20.0
    assert max(misses) < 1e-9


def test_a_goal_that_jumps_is_followed_at_the_joints_rate() -> None:
    solver, tick = BodySolver(PLAN), 1.0 / 60.0
    start = place_of(PLAN, ROW, "left_upper_arm")
    before = solver.solve(ROW, Goals({"left_hand": Goal(start + np.array([0.1, 0.1, -0.4]))}), tick)
    there = Goals({"left_hand": Goal(start + np.array([0.1, 0.3, 0.3]))})
    most = solver.options.limbs.rate * tick
    for _ in range(20):
        row = solver.solve(ROW, there, tick)
        assert quat.angle_between(row[3:].reshape(-1, 4), before[3:].reshape(-1, 4)).max() < most + 1e-9
        before = row
    assert solver.misses["left_hand"] < 1e-9
