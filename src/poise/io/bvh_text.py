"""Words and limits that reading and writing BVH share."""

from __future__ import annotations

import math

from poise.errors import InputError

__all__ = ["CHANNELS", "LARGEST", "MAX_JOINTS", "axis_of", "bad", "clipped", "is_rotation", "number", "unique_names"]

CHANNELS = ("Xposition", "Yposition", "Zposition", "Xrotation", "Yrotation", "Zrotation")
MAX_JOINTS = 4096
LARGEST = 1e9
"""Largest number that is believed (file units or degrees)."""


def bad(problem: str, line: int) -> InputError:
    """The error for `problem` on `line`; the file is added by the reader."""
    return InputError(problem, place=f"line {line}")


def clipped(word: str) -> str:
    """`word` in quotes, shortened to fit a message."""
    return repr(word if len(word) <= 40 else word[:40] + "…")


def number(word: str, what: str, line: int) -> float:
    """`word` as a finite number of believable size."""
    try:
        value = math.nan if "_" in word else float(word)
    except ValueError:
        value = math.nan
    if not abs(value) <= LARGEST:
        raise bad(f"found {clipped(word)}; expected {what} (finite, at most {LARGEST:g} in size)", line)
    return value


def is_rotation(channel: str) -> bool:
    """Whether the channel is a rotation; otherwise it is a position."""
    return channel.endswith("rotation")


def axis_of(channel: str) -> int:
    """0, 1 or 2 for x, y or z."""
    return "XYZ".index(channel[0])


def unique_names(names: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Names with "_2", "_3", … where one repeats an earlier one, and a note on each such name."""
    taken, seen, result, notes = set(names), set[str](), list[str](), list[str]()
    counts: dict[str, int] = {}
    for name in names:
        new = name
        while new in seen or (new != name and new in taken):
            counts[name] = counts.get(name, 1) + 1
            new = f"{name}_{counts[name]}"
        if new != name:
            notes.append(f"joint name {name!r} occurs again; the later joint is called {new!r}")
        seen.add(new)
        result.append(new)
    return tuple(result), notes
