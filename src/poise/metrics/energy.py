"""Energy, momentum and the work of the muscles.

All of it comes from body arrays, never from the physics engine's own energy, which counts the armature of prescribed
joints as mass.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from poise.errors import InputError
from poise.math import quat
from poise.metrics._arrays import Array, checked_rate, numbers
from poise.metrics.balance import GRAVITY, centre_of_mass
from poise.metrics.bodies import Bodies

__all__ = [
    "angular_momentum",
    "cost_of_transport",
    "kinetic_energy",
    "linear_momentum",
    "mechanical_work",
    "potential_energy",
    "torque_squared",
    "total_energy",
]


def _spin(bodies: Bodies) -> tuple[Array, Array]:
    """Angular velocity and angular momentum of each body in its own frame, each (T, B, 3)."""
    rate = quat.rotate(quat.conj(bodies.orientations), bodies.angular_velocities)
    return rate, np.asarray(np.einsum("bij,tbj->tbi", bodies.inertias, rate))


def kinetic_energy(bodies: Bodies) -> Array:
    """Kinetic energy `Σ ½ m v² + ½ ωᵀ I ω` [J], shape (T,). A walking adult has about 50–100 J."""
    rate, momentum = _spin(bodies)
    linear = np.einsum("b,tbk,tbk->t", bodies.masses, bodies.velocities, bodies.velocities)
    return np.asarray(0.5 * (linear + np.einsum("tbk,tbk->t", rate, momentum)))


def potential_energy(bodies: Bodies, *, gravity: float = GRAVITY) -> Array:
    """Potential energy `Σ m g z` above z = 0 [J], shape (T,)."""
    return np.asarray(gravity * bodies.positions[..., 2] @ bodies.masses)


def total_energy(bodies: Bodies, *, gravity: float = GRAVITY) -> Array:
    """Kinetic and potential energy [J], shape (T,). Constant in flight, up to what muscles do."""
    return kinetic_energy(bodies) + potential_energy(bodies, gravity=gravity)


def linear_momentum(bodies: Bodies) -> Array:
    """Momentum `Σ m v` [kg m/s], shape (T, 3). In flight it changes by the weight alone."""
    return np.asarray(np.einsum("b,tbk->tk", bodies.masses, bodies.velocities))


def angular_momentum(bodies: Bodies) -> Array:
    """Angular momentum about the centre of mass, `Σ m (x - c) × (v - ċ) + R I Rᵀ ω` [kg m²/s], shape (T, 3).

    Constant in flight. In walking that of an adult stays within a few kg m²/s, since arms and legs cancel.

    Source: Herr and Popovic 2008, Angular momentum in human walking.
    """
    arm = bodies.positions - centre_of_mass(bodies.positions, bodies.masses)[:, None]
    speed = bodies.velocities - centre_of_mass(bodies.velocities, bodies.masses)[:, None]
    orbital = np.cross(arm, bodies.masses[:, None] * speed)
    return np.asarray((orbital + quat.rotate(bodies.orientations, _spin(bodies)[1])).sum(axis=1))


def _efforts(name: str, value: ArrayLike) -> Array:
    """Torques or velocities as (T, N, K): an array of (T, N) has one component per joint."""
    array = numbers(name, value)
    if array.ndim == 2:
        array = array[..., None]
    if array.ndim != 3:
        raise InputError(f"{name} must have shape (T, N) or (T, N, 3); got {array.shape}")
    return array


def _integral(values: Array, rate: float) -> float:
    """Trapezoidal integral over time of samples (T,); NaN below 2 frames."""
    rate = checked_rate(rate)
    return float(np.trapezoid(values, dx=1.0 / rate)) if len(values) > 1 else float("nan")


def mechanical_work(torques: ArrayLike, velocities: ArrayLike, rate: float) -> float:
    """Work the joints do, taken as positive both ways: `∫ Σ |τ · ω| dt` [J]; NaN below 2 frames.

    Args:
        torques: Joint torques [N m], shape (T, N) for hinges or (T, N, 3) for ball joints.
        velocities: Joint velocities in the same coordinates [rad/s], same shape.
        rate: Frames per second [Hz].

    Raises:
        InputError: Shapes disagree or the rate is not positive.
    """
    torque, velocity = _efforts("torques", torques), _efforts("joint velocities", velocities)
    if torque.shape != velocity.shape:
        raise InputError(f"torques and joint velocities must agree; got {torque.shape} and {velocity.shape}")
    return _integral(np.abs(np.sum(torque * velocity, axis=-1)).sum(axis=1), rate)


def torque_squared(torques: ArrayLike, rate: float) -> float:
    """Effort `∫ Σ ‖τ‖² dt` [N² m² s], the usual stand-in for metabolic cost; NaN below 2 frames.

    Args:
        torques: Joint torques [N m], shape (T, N) or (T, N, 3).
        rate: Frames per second [Hz].

    Raises:
        InputError: The shape is wrong or the rate is not positive.
    """
    return _integral(np.sum(_efforts("torques", torques) ** 2, axis=(1, 2)), rate)


def cost_of_transport(work: float, mass: float, distance: float, *, gravity: float = GRAVITY) -> float:
    """Work per weight and distance, `E / (m g d)`; NaN where nothing moved. Human walking: about 0.05–0.2 mechanical.

    Args:
        work: Energy spent [J].
        mass: Mass of the character [kg].
        distance: Length of the way [m].
        gravity: Acceleration of gravity [m/s²].
    """
    return work / (mass * gravity * distance) if distance > 0.0 else float("nan")
