"""Layer 6: what the papers claim, measured.

One package per paper. A check is a function without arguments that measures one claim and returns a `Row`; the package
lists its checks in `CHECKS`, and `PAPERS` lists the packages.
"""

from poise.reproductions.registry import PAPERS, run_checks
from poise.reproductions.row import Row

__all__ = ["PAPERS", "Row", "run_checks"]
