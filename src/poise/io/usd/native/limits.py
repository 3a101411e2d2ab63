"""What the child may take: a file that asks for more than files of its size need fails alone."""

from __future__ import annotations

import contextlib

__all__ = ["allow", "limit_all", "limit_reading"]

LEAST_MEMORY, MEMORY_PER_BYTE, MOST_MEMORY = 3 << 29, 16, 3 << 30
"""Address space [bytes]: at first (USD itself maps 1.1 GB), for each byte that is read, and at most."""
LEAST_SECONDS, BYTES_PER_SECOND, MOST_SECONDS = 4, 1 << 20, 600
"""Processor time [s] at first, bytes for each further second, and the most [s]."""


def limit_all() -> None:
    """No more memory than any file needs."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def limit_reading() -> None:
    """What nothing needs; `allow` adds what a file of its size does."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (LEAST_MEMORY, MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (LEAST_SECONDS, MOST_SECONDS))


def allow(size: int) -> None:
    """Room and time for a file of `size` bytes more."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        for what, more in (
            (resource.RLIMIT_AS, MEMORY_PER_BYTE * size),
            (resource.RLIMIT_CPU, size // BYTES_PER_SECOND),
        ):
            soft, hard = resource.getrlimit(what)
            resource.setrlimit(what, (min(soft + more, hard), hard))
