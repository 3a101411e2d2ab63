"""Arrays as one compressed block of text inside a page, and the list that says where each of them lies."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Packer"]

Array = NDArray[np.float64]

_WIDEST = 32767
_KINDS = {"float32": "f4", "int8": "i1", "uint8": "u1", "int16": "i2", "uint16": "u2", "uint32": "u4"}


class Packer:
    """Collects arrays; what `add` returns finds them again in the page."""

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._size = 0

    def add(self, array: NDArray[Any]) -> dict[str, Any]:
        """Take an array as it is: `at` [bytes], `kind` and `count`."""
        content = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<")).tobytes()
        entry = {"at": self._size, "kind": _KINDS[array.dtype.name], "count": int(array.size)}
        # Typed arrays of the browser must start at a multiple of their item's size.
        content += b"\0" * (-len(content) % 4)
        self._chunks.append(content)
        self._size += len(content)
        return entry

    def add_track(self, values: Array, reach: float | None = None) -> dict[str, Any]:
        """Take values over time, shape (T, ...), as 16-bit steps from frame to frame, which compress well.

        Each column is spread over the range it has, or over -reach … reach. A motion of 12 m is then good to 0.2 mm.
        """
        columns = values.reshape(len(values), -1).T
        if reach is None:
            low, high = columns.min(axis=1), columns.max(axis=1)
            middle, step = 0.5 * (low + high), np.maximum(high - low, 1e-6) / (2.0 * _WIDEST)
        else:
            middle, step = np.zeros(len(columns)), np.full(len(columns), reach / _WIDEST)
        levels = np.rint((columns - middle[:, None]) / step[:, None]).astype(np.int64)
        changes = np.diff(levels, axis=1, prepend=0).astype(np.int16)
        return {
            "steps": self.add(changes),
            "middle": self.add(middle.astype(np.float32)),
            "step": self.add(step.astype(np.float32)),
        }

    def text(self) -> str:
        """Everything so far, zlib and base64."""
        return base64.b64encode(zlib.compress(b"".join(self._chunks), 9)).decode("ascii")
