"""Layer 8: what the papers claim, measured.

One package per paper. A check is a function that measures one claim and returns a `Row`, decorated with what it credits and
how that is switched off (`claim`), with what breaks it (`invariant`), or with why it fails today (`open_row`). The package
lists its checks in `CHECKS`, and `PAPERS` lists the packages. A picture is a function that draws one experiment into a folder
and returns the file; `PICTURES` lists those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.reproductions.check import Check
    from poise.reproductions.registry import PAPERS, PICTURES, draw_pictures, run_checks
    from poise.reproductions.row import Row
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.reproductions.check": ("Check",),
            "poise.reproductions.registry": (
                "PAPERS",
                "PICTURES",
                "draw_pictures",
                "run_checks",
            ),
            "poise.reproductions.row": ("Row",),
        },
    )

__all__ = ["PAPERS", "PICTURES", "Check", "Row", "draw_pictures", "run_checks"]
