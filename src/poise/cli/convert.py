"""`poise convert`: a clip from one format to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from poise.cli import options
from poise.cli.terminal import print_json, say
from poise.errors import InputError
from poise.io import read_clip, write_clip

__all__ = ["convert"]


def convert(
    source: Annotated[Path, typer.Argument(help="Clip to read.")],
    target: Annotated[Path, typer.Argument(help="Clip to write; its extension says the format.")],
    unit: options.Unit = None,
    up: options.Up = None,
    json: options.Json = False,
) -> None:
    """Convert a clip; names, order, channels, units, axes and rate are kept."""
    if source.resolve() == target.resolve():
        raise InputError("source and target are the same file", source=target)
    clip = read_clip(source, unit=options.parse_unit(unit), up=up)
    notes = [*clip.source.notes, *write_clip(target, clip)]
    if json:
        print_json(
            {"source": str(source), "target": str(target), "frames": len(clip), "rate_hz": clip.rate, "notes": notes}
        )
        return
    say(f"{escape(str(target))}: {len(clip)} frames of {len(clip.skeleton)} joints at {clip.rate:g} Hz")
    for note in notes:
        say(f"  [dim]{escape(note)}[/]")
