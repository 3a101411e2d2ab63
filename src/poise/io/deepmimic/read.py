"""DeepMimic motions (.txt, .json): turns of its humanoid's joints, each frame with how long it lasts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.body_model import model_clip, refuse_unit
from poise.io.deepmimic.frames import parse_frames, turn_columns
from poise.io.deepmimic.skeleton import humanoid3d
from poise.io.files import read_text
from poise.io.taken import check_rate
from poise.math import quat
from poise.math.spline import PositionSpline, RotationSpline
from poise.motion.clip import Clip
from poise.motion.source import Source

__all__ = ["read_deepmimic"]

Array = NDArray[np.float64]

_EVEN = 1e-3
"""How far durations may be from their mean, in shares of it, to be one rate: files have them rounded."""
_MOST_FILLED = 16
"""How many times as many frames there may be at one rate as in the file."""
_UNIT = (0.5, 2.0)
"""Lengths of quaternions that are made 1; some published files are up to 12 % off."""


def read_deepmimic(path: Path, unit: str | float | None = None, up: str | None = None) -> Clip:
    """Read a motion of humanoid3d (Peng et al. 2018), in metres and y up.

    A frame lasts until the next one, so the last one's duration is not used. Frames of uneven durations become even along
    curves with continuous acceleration, at the rate of the median; the first and the last one stay.

    Args:
        path: The file.
        unit: None; such a file is in metres.
        up: "x", "y" or "z"; y where None.

    Raises:
        InputError: With the file, the frame, what was wrong and what is allowed.
    """
    text = read_text(path)
    try:
        refuse_unit(unit, "a DeepMimic motion")
        rows, goes_round = parse_frames(text)
        skeleton = humanoid3d()
        notes = ["its lengths are those of DeepMimic's humanoid3d; the file does not say them"]
        if goes_round:
            notes.append("it goes round (Loop: wrap); --cycles repeats it")
        rotations, off = _rotations(rows, skeleton.names)
        if off > 0.01:
            notes.append(f"its quaternions are up to {100.0 * off:.0f} % longer or shorter than 1; made 1")
        rate, rotations, places, filled = _even(rows[:, 0], rotations, rows[:, 1:4])
        source = Source(
            format="deepmimic",
            unit_reason="m: DeepMimic is in metres",
            up_axis="y",
            up_reason="y: DeepMimic is y up",
            notes=(*notes, *filled),
        )
        return model_clip(path, source, skeleton, rate, rotations, places, up)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None


def _rotations(rows: Array, names: tuple[str, ...]) -> tuple[Array, float]:
    """Local rotations (T, J, 4) in the file's axes, and how far quaternions were from length 1 at most."""
    rotations, off = np.tile(quat.IDENTITY, (len(rows), len(names), 1)), 0.0
    for name, columns in turn_columns().items():
        values = rows[:, columns]
        if values.shape[1] == 1:
            rotations[:, names.index(name)] = quat.from_axis_angle([0.0, 0.0, 1.0], values[:, 0])
            continue
        lengths = np.linalg.norm(values, axis=1)
        wrong = np.flatnonzero((lengths < _UNIT[0]) | (lengths > _UNIT[1]))
        if len(wrong):
            raise InputError(
                f"the quaternion of {name} has length {lengths[wrong[0]]:.3g}; expected 1", place=f"frame {wrong[0]}"
            )
        off = max(off, float(np.abs(lengths - 1.0).max()))
        rotations[:, names.index(name)] = values / lengths[:, None]
    return rotations, off


def _even(durations: Array, rotations: Array, places: Array) -> tuple[float, Array, Array, list[str]]:
    """Frames per second [Hz], rotations and places at that rate, and a note where they were not."""
    lasting = durations[:-1] if len(durations) > 1 else durations
    for frame, duration in enumerate(lasting):
        try:
            check_rate(1.0 / duration if duration > 0.0 else 0.0)
        except InputError as error:
            raise InputError(f"the frame lasts {duration:g} s: {error.problem}", place=f"frame {frame}") from None
    mean = float(lasting.mean())
    if np.abs(lasting - mean).max() <= _EVEN * mean:
        return 1.0 / mean, rotations, places, []
    times = np.concatenate([[0.0], np.cumsum(lasting)])
    steps = max(1, round(times[-1] / float(np.median(lasting))))
    if steps >= _MOST_FILLED * len(times):
        raise InputError(
            f"frames last from {lasting.min():g} to {lasting.max():g} s; at one rate there would be {steps + 1} of "
            f"{len(times)}, and at most {_MOST_FILLED} times as many are made"
        )
    at, rate = np.linspace(0.0, times[-1], steps + 1), steps / float(times[-1])
    note = f"frames last from {lasting.min():.4g} to {lasting.max():.4g} s; made even at {rate:.4g} Hz"
    return rate, RotationSpline(times, rotations)(at), PositionSpline(times, places)(at), [note]
