"""Files that come with Poise: clips to try it with."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from poise.errors import unknown_name

__all__ = ["clip_path"]


def clip_path(name: str) -> Path:
    """Path of the shipped clip called `name`, such as "walk"; raises `InputError` with the names there are.

    Each is one closed gait cycle for `poise.motion.edit.loop`. `clips/README.md` tells where they come from.
    """
    folder = Path(str(files(__name__))) / "clips"
    known = {path.stem: path for path in folder.glob("*.bvh")}
    if name not in known:
        raise unknown_name("shipped clip", name, known)
    return known[name]
