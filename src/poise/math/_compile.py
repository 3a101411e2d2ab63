"""How Poise compiles its loops: numba's `njit`, without two things that cost a first run a third of its kernels.

- A function that other kernels call is compiled for the type of an index, not again for every constant in its place.
- No second entry is made for C code, which nobody calls.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types

__all__ = ["njit"]


def njit(*signature: Any, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function when it is first called; signature and options are those of `numba.njit`."""
    compiled = numba.njit(*signature, no_cfunc_wrapper=True, **options)

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = compiled(function)
        resolve = dispatcher.get_call_template

        def resolve_plain(args: Any, keywords: Any) -> Any:
            """Which version a kernel calls: numba takes 3 in `triple(row, 3)` for a type of its own."""
            plain = {name: types.unliteral(each) for name, each in keywords.items()}
            return resolve([types.unliteral(each) for each in args], plain)

        dispatcher.get_call_template = resolve_plain
        return dispatcher

    return decorate
