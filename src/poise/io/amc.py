"""Acclaim motion (AMC), with the skeleton (ASF) that lies beside it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.asf import AsfBone, AsfSkeleton, fixed_turns, read_asf
from poise.io.axes import Axes, check_unit, check_up
from poise.io.bvh_text import bad, clipped, number
from poise.io.files import read_text
from poise.io.guess import guess_unit, guess_up
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["read_amc"]

Array = NDArray[np.float64]

_RATE = 120.0
"""Of the CMU database, whose files most are [Hz]; an AMC does not say it."""


def read_amc(path: Path, unit: str | float | None = None, up: str | None = None) -> Clip:
    """Read a motion file; its skeleton is the .asf of the same folder whose name its own begins with, or the only one.

    Args:
        path: The .amc file.
        unit: A name in `UNITS` or metres per unit; guessed where None.
        up: "x", "y" or "z"; guessed where None.

    Raises:
        InputError: With the file, the line, what was wrong and what was expected.
    """
    text = read_text(path)
    beside = _skeleton_file(path)
    body = read_asf(beside)
    try:
        values, degrees = _rows(text, body)
        return _clip(path, beside, body, values, degrees, unit, up)
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None


def _skeleton_file(path: Path) -> Path:
    try:
        there = sorted(file for file in path.parent.iterdir() if file.suffix.lower() == ".asf")
    except OSError as error:
        raise InputError(f"its folder cannot be read: {error.strerror}", source=path) from None
    fitting = [file for file in there if path.stem.startswith(file.stem)]
    if fitting:
        return max(fitting, key=lambda file: len(file.stem))
    if len(there) != 1:
        raise InputError(
            f"an AMC needs the ASF of its skeleton beside it, such as {path.stem.split('_')[0]}.asf; "
            f"there are {len(there)} others",
            source=path,
        )
    return there[0]


def _rows(text: str, body: AsfSkeleton) -> tuple[Array, bool]:
    """Channel values (T, C), the bones' behind one another, and whether angles are in degrees; what a frame lacks stays."""
    starts = np.cumsum([0, *(len(bone.channels) for bone in body.bones)])
    places = {bone.name: place for place, bone in enumerate(body.bones)}
    frames, degrees = list[list[float]](), body.degrees
    row = [0.0] * int(starts[-1])
    for line, content in enumerate(text.split("\n"), start=1):
        words = content.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(":"):
            degrees = {":degrees": True, ":radians": False}.get(words[0].lower(), degrees)
        elif len(words) == 1 and words[0].isascii() and words[0].isdigit():
            row = list(row)
            frames.append(row)
        elif words[0] not in places or not frames:
            raise bad(f"found {clipped(words[0])}; expected a frame's number and then bones of the skeleton", line)
        else:
            place = places[words[0]]
            width = int(starts[place + 1] - starts[place])
            if len(words) - 1 != width:
                raise bad(f"bone {clipped(words[0])} has {len(words) - 1} values; expected {width}", line)
            row[starts[place] : starts[place + 1]] = [number(word, "a number", line) for word in words[1:]]
    if not frames:
        raise InputError("there are no frames; expected a frame's number and then a line for each bone")
    return np.array(frames), degrees


def _clip(
    path: Path, beside: Path, body: AsfSkeleton, values: Array, degrees: bool, unit: str | float | None, up: str | None
) -> Clip:
    bones, skeleton = body.bones, _skeleton(body)
    starts = np.cumsum([0, *(len(bone.channels) for bone in bones)])
    columns = [values[:, starts[place] : starts[place + 1]] for place in range(len(bones))]
    turns = [_turned(bone, each, degrees) for bone, each in zip(bones, columns, strict=True)]
    rotations, notes = np.stack(turns, axis=1), list[str]()
    stretched = [bone.name for bone in bones[1:] if any(name in ("l", "tx", "ty", "tz") for name in bone.channels)]
    if stretched:
        notes.append(f"bones that move or stretch keep their length: {', '.join(stretched[:5])}")
    places = np.tile(body.position, (len(values), 1))
    for axis, name in enumerate(("tx", "ty", "tz")):
        if name in bones[0].channels:
            places[:, axis] += columns[0][:, bones[0].channels.index(name)]
    scale, why_unit = (
        guess_unit(skeleton, places[:, None], [0]) if unit is None else (check_unit(unit), "given by the user")
    )
    axis_up, why_up = (
        guess_up(skeleton, rotations, places[:, None], [0]) if up is None else (check_up(up), "given by the user")
    )
    axes = Axes(axis_up, scale)
    notes += [
        f"its skeleton is {beside.name}",
        f"an AMC does not say its rate; taken for {_RATE:g} Hz (--rate says otherwise)",
    ]
    return Clip(
        Skeleton(
            skeleton.names,
            skeleton.parents,
            axes.lengths_in(skeleton.offsets),
            skeleton.end_parents,
            axes.lengths_in(skeleton.end_offsets),
        ),
        _RATE,
        axes.rotations_in(rotations),
        axes.lengths_in(places[:, None]),
        np.zeros(1, np.int64),
        Source(
            path=str(path),
            format="asf",
            metres_per_unit=scale,
            up_axis=axis_up,
            unit_reason=why_unit,
            up_reason=why_up,
            notes=tuple(notes),
        ),
        path.stem,
    )


def _skeleton(body: AsfSkeleton) -> Skeleton:
    """Joints in the file's frame and unit: each is where its bone begins, which is where the bone before it ends."""
    bones = body.bones
    parents = np.array([bone.parent for bone in bones])
    offsets = np.array([np.zeros(3) if bone.parent < 0 else bones[bone.parent].offset for bone in bones])
    offsets[0] = body.position
    ends = [place for place in range(len(bones)) if place not in parents]
    end_offsets = np.array([bones[end].offset for end in ends])
    return Skeleton(tuple(bone.name for bone in bones), parents, offsets, np.array(ends), end_offsets)


def _turned(bone: AsfBone, values: Array, degrees: bool) -> Array:
    """How far a bone is turned from where the skeleton has it, in the frame of the bone before, shape (T, 4)."""
    turning = [column for column, name in enumerate(bone.channels) if name.startswith("r")]
    if not turning:
        return np.tile(quat.IDENTITY, (len(values), 1))
    angles = np.radians(values[:, turning]) if degrees else values[:, turning]
    turn = fixed_turns(angles, "".join(bone.channels[column][1] for column in turning))
    return np.asarray(quat.mul(quat.mul(bone.axes, turn), quat.conj(bone.axes)))
