"""The text of a DeepMimic motion: JSON with `Frames`, rows of 44 numbers, and `Loop`."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown
from poise.io.body_model import check_finite
from poise.io.deepmimic.skeleton import HINGES, TURNS

__all__ = ["WIDTH", "parse_frames", "turn_columns"]

Array = NDArray[np.float64]

_LONGEST = 1 << 26
"""Characters that are read; an hour at 60 Hz has fewer."""
_LOOPS = ("wrap", "none")


def turn_columns() -> dict[str, slice]:
    """Where in a row each joint's turn is: a quaternion wxyz, or an angle [rad] of a hinge, behind time and place."""
    columns, at = dict[str, slice](), 4
    for name in TURNS:
        width = 1 if name.endswith(HINGES) else 4
        columns[name] = slice(at, at + width)
        at += width
    return columns


WIDTH = turn_columns()[TURNS[-1]].stop
"""Numbers in a frame: how long it lasts [s], where the root is [m], and how each joint is turned."""


def parse_frames(text: str) -> tuple[Array, bool]:
    """Rows (T, `WIDTH`), and whether the motion goes round.

    Raises:
        InputError: This is not JSON, or not a motion of this humanoid; with the frame, what was wrong and what is allowed.
    """
    if len(text) > _LONGEST:
        raise InputError(f"the file has {len(text)} characters; at most {_LONGEST} are read")
    try:
        values = json.loads(text)
    except RecursionError:
        raise InputError("is nested too deeply") from None
    except ValueError as error:
        line = getattr(error, "lineno", None)
        raise InputError(
            f"is not JSON: {getattr(error, 'msg', 'a number is too long')}", place=f"line {line}" if line else None
        ) from None
    frames = values.get("Frames") if isinstance(values, dict) else None
    if not isinstance(frames, list) or not frames:
        raise InputError("is no DeepMimic motion; expected an object with a list Frames that is not empty")
    loop = values.get("Loop", "none")
    if loop not in _LOOPS and not isinstance(loop, bool):
        raise InputError(f"found {shown(loop)}; allowed: {', '.join(_LOOPS)}", place="Loop")
    for number, row in enumerate(frames):
        _check_row(row, number)
    return check_finite(np.array(frames, dtype=np.float64), "Frames"), loop in ("wrap", True)


def _check_row(row: Any, number: int) -> None:
    place = f"frame {number}"
    if not isinstance(row, list) or len(row) != WIDTH:
        found = f"{len(row)} values" if isinstance(row, list) else shown(row)
        raise InputError(
            f"found {found}; expected {WIDTH} numbers, those of humanoid3d (other characters are not read)", place=place
        )
    for value in row:
        # A whole number may be of any length, and one of more than 300 digits is no float.
        if type(value) not in (int, float) or (type(value) is int and abs(value) > 1 << 62):
            raise InputError(f"found {shown(value)}; expected a number", place=place)
