"""A check: how a row is measured, with the method that it credits and with that switched off."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from poise.reproductions.row import Kind, Row
from poise.world.world import Divergence

__all__ = ["Check", "Measure", "Trial", "claim", "invariant", "open_row"]


@dataclass(frozen=True)
class Trial:
    """How a check is run.

    Args:
        on: Whether the credited method is at work; otherwise it is switched off, or the invariant broken.
        quick: Whether a sample will do: shipped clips and 20 seeds.
    """

    on: bool = True
    quick: bool = False

    def seeds(self, count: int) -> range:
        """The seeds of `count` trajectories that nothing was tuned on."""
        return range(min(count, 20) if self.quick else count)

    @property
    def off(self) -> bool:
        """Whether the method is switched off."""
        return not self.on


Measure = Callable[[Trial], Row]


@dataclass(frozen=True, eq=False)
class Check:
    """A function that measures, and what it is about; see `Row` for the fields."""

    measure: Measure
    kind: Kind
    method: str
    off: str
    cases: int = 0
    aim: str = ""

    def __call__(self) -> Row:
        """The row, measured once."""
        return self.row()

    def row(self, *, ablate: bool = False, quick: bool = False) -> Row:
        """The row, measured once, or with `ablate` a second time with the method off; an open row only once."""
        row = self.measure(Trial(quick=quick))
        # Checks may give NumPy's numbers, which JSON does not know.
        row = row._replace(measured=float(row.measured), holds=bool(row.holds))
        row = row._replace(kind=self.kind, method=self.method, off=self.off, cases=self.cases, aim=self.aim)
        if not ablate or self.kind == "open":
            return row
        try:
            other = self.measure(Trial(on=False, quick=quick))
        except Divergence:
            return row._replace(fails_without=True)
        without = float(other.measured) if math.isfinite(other.measured) else None
        return row._replace(without=without, fails_without=not other.holds)


def claim(method: str, *, off: str, cases: int = 0) -> Callable[[Measure], Check]:
    """A check that must fail when `method` is switched off by the product's option `off`."""
    return lambda measure: Check(measure, "claim", method, off, cases)


def invariant(method: str, *, broken: str, cases: int = 0) -> Callable[[Measure], Check]:
    """A check that holds by construction and must fail under the deliberate breakage `broken`."""
    return lambda measure: Check(measure, "invariant", method, broken, cases)


def open_row(method: str, *, aim: str, cases: int = 0) -> Callable[[Measure], Check]:
    """A check that fails today, with why and what is aimed at."""
    return lambda measure: Check(measure, "open", method, "", cases, aim)
