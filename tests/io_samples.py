"""Tiny BVH texts and an independent way to get positions out of one; shared by the tests of `io`."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from poise.errors import InputError
from poise.io import read_clip
from poise.motion import Clip

PLAIN = """HIERARCHY
ROOT Hips
{
\tOFFSET 0.0 90.0 1.0
\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
\tJOINT Spine
\t{
\t\tOFFSET 0.5 40.0 0.25
\t\tCHANNELS 3 Yrotation Zrotation Xrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 20.0 0.0
\t\t}
\t}
\tJOINT Leg
\t{
\t\tOFFSET 10.0 -5.0 0.0
\t\tCHANNELS 3 Xrotation Yrotation Zrotation
\t\tEnd Site
\t\t{
\t\t\tOFFSET 0.0 -80.0 3.0
\t\t}
\t}
}
MOTION
Frames: 3
Frame Time: 0.0333333
0.0 91.0 0.0 10.0 20.0 30.0 5.0 -15.0 25.0 -40.0 50.0 60.0
1.0 92.0 -2.0 12.0 25.0 35.0 6.0 -10.0 20.0 -45.0 55.0 65.0
2.0 91.5 -4.0 14.0 30.0 40.0 7.0 -5.0 15.0 -50.0 60.0 70.0
"""


def bvh(body: str, *rows: str, frames: int | None = None, period: str = "0.05") -> str:
    """A BVH text with the given hierarchy and rows."""
    declared = len(rows) if frames is None else frames
    lines = "".join(f"{row}\n" for row in rows)
    return f"HIERARCHY\n{body}\nMOTION\nFrames: {declared}\nFrame Time: {period}\n{lines}"


def one_joint(channels: str, *rows: str, offset: str = "1 2 3") -> str:
    """A BVH text with a root of the given channels."""
    count = len(channels.split())
    return bvh(f"ROOT Hips\n{{\nOFFSET {offset}\nCHANNELS {count} {channels}\n}}", *rows)


def read(folder: Path, text: str, *, unit: str | float = "m", up: str = "z") -> Clip:
    """The clip of a BVH text; by default in the file's own axes and unit."""
    path = folder / "clip.bvh"
    path.write_text(text, newline="")
    return read_clip(path, unit=unit, up=up)


def clip_or_error(path: Path) -> Clip | InputError:
    """What reading gives: the only two outcomes that hostile input may have."""
    try:
        return read_clip(path)
    except InputError as error:
        return error


def naive_positions(text: str) -> dict[str, NDArray[np.float64]]:
    """World positions (T, 3) of every named joint: an independent, plain reader of well-formed files on SciPy."""
    head, motion = text.split("MOTION")
    lines = motion.split("\n")
    at = next(index for index, line in enumerate(lines) if line.strip().startswith("Frame Time"))
    values = np.array([[float(word) for word in line.split()] for line in lines[at + 1 :] if line.strip()])
    stack: list[tuple[NDArray[np.float64], Rotation]] = []
    offset, column, name = np.zeros(3), 0, ""
    result = {}
    for line in head.split("\n"):
        words = line.split() or [""]
        if words[0] in {"ROOT", "JOINT", "End"}:
            name = " ".join(words[1:]) if words[0] != "End" else ""
        elif words[0] == "OFFSET":
            offset = np.array([float(word) for word in words[1:]])
            if not name:
                stack.append(stack[-1])
        elif words[0] == "CHANNELS":
            local, order, angles = np.tile(offset, (len(values), 1)), "", []
            for channel in words[2:]:
                if channel[1:] == "position":
                    local[:, "XYZ".index(channel[0])] = values[:, column]
                else:
                    order += channel[0]
                    angles.append(values[:, column])
                column += 1
            turn = Rotation.from_euler(order, np.stack(angles, axis=1), degrees=True)
            if stack:
                place, world = stack[-1]
                local, turn = place + world.apply(local), world * turn
            stack.append((local, turn))
            result[name] = local
        elif words[0] == "}":
            stack.pop()
    return result
