"""The child that reads and writes USD: native code that opens files of strangers, which may crash, hang or eat memory.

    python start.py read FILE                   > arrays.npz
    python start.py replace FILE TYPE           < arrays.npz > a copy of the file with another motion
    python start.py make TYPE                   < arrays.npz > a file of its own

TYPE is .usda, .usdc, .usd or .usdz. What is wrong is the last line of stderr, the exit code then 1.
"""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any


def bare_rooms() -> None:
    """Rooms above this folder without what they import, so that the child is quick to start."""
    folder = Path(__file__).resolve().parent
    for up, name in enumerate(("poise.io.usd.native", "poise.io.usd", "poise.io", "poise")):
        room = ModuleType(name)
        room.__path__ = [str([folder, *folder.parents][up])]
        sys.modules[name] = room


def arrays_in() -> dict[str, Any]:
    """The arrays on stdin, read before USD is loaded."""
    import numpy as np

    with np.load(io.BytesIO(sys.stdin.buffer.read()), allow_pickle=False) as data:
        return {key: data[key] for key in data.files}


def in_words(error: Exception) -> str:
    """An error as one line; of USD's own what it says first, without where in USD it says so."""
    if isinstance(error, MemoryError) or (isinstance(error, ImportError) and "numpy" in str(error)):
        return "it does not fit into memory"  # NumPy loads parts of itself late
    if isinstance(error, UnicodeDecodeError):
        return "it is damaged: its text is not UTF-8"
    said = " ".join(str(error).split()) or type(error).__name__
    found = re.search(r"in file \S+ : '(.*?)'(?: Error in |$)", said)
    said = found[1] if found else said
    said = said.replace(f"{Path(sys.argv[2]).parent}/", "") if len(sys.argv) > 2 else said
    return said[:1].lower() + said[1:]


def answer(verb: str, arguments: list[str]) -> bytes:
    """What the child was asked for."""
    from poise.io.usd.native.limits import allow, limit_all, limit_reading

    limit_all()
    if verb == "read":
        limit_reading()
        allow(os.path.getsize(arguments[0]))
        from poise.io.usd.native.scene import read_scene

        return read_scene(arguments[0])
    from poise.io.usd.native.author import make, make_shapes, replace

    if verb == "replace":
        return replace(arguments[0], arguments[1], arrays_in())
    return (make_shapes if verb == "shapes" else make)(arguments[0], arrays_in())


if __name__ == "__main__":
    bare_rooms()
    try:
        sys.stdout.buffer.write(answer(sys.argv[1], sys.argv[2:]))
        sys.stdout.flush()
        os._exit(0)  # Nothing is taken down: that costs time and serves nobody.
    except Exception as error:
        sys.exit("\n" + in_words(error))
