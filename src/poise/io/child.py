"""Native code that opens files of strangers runs in a child, which may crash, hang or eat memory on its own account."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from poise.errors import InputError

__all__ = ["ask_child"]

_LONGEST = 60.0
"""Time a child may take on a machine that has other things to do [s]; of its processor time it allows itself less."""
_MOST_SAID = 240
"""Letters of its last words that are passed on."""


def ask_child(
    what: str,
    script: Path,
    arguments: Sequence[str],
    content: bytes = b"",
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """What a script answers on its stdout.

    Args:
        what: Name of the format, for messages.
        script: Run by this Python, on its own.
        arguments: Of the script.
        content: Goes to its stdin.
        environment: Of the child; None for this process' own.

    Raises:
        InputError: The child crashed, hung or complained; without the file.
    """
    command = [sys.executable, "-I", str(script), *arguments]
    try:
        with tempfile.TemporaryDirectory() as place:  # what the child leaves if it dies goes too
            own = None if environment is None else {**environment, "TMPDIR": place}
            child = subprocess.run(command, input=content, capture_output=True, timeout=_LONGEST, check=False, env=own)
    except subprocess.TimeoutExpired:
        raise InputError(f"the {what} took longer than {_LONGEST:g} s; it is damaged or far too large") from None
    except (OSError, ValueError) as error:
        raise InputError(f"the {what} cannot be opened: {error}") from None
    if child.returncode == -getattr(signal, "SIGXCPU", 0):
        raise InputError(f"the {what} is damaged: its reader needs far longer than a file of its size takes")
    if child.returncode < 0:
        raise InputError(f"the {what} is damaged: its reader crashed on it")
    if child.returncode:
        said = child.stderr.decode("utf-8", "replace").strip().splitlines()
        why = " ".join(said[-1].split())[:_MOST_SAID] if said else "no reason given"
        raise InputError(f"the {what} cannot be taken: {why}")
    return child.stdout
