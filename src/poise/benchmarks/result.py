"""One line of what was measured and what is asked."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Result", "at_least", "at_most", "noted", "skipped"]


class Result(NamedTuple):
    """A measurement.

    Args:
        name: What was measured.
        value: The number; None where nothing could be measured, and the name says why.
        unit: Of value and limit.
        limit: What is asked; None for a number that is only told.
        holds: Whether the value is on the right side of the limit.
    """

    name: str
    value: float | None
    unit: str
    limit: float | None
    holds: bool


def at_most(name: str, value: float, unit: str, limit: float) -> Result:
    """A number that shall not exceed its limit."""
    return Result(f"{name}, at most", float(value), unit, limit, bool(value <= limit))


def at_least(name: str, value: float, unit: str, limit: float) -> Result:
    """A number that shall reach its limit."""
    return Result(f"{name}, at least", float(value), unit, limit, bool(value >= limit))


def noted(name: str, value: float, unit: str) -> Result:
    """A number without a limit."""
    return Result(name, float(value), unit, None, True)


def skipped(name: str, reason: str) -> Result:
    """Nothing was measured, and why."""
    return Result(f"{name}: skipped, {reason}", None, "", None, True)
