"""FABRIK on trees of bodies, and the look of the head."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_clip, human_plan, random_positions, standing
from poise.body.coordinates import body_frames
from poise.body.limits import anatomical, swing_twist_angles
from poise.errors import InputError
from poise.ik import Gaze, TreeSolver
from poise.math import quat

Array = np.ndarray
PLAN = human_plan(human_clip(motion=standing, seconds=0.1))
HEAD, CHEST, SPINE = PLAN.index("Head"), PLAN.index("Chest"), PLAN.index("Spine")
LEFT, RIGHT = PLAN.index("LeftHand"), PLAN.index("RightHand")


def neutral() -> Array:
    row = np.zeros(PLAN.position_count)
    row[3::4], row[3:7] = 1.0, PLAN.neutral[0]
    return row


def place_of(row: Array, body: int) -> Array:
    return body_frames(PLAN, row).positions[0, body]


def bent(rng: np.random.Generator, share: float) -> Array:
    """The neutral pose with spine and neck bent to within a share of their limits."""
    row = neutral()
    for body in (SPINE, CHEST, PLAN.index("Neck")):
        limits = PLAN.limits[body]
        angles = share * rng.uniform(limits.lower, limits.upper)
        turn = quat.mul(quat.mul(quat.conj(PLAN.neutral[body]), quat.exp([*angles[:2], 0.0])), PLAN.neutral[body])
        row[3 + 4 * body : 7 + 4 * body] = turn
    return row


def test_free_chains_reach_95_percent_warm_in_ten_passes(rng: np.random.Generator) -> None:
    solver = TreeSolver(PLAN, 0, [HEAD], tolerance=1e-3, limits=False)
    root = place_of(neutral(), SPINE)
    reach = np.linalg.norm(PLAN.offsets[[CHEST, PLAN.index("Neck"), HEAD]], axis=1).sum()
    row = neutral()
    for _ in range(200):
        away = rng.normal(size=3) + np.array([0.0, 0.0, 1.0])
        target = root + away / np.linalg.norm(away) * reach * rng.uniform(0.5, 0.95)
        for step in np.linspace(0.0, 1.0, 5)[1:]:
            goal = place_of(row, HEAD) * (1.0 - step) + target * step
            found = solver.solve(row, goal[None])
            assert found.passes <= 10
        assert found.miss < 1e-3
        assert np.linalg.norm(place_of(row, HEAD) - target) < 1e-3


@pytest.mark.parametrize("share", [0.5, 0.9])
def test_limited_chains_reach_what_their_limits_allow_in_ten_passes(share: float, rng: np.random.Generator) -> None:
    solver = TreeSolver(PLAN, 0, [HEAD], tolerance=1e-3)
    row = neutral()
    for _ in range(400):
        found = solver.solve(row, place_of(bent(rng, share), HEAD)[None])
        assert found.passes <= 10
        assert found.miss <= 1e-3
        angles = swing_twist_angles(anatomical(row[3:].reshape(-1, 4), PLAN.neutral))
        for body in (SPINE, CHEST, PLAN.index("Neck")):
            assert np.all(angles[body] >= PLAN.limits[body].lower - 1e-9)
            assert np.all(angles[body] <= PLAN.limits[body].upper + 1e-9)


def test_a_goal_that_limits_forbid_holds_the_chain_still(rng: np.random.Generator) -> None:
    solver, row = TreeSolver(PLAN, 0, [HEAD]), bent(rng, 0.5)
    goal = place_of(row, HEAD) + np.array([0.3, 0.1, 0.0])
    for _ in range(3):
        solver.solve(row, goal[None])
    before = row.copy()
    misses = [solver.solve(row, goal[None] + 1e-4 * np.sin([[k, 2 * k, 3 * k]])).miss for k in range(20)]
    assert np.ptp(misses) < 1e-3
    assert np.degrees(quat.angle_between(row[3:].reshape(-1, 4), before[3:].reshape(-1, 4))).max() < 2.0


def test_a_spine_held_back_by_its_limits_does_not_buckle_sideways() -> None:
    solver, row = TreeSolver(PLAN, 0, [HEAD]), neutral()
    goal = place_of(row, HEAD) - np.array([0.0, 0.0, 0.06])
    assert solver.solve(row, goal[None]).miss > 0.01, "limits do not allow it"
    angles = np.degrees(swing_twist_angles(anatomical(row[3:].reshape(-1, 4), PLAN.neutral)))
    assert np.abs(angles[:, [0, 2]]).max() < 0.1


def test_a_straight_chain_in_line_with_its_goal_bends() -> None:
    solver, row = TreeSolver(PLAN, 0, [HEAD], tolerance=1e-3, limits=False), neutral()
    goal = place_of(row, SPINE) + 0.9 * (place_of(row, HEAD) - place_of(row, SPINE))
    assert solver.solve(row, goal[None]).miss < 1e-3


def test_several_ends_share_a_chest_and_lengths_stay(rng: np.random.Generator) -> None:
    solver = TreeSolver(PLAN, 0, [HEAD, LEFT, RIGHT], tolerance=1e-3, passes=30)
    for _ in range(20):
        wanted = random_positions(PLAN, rng, 1, spread=0.15)[0]
        wanted[:7] = neutral()[:7]
        goals = body_frames(PLAN, wanted).positions[0, [HEAD, LEFT, RIGHT]]
        row = neutral()
        assert solver.solve(row, goals).miss < 5e-3
        frames = body_frames(PLAN, row).positions[0]
        lengths = np.linalg.norm(frames[1:] - frames[PLAN.parents[1:]], axis=1)
        np.testing.assert_allclose(lengths, np.linalg.norm(PLAN.offsets[1:], axis=1), atol=1e-9)


def test_an_orientation_goal_at_the_end_is_met() -> None:
    solver, wanted = TreeSolver(PLAN, 0, [HEAD], tolerance=1e-3, passes=20), neutral()
    for body, vector in ((SPINE, [0.1, 0.2, 0.0]), (CHEST, [0.0, 0.15, 0.0]), (HEAD, [0.1, 0.1, 0.4])):
        wanted[3 + 4 * body : 7 + 4 * body] = quat.exp(vector)
    frames, row = body_frames(PLAN, wanted), neutral()
    found = solver.solve(row, frames.positions[0, [HEAD]], None, frames.rotations[0, [HEAD]])
    assert found.miss < 1e-3
    assert quat.angle_between(body_frames(PLAN, row).rotations[0, HEAD], frames.rotations[0, HEAD]) < 1e-6


def test_goals_that_are_met_or_unknown_change_nothing(rng: np.random.Generator) -> None:
    solver, row = TreeSolver(PLAN, 0, [HEAD, LEFT]), bent(rng, 0.5)
    solved = row.copy()
    assert solver.solve(solved, body_frames(PLAN, row).positions[0, [HEAD, LEFT]]).passes == 0
    assert solver.solve(solved, np.full((2, 3), np.nan)).passes == 0
    np.testing.assert_array_equal(solved, row)


@pytest.mark.parametrize(("base", "ends"), [(0, [SPINE]), (HEAD, [LEFT]), (0, []), (0, [HEAD, HEAD])])
def test_chains_that_cannot_reach_are_refused(base: int, ends: list[int]) -> None:
    with pytest.raises(InputError, match=r"one bone|not below|at least one end"):
        TreeSolver(PLAN, base, ends)


@pytest.mark.parametrize("target", [(3.0, 0.0, 1.5), (2.0, 2.0, 1.0), (0.5, -2.0, 2.0)])
def test_the_head_looks_and_the_neck_helps(target: tuple[float, float, float]) -> None:
    row = neutral()
    Gaze(PLAN).look_at(row, np.array(target))
    frames = body_frames(PLAN, row)
    front = quat.rotate(quat.mul(frames.rotations[0, HEAD], quat.conj(PLAN.neutral[HEAD])), [1.0, 0.0, 0.0])
    away = np.array(target) - frames.positions[0, HEAD]
    assert np.linalg.norm(np.cross(front, away)) / np.linalg.norm(away) < 1e-6
    assert front @ away > 0.0
    turns = row[3:].reshape(-1, 4)[[PLAN.index("Neck"), HEAD]]
    shares = quat.angle_between(turns, quat.IDENTITY)
    assert shares.max() < 3.0 * shares.min() + 1e-9


def test_behind_its_back_the_head_stops_at_its_limits() -> None:
    row = neutral()
    Gaze(PLAN).look_at(row, np.array([-3.0, 0.2, 1.5]))
    angles = swing_twist_angles(anatomical(row[3:].reshape(-1, 4), PLAN.neutral))
    for body in (PLAN.index("Neck"), HEAD):
        assert np.all(angles[body] >= PLAN.limits[body].lower - 1e-9)
        assert np.all(angles[body] <= PLAN.limits[body].upper + 1e-9)
    assert abs(angles[[PLAN.index("Neck"), HEAD], 2].sum()) > np.radians(60.0)


def test_the_head_can_be_turned_by_an_orientation() -> None:
    row, turn = neutral(), quat.mul(quat.exp([0.1, 0.3, 0.8]), PLAN.neutral[HEAD])
    Gaze(PLAN).turn_to(row, turn)
    assert quat.angle_between(body_frames(PLAN, row).rotations[0, HEAD], turn) < 1e-9
