"""The exceptions Poise raises on purpose, and the wording they share.

Bad input is an `InputError`: one line that says where, what was wrong and what is allowed. A run that breaks off is a
`RunError`.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["InputError", "PoiseError", "RunError", "likeliest", "plainly", "shown", "unknown_name", "visible"]

_LONGEST_VALUE, _LONGEST_PROBLEM = 60, 1500
_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}


class PoiseError(Exception):
    """Root of every exception Poise raises on purpose."""


class RunError(PoiseError):
    """A run broke off: the one line says what happened and the likeliest cause. What was played before is kept."""


class InputError(PoiseError):
    """Something from outside (a file, an option, an array) is not acceptable.

    Args:
        problem: What was wrong and what is allowed, in one line.
        source: File or object it came from, when known.
        place: Where in the source: a line, a field, a joint.
    """

    def __init__(self, problem: str, *, source: object | None = None, place: str | None = None) -> None:
        self.problem = problem if len(problem) <= _LONGEST_PROBLEM else f"{problem[:_LONGEST_PROBLEM]} …"
        self.source = None if source is None else str(source)
        self.place = place
        where = ", ".join(part for part in (self.source, place) if part)
        super().__init__(f"{where}: {self.problem}" if where else self.problem)


def visible(text: str) -> str:
    """A text from outside as a terminal may have it: what would move its cursor or end its line is spelt out."""
    return text.translate(_CONTROLS)


def shown(value: object) -> str:
    """A value as a message may show it: never longer than a line, whatever came from outside."""
    if isinstance(value, dict | list | tuple | set):
        return f"a {type(value).__name__} of {len(value)}" if len(value) > 4 else _cut(repr(value))
    return (
        f"{value[:_LONGEST_VALUE]!r} …" if isinstance(value, str) and len(value) > _LONGEST_VALUE else _cut(repr(value))
    )


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_VALUE + 20 else f"{text[:_LONGEST_VALUE]} …"


def unknown_name(kind: str, name: str, allowed: Iterable[str], *, source: object | None = None) -> InputError:
    """An `InputError` for a name that is not among `allowed`, which it lists, the likeliest first.

    Args:
        kind: What the name stands for, such as "joint".
        name: The name that was given.
        allowed: The names that would have been valid.
        source: Where the name came from.
    """
    known = sorted(allowed)
    listed = ", ".join(each[:_LONGEST_VALUE] for each in known[:40]) + (
        f", … ({len(known)} in all)" if len(known) > 40 else ""
    )
    return InputError(f"unknown {kind} {shown(name)}{likeliest(name, known)}; known: {listed or 'none'}", source=source)


def likeliest(name: str, allowed: Iterable[str]) -> str:
    """What to put behind a name that is not among `allowed`: ", did you mean …", or nothing where none is alike.

    Capitals count for nothing: `leftarm` is likelier `simLeftArm` than `left_forearm`.
    """
    plain = {each.casefold(): each for each in list(allowed)[:2000]}
    close = get_close_matches(name[:200].casefold(), plain, n=1)
    return f", did you mean {plain[close[0]]!r}" if close else ""


_WORDS = {
    ", unable to parse string as an integer": "",
    ", unable to parse string as a number": "",
    ", got a number with a fractional part": "",
    "valid integer": "whole number",
    "valid number": "number",
    "greater than or equal to": "at least",
    "less than or equal to": "at most",
    "Input should be": "must be",
}
"""How readers of options and scene files put it, and how everything else here does."""


def plainly(said: str) -> str:
    """What a reader of options or scene files found wrong, in the words of all other errors."""
    for theirs, ours in _WORDS.items():
        said = said.replace(theirs, ours)
    return said
