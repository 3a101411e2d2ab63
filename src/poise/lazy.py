"""Packages whose public names are imported when they are first asked for (PEP 562).

A program that only reads a file, or refuses an option, must not load MuJoCo, numba or SciPy for it: they take seconds. So a
package names its modules and what is in them, and each is imported with the first of its names:

    if TYPE_CHECKING:
        from poise.motion.clip import Clip
    else:
        __getattr__, __dir__ = lazy_names(__name__, {"poise.motion.clip": ("Clip",)})

Type checkers and the layer test read the imports; the branch that runs reads the table. `tests/test_lazy.py` keeps them equal.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any

__all__ = ["LazyModule", "lazy_names", "pays_to_compile"]


def lazy_names(
    package: str, modules: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__getattr__` and `__dir__`.

    Args:
        package: Its `__name__`.
        modules: Full names of modules, and the names to take from each. None may be called as a module of the package is:
            importing that would put the module in the name's place.
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, names


class LazyModule:
    """A module that is imported when the first of its names is asked for: compiled loops, for which numba is loaded.

        if TYPE_CHECKING:
            from poise.control import _kernels
        else:
            _kernels = LazyModule("poise.control._kernels")

    An import within a function does the same, but is looked up anew in every call, which a tick need not pay for.

    Args:
        name: Full name of the module.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        # Who looks into objects (inspect, copy) asks for such names of all there are.
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(import_module(self._name), name)
        setattr(self, name, value)
        return value


def pays_to_compile(work: int, least: int, never: int = 0) -> bool:
    """Whether a compiled loop is to be taken where NumPy gives the same bits: numba is loaded already, or there is much to do.

    Args:
        work: How much there is to do.
        least: Of the same, what NumPy does in the time that numba takes to be loaded.
        never: What NumPy does so soon that a loop need not be compiled for it, which takes a second on a new machine.
    """
    return work >= never and ("numba" in sys.modules or work >= least)
