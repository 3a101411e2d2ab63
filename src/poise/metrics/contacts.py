"""How often and how hard things hit, from the impulses the world recorded."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.metrics._arrays import Array, checked, checked_indices

__all__ = ["ContactLog", "ContactSummary", "contact_summary"]


@dataclass(frozen=True, eq=False)
class ContactLog:
    """Contacts over a run, one row per tick and touching pair.

    Args:
        names: Name of each pair that may occur, each once.
        ticks: Tick of each row, shape (N,), not negative.
        pairs: Index into `names` of each row, shape (N,).
        impulses: Size of the impulse over the tick [N s], shape (N,).
        peaks: Largest force within the tick [N], shape (N,).
        times: Time of first touch within the tick [s], shape (N,).

    Raises:
        InputError: Shapes disagree, a name occurs twice, or an index is out of range.
    """

    names: tuple[str, ...]
    ticks: NDArray[np.int64]
    pairs: NDArray[np.int64]
    impulses: Array
    peaks: Array
    times: Array

    def __post_init__(self) -> None:
        if len(set(self.names)) != len(self.names):
            raise InputError("names of contact pairs must be unique")
        set_ = object.__setattr__
        set_(self, "ticks", checked_indices("ticks", self.ticks, np.iinfo(np.int64).max, None))
        count = len(self.ticks)
        set_(self, "pairs", checked_indices("contact pairs", self.pairs, len(self.names), count))
        for name in ("impulses", "peaks", "times"):
            set_(self, name, checked(f"contact {name}", getattr(self, name), count))


@dataclass(frozen=True)
class ContactSummary:
    """What the contacts of a run, or of one pair, came to: `contact_summary`.

    `first_s` is NaN where nothing touched.
    """

    impulse_n_s: float
    peak_n: float
    hits: int
    first_s: float


def contact_summary(log: ContactLog) -> tuple[ContactSummary, dict[str, ContactSummary]]:
    """The whole run, and each pair that touched by name, in the order of `log.names`.

    The impulse is the sum of the rows' sizes [N s] (for a steady load, force times time), the peak the largest row's
    [N]. A hit begins where a pair touches in a tick but not in the one before; hits of the run are those of its pairs.
    Several rows of one pair in one tick add up. A footfall of an adult peaks at about 1.1 (walking) to 2.5 (running)
    times body weight.
    """
    by_pair = {log.names[k]: _summary(log, log.pairs == k) for k in np.unique(log.pairs)}
    total = _summary(log, np.ones(len(log.ticks), np.bool_), hits=sum(each.hits for each in by_pair.values()))
    return total, by_pair


def _summary(log: ContactLog, rows: NDArray[np.bool_], hits: int | None = None) -> ContactSummary:
    if hits is None:
        hits = int(np.sum(np.diff(np.unique(log.ticks[rows])) > 1)) + 1
    return ContactSummary(
        impulse_n_s=float(log.impulses[rows].sum()),
        peak_n=float(log.peaks[rows].max(initial=0.0)),
        hits=hits,
        first_s=float(log.times[rows].min()) if rows.any() else float("nan"),
    )
