"""Write BVH files in the dialect they came in: names, order, channels, frame time, unit and axes.

A clip that came from elsewhere is written Y up, Z forward, in centimetres, with six channels on the root, rotations
Z Y X on every joint and positions on the joints that are translated.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import UNITS, Axes
from poise.io.bvh_columns import POSITIONS, ROTATIONS, Columns
from poise.io.bvh_text import unique_names
from poise.io.files import write_bytes
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton

__all__ = ["write_bvh"]

Array = NDArray[np.float64]


def _length_decimals(metres_per_unit: float) -> int:
    """Decimals that resolve a tenth of a micrometre, at least six."""
    return max(6, math.ceil(7 + math.log10(metres_per_unit)))


def _frame_time(clip: Clip) -> str:
    text = clip.source.frame_time_text
    try:
        if text and math.isclose(1.0 / float(text), clip.rate, rel_tol=1e-9):
            return text
    except (ValueError, ZeroDivisionError):
        pass
    return repr(clip.period)


def _dialect(clip: Clip) -> tuple[list[tuple[str, ...]], Axes, list[str]]:
    """Channels of each joint, the file's frame, and notes."""
    channels = clip.source.channels
    if len(channels) == len(clip.skeleton):
        up, unit = clip.source.channel_axes or (clip.source.up_axis, clip.source.metres_per_unit)
        return list(channels), Axes(up, unit), []
    notes = [] if not channels else ["the source's channels are of another skeleton; written Y up, in cm, order ZYX"]
    moved = {0, *clip.translated.tolist()}
    plain = [(POSITIONS if joint in moved else ()) + ROTATIONS for joint in range(len(clip.skeleton))]
    return plain, Axes("y", UNITS["cm"]), notes


def _plain_names(clip: Clip) -> tuple[tuple[str, ...], list[str]]:
    """Names that a BVH file can hold, and notes on those that were changed."""
    plain = []
    for name in clip.skeleton.names:
        printable = "".join("_" if letter in "{}" or not letter.isprintable() else letter for letter in name)
        plain.append(" ".join(printable.split()) or "joint")
    names, _ = unique_names(plain)
    pairs = zip(clip.skeleton.names, names, strict=True)
    return names, [f"joint {old!r} is written as {new!r}" for old, new in pairs if old != new]


def _hierarchy(clip: Clip, names: tuple[str, ...], channels: list[tuple[str, ...]], axes: Axes, decimals: int) -> str:
    """The HIERARCHY section of a skeleton whose joints come depth first."""
    skeleton = clip.skeleton
    offsets, ends = axes.lengths_out(skeleton.offsets), axes.lengths_out(skeleton.end_offsets)

    def line(depth: int, *words: str) -> str:
        return "\t" * depth + " ".join(words) + "\n"

    def numbers(offset: Array) -> list[str]:
        return [f"{value:.{decimals}f}" for value in np.round(offset, decimals) + 0.0]

    lines = ["HIERARCHY\n"]
    open_joints: list[int] = []
    for joint, parent in enumerate(skeleton.parents):
        while open_joints and open_joints[-1] != parent:
            open_joints.pop()
            lines.append(line(len(open_joints), "}"))
        depth = len(open_joints)
        lines += [line(depth, "JOINT" if depth else "ROOT", names[joint]), line(depth, "{")]
        lines.append(line(depth + 1, "OFFSET", *numbers(offsets[joint])))
        lines.append(line(depth + 1, "CHANNELS", str(len(channels[joint])), *channels[joint]))
        for end in np.flatnonzero(skeleton.end_parents == joint):
            lines += [line(depth + 1, "End Site"), line(depth + 1, "{")]
            lines += [line(depth + 2, "OFFSET", *numbers(ends[end])), line(depth + 1, "}")]
        open_joints.append(joint)
    while open_joints:
        open_joints.pop()
        lines.append(line(len(open_joints), "}"))
    return "".join(lines)


def _depth_first(clip: Clip) -> tuple[Clip, list[str]]:
    """The clip with its joints in the order in which a BVH file nests them, and a note if that is a new order."""
    skeleton = clip.skeleton
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting.extend(reversed(skeleton.children[order[-1]]))
    if order == list(range(len(skeleton))):
        return clip, []
    place = np.argsort(order)
    parents = skeleton.parents[order]
    channels = clip.source.channels
    sorted_skeleton = Skeleton(
        tuple(skeleton.names[joint] for joint in order),
        np.where(parents < 0, -1, place[parents]),
        skeleton.offsets[order],
        place[skeleton.end_parents],
        skeleton.end_offsets,
    )
    if len(channels) == len(order):
        channels = tuple(channels[joint] for joint in order)
    moved = replace(
        clip,
        skeleton=sorted_skeleton,
        rotations=clip.rotations[:, order],
        translated=place[clip.translated],
        source=replace(clip.source, channels=channels),
    )
    return moved, ["the joints are written depth first, as BVH nests them; their order is new"]


def write_bvh(path: Path, clip: Clip) -> list[str]:
    """Write `clip` to `path`, whole or not at all.

    Returns:
        Notes, one line each, on what could not be written as it was.

    Raises:
        InputError: The file cannot be written.
    """
    clip, order_notes = _depth_first(clip)
    names, name_notes = _plain_names(clip)
    channels, axes, notes = _dialect(clip)
    columns = Columns(clip, channels, axes, keep_turns=not order_notes)
    decimals = _length_decimals(axes.scale)
    header = f"MOTION\nFrames: {len(clip)}\nFrame Time: {_frame_time(clip)}\n"
    text = _hierarchy(clip, names, columns.channels, axes, decimals) + header + columns.rows(decimals)
    write_bytes(path, text.encode("utf-8"))
    return [*notes, *order_notes, *name_notes, *columns.notes]
