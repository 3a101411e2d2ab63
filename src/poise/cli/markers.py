"""`poise inspect take.c3d`: what markers there are, and when they were not seen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from poise.cli.terminal import console, escape, print_json, say
from poise.io import read_markers
from poise.motion.markers import Markers

__all__ = ["inspect_markers"]


def inspect_markers(file: Path, unit: str | float | None, up: str | None, *, json: bool) -> None:
    """Tell what is in a file of markers.

    Raises:
        InputError: It cannot be read.
    """
    markers = read_markers(file, unit=unit, up=up)
    facts = _facts(markers)
    if json:
        print_json(facts)
        return
    say(
        f"[bold]{escape(str(file))}[/]: {len(markers.names)} markers, {len(markers)} frames at {markers.rate:g} Hz, "
        f"{markers.duration:.2f} s"
    )
    say(f"  unit  {markers.metres_per_unit:g} m  [dim]{escape(markers.unit_reason)}[/]")
    say(f"  up    {markers.up_axis}  [dim]{escape(markers.up_reason)}[/]")
    for note in markers.notes:
        say(f"  [dim]{escape(note)}[/]")
    table = Table(box=None, pad_edge=False)
    for title in ("marker", "seen", "gaps", "longest", "height"):
        table.add_column(title, justify="left" if title == "marker" else "right", overflow="fold")
    for row in facts["markers"]:
        heights = "" if row["lowest_m"] is None else f"{row['lowest_m']:.2f}–{row['highest_m']:.2f} m"
        longest = f"{row['longest_gap_s']:.2f} s" if row["gaps"] else ""
        table.add_row(escape(row["name"]), f"{row['seen_percent']:.1f} %", str(row["gaps"] or ""), longest, heights)
    console().print(table)
    say(f"  poise run CLIP --markers {escape(str(file))} shows and keeps them beside a clip of the same take")


def _facts(markers: Markers) -> dict[str, Any]:
    return {
        "file": markers.path,
        "format": "c3d",
        "frames": len(markers),
        "rate_hz": markers.rate,
        "duration_s": markers.duration,
        "unit_m": markers.metres_per_unit,
        "unit_reason": markers.unit_reason,
        "up": markers.up_axis,
        "up_reason": markers.up_reason,
        "notes": list(markers.notes),
        "markers": [_marker(markers, number) for number in range(len(markers.names))],
    }


def _marker(markers: Markers, number: int) -> dict[str, Any]:
    seen, heights = markers.seen[:, number], markers.positions[:, number, 2]
    gaps = _gaps(seen)
    some = bool(seen.any())
    return {
        "name": markers.names[number],
        "seen_percent": 100.0 * float(seen.mean()),
        "gaps": len(gaps),
        "longest_gap_s": max((stop - start for start, stop in gaps), default=0) / markers.rate,
        "gap_frames": [[start, stop - 1] for start, stop in gaps],
        "lowest_m": float(np.nanmin(heights)) if some else None,
        "highest_m": float(np.nanmax(heights)) if some else None,
    }


def _gaps(seen: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Runs of frames, first and behind the last, in which a marker was not seen."""
    edges = np.flatnonzero(np.diff(np.concatenate([[True], seen, [True]]).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]
