"""The MOTION section of a BVH file: its header and one row of numbers per frame."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from poise.io.bvh_text import LARGEST, bad, clipped, number
from poise.lazy import pays_to_compile

__all__ = ["read_motion"]

Array = NDArray[np.float64]

SHORTEST, LONGEST = 1e-5, 1e4
"""Frame times that are believed [s]."""
_MUCH = 6_000_000
"""Letters that NumPy reads in the time that numba takes to be loaded, a fifth of a second."""
_LITTLE = 300_000
"""Letters that NumPy reads in 15 ms."""


def _header(lines: list[str], first_line: int) -> tuple[int, str, int]:
    """Declared frames, text of the frame time, and how many lines the header takes."""
    found: list[tuple[str, int]] = []
    at = 0
    for pattern, what in ((r"Frames\s*:\s*(.*?)\s*", "Frames: N"), (r"Frame\s*Time\s*:\s*(.*?)\s*", "Frame Time: s")):
        while at < len(lines) and not lines[at].strip():
            at += 1
        if at == len(lines):
            raise bad(f"the file ends; expected {what!r}", first_line + at - 1)
        match = re.fullmatch(pattern, lines[at].strip(), re.IGNORECASE)
        if match is None:
            raise bad(f"found {clipped(lines[at].strip())}; expected {what!r}", first_line + at)
        found.append((match[1], first_line + at))
        at += 1
    (frames, frames_line), (period, period_line) = found
    if not re.fullmatch(r"[0-9]{1,12}", frames) or int(frames) == 0:
        raise bad(f"Frames is {clipped(frames)}; expected a whole number above zero of at most 12 digits", frames_line)
    if not SHORTEST <= number(period, "the frame time in seconds", period_line) <= LONGEST:
        raise bad(f"Frame Time is {clipped(period)}; expected {SHORTEST:g} to {LONGEST:g} seconds", period_line)
    return int(frames), period, at


def _numbers(rows: list[str], width: int) -> Array | None:
    """The rows as an array (T, width), or None where they are not that; less than half of a column may be nan."""
    pays = pays_to_compile(sum(map(len, rows)), _MUCH, _LITTLE)
    table = _compiled(rows, width) if pays else _plain(rows)
    if table is None or table.shape != (len(rows), width) or bool((np.abs(table) > LARGEST).any()):
        return None
    return table if np.isnan(table).mean(axis=0).max() < 0.5 else None


def _plain(rows: list[str]) -> Array | None:
    """Rows of numbers as NumPy reads them, to the bit what `_compiled` gives."""
    try:
        return np.loadtxt(rows, comments=None, ndmin=2)
    except (ValueError, OverflowError):
        return None


def _compiled(rows: list[str], width: int) -> Array | None:
    """Rows of `width` numbers each by the compiled loop, which is faster for as long as one need not wait for numba."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io._kernels import plain_numbers

    if not all(map(str.isascii, rows)):
        rows = [" ".join(row.split()) for row in rows]  # What only Unicode takes for a space.
    text = "\n".join(rows).encode("ascii", "replace")
    most = len(text) // 2 + 1
    values, left, where = np.empty(most), np.empty(most, np.int64), np.empty((most, 2), np.int64)
    unread = plain_numbers(np.frombuffer(text, np.uint8), width, values, left, where)
    if unread < 0:
        return None
    for value, (start, end) in zip(left[:unread].tolist(), where[:unread].tolist(), strict=True):
        try:
            values[value] = float(text[start:end]) if b"_" not in text[start:end] else np.inf
        except ValueError:
            return None
    table: Array = values[: len(rows) * width].reshape(len(rows), width)
    return table


def _filled(values: Array, notes: list[str]) -> Array:
    """The rows with what is not a number taken from the rows around it, and a note."""
    missing = np.isnan(values)
    if not missing.any():
        return values
    rows, filled = np.arange(len(values)), values.copy()
    for column in np.flatnonzero(missing.any(axis=0)):
        gap = missing[:, column]
        filled[gap, column] = np.interp(rows[gap], rows[~gap], values[~gap, column])
    lost = np.flatnonzero(missing.any(axis=1))
    where = ", ".join(map(str, lost[:6])) + (", …" if len(lost) > 6 else "")
    notes.append(
        f"{len(lost)} frames hold nan in {int(missing.sum())} values, filled from the frames around them: {where}"
    )
    return filled


def _find_fault(lines: list[str], first_line: int, width: int) -> None:
    """Raise the error of the first row that is not `width` finite numbers."""
    for line, content in enumerate(lines, start=first_line):
        words = content.split()
        for column, word in enumerate(words[:width], start=1):
            number(word, f"a number as value {column} of the frame", line)
        if words and len(words) != width:
            raise bad(f"the frame has {len(words)} values; expected {width}, one per channel", line)


def read_motion(text: str, first_line: int, width: int) -> tuple[Array, str, list[str]]:
    """What follows the word MOTION.

    Args:
        text: The text behind that word.
        first_line: The line it stands on.
        width: Channels of the skeleton.

    Returns:
        Values (T, width), the frame time as printed, and notes.
    """
    lines = text.split("\n")
    frames, period, header = _header(lines, first_line)
    rows = [line for line in lines[header:] if line and not line.isspace()]
    if not rows:
        raise bad(f"the file ends without a frame; expected {frames} of {width} values", first_line + len(lines) - 1)
    values, notes = _numbers(rows, width), []
    if values is None and len(rows) > frames and (values := _numbers(rows[:frames], width)) is not None:
        notes.append(
            f"the file declares {frames} frames and has {len(rows)} rows; the damaged rows behind are left out"
        )
    elif values is None:
        _find_fault(lines[header:], first_line + header, width)
        raise bad("the frames are not rows of plain numbers", first_line + header)
    elif len(values) != frames:
        kept = "all are kept" if len(values) > frames else "those are kept"
        notes.append(f"the file declares {frames} frames and has {len(values)}; {kept}")
    return _filled(values, notes), period, notes
