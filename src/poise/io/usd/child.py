"""Ask the child that touches USD (`native/start.py`): arrays in, arrays or a file out, every trouble one line."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.io.files import write_bytes

__all__ = ["ask", "ask_to_write"]

_START = Path(__file__).with_name("native") / "start.py"
_LONGEST = 60.0
"""Time the child may take [s]."""


def _environment() -> dict[str, str]:
    """One thread, and nothing of another USD that the user may have."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PXR_", "USD_", "TF_"))}
    return own | {"PXR_WORK_THREAD_LIMIT": "1"}


def ask(arguments: list[str], content: bytes = b"") -> bytes:
    """What the child answers.

    Args:
        arguments: What it is asked for, see `native/start.py`.
        content: Goes to its stdin.

    Raises:
        InputError: USD is not installed, the child crashed, hung or complained; without the file.
    """
    if find_spec("pxr") is None:
        raise InputError('USD files need the package usd-core: pip install "poise[usd]"')
    command = [sys.executable, "-I", str(_START), *arguments]
    try:
        with tempfile.TemporaryDirectory() as place:  # what the child leaves if it dies goes too
            child = subprocess.run(
                command,
                input=content,
                capture_output=True,
                timeout=_LONGEST,
                check=False,
                env=_environment() | {"TMPDIR": place},
            )
    except subprocess.TimeoutExpired:
        raise InputError(f"the USD took longer than {_LONGEST:g} s; it is damaged or far too large") from None
    except (OSError, ValueError) as error:
        raise InputError(f"the USD cannot be opened: {error}") from None
    if child.returncode < 0:
        raise InputError("the USD is damaged: its reader crashed on it")
    if child.returncode:
        said = child.stderr.decode("utf-8", "replace").strip().splitlines()
        raise InputError(f"the USD cannot be taken: {' '.join(said[-1].split())[:240] if said else 'no reason given'}")
    return child.stdout


def ask_to_write(path: Path, arguments: list[str], arrays: dict[str, Any]) -> None:
    """Write what the child makes of `arrays`, whole or not at all; raises `InputError` with the path."""
    content = io.BytesIO()
    np.savez(content, **arrays)
    try:
        made = ask(arguments, content.getvalue())
    except InputError as error:
        raise InputError(error.problem, source=path) from None
    write_bytes(path, made)
