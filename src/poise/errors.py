"""The exceptions Poise raises on purpose, and the wording they share.

Bad input is an `InputError`: one line that says where, what was wrong and what is allowed. A run that fails is a
`PoiseError` of another kind, defined beside what raises it.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["InputError", "PoiseError", "likeliest", "unknown_name"]


class PoiseError(Exception):
    """Root of every exception Poise raises on purpose."""


class InputError(PoiseError):
    """Something from outside (a file, an option, an array) is not acceptable.

    Args:
        problem: What was wrong and what is allowed, in one line.
        source: File or object it came from, when known.
        place: Where in the source: a line, a field, a joint.
    """

    def __init__(self, problem: str, *, source: object | None = None, place: str | None = None) -> None:
        self.problem = problem
        self.source = None if source is None else str(source)
        self.place = place
        where = ", ".join(part for part in (self.source, place) if part)
        super().__init__(f"{where}: {problem}" if where else problem)


def unknown_name(kind: str, name: str, allowed: Iterable[str], *, source: object | None = None) -> InputError:
    """An `InputError` for a name that is not among `allowed`, which it lists, the likeliest first.

    Args:
        kind: What the name stands for, such as "joint".
        name: The name that was given.
        allowed: The names that would have been valid.
        source: Where the name came from.
    """
    known = sorted(allowed)
    listed = ", ".join(known[:40]) + (f", … ({len(known)} in all)" if len(known) > 40 else "")
    return InputError(f"unknown {kind} {name!r}{likeliest(name, known)}; known: {listed or 'none'}", source=source)


def likeliest(name: str, allowed: Iterable[str]) -> str:
    """What to put behind a name that is not among `allowed`: ", did you mean …", or nothing where none is alike."""
    close = get_close_matches(name, list(allowed), n=1)
    return f", did you mean {close[0]!r}" if close else ""
