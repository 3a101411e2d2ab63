"""Mirrored poses of mirrored limbs give mirrored torques; in the paper's kL form they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.control.antagonistic import (
    Antagonist,
    antagonist_from_low_gain,
    antagonist_from_stiffness,
    antagonist_torque,
)
from poise.control.muscles import MuscleState, limit_muscles
from poise.math import quat
from poise.reproductions.alvarado2022.arm import arm_plan
from poise.reproductions.alvarado2022.equilibrium import random_poses
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.row import Row
from poise.signals import Target

__all__ = ["antagonist_torque_by_stiffness", "muscle_torque"]

Array = NDArray[np.float64]

_TURN = np.array([1.0, -1.0, 1.0, -1.0])
"""Signs of a quaternion's components under a reflection in the plane y = 0; of a torque's, the last three."""
_LOW, _HIGH = np.radians(-110.0), np.radians(80.0)


def _torques(side: str, range_of: str, coordinates: Array, targets: Array, load: Array) -> Array:
    """Torque of spring, stop and load [N m], shape (3, 3), of an arm with the limits and the strength of its side."""
    plan = replace(arm_plan(side, strength=60.0), limits=arm_plan(range_of, limited=True).limits)
    muscles, stiffness = MuscleState.of(plan), np.array([200.0, 100.0, 20.0])
    goal = Target(targets[None].copy(), np.zeros((3, 3)), stiffness, 0.1 * stiffness, load, plan.strengths[1:])
    limit_muscles(muscles, np.ones(3, dtype=bool), coordinates, goal, 2.0 * stiffness)
    away = quat.log(quat.mul(quat.conj(coordinates), goal.rotations[0]))
    torques: Array = muscles.stiffness[:, None] * away + muscles.applied
    return torques


@invariant("muscles given by K", broken="the right arm has the left one's range", cases=20)
def muscle_torque(trial: Trial) -> Row:
    """The product's muscles, with limits of torque and range, on 20 random poses and their mirror images."""
    rng, worst = np.random.default_rng(6), 0.0
    for coordinates, targets in zip(random_poses(20, seed=7), random_poses(20, seed=8), strict=True):
        load = rng.normal(scale=10.0, size=(3, 3))
        left = _torques("left", "left", coordinates, targets, load)
        right = _torques(
            "right", "right" if trial.on else "left", coordinates * _TURN, targets * _TURN, load * _TURN[1:]
        )
        worst = max(worst, float(np.abs(left * _TURN[1:] - right).max()))
    return Row(
        "alvarado2022/mirror-muscles",
        "A mirrored pose gives the mirrored torque (expected of Sec. 4.2): ball-joint muscles given by K, with limits of "
        "torque and range, 20 random poses",
        None,
        worst,
        "N m",
        worst < 1e-6,
    )


def _pair_asymmetry(left: Antagonist, right: Antagonist, angle: Array) -> float:
    """Largest sum of the torques of a left joint and its mirror image, over the largest torque."""
    torque = antagonist_torque(left, _LOW, _HIGH, angle, 0.0, 0.0)
    mirrored = antagonist_torque(right, -_HIGH, -_LOW, -angle, 0.0, 0.0)
    return float(np.abs(torque + mirrored).max() / np.abs(torque).max())


_PAIRS = 100
_TARGET, _ANGLE, _LOAD = np.random.default_rng(9).uniform([-1.7, -1.7, -4.0], [1.2, 1.2, 4.0], (_PAIRS, 3)).T
"""Angles to hold and to be at [rad], inside the range, and what acts there [N m]."""


@claim("muscle pairs given by K", off="antagonist_from_low_gain, the paper's own form, which fixes kL", cases=_PAIRS)
def antagonist_torque_by_stiffness(trial: Trial) -> Row:
    """Muscle pairs given by K = kL + kH."""
    pair = antagonist_from_stiffness if trial.on else antagonist_from_low_gain
    left = pair(200.0, _LOW, _HIGH, _TARGET, _LOAD)
    right = pair(200.0, -_HIGH, -_LOW, -_TARGET, -_LOAD)
    worst = _pair_asymmetry(left, right, _ANGLE)
    return Row(
        "alvarado2022/mirror-stiffness",
        "Muscle pairs given by K = kL + kH: the mirrored joint (range −110…80° and −80…110°) gives the mirrored torque, which "
        "the paper's own form, kL of the lower end on both sides, does not; largest relative difference",
        None,
        worst,
        "",
        worst < 1e-6,
    )
