"""The path of a clip over the ground, in words and as a small picture, so that one can place things along it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import generalized_from_clip
from poise.body.heading import headings
from poise.body.plan import BodyPlan
from poise.motion.clip import Clip

__all__ = ["path_facts", "path_lines"]

Array = NDArray[np.float64]

_COLUMNS, _ROWS = 44, 12
_ASPECT = 2.0
"""How much taller than wide a letter is."""
_STAYS = 0.3
"""A path that gets no farther needs no picture [m]."""
_ARROWS = "→↗↑↖←↙↓↘"


def path_facts(plan: BodyPlan, clip: Clip) -> dict[str, Any]:
    """Where the pelvis starts, where it faces and which way it takes, as plain values [m, degrees]."""
    keys = generalized_from_clip(plan, clip)
    places = keys[:, :2]
    count = min(len(places), 61)
    shown = places[np.linspace(0, len(places) - 1, count).round().astype(int)]
    return {
        "start_m": [round(float(value), 3) for value in places[0]],
        "end_m": [round(float(value), 3) for value in places[-1]],
        "facing_deg": round(float(np.degrees(headings(plan, keys[:1])[0])), 1),
        "length_m": round(float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum()), 3),
        "points_m": [[round(float(value), 3) for value in point] for point in shown],
    }


def path_lines(path: dict[str, Any]) -> list[str]:
    """The same in lines: words, and a picture seen from above with x to the right and y up."""
    # Nothing is at -0.00.
    x, y, end_x, end_y = (round(value, 2) + 0.0 for value in (*path["start_m"], *path["end_m"]))
    lines = [
        f"path: from ({x:.2f}, {y:.2f}) to ({end_x:.2f}, {end_y:.2f}), {path['length_m']:.2f} m; at first faces "
        f"{round(path['facing_deg'])}° from x towards y"
    ]
    points = np.array(path["points_m"])
    low, high = points.min(axis=0), points.max(axis=0)
    if float((high - low).max()) < _STAYS:
        return lines
    return [*lines, *_picture(points, path["facing_deg"], low, high)]


def _picture(points: Array, facing: float, low: Array, high: Array) -> list[str]:
    """Letters on a grid: an arrow where it starts, dots along the way, E where it ends."""
    step = max(float(high[0] - low[0]) / (_COLUMNS - 1), float(high[1] - low[1]) / (_ASPECT * (_ROWS - 1)))
    columns = round(float(high[0] - low[0]) / step) + 1
    rows = round(float(high[1] - low[1]) / (_ASPECT * step)) + 1
    grid = [[" "] * columns for _ in range(rows)]

    def put(point: Array, letter: str) -> None:
        column = round(float(point[0] - low[0]) / step)
        row = rows - 1 - round(float(point[1] - low[1]) / (_ASPECT * step))
        grid[row][column] = letter

    for point in points:
        put(point, "·")
    put(points[-1], "E")
    put(points[0], _ARROWS[round(facing / 45.0) % 8])
    top, bottom = f"y {high[1]:.1f}", f"y {low[1]:.1f}"
    wide = max(len(top), len(bottom))
    sides = [top, *[""] * (rows - 2), bottom] if rows > 1 else [bottom]
    lines = [f"{side:>{wide}} │{''.join(row)}" for side, row in zip(sides, grid, strict=True)]
    ruler = f"x {low[0]:.1f}"
    return [
        *lines,
        " " * wide + " └" + "─" * columns,
        " " * (wide + 2) + f"{ruler:<{max(columns - 5, len(ruler) + 1)}}{high[0]:.1f}",
    ]
