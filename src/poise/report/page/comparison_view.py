"""Two motions as one replay: each on its own skeleton, beside one another, on one clock."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.report.motion_comparison import COMMON_RATE, Side
from poise.report.page.figures import DrawnFigure, make_figure
from poise.report.page.replay import MOST_FRAMES, Replay
from poise.report.skins import skin_for

__all__ = ["COLORS", "replay_of_two"]

Array = NDArray[np.float64]

COLORS = ((0.28, 0.50, 0.86), (0.93, 0.53, 0.19))
"""Of the first and of the second figure; the page's charts have the same."""
_GAP = 0.75
"""Distance between the two, in the size of the larger one."""


def replay_of_two(first: Side, second: Side) -> Replay:
    """Both motions from the same start and heading, the first to the right of the second as they see it.

    The shorter one holds its last pose.
    """
    sides = (first, second)
    count = max(len(side.common) for side in sides)
    step = -(-count // MOST_FRAMES)
    picked = np.arange(0, count, step)
    positions: list[Array] = []
    rotations: list[Array] = []
    figures: list[DrawnFigure] = []
    for side, color in zip(sides, COLORS, strict=True):
        turn, place = side.placed()
        rows = np.minimum(picked, len(turn) - 1)
        tones = np.tile(color, (len(side.plan), 1))
        node = sum(part.shape[1] for part in positions)
        mesh = skin_for(side.mesh, side.clip, side.plan)
        figures.append(replace(make_figure(side.name, side.plan, side.clip, mesh, tones, node), heading=0.0))
        positions.append(place[rows])
        rotations.append(turn[rows])
    aside = 0.5 * _GAP * max(figure.size for figure in figures)
    return Replay(
        rate=COMMON_RATE / step,
        positions=np.concatenate(positions, axis=1),
        rotations=np.concatenate(rotations, axis=1),
        figures=(replace(figures[0], shift=(0.0, -aside, 0.0)), replace(figures[1], shift=(0.0, aside, 0.0))),
        props=(),
        touches=(),
        tick=1.0 / COMMON_RATE,
        floor=0.0,
    )
