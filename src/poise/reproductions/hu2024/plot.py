"""Plots of the experiments. matplotlib is asked for only when a picture is drawn."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

from poise.errors import InputError
from poise.io.files import write_bytes

__all__ = ["figure", "save"]


def figure(title: str, rows: int, columns: int, *, size: tuple[float, float] = (7.0, 4.0)) -> tuple[Any, Any]:
    """A matplotlib figure of `size` [inches] and its axes, shape (rows, columns).

    Raises:
        InputError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("pictures need matplotlib; install it with: pip install 'poise[pictures]'") from error
    sheet = Figure(figsize=size, layout="constrained")
    FigureCanvasAgg(sheet)
    sheet.suptitle(title, fontsize=11)
    axes = sheet.subplots(rows, columns, squeeze=False)
    for one in axes.flat:
        one.grid(alpha=0.3)
    return sheet, axes


def save(sheet: Any, folder: Path, name: str) -> Path:
    """Write the figure as `name`.png into `folder`, whole or not at all; its path."""
    content = io.BytesIO()
    sheet.savefig(content, format="png", dpi=110)
    path = folder / f"hu2024_{name}.png"
    write_bytes(path, content.getvalue())
    return path
