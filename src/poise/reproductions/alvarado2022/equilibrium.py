"""Tension and equilibrium are independent (Sec. 4.1): the pose reached is the target's at any stiffness."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.reproductions.alvarado2022.arm import Arm
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.once import once
from poise.reproductions.row import Row

__all__ = ["deflection_under_gravity", "deflection_weightless", "target_error", "tension_spread"]

Array = NDArray[np.float64]

TENSIONS = (20.0, 63.0, 200.0, 632.0, 2000.0)
"""Stiffness of the shoulder [N m/rad]; the elbow has half and the wrist a tenth of it."""
_SHARES = np.array([1.0, 0.5, 0.1])
_POSES = 20
_LARGEST_SWING = np.radians(150.0)


def random_poses(count: int, seed: int) -> Array:
    """Joint coordinates with swings to 150 degrees about any horizontal axis and twists to 60, shape (count, 3, 4)."""
    rng = np.random.default_rng(seed)
    heading, swing, twist = rng.uniform([-np.pi, 0.0, -1.0], [np.pi, _LARGEST_SWING, 1.0], (count, 3, 3)).T
    tilt = quat.exp(np.stack([swing * np.cos(heading), swing * np.sin(heading), 0.0 * swing], axis=-1))
    turned = quat.exp(np.stack([0.0 * twist, 0.0 * twist, np.radians(60.0) * twist], axis=-1))
    poses: Array = np.swapaxes(quat.mul(tilt, turned), 0, 1)
    return poses


@once
def _settled(carried: bool) -> tuple[Array, Array]:
    """Targets (poses, 3, 4) and where the arm came to rest, (tensions, poses, 3, 4), from random starts under gravity."""
    arm = Arm(load="gravity" if carried else "none")
    targets, starts = random_poses(_POSES, seed=1), random_poses(_POSES, seed=2)
    at_rest = [
        [arm.settle(start, target, k * _SHARES) for start, target in zip(starts, targets, strict=True)]
        for k in TENSIONS
    ]
    return targets, np.array(at_rest)


@claim("muscles that carry the load", off='Tension(load="none")', cases=_POSES)
def tension_spread(trial: Trial) -> Row:
    """Largest angle between poses reached with different tensions."""
    _, at_rest = _settled(trial.on)
    spread = quat.angle_between(at_rest[:, None], at_rest[None, :])
    worst = float(np.degrees(spread.max()))
    return Row(
        "alvarado2022/tension-spread",
        "Tension does not change the pose reached under gravity (Sec. 4.1, Eq. 3): three-link arm, 20 random poses with "
        "swings to 150°, K = 20…2000 N m/rad; spread of the settled angles below 0.1°",
        None,
        worst,
        "°",
        worst < 0.1,
    )


@claim("muscles that carry the load", off='Tension(load="none")', cases=_POSES)
def target_error(trial: Trial) -> Row:
    """Largest angle between the pose reached and the target."""
    targets, at_rest = _settled(trial.on)
    worst = float(np.degrees(quat.angle_between(at_rest, targets).max()))
    return Row(
        "alvarado2022/target-error",
        "The equilibrium is the target orientation (Sec. 4.1): the same arm settles within 0.1° of it",
        None,
        worst,
        "°",
        worst < 0.1,
    )


@claim("muscles that carry the load", off='Tension(load="none")', cases=_POSES)
def deflection_under_gravity(trial: Trial) -> Row:
    """How far K times the shoulder's deflection is from a constant vertical torque, under gravity."""
    torque, arm, errors = 2.0, Arm(load="gravity" if trial.on else "none"), []
    for target in random_poses(_POSES, seed=3):
        # A turn about the vertical leaves the weight's torques as they are in the bodies' own frames.
        extra = np.zeros((3, 3))
        extra[0] = quat.rotate(quat.conj(target[0]), [0.0, 0.0, torque])
        for k in TENSIONS:
            at_rest = arm.settle(target, target, k * _SHARES, extra)
            errors.append(abs(k * float(quat.angle_between(at_rest[0], target[0])) / torque - 1.0))
    worst = 100.0 * max(errors)
    return Row(
        "alvarado2022/deflection-under-gravity",
        "Tension is stiffness (Sec. 4.1): a constant extra torque about the vertical turns the loaded shoulder by torque / K, "
        "K = 20…2000 N m/rad, within 5 %",
        None,
        worst,
        "%",
        worst < 5.0,
    )


@invariant("the muscle's law", broken="K is a tenth greater than told", cases=_POSES)
def deflection_weightless(trial: Trial) -> Row:
    """The same for torques about any axis at all three joints, without the stiffness that the weight itself adds."""
    arm, rng, errors = Arm(gravity=0.0), np.random.default_rng(4), []
    for target in random_poses(_POSES, seed=5):
        axes = rng.normal(size=(3, 3))
        extra = 2.0 * _SHARES[:, None] * axes / np.linalg.norm(axes, axis=1, keepdims=True)
        for k in TENSIONS:
            at_rest = arm.settle(target, target, (1.0 if trial.on else 1.1) * k * _SHARES, extra)
            expected = np.linalg.norm(extra, axis=1) / (k * _SHARES)
            errors.append(np.abs(quat.angle_between(at_rest, target) / expected - 1.0).max())
    worst = 100.0 * float(max(errors))
    return Row(
        "alvarado2022/deflection-weightless",
        "The same for torques about any axis at shoulder, elbow and wrist, without gravity, whose own stiffness would add to K",
        None,
        worst,
        "%",
        worst < 5.0,
    )
