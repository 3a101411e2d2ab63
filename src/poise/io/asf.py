"""Acclaim skeletons (ASF): bones with a direction, a length, axes of their own, and the turns that they make about them.

A bone begins where the one before it ends. With C its axes and M its turn about them, it is turned by C M C* from where the
skeleton file draws it, on top of all that the bones before it are turned (Acclaim's format as BioVision's successors and CMU
document it). Both are products of turns about X, Y and Z, the first named first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.bvh_text import MAX_JOINTS, bad, clipped, number
from poise.io.euler import from_euler
from poise.io.files import read_text

__all__ = ["AsfBone", "AsfSkeleton", "fixed_turns", "read_asf"]

Array = NDArray[np.float64]


@dataclass
class AsfBone:
    """A bone: from where it begins to where it ends in the file's units, its axes, and its channels ("tx" … "rz")."""

    name: str
    offset: Array = field(default_factory=lambda: np.zeros(3))
    axes: Array = field(default_factory=lambda: np.array([1.0, 0.0, 0.0, 0.0]))
    channels: tuple[str, ...] = ()
    parent: int = -1


@dataclass(frozen=True)
class AsfSkeleton:
    """Bones, the root first and depth first; whether angles are in degrees; where the root is at rest."""

    bones: tuple[AsfBone, ...]
    degrees: bool
    position: Array


def fixed_turns(angles: Array, order: str) -> Array:
    """Quaternions (..., 4) of angles [rad] (..., n) about fixed axes, the first of `order` ("xyz") first."""
    return from_euler(angles[..., ::-1], ["xyz".index(axis) for axis in order[::-1]])


def read_asf(path: Path) -> AsfSkeleton:
    """Read a skeleton; raises `InputError` with the file, the line, what was wrong and what was expected."""
    try:
        return _parse(read_text(path))
    except InputError as error:
        raise InputError(error.problem, source=path, place=error.place) from None


def _parse(text: str) -> AsfSkeleton:
    section, bones, places = "", list[AsfBone](), dict[str, int]()
    root, turned, position = AsfBone("root"), np.zeros(3), np.zeros(3)
    order, degrees, links = "xyz", True, list[tuple[int, list[str]]]()
    direction, length, bone = np.zeros(3), 0.0, None
    for line, content in enumerate(text.split("\n"), start=1):
        words = content.split("#")[0].split()
        if not words:
            continue
        key, values = words[0].lower(), words[1:]
        if key.startswith(":"):
            section = key
        elif section == ":units" and key == "angle":
            degrees = values[:1] != ["rad"]
        elif section == ":root" and key == "order":
            root.channels = tuple(value.lower() for value in values)
        elif section == ":root" and key == "axis":
            order = values[0].lower() if values else order
        elif section == ":root" and key == "position":
            position = _numbers(values, 3, line)
        elif section == ":root" and key == "orientation":
            turned = _numbers(values, 3, line)
        elif section == ":bonedata" and key == "begin":
            bone, direction, length = AsfBone(""), np.zeros(3), 0.0
        elif section == ":bonedata" and key == "end" and bone is not None:
            size = float(np.linalg.norm(direction))
            bone.offset = direction * (length / size if size > 0.0 else 0.0)
            if not bone.name or bone.name in places or bone.name == "root" or len(bones) == MAX_JOINTS:
                raise bad(f"bone {clipped(bone.name)} has no name or one that is taken", line)
            places[bone.name] = len(bones) + 1
            bones.append(bone)
            bone = None
        elif section == ":bonedata" and bone is not None:
            if key == "name":
                bone.name = " ".join(values)
            elif key == "direction":
                direction = _numbers(values, 3, line)
            elif key == "length":
                length = float(_numbers(values, 1, line)[0])
            elif key == "axis":
                bone.axes = fixed_turns(np.radians(_numbers(values, 3, line)), _order(values[3:4], line))
            elif key == "dof":
                bone.channels = tuple(value.lower() for value in values)
        elif section == ":hierarchy" and key not in ("begin", "end"):
            links.append((line, words))
    root.axes = fixed_turns(np.radians(turned), _order([order], 1))
    return AsfSkeleton(_linked([root, *bones], {"root": 0, **places}, links), degrees, position)


def _order(words: list[str], line: int) -> str:
    order = words[0].lower() if words else "xyz"
    if sorted(order) != ["x", "y", "z"]:
        raise bad(f"the axis order is {clipped(order)}; expected the letters X, Y and Z", line)
    return order


def _numbers(words: list[str], count: int, line: int) -> Array:
    if len(words) < count:
        raise bad(f"found {len(words)} values; expected {count}", line)
    return np.array([number(word, "a number", line) for word in words[:count]])


def _linked(bones: list[AsfBone], places: dict[str, int], links: list[tuple[int, list[str]]]) -> tuple[AsfBone, ...]:
    """The bones on which others hang before those, each once."""
    above: dict[int, int] = {}
    for line, words in links:
        for word in words:
            if word not in places:
                raise bad(f"the hierarchy names {clipped(word)}, which is no bone", line)
        for word in words[1:]:
            if places[word] in above or places[word] == 0:
                raise bad(f"bone {clipped(word)} hangs on two bones", line)
            above[places[word]] = places[words[0]]
    order, waiting = list[int](), [0]
    while waiting:
        order.append(waiting.pop())
        waiting += [bone for bone in sorted(above, reverse=True) if above[bone] == order[-1]]
    if len(order) != len(bones):
        raise InputError(f"{len(bones) - len(order)} bones do not hang on the root; the :hierarchy names all of them")
    number_of = {bone: place for place, bone in enumerate(order)}
    for bone in order[1:]:
        bones[bone].parent = number_of[above[bone]]
        for channel in bones[bone].channels:
            if channel not in ("tx", "ty", "tz", "rx", "ry", "rz", "l"):
                raise InputError(f"bone {clipped(bones[bone].name)} has the channel {clipped(channel)}")
    return tuple(bones[bone] for bone in order)
