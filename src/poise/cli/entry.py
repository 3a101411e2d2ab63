"""Where the `poise` command starts: before anything heavy is imported, so that Ctrl-C is understood from the first moment."""

from __future__ import annotations

import gc
import sys

__all__ = ["start"]

_BETWEEN_SEARCHES = 50_000
"""Objects made before Python looks for garbage: importing makes none, and looking for it took a tenth of a refusal."""


def start() -> None:
    """Run the command line."""
    gc.set_threshold(_BETWEEN_SEARCHES)
    try:
        from poise.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        sys.exit(130)
