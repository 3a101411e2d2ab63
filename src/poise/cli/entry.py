"""Where the `poise` command starts: before anything heavy is imported, so that Ctrl-C is understood from the first moment."""

from __future__ import annotations

import sys

__all__ = ["start"]


def start() -> None:
    """Run the command line."""
    try:
        from poise.cli.main import main

        main()
    except KeyboardInterrupt:
        sys.stderr.write("error: interrupted\n")
        sys.exit(130)
