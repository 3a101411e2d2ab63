"""What goes wrong while a file of a stranger is taken apart is one line about the file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from poise.errors import InputError

__all__ = ["reading"]


@contextmanager
def reading(what: str, file: Path) -> Iterator[None]:
    """Take a file of a format apart.

    Raises:
        InputError: With the file, whatever was wrong inside.
    """
    try:
        yield
    except InputError as error:
        raise InputError(error.problem, source=file, place=error.place) from None
    except (ValueError, TypeError, IndexError, KeyError) as error:
        raise InputError(f"the {what} is damaged ({type(error).__name__})", source=file) from None
