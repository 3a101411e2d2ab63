"""What-if answers about one character against energy, differences and a free fall."""

from __future__ import annotations

import numpy as np
import pytest

from _builders import human_clip, human_plan, random_positions
from poise.body import BodyPlan
from poise.body.coordinates import body_frames
from poise.body.trajectory import Trajectory
from poise.math import quat
from poise.world import CharacterDynamics


@pytest.fixture(scope="module")
def plan() -> BodyPlan:
    return human_plan(human_clip(), mass=70.0)


def moved(plan: BodyPlan, positions: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Generalized positions after a small generalized displacement (nv,)."""
    turns = quat.mul(positions[3:].reshape(-1, 4), quat.exp(step[3:].reshape(-1, 3)))
    return np.concatenate([positions[:3] + step[:3], turns.ravel()])


def potential(plan: BodyPlan, positions: np.ndarray) -> float:
    frames = body_frames(plan, positions)
    heights = (frames.positions[0] + quat.rotate(frames.rotations[0], plan.centres))[:, 2]
    return float(9.81 * plan.masses @ heights)


def test_load_is_the_slope_of_the_potential_energy(plan: BodyPlan, rng: np.random.Generator) -> None:
    dynamics = CharacterDynamics(plan)
    for positions in random_positions(plan, rng, 3):
        step = 1e-5 * np.eye(plan.velocity_count)
        slope = [
            (potential(plan, moved(plan, positions, d)) - potential(plan, moved(plan, positions, -d))) / 2e-5
            for d in step
        ]
        assert np.abs(dynamics.load(positions) - slope).max() < 1e-5
    assert dynamics.load(positions)[:3] == pytest.approx([0.0, 0.0, 70.0 * 9.81])


def kinetic(plan: BodyPlan, positions: np.ndarray, velocities: np.ndarray) -> float:
    """From the motion of every body, by differences of its frame."""
    step = 1e-6
    before, after = (body_frames(plan, moved(plan, positions, sign * step * velocities)) for sign in (-1.0, 1.0))
    spin = quat.log(quat.mul(quat.conj(before.rotations[0]), after.rotations[0])) / (2.0 * step)
    centre = [f.positions[0] + quat.rotate(f.rotations[0], plan.centres) for f in (before, after)]
    speed = (centre[1] - centre[0]) / (2.0 * step)
    turning = np.einsum("bi,bij,bj->", spin, plan.inertias, spin)
    return float(0.5 * (plan.masses @ np.sum(speed**2, axis=1) + turning))


def test_the_mass_matrix_gives_the_kinetic_energy(plan: BodyPlan, rng: np.random.Generator) -> None:
    dynamics = CharacterDynamics(plan)
    for positions in random_positions(plan, rng, 3):
        velocities = rng.normal(size=plan.velocity_count)
        matrix = dynamics.mass_matrix(positions)
        assert np.array_equal(matrix, matrix.T)
        assert 0.5 * velocities @ matrix @ velocities == pytest.approx(kinetic(plan, positions, velocities), rel=1e-6)


def test_inverse_dynamics_is_mass_times_acceleration_plus_load(plan: BodyPlan, rng: np.random.Generator) -> None:
    dynamics = CharacterDynamics(plan)
    positions, rest = random_positions(plan, rng, 1)[0], np.zeros(plan.velocity_count)
    push = rng.normal(size=plan.velocity_count)
    expected = dynamics.mass_matrix(positions) @ push + dynamics.load(positions)
    assert np.abs(dynamics.inverse(positions, rest, push) - expected).max() < 1e-9
    assert np.abs(dynamics.inverse(positions, rest, rest) - dynamics.load(positions)).max() < 1e-12


def test_power_of_the_inverse_dynamics_is_the_change_of_energy(plan: BodyPlan) -> None:
    clip = human_clip()
    curve, dynamics, step = Trajectory(plan, clip), CharacterDynamics(plan), 1e-4

    def energy(time: float) -> float:
        moment = curve.moment(time)
        matrix = dynamics.mass_matrix(moment.positions)
        return float(0.5 * moment.velocities @ matrix @ moment.velocities) + potential(plan, moment.positions)

    for time in (0.31, 0.72, 1.13):
        moment = curve.moment(time)
        power = float(dynamics.inverse(*moment) @ moment.velocities)
        assert power == pytest.approx((energy(time + step) - energy(time - step)) / (2.0 * step), rel=1e-4, abs=1e-2)


def test_the_whole_bodys_force_is_its_weight_and_momentum_change(plan: BodyPlan) -> None:
    clip = human_clip()
    curve, dynamics, step = Trajectory(plan, clip), CharacterDynamics(plan), 1e-3

    def centre(time: float) -> np.ndarray:
        frames = body_frames(plan, curve.moment(time).positions)
        return plan.masses @ (frames.positions[0] + quat.rotate(frames.rotations[0], plan.centres))

    moment = curve.moment(0.6)
    force = dynamics.inverse(*moment)[:3]
    push = (centre(0.6 + step) - 2.0 * centre(0.6) + centre(0.6 - step)) / step**2
    assert np.abs(push).max() > 5.0
    assert force == pytest.approx(push + np.array([0.0, 0.0, 70.0 * 9.81]), abs=0.5)
