"""Bounded drives: limits hold, nothing jumps, and what is light stays stable."""

import numpy as np
import pytest

from poise.control.bounded import HipDrive, Pace, hip_wrench, next_targets
from poise.errors import InputError
from poise.math import quat

H = 0.001
REST = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])


def wrench(place=REST, speed=None, target=REST, velocity=None, load=None, drive=None):
    applied, damping = np.zeros(6), np.zeros(6)
    speed, velocity, load = (np.zeros(6) if each is None else np.asarray(each) for each in (speed, velocity, load))
    gains = (drive or HipDrive()).on(70.0, 10.0)
    now, intended = (np.asarray(place), speed), (np.asarray(target), velocity)
    share = hip_wrench(gains, now, intended, load, H, applied, damping)
    return share, applied, damping, applied - damping * speed


def test_on_its_way_only_the_load_is_carried() -> None:
    velocity, load = np.array([1.3, 0, 0, 0, 0, 0.4]), np.array([0, 0, 687.0, 5.0, 0, 0])
    target = REST + np.array([1.3 * H, 0, 0, 0, 0, 0, 0])
    target[3:] = quat.exp([0.0, 0.0, 0.4 * H])
    share, _, _, total = wrench(speed=velocity, target=target, velocity=velocity, load=load)
    assert share == 1.0
    np.testing.assert_allclose(total, load, atol=1e-6)


def test_force_and_torque_stay_within_their_limits(rng: np.random.Generator) -> None:
    drive = HipDrive().on(70.0, 10.0)
    for _ in range(200):
        place, target = REST.copy(), REST.copy()
        place[:3], target[:3] = rng.normal(size=(2, 3))
        place[3:], target[3:] = quat.exp(rng.normal(size=(2, 3)))
        share, _, damping, total = wrench(place, 3 * rng.normal(size=6), target, load=1e3 * rng.normal(size=6))
        assert np.linalg.norm(total[:3]) <= drive.limits[0] * (1 + 1e-9)
        assert np.linalg.norm(total[3:]) <= drive.limits[1] * (1 + 1e-9)
        assert 0.0 <= share <= 1.0
        assert (damping >= 0.0).all()


def test_the_spring_pulls_to_the_target_and_is_critically_damped() -> None:
    drive = HipDrive(frequency=2.0)
    stiffness, damping = drive.on(70.0, 10.0).gains[0]
    assert damping == pytest.approx(2.0 * np.sqrt(stiffness * 70.0))
    _, applied, _, _ = wrench(target=[0.001, 0, 0, 1, 0, 0, 0], drive=drive)
    assert applied[0] == pytest.approx(0.001 * stiffness)


def test_from_far_away_it_comes_back_at_a_walking_pace() -> None:
    place, speed, fastest = np.array([-5.0, 0, 0, 1, 0, 0, 0]), np.zeros(6), 0.0
    for _ in range(8000):
        _, applied, damping, _ = wrench(place, speed)
        speed[:3] = (speed[:3] + H * applied[:3] / 70.0) / (1.0 + H * damping[:3] / 70.0)
        place[:3] += H * speed[:3]
        fastest = max(fastest, speed[0])
        assert place[0] < 0.02, "overshoots"
    assert 0.5 < fastest < 2.0
    assert abs(place[0]) < 1e-3


def test_a_light_body_on_the_drive_of_a_heavy_one_is_stable() -> None:
    place, speed = np.array([0.05, 0, 0, 1, 0, 0, 0]), np.zeros(6)
    for _ in range(4000):
        _, applied, damping, _ = wrench(place, speed)
        speed[:3] = (speed[:3] + H * applied[:3] / 0.5) / (1.0 + H * damping[:3] / 0.5)
        place[:3] += H * speed[:3]
    assert np.abs(place[:3]).max() < 1e-3


def turned(angle: float) -> np.ndarray:
    return quat.exp(np.array([[0.0, angle, 0.0]]))


def test_targets_start_near_the_body_and_move_on_at_a_limited_rate() -> None:
    pace = Pace(rate=6.0, lead=0.3)
    aim = next_targets(turned(1.0), turned(0.0), turned(2.0), pace, 0.01)
    np.testing.assert_allclose(quat.log(aim)[0], [0.0, 0.36, 0.0], atol=1e-12)


def test_targets_that_are_near_are_reached_to_the_bit() -> None:
    wanted = turned(0.02)
    np.testing.assert_array_equal(next_targets(turned(0.0), turned(0.0), wanted, Pace(), 0.01), wanted)


@pytest.mark.parametrize(
    ("make", "bad"),
    [
        (HipDrive, {"frequency": 0.0}),
        (HipDrive, {"force": -1.0}),
        (HipDrive, {"torque": np.nan}),
        (HipDrive, {"lead": 0.0}),
        (Pace, {"rate": 0.0}),
        (Pace, {"lead": 9.0}),
        (Pace, {"hips": np.inf}),
    ],
)
def test_numbers_out_of_range_are_refused(make, bad) -> None:
    with pytest.raises(InputError, match=next(iter(bad))):
        make(**bad)
