"""Numbers out of buffers: strides, normalised integers, sparse accessors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.io.files import MAX_BYTES
from poise.io.gltf.container import COMPRESSED, Document
from poise.io.gltf.entry import LARGEST, Entry

__all__ = ["read_floats", "read_integers"]

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
SIZES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
MAX_NUMBERS = 1 << 24
"""Most numbers that one accessor may have."""


def _component(entry: Entry) -> np.dtype[Any]:
    code = entry.integer("componentType", high=1 << 16)
    if code not in COMPONENTS:
        raise entry.bad(f"found {code}; expected one of {', '.join(map(str, COMPONENTS))}", "componentType")
    return COMPONENTS[code]


def _view(document: Document, entry: Entry, dtype: np.dtype[Any], count: int, width: int) -> NDArray[Any]:
    """The (count, width) numbers that `bufferView` and `byteOffset` of `entry` point at, as they are stored."""
    root = document.root
    view = root.item("bufferViews", entry.index("bufferView", root.count("bufferViews"), "buffer views"))
    for name in view.member("extensions").value:
        if name in COMPRESSED:
            raise view.bad(f"the data is compressed with {COMPRESSED[name]}, which is not read", "extensions")
    content = document.buffer(view.index("buffer", root.count("buffers"), "buffers"))
    start = view.integer("byteOffset", high=MAX_BYTES, default=0)
    length = view.integer("byteLength", low=1, high=MAX_BYTES)
    if start + length > len(content):
        raise view.bad(f"the view ends at byte {start + length}; its buffer has {len(content)}", "byteLength")
    offset = entry.integer("byteOffset", high=MAX_BYTES, default=0)
    size = width * dtype.itemsize
    stride = view.integer("byteStride", low=1, high=252, default=size) if "byteStride" in view else size
    if stride < size:
        raise view.bad(f"found {stride}; an element takes {size} bytes", "byteStride")
    if offset + stride * (count - 1) + size > length:
        raise entry.bad(f"{count} elements of {size} bytes do not fit into the {length} bytes of their buffer view")
    return np.ndarray((count, width), dtype, content, start + offset, (stride, dtype.itemsize))


def _stored(document: Document, index: int, types: tuple[str, ...]) -> tuple[Entry, NDArray[Any]]:
    entry = document.root.item("accessors", index)
    kind = entry.text("type")
    if kind not in types:
        raise entry.bad(f"found {kind[:20]!r}; expected {' or '.join(types)}", "type")
    width, dtype = SIZES[kind], _component(entry)
    count = entry.integer("count", low=1, high=MAX_NUMBERS // width)
    if "bufferView" in entry:
        values = _view(document, entry, dtype, count, width)
    elif "sparse" in entry:
        values = np.zeros((count, width), dtype)
    else:
        raise entry.bad("the accessor has no data; expected a buffer view or sparse values")
    if "sparse" in entry:
        sparse = entry.member("sparse")
        changed = sparse.integer("count", low=1, high=count)
        places = sparse.member("indices")
        at = _view(document, places, _component(places), changed, 1)[:, 0].astype(np.int64)
        if at.min() < 0 or at.max() >= count:
            raise places.bad(f"an index lies outside 0…{count - 1}")
        values = values.copy()
        values[at] = _view(document, sparse.member("values"), dtype, changed, width)
    return entry, values


def read_floats(document: Document, index: int, *types: str) -> NDArray[np.float64]:
    """Accessor `index` as numbers (count, width); integers that are marked as normalised become -1…1 or 0…1.

    Raises:
        InputError: With the JSON path, where the accessor is of another type, does not fit its data or holds a number
            that is not finite or not believable.
    """
    entry, stored = _stored(document, index, types)
    with np.errstate(invalid="ignore"):  # signalling NaNs
        values = stored.astype(np.float64)
    if not (np.abs(values) <= LARGEST).all():
        element = int(np.argmax(~(np.abs(values) <= LARGEST).all(axis=1)))
        raise entry.bad(f"element {element} is not finite or above {LARGEST:g} in size")
    if entry.value.get("normalized") is True and stored.dtype.kind in "iu":
        values = np.maximum(values / np.iinfo(stored.dtype).max, -1.0)
    return values


def read_integers(document: Document, index: int, *types: str) -> NDArray[np.int64]:
    """Accessor `index` as whole numbers (count, width); raises `InputError` where it holds something else."""
    entry, stored = _stored(document, index, types)
    if stored.dtype.kind != "u":
        raise entry.bad("the numbers are not unsigned integers", "componentType")
    return stored.astype(np.int64)
