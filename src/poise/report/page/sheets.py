"""A fluid's surface as numbers for the page: fewer nodes and surfaces than it has, in steps of a 127th of its highest wave."""

from __future__ import annotations

from typing import Any

import numpy as np

from poise.report.page.pack import Packer
from poise.signals import FluidSheet

__all__ = ["encode_sheet"]

_MOST_NODES = 9000
_MOST_SURFACES = 600
_RATE = 10.0
"""Surfaces a second; the page goes from one to the next evenly [Hz]."""


def encode_sheet(sheet: FluidSheet, packer: Packer) -> dict[str, Any]:
    """What the page is told about a surface; its heights go into the packer."""
    frames, rows, columns = sheet.heights.shape
    thin = max(1, int(np.ceil(np.sqrt(rows * columns / _MOST_NODES))))
    every = max(1, round(sheet.rate / _RATE), -(-frames // _MOST_SURFACES))
    heights = sheet.heights[::every, ::thin, ::thin]
    scale = max(float(np.abs(heights).max()), 1e-6) / 127.0
    return {
        "origin": [round(value, 4) for value in sheet.origin],
        "cell": sheet.cell * thin,
        "rows": heights.shape[1],
        "columns": heights.shape[2],
        "frames": len(heights),
        "rate": sheet.rate / every,
        "color": [round(float(part) ** (1.0 / 2.2), 4) for part in sheet.color],
        "opacity": sheet.opacity,
        "scale": scale,
        "heights": packer.add(np.rint(heights / scale).astype(np.int8)),
    }
