"""Files on disk: read whole, written whole or not at all, every trouble one line."""

from __future__ import annotations

import contextlib
import os
import secrets
from difflib import get_close_matches
from pathlib import Path

from poise.errors import InputError

__all__ = ["MAX_BYTES", "check_readable", "is_folder", "read_bytes", "read_text", "write_bytes"]

MAX_BYTES = 1 << 30
"""Largest file that is read [bytes]."""
_MOST_NAMES = 2000
"""Files of a folder among which one with nearly the same name is looked for."""
_LONGEST_NAME = 200
"""Characters of a name that are compared."""


def _why(error: OSError | ValueError) -> str:
    """The operating system's own words; a ValueError is a path it would not even look at."""
    return (getattr(error, "strerror", None) or str(error)).lower()


def _refuse_odd(path: Path) -> None:
    """Raise where `path` exists and is not a plain file."""
    if path.is_dir():
        raise InputError("this is a folder; a file was expected", source=path)
    if path.exists() and not path.is_file():
        raise InputError("this is not a plain file", source=path)


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name; none has a name that cannot be."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def check_readable(path: Path) -> None:
    """Raise `InputError` where `path` is missing, no plain file, empty or too big."""
    try:
        _refuse_odd(path)
        size = path.stat().st_size
    except FileNotFoundError:
        raise InputError(f"there is no such file{_likeliest_file(path)}", source=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_why(error)}", source=path) from None
    if size > MAX_BYTES:
        raise InputError(f"the file has {size} bytes; at most {MAX_BYTES} are read", source=path)
    if size == 0:
        raise InputError("the file is empty", source=path)


def _likeliest_file(path: Path) -> str:
    """What to put behind a file that is not there: a file of its folder with nearly its name, or that there is no folder.

    All files of a folder have much the same endings, so names are compared without; of one name, that with the same ending.
    """
    try:
        if not path.parent.is_dir():
            return f"; nor is there a folder {str(path.parent)!r}"
        there = [each for each in path.parent.iterdir() if each.is_file()][:_MOST_NAMES]
        there.sort(key=lambda each: (each.suffix.lower() == path.suffix.lower(), each.name))
        named = {each.stem: each.name for each in there}
        close = get_close_matches(path.stem[:_LONGEST_NAME], named, n=1)
        return f", did you mean {named[close[0]]!r}" if close else ""
    except (OSError, ValueError):
        return ""


def read_bytes(path: Path) -> bytes:
    """The content of `path`; raises `InputError` where it is missing, no plain file, unreadable, empty or too big."""
    check_readable(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"there is no such file{_likeliest_file(path)}", source=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be read: {_why(error)}", source=path) from None
    if not content:
        raise InputError("the file is empty", source=path)
    return content


def read_text(path: Path) -> str:
    """The text of `path` with Unix line ends: UTF-8, or Latin-1 where it is not valid UTF-8."""
    content = read_bytes(path)
    if b"\0" in content:
        raise InputError("this is not a text file (it contains zero bytes)", source=path)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def write_bytes(path: Path, content: bytes) -> None:
    """Write `content` to a temporary name beside `path` and rename it; raises `InputError` where that fails."""
    temporary = path.with_name(f".{secrets.token_hex(6)}.tmp")
    try:
        _refuse_odd(path)
        with temporary.open("xb") as file:
            file.write(content)
        os.replace(temporary, path)
    except FileNotFoundError:
        raise InputError(f"there is no folder {str(path.parent)!r} to write into", source=path) from None
    except (OSError, ValueError) as error:
        raise InputError(f"cannot be written: {_why(error)}", source=path) from None
    finally:
        with contextlib.suppress(OSError, ValueError):
            temporary.unlink()
