"""How Poise compiles its loops: numba's `njit`, without what costs a first run most.

- A function that other kernels call is compiled for the type of an index, not again for every constant in its place.
- No second entry is made for C code, which nobody calls.
- Python does not look for cycles of garbage meanwhile: numba makes so much that this alone takes a tenth of the time.
- What a wheel brings compiled is loaded (`_shipped.py`).
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numba
from numba import types

from poise.math._shipped import KernelCache

__all__ = ["njit"]


def njit(*signatures: Any, cache: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function when it is first called, with a signature at once; all arguments are those of `numba.njit`."""
    dispatching = numba.njit(no_cfunc_wrapper=True, **options)

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = dispatching(function)
        resolve, compile_version = dispatcher.get_call_template, dispatcher.compile

        def resolve_plain(args: Any, keywords: Any) -> Any:
            """Which version a kernel calls: numba takes 3 in `triple(row, 3)` for a type of its own."""
            plain = {name: types.unliteral(each) for name, each in keywords.items()}
            return resolve([types.unliteral(each) for each in args], plain)

        def compile_undisturbed(signature: Any) -> Any:
            with _no_collection():
                return compile_version(signature)

        dispatcher.get_call_template, dispatcher.compile = resolve_plain, compile_undisturbed
        if cache:
            dispatcher._cache = KernelCache(function)
        for signature in signatures:
            dispatcher.compile(signature)
        if signatures:
            dispatcher.disable_compile()
        return dispatcher

    return decorate


@contextmanager
def _no_collection() -> Iterator[None]:
    """No search for cyclic garbage within."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
