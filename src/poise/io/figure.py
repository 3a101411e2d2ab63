"""A skeleton measured as a person, in the file's unit: where head and feet are, and how far along the bones.

Head and feet are found by name. Where they have no names the longest way through the tree (a hand to a foot) stands in.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import UNITS
from poise.motion.skeleton import Skeleton

__all__ = ["FOOT_TO_HEAD", "FigureSize", "Landmarks", "find_landmarks", "measure_figure"]

Array = NDArray[np.float64]

FOOT_TO_HEAD = 1.45
"""Length of the bones from the foot joint over the hip to the head joint in an adult [m]."""
HAND_TO_FOOT = 1.35 * FOOT_TO_HEAD
"""Length of the bones from the tip of a hand to the tip of a foot in an adult [m]."""
PLAUSIBLE = (0.85, 1.9)
"""What that length may be in a child or a very tall person [m]."""
GUESSED = ("m", "cm", "mm", "inch", "cmu")
"""Units that motion files are in."""
PLAUSIBLE_BY_SHAPE = (1.1, 1.9)
GUESSED_BY_SHAPE = ("m", "cm", "mm", "inch")
"""The same where nothing but the shape says that this is a person; files in CMU units have names."""
FEWEST_JOINTS = 10
"""A skeleton without names and with fewer joints is not taken for a person."""
CONTROLS = r"ik|ctrl|control|pole|target"
"""Names of a rig's handles, which are no body parts."""


@dataclass(frozen=True)
class Landmarks:
    """Joints of a person: head, feet, the pelvis where their ways part, and the knees where no foot hangs below them."""

    head: int
    feet: tuple[int, ...]
    pelvis: int
    knees: tuple[int, ...] = ()


@dataclass(frozen=True)
class FigureSize:
    """Foot to head along the bones in file units, how it was found, the units that may be meant, and its limits [m]."""

    length: float
    how: str
    units: tuple[str, ...]
    limits: tuple[float, float]

    def fitting(self) -> list[str]:
        """The units in which this is a person's length."""
        return [name for name in self.units if self.limits[0] <= self.length * UNITS[name] <= self.limits[1]]


def _first_named(skeleton: Skeleton, pattern: str) -> list[int]:
    """Joints whose name matches and none of whose ancestors does."""
    plain = [name.rsplit(":", 1)[-1].lower() for name in skeleton.names]
    inside = [False] * len(skeleton)
    first = []
    for joint, parent in enumerate(skeleton.parents):
        above = parent >= 0 and inside[parent]
        hit = re.search(pattern, plain[joint]) is not None and re.search(CONTROLS, plain[joint]) is None
        inside[joint] = above or hit
        if hit and not above:
            first.append(joint)
    return first


def _last_named(skeleton: Skeleton, pattern: str) -> list[int]:
    """Joints whose name matches and below which none does."""
    plain = [name.rsplit(":", 1)[-1].lower() for name in skeleton.names]
    hits = [
        joint
        for joint, name in enumerate(plain)
        if re.search(pattern, name) is not None and re.search(CONTROLS, name) is None
    ]
    above = {joint for hit in hits for joint in skeleton.path(hit)[:-1]}
    return [joint for joint in hits if joint not in above]


def find_landmarks(skeleton: Skeleton) -> Landmarks | None:
    """Head, feet and the joint where their ways part, by name; None unless there are a head and two feet."""
    heads = _first_named(skeleton, r"head") or _first_named(skeleton, r"neck")
    feet = _first_named(skeleton, r"ankle|foot") or _first_named(skeleton, r"toe")
    if len(heads) != 1 or len(feet) != 2:
        return None
    knees = _last_named(skeleton, r"leg|knee|shin|calf")
    apart = len(knees) == 2 and not any(knee in skeleton.path(foot) for knee in knees for foot in feet)
    ways = [skeleton.path(joint) for joint in (heads[0], *(knees if apart else feet))]
    pelvis = max(set(ways[0]).intersection(*ways[1:]))
    return Landmarks(heads[0], tuple(feet), pelvis, tuple(knees) if apart else ())


def _bone_lengths(skeleton: Skeleton, translations: Array, translated: list[int]) -> Array:
    """Length of the bone that ends at each joint, shape (J,): the median over time where it is animated."""
    lengths: Array = np.linalg.norm(skeleton.offsets, axis=1)
    if translated:
        lengths[translated] = np.median(np.linalg.norm(translations, axis=-1), axis=0)
    lengths[0] = 0.0
    return lengths


def _longest_way(skeleton: Skeleton, lengths: Array) -> float:
    """Length of the longest way between two leaves or end sites."""
    down = np.zeros(len(skeleton))
    for joint, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True):
        down[joint] = max(down[joint], float(np.linalg.norm(offset)))
    longest = 0.0
    for joint in range(len(skeleton) - 1, 0, -1):
        parent, reach = skeleton.parents[joint], down[joint] + lengths[joint]
        longest = max(longest, down[parent] + reach)
        down[parent] = max(down[parent], reach)
    return longest


def measure_figure(skeleton: Skeleton, translations: Array, translated: list[int]) -> FigureSize | None:
    """The skeleton measured as a person; None where it is too small for one."""
    lengths = _bone_lengths(skeleton, translations, translated)
    marks = find_landmarks(skeleton)
    if marks is not None:

        def way(joint: int) -> float:
            path = skeleton.path(joint)
            return float(lengths[path[path.index(marks.pelvis) + 1 :]].sum())

        if marks.knees:  # of an IK rig; a shank is as long as a thigh
            length = way(marks.head) + 2.0 * sum(way(knee) for knee in marks.knees) / len(marks.knees)
        else:
            length = way(marks.head) + sum(way(foot) for foot in marks.feet) / len(marks.feet)
        return FigureSize(length, "the bones from foot to head measure", GUESSED, PLAUSIBLE)
    if len(skeleton) < FEWEST_JOINTS:
        return None
    length = _longest_way(skeleton, lengths) * FOOT_TO_HEAD / HAND_TO_FOOT
    how = "the longest way, taken for hand to foot, makes foot to head"
    return FigureSize(length, how, GUESSED_BY_SHAPE, PLAUSIBLE_BY_SHAPE)
