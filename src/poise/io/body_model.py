"""Motions that come without a skeleton, since their format is of one known body: how it is turned, and where its root is.

The joints' own axes are y up in these formats, whatever axis is up in the world. Here both become Poise's: with R the turn from
y up to z up (`poise.io.axes`) and W that of the world, local rotations are R q R*, and the root's is W q R*. So the bind pose
stands whatever the file's world is, and where up is y too, this is what is done to every other file.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import Axes, check_up
from poise.io.bvh_text import LARGEST
from poise.io.guess import guess_up
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["check_finite", "model_clip", "refuse_unit"]

Array = NDArray[np.float64]

_WORLD = {
    "x": np.array([0.5, 0.5, 0.5, 0.5]),
    "y": quat.IDENTITY,
    "z": np.array([0.5, -0.5, -0.5, -0.5]),
}
"""Per up axis of the world, W R*: a cyclic permutation of the axes, so it is exact."""


def refuse_unit(unit: str | float | None, what: str) -> None:
    """Raise `InputError` where the user gave a unit for a file of `what`, which is in metres."""
    if unit is not None:
        raise InputError(f"{what} is in metres; a unit cannot be chosen")


def check_finite(values: Array, place: str) -> Array:
    """`values`, time first; raises `InputError` with the first frame that has a number nobody can mean."""
    wrong = ~(np.abs(values) <= LARGEST)
    if wrong.any():
        frame = int(np.argwhere(wrong)[0][0])
        found = float(values[wrong][0])
        raise InputError(
            f"frame {frame} has the number {found:g}; expected finite ones of at most {LARGEST:g} in size", place=place
        )
    return values


def model_clip(
    path: Path, source: Source, skeleton: Skeleton, rate: float, rotations: Array, places: Array, up: str | None
) -> Clip:
    """The clip of a known body.

    Args:
        path: Of the file.
        source: With the format, its up axis, the reasons and notes; an up axis of "" is guessed, as if z were meant.
        skeleton: In Poise's frame [m].
        rate: Frames per second [Hz].
        rotations: Local rotations wxyz in the joints' own axes, y up; the root's in the file's world, shape (T, J, 4).
        places: Of the root in the file's world [m], shape (T, 3).
        up: The world's up axis where the user gave it.

    Raises:
        InputError: The up axis is none, or what `Clip` refuses.
    """
    local = Axes("y", 1.0).rotations_in(rotations)
    axis, why = (source.up_axis, source.up_reason) if up is None else (check_up(up), "given by the user")
    if not axis:
        axis, why = guess_up(skeleton, _in_world(local, "z"), places[:, None], [0])
    return Clip(
        skeleton,
        rate,
        _in_world(local, axis),
        Axes(axis, 1.0).lengths_in(places)[:, None],
        np.zeros(1, np.int64),
        replace(source, path=str(path), metres_per_unit=1.0, up_axis=axis, up_reason=why),
        path.stem,
    )


def _in_world(local: Array, up: str) -> Array:
    """Local rotations with the root's in the world whose up axis is `up`."""
    turned = local.copy()
    turned[:, 0] = quat.mul(_WORLD[up], local[:, 0])
    return turned
