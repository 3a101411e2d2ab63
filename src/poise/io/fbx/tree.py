"""The outside of a binary FBX file: a tree of named nodes with values."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.io.files import MAX_BYTES

__all__ = ["FbxNode", "parse_fbx"]

MAGIC = b"Kaydara FBX Binary  "
OLDEST, WIDE = 7000, 7500
"""Oldest version that is read, and the first whose offsets have 64 bits."""
DEEPEST = 64
SINGLE = {"Y": "<h", "C": "<b", "I": "<i", "F": "<f", "D": "<d", "L": "<q", "B": "<b"}
ARRAYS = {"f": "<f4", "d": "<f8", "l": "<i8", "i": "<i4", "b": "<i1", "c": "<u1"}


@dataclass(frozen=True, eq=False)
class FbxNode:
    """A node: its name, its values (numbers, bytes or arrays) and the nodes below it."""

    name: str
    values: tuple[Any, ...]
    children: tuple[FbxNode, ...]

    def all(self, name: str) -> list[FbxNode]:
        """The nodes called `name` directly below."""
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> FbxNode | None:
        """The first of them."""
        return next(iter(self.all(name)), None)

    def array(self, name: str, kind: str) -> np.ndarray[Any, Any]:
        """The numbers of the first node called `name`; none where it is missing."""
        node = self.first(name)
        values = node.values[0] if node is not None and node.values else ()
        return np.array(values, dtype=kind).ravel()

    def properties(self) -> dict[str, tuple[Any, ...]]:
        """The values of its property table by name."""
        table = self.first("Properties70")
        rows = [] if table is None else table.all("P")
        return {text_of(row.values[0]): row.values[4:] for row in rows if len(row.values) > 4}


def text_of(value: Any) -> str:
    """A value as text, without the kind that is put behind names."""
    return value.split(b"\0")[0].decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


class _Reader:
    def __init__(self, content: bytes, version: int) -> None:
        self.content = content
        self.head = "<QQQB" if version >= WIDE else "<IIIB"
        self.size = struct.calcsize(self.head)

    def node(self, at: int, limit: int, depth: int = 0) -> tuple[FbxNode | None, int]:
        """The node at a place and where the next one is; None for the end of a list."""
        end, count, _, length = struct.unpack_from(self.head, self.content, at)
        if end == 0:
            return None, at + self.size
        if not at < end <= limit or depth > DEEPEST:
            raise InputError("a node does not end within the file", place=f"byte {at}")
        at += self.size
        name, at, values = self.content[at : at + length].decode("ascii", "replace"), at + length, []
        for _ in range(count):
            value, at = self.value(at)
            values.append(value)
        children = []
        while at < end:
            child, at = self.node(at, end, depth + 1)
            if child is not None:
                children.append(child)
        return FbxNode(name, tuple(values), tuple(children)), end

    def value(self, at: int) -> tuple[Any, int]:
        kind, at = chr(self.content[at]), at + 1
        if kind in SINGLE:
            return struct.unpack_from(SINGLE[kind], self.content, at)[0], at + struct.calcsize(SINGLE[kind])
        if kind in "SR":
            (size,) = struct.unpack_from("<I", self.content, at)
            return self.content[at + 4 : at + 4 + size], at + 4 + size
        if kind not in ARRAYS:
            raise InputError(f"found a value of kind {kind!r}", place=f"byte {at - 1}")
        count, packed, size = struct.unpack_from("<III", self.content, at)
        data = self.content[at + 12 : at + 12 + size]
        expected = count * np.dtype(ARRAYS[kind]).itemsize
        if expected > MAX_BYTES:
            raise InputError(f"an array has {count} numbers", place=f"byte {at}")
        if packed:
            data = zlib.decompressobj().decompress(data, expected + 1)
        if len(data) != expected:
            raise InputError(f"an array has {len(data)} bytes; expected {expected}", place=f"byte {at}")
        return np.frombuffer(data, ARRAYS[kind]), at + 12 + size


def parse_fbx(content: bytes) -> FbxNode:
    """The whole file as one node without a name.

    Raises:
        InputError: It is not a binary FBX of version 7, or it is damaged.
    """
    if content.lstrip()[:1] == b";":
        raise InputError("this FBX is text; only binary FBX files are read")
    if content[: len(MAGIC)] != MAGIC or len(content) < 32:
        raise InputError("this is not an FBX file")
    (version,) = struct.unpack_from("<I", content, 23)
    if not OLDEST <= version < 8000:
        raise InputError(f"found FBX version {version}; expected {OLDEST} to 7999")
    reader, at, children = _Reader(content, version), 27, list[FbxNode]()
    try:
        while True:
            child, at = reader.node(at, len(content))
            if child is None:
                return FbxNode("", (), tuple(children))
            children.append(child)
    except (struct.error, zlib.error, IndexError) as error:
        raise InputError(f"the FBX is damaged ({error})", place=f"byte {at}") from None
