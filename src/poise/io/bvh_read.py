"""Read BVH files.

A joint turns by its rotation channels in the order they are listed and stands at its OFFSET, each coordinate of which
a position channel *replaces* (the root too), as Blender has it.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import Axes, check_unit, check_up
from poise.io.bvh_parse import BvhText, parse_bvh
from poise.io.bvh_text import axis_of, is_rotation, unique_names
from poise.io.euler import row_rotations
from poise.io.files import read_text
from poise.io.frame_time import guess_rate
from poise.io.guess import guess_unit, guess_up
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["read_bvh"]

Array = NDArray[np.float64]


def _translations(values: Array, channels: list[tuple[str, ...]], offsets: Array) -> tuple[Array, list[int]]:
    """Local positions (T, K, 3) of the K joints that have position channels, and those joints."""
    translated = [joint for joint, names in enumerate(channels) if not all(map(is_rotation, names))]
    translations = np.tile(offsets[translated], (len(values), 1, 1))
    starts = np.cumsum([0, *map(len, channels)])
    for slot, joint in enumerate(translated):
        for column, name in enumerate(channels[joint]):
            if not is_rotation(name):
                translations[:, slot, axis_of(name)] = values[:, starts[joint] + column]
    return translations, translated


def _skeleton(file: BvhText) -> tuple[Skeleton, list[str]]:
    """The skeleton in the file's frame and unit, and notes on its names."""
    names, notes = unique_names([joint.name for joint in file.joints])
    ends = [(index, offset) for index, joint in enumerate(file.joints) for offset in joint.ends]
    skeleton = Skeleton(
        names,
        np.array([joint.parent for joint in file.joints]),
        np.array([joint.offset for joint in file.joints], dtype=np.float64),
        np.array([index for index, _ in ends], dtype=np.int64),
        np.array([offset for _, offset in ends], dtype=np.float64),
    )
    return skeleton, notes


def _to_clip(file: BvhText, path: Path, unit: str | float | None, up: str | None) -> Clip:
    skeleton, notes = _skeleton(file)
    channels = [joint.channels or () for joint in file.joints]
    rotations = row_rotations(file.values, channels)
    translations, translated = _translations(file.values, channels, skeleton.offsets)
    if unit is None:
        metres_per_unit, unit_reason = guess_unit(skeleton, translations, translated)
    else:
        metres_per_unit, unit_reason = check_unit(unit), "given by the user"
    if up is None:
        up_axis, up_reason = guess_up(skeleton, rotations, translations, translated)
    else:
        up_axis, up_reason = check_up(up), "given by the user"
    axes = Axes(up_axis, metres_per_unit)
    rate, rate_note = guess_rate(float(file.frame_time_text))
    return Clip(
        skeleton=Skeleton(
            skeleton.names,
            skeleton.parents,
            axes.lengths_in(skeleton.offsets),
            skeleton.end_parents,
            axes.lengths_in(skeleton.end_offsets),
        ),
        rate=rate,
        rotations=axes.rotations_in(rotations),
        translations=axes.lengths_in(translations),
        translated=np.array(translated, dtype=np.int64),
        source=Source(
            path=str(path),
            format="bvh",
            metres_per_unit=metres_per_unit,
            up_axis=up_axis,
            unit_reason=unit_reason,
            up_reason=up_reason,
            channels=tuple(channels),
            first_row=tuple(float(value) for value in file.values[0]),
            rows=file.values,
            frame_time_text=file.frame_time_text,
            notes=(*notes, *file.notes, *([rate_note] if rate_note else [])),
        ),
        name=path.stem,
    )


def read_bvh(path: Path, unit: str | float | None = None, up: str | None = None) -> Clip:
    """Read a BVH file.

    Args:
        path: The file.
        unit: A name in `UNITS` or metres per unit; guessed where None.
        up: The file's up axis, "x", "y" or "z"; guessed where None.

    Raises:
        InputError: With the file, the line, what was wrong and what was expected.
    """
    text = read_text(path)
    try:
        return _to_clip(parse_bvh(text), path, unit, up)
    except InputError as error:
        if error.source is not None:
            raise
        raise InputError(error.problem, source=path, place=error.place) from None
