"""What is measured, by name: papers, and what else there is."""

from __future__ import annotations

from poise.errors import unknown_name

__all__ = ["PAPER_NAMES", "check_paper"]

PAPER_NAMES = (
    "alvarado2022",
    "bermudez2018",
    "hu2024",
    "vaillant2017",
    "vanwelbergen2009",
    "compliant",
    "motion",
)
"""Each is a package with `CHECKS` and `PICTURES`."""


def check_paper(name: str | None) -> None:
    """Raise `InputError` where a name is none of `PAPER_NAMES`; None stands for all of them."""
    if name is not None and name not in PAPER_NAMES:
        raise unknown_name("paper", name, PAPER_NAMES)
