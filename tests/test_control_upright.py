"""Stiffness that keeps what a joint bears from tipping over, against the stability of a chain of rods."""

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.build import build_body
from poise.control.tension import keep_upright
from poise.io import read_clip
from poise.motion.roles import guess_roles
from poise.world.dynamics import CharacterDynamics


def least_stiffness(tipping: list[float], parents: list[int], active: list[bool]) -> np.ndarray:
    """What muscles that have next to no stiffness are raised to."""
    tiny, count = 1e-300, len(tipping)
    stiffness, damping, raised = np.full(count, tiny), np.full(count, tiny), np.zeros(count, dtype=bool)
    joints = np.array([0.0, *tipping]), np.array([-1, *parents]), np.array(active)
    keep_upright(*joints, np.ones(count), (stiffness, damping), np.zeros(count), raised)
    return np.where(stiffness == tiny, 0.0, stiffness)


def test_an_upright_chain_is_stable_with_it_and_with_half_of_it_less_its_margin_not() -> None:
    """Rods one on the other: the Hessian of gravity about joints i, j is minus the m g h of what the upper one carries."""
    masses, length = np.array([8.0, 5.0, 4.0, 3.0]), 0.2
    carried = [
        9.81 * sum(m * (length * (k - j) + 0.5 * length) for k, m in enumerate(masses) if k >= j) for j in range(4)
    ]
    least = least_stiffness(carried, [0, 1, 2, 3], [True] * 4)
    hessian = np.array([[-carried[max(i, j)] for j in range(4)] for i in range(4)])
    assert np.linalg.eigvalsh(np.diag(least) + hessian)[0] > 0.0
    single = 1.2 * np.array(carried)
    assert np.linalg.eigvalsh(np.diag(single) + hessian)[0] < 0.0


def test_joints_that_follow_the_clip_bear_nothing_and_what_hangs_needs_nothing() -> None:
    np.testing.assert_allclose(least_stiffness([5.0, 4.0, -3.0], [0, 1, 2], [False, True, True]), [0.0, 6.0, 0.0])


def test_gravity_takes_from_stiffness_what_is_told() -> None:
    """By differences: the torque of gravity and of a load carried in the body's frame, after a small turn of the head."""
    clip = read_clip(clip_path("walk"))
    plan = build_body(clip, guess_roles(clip.skeleton))
    dynamics, head = CharacterDynamics(plan), plan.with_role("head")[0]
    row = np.zeros(plan.position_count)
    row[3::4] = 1.0
    row[3:7] = plan.neutral[0]
    told = dynamics.tipping(row)[head]
    load = dynamics.load(row)[3 + 3 * head : 6 + 3 * head].copy()
    taken, small = np.zeros((3, 3)), 1e-4
    for axis in range(3):
        turned = row.copy()
        turned[3 + 4 * head + 1 + axis] = 0.5 * small
        taken[:, axis] = (load - dynamics.load(turned)[3 + 3 * head : 6 + 3 * head]) / small
    worst = np.linalg.eigvalsh(0.5 * (taken + taken.T))[-1]
    assert worst == pytest.approx(told, rel=0.02)
    assert told > 1.0


def test_only_muscles_at_work_are_raised_and_damping_goes_with_the_root() -> None:
    stiffness, damping, raised = np.array([4.0, 0.0, 9.0, 1.0]), np.array([2.0, 0.0, 1.0, 1.0]), np.zeros(4, dtype=bool)
    tipping, alone = np.array([0.0, 1.0, 5.0, 16.0, 16.0]) / 1.5, np.array([-1, 0, 0, 0, 0])
    shares = np.array([1.0, 1.0, 1.0, 0.5])
    least = np.zeros(4)
    keep_upright(tipping, alone, np.ones(4, dtype=bool), shares, (stiffness, damping), least, raised)
    np.testing.assert_allclose(least, [1.0, 5.0, 16.0, 4.0])
    np.testing.assert_allclose(stiffness, [4.0, 0.0, 16.0, 4.0])
    np.testing.assert_allclose(damping, [2.0, 0.0, 4.0 / 3.0, 2.0])
    assert raised.tolist() == [False, False, False, True]
