"""Alvarado 2022: what its checks measure with is right, and they could fail."""

import numpy as np

from poise.body.limits import limits_for
from poise.math import quat
from poise.reproductions.alvarado2022 import anchors, equilibrium, isoline, mirror
from poise.reproductions.alvarado2022.arm import Arm, arm_plan
from poise.signals import Mode


def test_same_numbers_every_time() -> None:
    assert equilibrium.deflection_weightless() == equilibrium.deflection_weightless()


def test_poses_swing_as_far_as_they_say() -> None:
    poses = equilibrium.random_poses(200, seed=0)
    swing, _ = quat.swing_twist(poses, [0.0, 0.0, 1.0])
    angles = np.degrees(quat.angle_between(swing, quat.IDENTITY))
    assert angles.max() <= 150.0 + 1e-9
    assert angles.max() > 145.0
    assert angles.min() < 5.0


def test_without_its_load_carried_the_arm_sags_the_more_the_softer_it_is() -> None:
    arm, held = Arm(), quat.from_axis_angle([1.0, 0.0, 0.0], np.radians([[90.0], [0.0], [0.0]])[:, 0])
    # The closed form: what hangs on the shoulder of a horizontal arm, by masses and levers.
    weight = 9.81 * (2.0 * 0.15 + 1.4 * 0.43 + 0.5 * 0.65)
    uncarried = np.zeros((3, 3))
    uncarried[0, 0] = -weight
    shares = np.array([1.0, 0.5, 0.1])
    sagged = [
        float(np.degrees(quat.angle_between(arm.settle(held, held, k * shares, uncarried)[0], held[0])))
        for k in (50.0, 200.0, 2000.0)
    ]
    assert sagged[0] > 5.0
    assert sagged[0] > sagged[1] > sagged[2] > 0.1


def test_the_arm_is_the_left_or_the_right_one() -> None:
    plan = arm_plan("right", limited=True)
    assert plan.body_roles == ("pelvis", "right_upper_arm", "right_forearm", "right_hand")
    np.testing.assert_array_equal(plan.limits[1].lower, limits_for("right_upper_arm", 1).lower)
    np.testing.assert_allclose(plan.inertias[1][0, 0], 2.0 * (0.3**2 / 12.0 + 0.04**2 / 4.0))


def test_mirror_check_sees_what_is_not_mirrored() -> None:
    poses = equilibrium.random_poses(2, seed=9)
    load = np.ones((3, 3))
    left = mirror._torques("left", "left", poses[0], poses[1], load)
    right = mirror._torques("right", "right", poses[0], poses[1], load)
    assert np.abs(left - right).max() > 1.0


def test_slopes_differ_between_targets() -> None:
    slopes = isoline._lines()[1]
    assert np.ptp(slopes[:, 0]) > 1.0


def test_arms_start_raised_so_that_hanging_means_something() -> None:
    hung = anchors._hang(("left_upper_arm",))
    start = anchors.Hung(hung.plan, hung.modes, hung.counted, hung.before, hung.before)
    arm = hung.plan.with_role("left_upper_arm")[0]
    assert hung.modes[arm] == Mode.PASSIVE
    assert anchors._from_vertical(start, arm) > 60.0
