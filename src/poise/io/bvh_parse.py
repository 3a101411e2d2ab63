"""The text of a BVH file as plain arrays, in the file's own unit, axes and degrees. `bvh_read` makes a clip of them.

The hierarchy is read token by token, so it does not matter how it is broken into lines; a name ends at `{` or at the
end of its line. The motion must have one frame per line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from poise.io.bvh_motion import read_motion
from poise.io.bvh_text import CHANNELS, MAX_JOINTS, bad, clipped, number
from poise.motion.skeleton import LONGEST_NAME

__all__ = ["BvhJoint", "BvhText", "parse_bvh"]

Array = NDArray[np.float64]


@dataclass
class BvhJoint:
    """One ROOT or JOINT block."""

    name: str
    parent: int
    line: int
    offset: list[float] | None = None
    channels: tuple[str, ...] | None = None
    ends: list[list[float]] = field(default_factory=list)
    has_children: bool = False


@dataclass
class BvhText:
    """What a BVH file says."""

    joints: list[BvhJoint]
    values: Array
    """One row per frame, one column per channel in the order of the joints, shape (T, C)."""
    frame_time_text: str
    notes: list[str]


class _Tokens:
    """The hierarchy's words with the lines they stand on."""

    def __init__(self, text: str, end: str) -> None:
        self._words = self._split(text)
        self._end = end
        self._held: tuple[str, int] | None = None
        self.line = 1

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, int]]:
        for line, content in enumerate(text.split("\n"), start=1):
            for word in content.replace("{", " { ").replace("}", " } ").split():
                yield word, line

    def more(self) -> bool:
        """Whether words are left."""
        if self._held is None:
            self._held = next(self._words, None)
        return self._held is not None

    def next(self, expected: str) -> str:
        """The next word; at the end an error that names what was `expected`."""
        if not self.more() or self._held is None:
            raise bad(f"{self._end}; expected {expected}", self.line)
        word, self.line = self._held
        self._held = None
        return word

    def expect(self, word: str) -> None:
        """Take `word`, in any case."""
        found = self.next(word)
        if found.upper() != word:
            raise bad(f"found {clipped(found)}; expected {word}", self.line)

    def name(self) -> str:
        """The rest of this line up to `{`, which is taken too wherever it stands."""
        words: list[str] = []
        line = self.line
        while (word := self.next("'{'")) != "{":
            if self.line != line:
                raise bad(f"found {clipped(word)}; expected '{{' after the name", self.line)
            words.append(word)
        return " ".join(words)

    def numbers(self, count: int, what: str) -> list[float]:
        """`count` finite numbers."""
        return [number(self.next(what), what, self.line) for _ in range(count)]


def _channels(tokens: _Tokens) -> tuple[str, ...]:
    count = tokens.next("the number of channels")
    if count not in {"0", "1", "2", "3", "4", "5", "6"}:
        raise bad(f"CHANNELS says {clipped(count)}; expected a number of channels from 0 to 6", tokens.line)
    names: list[str] = []
    for _ in range(int(count)):
        word = tokens.next("a channel name")
        name = word.capitalize()
        if name not in CHANNELS:
            raise bad(f"unknown channel {clipped(word)}; expected one of {', '.join(CHANNELS)}", tokens.line)
        if name in names:
            raise bad(f"channel {name} is listed twice for one joint", tokens.line)
        names.append(name)
    return tuple(names)


def _end_site(tokens: _Tokens) -> list[float]:
    tokens.name()
    tokens.expect("OFFSET")
    offset = tokens.numbers(3, "three numbers after OFFSET")
    tokens.expect("}")
    return offset


def _new_joint(tokens: _Tokens, joints: list[BvhJoint], parent: int) -> int:
    line = tokens.line
    name = tokens.name()
    if not name:
        raise bad("a joint has no name; expected one after ROOT or JOINT", line)
    if len(name) > LONGEST_NAME:
        raise bad(f"a joint's name has at most {LONGEST_NAME} letters; {clipped(name)} has {len(name)}", line)
    if len(joints) == MAX_JOINTS:
        raise bad(f"there are more than {MAX_JOINTS} joints", line)
    joints.append(BvhJoint(name, parent, line))
    return len(joints) - 1


def _statement(tokens: _Tokens, word: str, joint: BvhJoint) -> None:
    """OFFSET, CHANNELS or End Site of `joint`."""
    key = word.upper()
    if key == "END":
        joint.ends.append(_end_site(tokens))
    elif key == "OFFSET" and joint.offset is None:
        joint.offset = tokens.numbers(3, "three numbers after OFFSET")
    elif key == "CHANNELS" and joint.channels is None and not joint.has_children:
        joint.channels = _channels(tokens)
    elif key in {"OFFSET", "CHANNELS"}:
        raise bad(f"{key} of joint {clipped(joint.name)} stands twice or after its children", tokens.line)
    else:
        raise bad(f"found {clipped(word)}; expected OFFSET, CHANNELS, JOINT, End Site or '}}'", tokens.line)


def _hierarchy(text: str, end: str) -> list[BvhJoint]:
    tokens = _Tokens(text, end)
    tokens.expect("HIERARCHY")
    tokens.expect("ROOT")
    joints: list[BvhJoint] = []
    open_joints = [_new_joint(tokens, joints, -1)]
    while open_joints:
        joint = joints[open_joints[-1]]
        word = tokens.next(f"'}}' for joint {clipped(joint.name)} of line {joint.line}")
        if word == "}":
            if joint.offset is None:
                raise bad(f"joint {clipped(joint.name)} has no OFFSET", joint.line)
            open_joints.pop()
        elif word.upper() == "JOINT":
            joint.has_children = True
            open_joints.append(_new_joint(tokens, joints, open_joints[-1]))
        else:
            _statement(tokens, word, joint)
    if tokens.more():
        word = tokens.next("MOTION")
        many = {"HIERARCHY": "several HIERARCHY blocks", "ROOT": "several roots", "}": "a '}' too many"}
        problem = many.get(word.upper(), f"{clipped(word)} after the hierarchy")
        raise bad(f"found {problem}; expected one skeleton and then MOTION", tokens.line)
    return joints


def parse_bvh(text: str) -> BvhText:
    """Read the text of a BVH file; raises `InputError` with the line, what was wrong and what was expected."""
    start = re.search(r"^[ \t]*MOTION\b", text, re.IGNORECASE | re.MULTILINE)
    head = text if start is None else text[: start.start()]
    joints = _hierarchy(head, "the file ends" if start is None else "MOTION starts inside the hierarchy")
    if start is None:
        raise bad("there is no MOTION section after the hierarchy", text.count("\n") + 1)
    width = sum(len(joint.channels or ()) for joint in joints)
    if width == 0:
        raise bad("no joint has channels, so there is no motion", joints[0].line)
    values, frame_time_text, notes = read_motion(text[start.end() :], head.count("\n") + 1, width)
    return BvhText(joints, values, frame_time_text, notes)
