"""Layer 6: what the papers claim, measured.

One package per paper. A check is a function without arguments that measures one claim and returns a `Row`; the package
lists its checks in `CHECKS`, and `PAPERS` lists the packages. A picture is a function that draws one experiment into a folder
and returns the file; `PICTURES` lists those.
"""

from poise.reproductions.registry import PAPERS, PICTURES, draw_pictures, run_checks
from poise.reproductions.row import Row

__all__ = ["PAPERS", "PICTURES", "Row", "draw_pictures", "run_checks"]
