"""One line of what was claimed and what was measured."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Row"]


class Row(NamedTuple):
    """A claim beside its measurement.

    Args:
        id: Paper and check, such as "alvarado2022/tension-spread".
        claim: What the paper claims, in our words, with the figure or equation; where we deviate, how.
        paper: The paper's own number, None where it gives none.
        measured: Ours.
        unit: Of both.
        holds: Whether the claim holds.
    """

    id: str
    claim: str
    paper: float | str | None
    measured: float
    unit: str
    holds: bool
