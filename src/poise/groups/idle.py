"""Nobody stands like a post: breath, and a slow sway of trunk, head, arms and weight, as small changes of what is wanted.

`behaviors/breathing` edits the pose of a clip; here it is what a program is asked to want. How often and how deeply one
breathes and how far the weight sways is said there, once.

Sums of three slow sines each, other ones for everybody, from nothing at time 0.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise import parameters
from poise.behaviors.breathing import BreathingOptions
from poise.behaviors.breathing.rhythm import breath
from poise.errors import InputError
from poise.math import quat
from poise.math.easing import smoothstep
from poise.qp import CenterOfMassTask, FrameTask, JointTask, Task

__all__ = ["Idle", "IdleOptions"]

Array = NDArray[np.float64]

_CHEST = 0.5
"""How far the upper chest is from the hips, about which a program bends the trunk, at a stature of 1.75 m [m]: anatomy."""


@dataclass(frozen=True, kw_only=True)
class IdleOptions:
    """How people of a group sway who stand.

    Raises:
        InputError: A number is out of range.
    """

    slowest: float = parameters.number(
        0.08,
        0.001,
        5.0,
        "Hz",
        says="least rate of the sines of a sway",
        source="sway of quiet standing lies below 0.5 Hz",
    )
    fastest: float = parameters.number(
        0.35, 0.001, 5.0, "Hz", says="largest rate of them", source="sway of quiet standing lies below 0.5 Hz"
    )
    rises: float = parameters.number(
        2.0, 0.01, 60.0, "s", says="how long a sway takes to begin", source="scenes begin at rest"
    )
    lean: float = parameters.angle(0.7, 0.0, 10.0, says="how far the trunk leans to and fro, ahead and aside")
    turn: float = parameters.angle(1.4, 0.0, 10.0, says="how far it turns")
    head: float = parameters.angle(2.6, 0.0, 30.0, says="how far the head turns and nods")
    upper_arm: float = parameters.angle(1.7, 0.0, 30.0, says="how far an upper arm swings")
    forearm: float = parameters.angle(2.9, 0.0, 30.0, says="how far an elbow bends")
    hand: float = parameters.angle(2.9, 0.0, 30.0, says="how far a hand bends and turns")

    def __post_init__(self) -> None:
        parameters.check(self, "idle")
        if self.slowest > self.fastest:
            raise InputError(
                f"slowest must not exceed fastest; got {self.slowest:g} and {self.fastest:g}", place="idle"
            )


_JOINTS = ("head", "upper_arm", "forearm", "hand")
"""Which sway, beside trunk and weight."""
_LIFE = BreathingOptions()


class Idle:
    """Idle sway of one person.

    Args:
        name: Whose.
        tasks: What they want; posture, trunk and balance, which are changed by `at`, are those there now.
        options: How.
    """

    def __init__(self, name: str, tasks: Mapping[str, Task], options: IdleOptions | None = None) -> None:
        options = self._options = options or IdleOptions()
        posture, upright, balance = (tasks.get(f"{name} {what}") for what in ("posture", "upright", "balance"))
        self._posture = posture if isinstance(posture, JointTask) else None
        self._upright = upright if isinstance(upright, FrameTask) else None
        self._balance = balance if isinstance(balance, CenterOfMassTask) else None
        joints = self._posture.joints if self._posture is not None else ()
        sizes = [_size(joint, options) for joint in joints]
        self._sizes = np.array([*sizes, options.lean, options.lean, options.turn, *_weight(_LIFE)])
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        self._rates = 2.0 * np.pi * rng.uniform(options.slowest, options.fastest, (3, len(self._sizes)))
        self._phases = rng.uniform(0.0, 2.0 * np.pi, (3, len(self._sizes)))
        self._rests = (
            np.array(self._posture.target) if self._posture is not None else None,
            np.array(self._upright.rotation) if self._upright is not None else None,
            np.array(self._balance.target) if self._balance is not None else None,
        )

    def at(self, time: float) -> None:
        """Change what is wanted to how it is at a time [s]."""
        grown = smoothstep(min(time / self._options.rises, 1.0))
        sway = grown * self._sizes * np.sin(self._rates * time + self._phases).sum(axis=0) / np.sqrt(3.0)
        back = grown * _LIFE.depth / _CHEST * (2.0 * float(breath(np.array(time * _LIFE.rate % 1.0), _LIFE)) - 1.0)
        joints, trunk, weight = sway[:-6], sway[-6:-3], sway[-3:]
        posture, upright, balance = self._rests
        if self._posture is not None and posture is not None:
            self._posture.target = posture + joints
        if self._upright is not None and upright is not None:
            self._upright.rotation = quat.mul(quat.exp(trunk - np.array([0.0, back, 0.0])), upright)
        if self._balance is not None and balance is not None:
            self._balance.target = balance + weight


def _size(joint: str, options: IdleOptions) -> float:
    """How far a joint, `<character>/<body>/<axis>`, goes to and fro [rad]."""
    part = joint.split("/")[1].removeprefix("left_").removeprefix("right_")
    return float(getattr(options, part)) if part in _JOINTS else 0.0


def _weight(options: BreathingOptions) -> tuple[float, float, float]:
    """How far the center of mass goes to and fro, of sines of which three make a sway of their root mean square [m]."""
    size = float(np.sqrt(2.0)) * options.sway
    return size * options.swaying.ahead, size * options.swaying.aside, 0.0
