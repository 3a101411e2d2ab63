"""What no BVH file says: how long its unit is and which axis points up. Each guess comes with its reason in words.

The unit comes from bone lengths, which no posture changes: the legs from hip to foot plus the trunk from hip to head
are about 1.45 m in an adult. The up axis comes from where the head is above the feet.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import UNITS
from poise.io.figure import FOOT_TO_HEAD, find_landmarks, measure_figure
from poise.motion.pose import forward_kinematics
from poise.motion.skeleton import Skeleton

__all__ = ["guess_unit", "guess_up"]

Array = NDArray[np.float64]

DECISIVE = 0.75
"""Cosine between an axis and the direction from feet to head from which on the axis is taken for up."""
LONGEST_BY = 1.25
"""How much longer along one axis a figure without names must be for that axis to be taken for up."""
SAMPLES = 16


def guess_unit(skeleton: Skeleton, translations: Array, translated: list[int]) -> tuple[float, str]:
    """Metres per unit and why.

    Args:
        skeleton: The skeleton in the file's unit.
        translations: Local positions of the joints that have position channels, shape (T, K, 3).
        translated: Those joints.
    """
    figure = measure_figure(skeleton, translations, translated)
    if figure is None:
        return UNITS["cm"], "cm by default: the skeleton has no head and feet to measure"
    measured = f"{figure.how} {figure.length:.4g} units"
    fitting = figure.fitting()
    if not fitting:
        return UNITS["cm"], f"cm by default: {measured}, no person's length in {', '.join(figure.units)}"
    best = min(fitting, key=lambda name: abs(np.log(figure.length * UNITS[name] / FOOT_TO_HEAD)))
    return UNITS[best], f"{best}: {measured}, {figure.length * UNITS[best]:.2f} m for a person"


def _decisive(directions: Array) -> int | None:
    """The axis that the mean of unit directions (N, 3) clearly points along, if any."""
    mean = directions.mean(axis=0)
    axis = int(np.argmax(mean))
    return axis if mean[axis] >= DECISIVE else None


def _steady_ground(feet: Array) -> int | None:
    """The axis along which the lower of the feet (N, F, 3) stays at one level while the others vary, if any."""
    spread = np.ptp(feet.min(axis=1), axis=0)
    first, second = np.argsort(spread)[:2]
    return int(first) if spread[first] < 0.25 * spread[second] else None


def _longest(world: Array) -> int | None:
    """The axis along which the figure (N, J, 3) is clearly longest, if any."""
    extents = np.median(np.ptp(world, axis=1), axis=0)
    second, first = np.argsort(extents)[-2:]
    return int(first) if extents[first] > LONGEST_BY * extents[second] else None


def guess_up(skeleton: Skeleton, rotations: Array, translations: Array, translated: list[int]) -> tuple[str, str]:
    """The up axis, "x", "y" or "z", and why.

    Args:
        skeleton: The skeleton in the file's axes.
        rotations: Local rotations, shape (T, J, 4).
        translations: Local positions of the joints that have position channels, shape (T, K, 3).
        translated: Those joints.
    """
    frames = np.unique(np.linspace(0, len(rotations) - 1, SAMPLES).round().astype(np.int64))
    local = np.tile(skeleton.offsets, (len(frames) + 1, 1, 1))
    local[:-1, translated] = translations[frames]
    identity = np.tile(np.array([1.0, 0.0, 0.0, 0.0]), (1, len(skeleton), 1))
    _, world = forward_kinematics(skeleton, np.concatenate([rotations[frames], identity]), local)
    marks = find_landmarks(skeleton)
    if marks is None:
        figure = measure_figure(skeleton, translations, translated)
        axis = _longest(world[:-1]) if figure is not None and figure.fitting() else None
        if axis is None:
            return "y", "y by default: the skeleton has no head and feet to tell"
        return "xyz"[axis], f"{'xyz'[axis]}: the figure is longest along it"
    feet = world[:, list(marks.feet)]
    upward = world[:, marks.head] - feet.mean(axis=1)
    upward = upward / np.maximum(np.linalg.norm(upward, axis=1, keepdims=True), 1e-12)
    steps = (
        (_decisive(upward[:-1]), "the head is above the feet along it in the motion"),
        (_decisive(upward[-1:]), "the head is above the feet along it in the rest pose; the motion does not tell"),
        (_steady_ground(feet[:-1]), "the lower foot keeps its level along it; head and feet do not tell"),
    )
    for axis, why in steps:
        if axis is not None:
            return "xyz"[axis], f"{'xyz'[axis]}: {why}"
    return "y", "y by default: neither head and feet nor the ground tell"
