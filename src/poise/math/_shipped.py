"""Kernels that come compiled: a wheel made by `make wheel` has an archive of them beside the sources.

Numba takes a kernel from its own cache only where it was compiled for the very processor. Those of the archive were compiled
for any of their kind (`tools/ship_kernels.py`), and give the same bits; the demo's mannequin is in it, too. The archive holds
for one release of Python, numba and llvmlite on one kind of machine, which its name says, and for the sources that it was made
of: where anything differs, kernels are compiled as without it.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import platform
import sys
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core.caching import FunctionCache

__all__ = ["SOURCES", "KernelCache", "archive_name", "entry_name", "kernel_sources", "shipped_file"]

SOURCES = "sources.json"
"""Member of the archive with the digests of the sources."""
_ROOT = Path(__file__).resolve().parents[1]


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of a function's compiled versions on disk, after the archive."""

    def _load_overload(self, signature: Any, target_context: Any) -> Any:
        archive = _archive()
        name = entry_name(self._py_func, signature) if archive else ""
        if archive and name in archive.NameToInfo:
            return self._impl.rebuild(target_context, pickle.loads(archive.read(name)))
        return super()._load_overload(signature, target_context)


def archive_name() -> str:
    """What the archive for this Python on this machine is called."""
    compiler = f"numba{numba.__version__}-llvmlite{llvmlite.__version__}"
    return f"kernels-{sys.implementation.cache_tag}-{compiler}-{sys.platform}-{platform.machine()}.zip"


def entry_name(function: Callable[..., Any], signature: Any) -> str:
    """What one compiled version of a function is called in the archive."""
    code = hashlib.sha256(function.__code__.co_code + str(signature).encode()).hexdigest()
    return f"{function.__module__}.{function.__qualname__}-{code[:32]}"


def kernel_sources(root: Path) -> dict[str, str]:
    """Digests of all sources that have kernels, by their path below the package; line ends do not count."""
    texts = {file.relative_to(root).as_posix(): file.read_bytes() for file in sorted(root.rglob("_*.py"))}
    return {
        name: hashlib.sha256(text.replace(b"\r\n", b"\n")).hexdigest()
        for name, text in texts.items()
        if b"@njit(" in text or name.startswith("math/")
    }


def shipped_file(name: str) -> bytes | None:
    """What else came with the kernels under a name, or None."""
    archive = _archive()
    return archive.read(name) if archive and name in archive.NameToInfo else None


@cache
def _archive() -> zipfile.ZipFile | None:
    """The archive, where there is one that holds for what runs here."""
    file = _ROOT / archive_name()
    try:
        archive = zipfile.ZipFile(file)
        made_of = json.loads(archive.read(SOURCES))
    except (OSError, KeyError, ValueError, zipfile.BadZipFile):
        return None
    return archive if made_of == kernel_sources(_ROOT) else None
