"""Nobody stands like a post: breath, and a slow sway of trunk, head, arms and weight, as small changes of what is wanted.

`behaviors/breathing` edits the pose of a clip; here it is what a program is asked to want.

Sums of three slow sines each, other ones for everybody, from nothing at time 0. Weight moves by some millimetres, as that of
people does who stand quietly (Winter, Human balance and posture control during standing and walking, 1995).
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.math.easing import smoothstep
from poise.qp import CenterOfMassTask, FrameTask, JointTask, Task

__all__ = ["Idle"]

Array = NDArray[np.float64]

_RATES = (0.08, 0.35)
"""Between which the sines lie [Hz]."""
_BREATH, _DEPTH = 0.26, 0.010
"""How often one breathes [Hz], and how far that bends the trunk back [rad]."""
_RISES = 2.0
"""How long it takes to begin [s]."""
_WEIGHT = (0.006, 0.005, 0.0)
"""Of the center of mass [m]."""
_TRUNK = (0.012, 0.012, 0.025)
"""Of the trunk, about x, y and z [rad]."""
_JOINTS = {"head": 0.045, "upper_arm": 0.03, "forearm": 0.05, "hand": 0.05}
"""Of joints beside those of legs and trunk [rad]."""


class Idle:
    """Idle sway of one person.

    Args:
        name: Whose.
        tasks: What they want; posture, trunk and balance, which are changed by `at`, are those there now.
    """

    def __init__(self, name: str, tasks: Mapping[str, Task]) -> None:
        posture, upright, balance = (tasks.get(f"{name} {what}") for what in ("posture", "upright", "balance"))
        self._posture = posture if isinstance(posture, JointTask) else None
        self._upright = upright if isinstance(upright, FrameTask) else None
        self._balance = balance if isinstance(balance, CenterOfMassTask) else None
        joints = self._posture.joints if self._posture is not None else ()
        sizes = [_size(joint) for joint in joints]
        self._sizes = np.array([*sizes, *_TRUNK, *_WEIGHT])
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        self._rates = 2.0 * np.pi * rng.uniform(*_RATES, (3, len(self._sizes)))
        self._phases = rng.uniform(0.0, 2.0 * np.pi, (3, len(self._sizes)))
        self._rests = (
            np.array(self._posture.target) if self._posture is not None else None,
            np.array(self._upright.rotation) if self._upright is not None else None,
            np.array(self._balance.target) if self._balance is not None else None,
        )

    def at(self, time: float) -> None:
        """Change what is wanted to how it is at a time [s]."""
        grown = smoothstep(min(time / _RISES, 1.0))
        sway = grown * self._sizes * np.sin(self._rates * time + self._phases).sum(axis=0) / np.sqrt(3.0)
        breath = grown * _DEPTH * np.sin(2.0 * np.pi * _BREATH * time)
        joints, trunk, weight = sway[:-6], sway[-6:-3], sway[-3:]
        posture, upright, balance = self._rests
        if self._posture is not None and posture is not None:
            self._posture.target = posture + joints
        if self._upright is not None and upright is not None:
            self._upright.rotation = quat.mul(quat.exp(trunk - np.array([0.0, breath, 0.0])), upright)
        if self._balance is not None and balance is not None:
            self._balance.target = balance + weight


def _size(joint: str) -> float:
    """How far a joint, `<character>/<body>/<axis>`, goes to and fro [rad]."""
    part = joint.split("/")[1].removeprefix("left_").removeprefix("right_")
    return _JOINTS.get(part, 0.0)
