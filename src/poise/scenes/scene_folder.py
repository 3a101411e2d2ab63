"""Files that a scene file names: only those in its folder or below."""

from __future__ import annotations

from pathlib import Path

from poise.errors import InputError, shown

__all__ = ["file_in_folder"]


def file_in_folder(file: Path, name: str) -> Path:
    """The file of this name in the scene file's folder or below; raises `InputError` where it would be elsewhere."""
    folder = file.parent.resolve()
    try:
        inside = (folder / name).resolve().is_relative_to(folder)
    except (OSError, ValueError, RuntimeError):
        inside = False
    if not inside:
        raise InputError(f"{shown(name)} is outside the scene file's folder; only files in it or below are read")
    return file.parent / name
