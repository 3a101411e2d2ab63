"""Antagonistic control, decompositions and tension as formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from _builders import random_rotations
from poise.control import Tension, antagonist_from_low_gain, antagonist_from_stiffness
from poise.control.antagonistic import antagonist_torque
from poise.control.decompose import compose_angles, consecutive_angles
from poise.errors import InputError
from poise.math import quat


@pytest.fixture
def cases(rng: np.random.Generator) -> dict[str, np.ndarray]:
    low, width = rng.uniform(-2.0, 0.0, 500), rng.uniform(0.3, 3.0, 500)
    target = low + width * rng.uniform(0.05, 0.95, 500)
    return {
        "k": rng.uniform(200.0, 2000.0, 500),
        "low": low,
        "high": low + width,
        "target": target,
        "load": rng.uniform(-5.0, 5.0, 500),
        "angle": rng.uniform(-3.0, 3.0, 500),
        "kd": rng.uniform(0.0, 20.0, 500),
        "speed": rng.normal(size=500) * 5.0,
    }


def torque(gains: object, c: dict[str, np.ndarray]) -> np.ndarray:
    return antagonist_torque(gains, c["low"], c["high"], c["angle"], c["kd"], c["speed"])


def test_two_muscles_are_a_spring_of_their_tension_plus_the_load(cases: dict[str, np.ndarray]) -> None:
    c = cases
    gains = antagonist_from_stiffness(c["k"], c["low"], c["high"], c["target"], c["load"])
    assert not gains.raised.any()
    assert np.allclose(gains.low + gains.high, c["k"], rtol=1e-12)
    expected = c["k"] * (c["target"] - c["angle"]) - c["load"] - c["kd"] * c["speed"]
    assert np.abs(torque(gains, c) - expected).max() < 1e-9


def test_at_the_target_they_balance_the_load_whatever_the_tension(cases: dict[str, np.ndarray]) -> None:
    c = cases | {"angle": cases["target"], "speed": 0.0 * cases["speed"]}
    for factor in (0.5, 1.0, 10.0):
        gains = antagonist_from_stiffness(factor * c["k"], c["low"], c["high"], c["target"], c["load"])
        assert np.abs(torque(gains, c) + c["load"]).max() < 1e-9


def test_mirrored_limits_and_pose_give_mirrored_torque(cases: dict[str, np.ndarray]) -> None:
    c = cases
    mirror = c | {"low": -c["high"], "high": -c["low"]}
    mirror |= {name: -c[name] for name in ("target", "load", "angle", "speed")}
    one = antagonist_from_stiffness(c["k"], c["low"], c["high"], c["target"], c["load"])
    two = antagonist_from_stiffness(c["k"], mirror["low"], mirror["high"], mirror["target"], mirror["load"])
    assert np.abs(torque(one, c) + torque(two, mirror)).max() < 1e-6
    assert np.allclose(one.low, two.high)
    # The paper's form with a fixed low gain is not symmetric, which is why it is not the product's.
    paper = antagonist_from_low_gain(c["k"], c["low"], c["high"], c["target"], c["load"])
    other = antagonist_from_low_gain(c["k"], mirror["low"], mirror["high"], mirror["target"], mirror["load"])
    assert np.abs(torque(paper, c) + torque(other, mirror)).max() > 1.0


def test_no_muscle_pushes_the_tension_is_raised_instead(rng: np.random.Generator) -> None:
    load, target = rng.uniform(-40.0, 40.0, 1000), rng.uniform(-0.9, 0.9, 1000)
    gains = antagonist_from_stiffness(5.0, -1.0, 1.0, target, load)
    assert min(gains.low.min(), gains.high.min()) > -1e-12
    least = np.maximum(load / (target + 1.0), -load / (1.0 - target))
    assert np.array_equal(gains.raised, least > 5.0)
    assert gains.raised.any()
    assert not gains.raised.all()
    total = gains.low + gains.high
    assert np.allclose(total[gains.raised], least[gains.raised])
    assert np.allclose(total[~gains.raised], 5.0)
    # Raised no further than needed: one muscle is slack.
    assert np.abs(np.minimum(gains.low, gains.high)[gains.raised]).max() < 1e-9


def test_gains_that_hold_one_pose_lie_on_a_line() -> None:
    stiffness = np.array([50.0, 80.0, 200.0, 500.0, 2000.0])
    slopes = []
    for load in (-6.0, 0.0, 4.0):
        gains = antagonist_from_stiffness(stiffness, -0.8, 1.6, 0.5, load)
        steps = np.diff(gains.high) / np.diff(gains.low)
        assert np.allclose(steps, steps[0], rtol=1e-9)
        slopes.append(steps[0])
        # Eq. 3: the paper's form finds the same point from the low gain.
        paper = antagonist_from_low_gain(gains.low, -0.8, 1.6, 0.5, load)
        assert np.allclose(paper.high, gains.high, rtol=1e-12)
    assert np.allclose(slopes, (0.5 + 0.8) / (1.6 - 0.5))


def test_the_papers_form_is_singular_near_the_upper_end_and_ours_is_not() -> None:
    gaps = np.array([1e-1, 1e-3, 1e-6, 1e-9])
    paper = antagonist_from_low_gain(50.0, -1.0, 1.0, 1.0 - gaps, 3.0)
    assert np.allclose(paper.high * gaps, 50.0 * (2.0 - gaps) - 3.0)
    assert paper.high[-1] > 1e10
    ours = antagonist_from_stiffness(50.0, -1.0, 1.0, 1.0 - gaps, 3.0)
    assert max(ours.high.max(), ours.low.max()) < 60.0
    # It reports a muscle that would push rather than hide it.
    pushing = antagonist_from_low_gain(1.0, -1.0, 1.0, 0.0, 20.0)
    assert pushing.high < 0.0
    assert not pushing.raised


@pytest.mark.parametrize("target", [-1.0, 1.0, -1.5, 2.0])
def test_a_target_outside_its_range_is_refused(target: float) -> None:
    for form in (antagonist_from_stiffness, antagonist_from_low_gain):
        with pytest.raises(InputError, match="strictly between"):
            form(50.0, -1.0, 1.0, target, 0.0)


def test_three_angles_recompose_and_are_scipys_intrinsic_zyx(rng: np.random.Generator) -> None:
    rotations = random_rotations(rng, 2000)
    angles = consecutive_angles(rotations)
    assert np.allclose(quat.angle_between(compose_angles(angles), rotations), 0.0, atol=1e-6)
    ours = quat.to_matrix(compose_angles(angles)) - quat.to_matrix(rotations)
    assert np.abs(ours).max() < 1e-9
    scipys = Rotation.from_quat(rotations, scalar_first=True).as_euler("ZYX")[:, ::-1]
    assert np.abs(np.angle(np.exp(1j * (angles - scipys)))).max() < 1e-6
    assert np.all(np.abs(angles[:, 1]) <= np.pi / 2)


def test_angles_where_the_papers_decomposition_is_exact() -> None:
    for axis in range(3):
        for angle in (-2.5, -0.4, 1.3):
            if axis == 1 and abs(angle) > np.pi / 2:
                continue
            expected = np.zeros(3)
            expected[axis] = angle
            assert np.allclose(consecutive_angles(quat.exp(expected)), expected, atol=1e-12)
    # Twist about x off the right first, then about y; what is left is a pure turn about z.
    q = compose_angles([0.7, -0.5, 1.1])
    swing, twist = quat.swing_twist(q, [1.0, 0.0, 0.0])
    rest, second = quat.swing_twist(swing, [0.0, 1.0, 0.0])
    exact = compose_angles([0.0, -0.5, 1.1])
    rest_exact, second_exact = quat.swing_twist(exact, [0.0, 1.0, 0.0])
    assert np.allclose(quat.mul(quat.mul(rest, second), twist), q)
    assert np.allclose(quat.log(second_exact), [0.0, -0.5, 0.0])
    assert np.allclose(quat.log(rest_exact)[:2], 0.0, atol=1e-12)


@pytest.mark.parametrize("pitch", [np.pi / 2, -np.pi / 2])
def test_straight_up_and_down_still_recompose(pitch: float) -> None:
    q = compose_angles([0.3, pitch, 0.8])
    again = compose_angles(consecutive_angles(q))
    assert np.abs(quat.to_matrix(again) - quat.to_matrix(q)).max() < 1e-6


def test_tension_is_a_frequency_and_a_damping_ratio() -> None:
    inertias = np.array([0.01, 0.2, 3.0])
    gains = Tension(frequency=2.0, damping_ratio=0.7).gains(inertias)
    assert np.allclose(np.sqrt(gains.stiffness / inertias) / (2.0 * np.pi), 2.0)
    assert np.allclose(gains.damping / (2.0 * np.sqrt(gains.stiffness * inertias)), 0.7)


@pytest.mark.parametrize(
    "wrong", [{"frequency": 0.0}, {"frequency": 99.0}, {"damping_ratio": -1.0}, {"load": "nothing"}]
)
def test_tension_out_of_range_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(InputError, match="must"):
        Tension(**wrong)
