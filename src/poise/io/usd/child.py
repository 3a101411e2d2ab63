"""Ask the child that touches USD (`native/start.py`): arrays in, arrays or a file out, every trouble one line."""

from __future__ import annotations

import io
import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.io.child import ask_child
from poise.io.files import write_bytes

__all__ = ["ask", "ask_to_write"]

_START = Path(__file__).with_name("native") / "start.py"


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
    return ask_child("USD", _START, arguments, content, _environment())


def ask_to_write(path: Path, arguments: list[str], arrays: dict[str, Any]) -> None:
    """Write what the child makes of `arrays`, whole or not at all; raises `InputError` with the path."""
    content = io.BytesIO()
    np.savez(content, **arrays)
    try:
        made = ask(arguments, content.getvalue())
    except InputError as error:
        raise InputError(error.problem, source=path) from None
    write_bytes(path, made)
