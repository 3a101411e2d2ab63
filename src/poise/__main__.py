"""`python -m poise` is `poise`."""

from __future__ import annotations

from poise.cli.entry import start

__all__ = ["start"]

if __name__ == "__main__":
    start()
