"""One line of what was claimed and what was measured, with the method that is credited and without it."""

from __future__ import annotations

from typing import Literal, NamedTuple

__all__ = ["Kind", "Row"]

Kind = Literal["claim", "invariant", "open"]
"""What a row is: a `claim` must fall when the method it credits is switched off; an `invariant` holds by construction of more
than one method and must fall under a deliberate breakage; an `open` row fails today and has an aim."""


class Row(NamedTuple):
    """A claim beside its measurement.

    A check returns the first six fields; `poise.reproductions.check` adds what it knows of the check.

    Args:
        id: Paper and check, such as "alvarado2022/tension-spread".
        claim: What the paper claims, in our words, with the figure or equation; where we deviate, how.
        paper: The paper's own number, None where it gives none.
        measured: Ours.
        unit: Of both.
        holds: Whether the claim holds.
        kind: What it is.
        method: What it credits.
        off: The product's option that switches the method off, or what is broken on purpose.
        cases: How many clips, trajectories or places nothing was tuned on it stands on.
        aim: For an open row, why it fails and what is aimed at.
        without: The measurement with the method off or broken; None where it was not tried or ended in no number.
        fails_without: Whether the claim falls then; None where it was not tried.
    """

    id: str
    claim: str
    paper: float | str | None
    measured: float
    unit: str
    holds: bool
    kind: Kind = "claim"
    method: str = ""
    off: str = ""
    cases: int = 0
    aim: str = ""
    without: float | None = None
    fails_without: bool | None = None

    @property
    def fault(self) -> str:
        """Why this row makes `poise reproduce` fail, an empty string where it does not."""
        if self.kind == "open":
            return "" if self.aim else "is open and has no aim"
        if not self.holds:
            return "does not hold and is not marked open"
        if self.fails_without is False:
            return "survives without its method" if self.kind == "claim" else "survives its deliberate breakage"
        return ""
