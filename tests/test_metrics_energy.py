"""Energy and momentum against closed forms and conservation laws."""

import numpy as np
import pytest

from poise.errors import InputError
from poise.math import quat
from poise.metrics import Bodies, energy

G = energy.GRAVITY


def spinning(inertia: np.ndarray, orientation: np.ndarray, omega: np.ndarray, frames: int = 1) -> Bodies:
    still = np.zeros((frames, 1, 3))
    return Bodies(np.array([2.0]), inertia[None], still, orientation, still, omega)


def projectiles(rate: float) -> tuple[Bodies, np.ndarray]:
    """Two spheres thrown under gravity, spinning steadily."""
    time = np.arange(round(rate) + 1)[:, None, None] / rate
    start, speed = np.array([[0.0, 0, 1], [1, 0, 2]]), np.array([[1.0, 2, 3], [-2, 0.5, 5]])
    fall = np.array([0.0, 0, -G])
    positions = start + speed * time + 0.5 * fall * time**2
    spin = np.array([[1.0, -2, 0.5], [0, 3, 1]])
    frames = len(time)
    return Bodies(
        np.array([2.0, 3.0]),
        np.full((2, 3), 0.1),
        positions,
        quat.exp(spin * time),
        speed + fall * time,
        np.broadcast_to(spin, (frames, 2, 3)),
    ), time[:, 0, 0]


def test_thrown_bodies_keep_energy_and_angular_momentum() -> None:
    bodies, time = projectiles(60.0)
    start = 0.5 * (2 * 14 + 3 * 29.25) + 0.5 * 0.1 * (5.25 + 10) + G * (2 * 1 + 3 * 2)
    np.testing.assert_allclose(energy.total_energy(bodies), start, rtol=1e-12)
    momentum = np.array([2.0 - 6.0, 4.0 + 1.5, 6.0 + 15.0]) + np.array([0.0, 0, -5 * G]) * time[:, None]
    np.testing.assert_allclose(energy.linear_momentum(bodies), momentum, atol=1e-12)
    reduced = 2.0 * 3.0 / 5.0  # two bodies turn about their centre with the reduced mass
    orbital = reduced * np.cross([1.0, 0, 1], [-3.0, -1.5, 2])
    expected = np.tile(orbital + 0.1 * np.array([1.0, 1, 1.5]), (len(time), 1))
    np.testing.assert_allclose(energy.angular_momentum(bodies), expected, atol=1e-12)


def test_a_spinning_box_in_any_orientation(rng: np.random.Generator) -> None:
    moments = np.array([0.1, 0.2, 0.25])
    q = quat.normalize(rng.normal(size=(5, 1, 4)))
    local = rng.normal(size=(5, 1, 3))
    bodies = spinning(moments, q, quat.rotate(q, local), 5)
    np.testing.assert_allclose(energy.kinetic_energy(bodies), 0.5 * np.sum(moments * local[:, 0] ** 2, axis=-1))
    np.testing.assert_allclose(energy.angular_momentum(bodies), quat.rotate(q, moments * local)[:, 0], atol=1e-12)
    matrix = quat.to_matrix(q[:, 0])
    world = matrix @ np.diag(moments) @ matrix.transpose(0, 2, 1)
    np.testing.assert_allclose(
        energy.angular_momentum(bodies), np.einsum("tij,tj->ti", world, bodies.angular_velocities[:, 0]), atol=1e-12
    )


def test_full_inertia_is_its_principal_moments_turned(rng: np.random.Generator) -> None:
    moments, turn, q = np.array([0.1, 0.2, 0.25]), quat.exp([0.3, -0.8, 0.2]), quat.exp([[[1.0, 2.0, -0.4]]])
    matrix = quat.to_matrix(turn)
    omega = rng.normal(size=(1, 1, 3))
    full = spinning(matrix @ np.diag(moments) @ matrix.T, q, omega)
    principal = spinning(moments, quat.mul(q, turn), omega)
    np.testing.assert_allclose(energy.kinetic_energy(full), energy.kinetic_energy(principal))
    np.testing.assert_allclose(energy.angular_momentum(full), energy.angular_momentum(principal))


def test_a_free_top_keeps_what_it_must() -> None:
    """A symmetric top: Euler's solution has closed form, and its world angular momentum stands still."""
    moments, spin, wobble = np.array([0.2, 0.2, 0.3]), 7.0, 2.0
    time = np.arange(121) / 120.0
    momentum = np.hypot(moments[0] * wobble, moments[2] * spin)
    tilt = np.arctan2(moments[0] * wobble, moments[2] * spin)
    precession, own = momentum / moments[0], spin * (moments[0] - moments[2]) / moments[0]
    up = np.array([0.0, 0.0, 1.0])
    q = quat.mul(
        quat.mul(quat.from_axis_angle(up, precession * time), quat.exp([0.0, tilt, 0.0])),
        quat.from_axis_angle(up, own * time),
    )[:, None]
    omega = precession * up + own * quat.rotate(q, up)
    bodies = spinning(moments, q, omega, len(time))
    np.testing.assert_allclose(energy.angular_momentum(bodies), np.tile(momentum * up, (len(time), 1)), atol=1e-12)
    np.testing.assert_allclose(energy.kinetic_energy(bodies), 0.5 * (0.2 * wobble**2 + 0.3 * spin**2))


def test_work_and_effort() -> None:
    time = np.linspace(0.0, 1.0, 1001)
    torque = np.stack([np.full_like(time, 3.0), np.sin(2 * np.pi * time)], axis=-1)
    velocity = np.stack([np.full_like(time, -2.0), np.sin(2 * np.pi * time)], axis=-1)
    assert energy.mechanical_work(torque, velocity, 1000.0) == pytest.approx(6.0 + 0.5, rel=1e-6)
    assert energy.torque_squared(torque, 1000.0) == pytest.approx(9.0 + 0.5, rel=1e-6)
    ball_torque, ball_velocity = np.zeros((11, 1, 3)), np.zeros((11, 1, 3))
    ball_torque[:], ball_velocity[:] = [1.0, 2.0, 0.0], [3.0, -1.0, 5.0]  # the dot product, not its parts
    assert energy.mechanical_work(ball_torque, ball_velocity, 10.0) == pytest.approx(1.0)
    assert energy.torque_squared(ball_torque, 10.0) == pytest.approx(5.0)
    assert np.isnan(energy.mechanical_work(torque[:1], velocity[:1], 60.0))
    assert energy.cost_of_transport(G * 70.0, 70.0, 10.0) == pytest.approx(0.1)
    assert np.isnan(energy.cost_of_transport(1.0, 70.0, 0.0))


def test_bad_input() -> None:
    with pytest.raises(InputError, match="agree"):
        energy.mechanical_work(np.zeros((4, 2)), np.zeros((4, 3)), 60.0)
    with pytest.raises(InputError, match="shape"):
        energy.torque_squared(np.zeros(4), 60.0)
    still = np.zeros((1, 1, 3))
    with pytest.raises(InputError, match="positive"):
        Bodies(np.zeros(1), np.ones((1, 3)), still, np.zeros((1, 1, 4)), still, still)
    with pytest.raises(InputError, match="velocities"):
        Bodies(np.ones(1), np.ones((1, 3)), still, np.zeros((1, 1, 4)), np.zeros((2, 1, 3)), still)
