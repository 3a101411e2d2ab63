"""How hard joints work and how tired they get, from their torques.

Fatigue is the three-compartment model of Xia and Frey-Law (2008): a joint's muscle is active, resting or fatigued, in shares
that sum to one. A controller wakes as much as the load needs; what is active tires at a rate F, what is fatigued recovers at a
rate R. F and R per joint are those fitted by Frey-Law, Looft and Heitsman (2012, J. Biomech. 45) to endurance times.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Fatigue", "FatigueRates", "endurance", "fatigue_rates", "joint_loads", "rested", "tire"]

Array = NDArray[np.float64]

_RATES = {
    "shoulder": (0.0182, 0.00168),
    "elbow": (0.00912, 0.00094),
    "hand": (0.00980, 0.00064),
    "trunk": (0.00755, 0.00075),
    "knee": (0.0150, 0.00149),
    "ankle": (0.00589, 0.00058),
    "general": (0.00970, 0.00091),
}
"""Rates of fatigue F and recovery R [1/s]."""
_JOINTS = {
    "clavicle": "shoulder",
    "upper_arm": "shoulder",
    "forearm": "elbow",
    "hand": "hand",
    "pelvis": "trunk",
    "spine": "trunk",
    "neck": "trunk",
    "head": "trunk",
    "shank": "knee",
    "foot": "ankle",
}
_DRIVE = 10.0
"""How fast muscle is woken and put to rest [1/s] (L_D and L_R)."""
_LONGEST_STEP = 0.02


class FatigueRates(NamedTuple):
    """Rates of fatigue and of recovery [1/s], shape (J,) each."""

    fatigue: Array
    recovery: Array


class Fatigue(NamedTuple):
    """Shares of each joint's muscle that are active, resting and fatigued, shape (J,) each; they sum to one."""

    active: Array
    resting: Array
    fatigued: Array

    @property
    def capacity(self) -> Array:
        """Share of its strength that a joint has left, shape (J,)."""
        return np.asarray(1.0 - self.fatigued)


def fatigue_rates(roles: Sequence[str | None]) -> FatigueRates:
    """Rates of the joints of bodies with these roles; hips and what has no role take the general ones."""
    plain = [(role or "").removeprefix("left_").removeprefix("right_") for role in roles]
    pairs = np.array([_RATES[_JOINTS.get(name, "general")] for name in plain]).reshape(-1, 2)
    return FatigueRates(pairs[:, 0].copy(), pairs[:, 1].copy())


def joint_loads(torques: ArrayLike, strengths: ArrayLike) -> Array:
    """Torques (..., J, 3) [N m] as shares of the joints' strengths (J,) [N m], shape (..., J)."""
    sizes = np.linalg.norm(np.asarray(torques, dtype=np.float64), axis=-1)
    return np.asarray(sizes / np.asarray(strengths, dtype=np.float64))


def rested(count: int) -> Fatigue:
    """`count` joints that have done nothing yet."""
    return Fatigue(np.zeros(count), np.ones(count), np.zeros(count))


def tire(state: Fatigue, loads: ArrayLike, rates: FatigueRates, duration: float) -> Fatigue:
    """The joints after `duration` [s] under `loads` (J,), shares of their strength (Xia and Frey-Law 2008, Eqs. 1 to 5).

    What a joint cannot hold it does not hold: its active share stays below the load.
    """
    active, resting, fatigued = (np.array(part) for part in state)
    wanted = np.minimum(np.asarray(loads, dtype=np.float64), 1.0)
    steps = max(1, int(np.ceil(duration / _LONGEST_STEP)))
    h = duration / steps
    for _ in range(steps):
        lack = wanted - active
        woken = np.where(lack > 0.0, _DRIVE * np.minimum(lack, resting), _DRIVE * lack)
        tired, recovered = rates.fatigue * active, rates.recovery * fatigued
        active = active + h * (woken - tired)
        resting = resting + h * (recovered - woken)
        fatigued = fatigued + h * (tired - recovered)
    return Fatigue(active, resting, fatigued)


def endurance(load: float, fatigue: float, recovery: float) -> float:
    """How long a rested joint holds a share `load` of its strength [s]; infinite where recovery keeps up.

    With the load held, the fatigued share follows (F load / R) (1 - exp(-R t)) until nothing is left to wake.
    """
    share = recovery * (1.0 - load) / (fatigue * load) if load > 0.0 else np.inf
    return float(-np.log1p(-share) / recovery) if share < 1.0 else float("inf")
