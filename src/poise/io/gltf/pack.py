"""Numbers into a glTF file: accessors and buffer views that are appended to what is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.io.gltf.animation import FRAME_RATE
from poise.io.gltf.container import join_glb

__all__ = ["INDICES", "VERTICES", "Packer"]

Array = NDArray[np.float64]

VERTICES, INDICES = 34962, 34963
"""What a buffer view is for, in OpenGL's numbers."""
COMPONENTS = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
TYPES = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Packer:
    """Appends to a JSON tree and its one buffer.

    Args:
        tree: The JSON; its lists grow.
        binary: What the buffer holds already.
    """

    def __init__(self, tree: dict[str, Any], binary: bytes = b"") -> None:
        self.tree = tree
        self._pieces = [binary, b"\0" * (-len(binary) % 4)]
        self._size = sum(map(len, self._pieces))

    def append(self, key: str, value: dict[str, Any]) -> int:
        """Append to the list called `key`; returns the index."""
        values: list[dict[str, Any]] = self.tree.setdefault(key, [])
        values.append(value)
        return len(values) - 1

    def view(self, content: bytes, target: int | None = None) -> int:
        """A buffer view of new bytes."""
        view = {"buffer": 0, "byteOffset": self._size, "byteLength": len(content)}
        padding = b"\0" * (-len(content) % 4)
        self._pieces += [content, padding]
        self._size += len(content) + len(padding)
        return self.append("bufferViews", view if target is None else {**view, "target": target})

    def accessors(
        self, blocks: NDArray[Any], kind: str, *, target: int | None = None, bounds: bool = False
    ) -> list[int]:
        """An accessor for each of the K blocks (K, count, width) of numbers, all in one buffer view.

        Args:
            blocks: The numbers.
            kind: "u1", "u2", "u4" or "f4".
            target: What the buffer view is for.
            bounds: Whether to state the smallest and largest values.
        """
        stored = np.ascontiguousarray(blocks, dtype=np.dtype(f"<{kind}"))
        view = self.view(stored.tobytes(), target)
        accessors = []
        for at, block in enumerate(stored):
            accessor = {
                "bufferView": view,
                "byteOffset": at * block.nbytes,
                "componentType": COMPONENTS[kind],
                "count": len(block),
                "type": TYPES[block.shape[1]],
            }
            if bounds:
                accessor |= {"min": block.min(axis=0).tolist(), "max": block.max(axis=0).tolist()}
            accessors.append(self.append("accessors", accessor))
        return accessors

    def accessor(self, values: NDArray[Any], kind: str, *, target: int | None = None, bounds: bool = False) -> int:
        """One accessor of numbers (count, width)."""
        return self.accessors(values[None], kind, target=target, bounds=bounds)[0]

    def sparse(self, count: int, places: NDArray[np.int64], values: Array) -> int:
        """An accessor of `count` vectors that are 0 but at some places, rising, (n,), where they are `values` (n, 3)."""
        where = {"bufferView": self.view(places.astype("<u4").tobytes()), "componentType": COMPONENTS["u4"]}
        what = {"bufferView": self.view(values.astype("<f4").tobytes())}
        stored = values.astype("<f4")
        accessor = {
            "componentType": COMPONENTS["f4"],
            "count": count,
            "type": TYPES[3],
            "sparse": {"count": len(places), "indices": where, "values": what},
            "min": np.minimum(stored.min(axis=0), 0.0).tolist(),
            "max": np.maximum(stored.max(axis=0), 0.0).tolist(),
        }
        return self.append("accessors", accessor)

    def animate(
        self, name: str, rate: float, rotations: Array, turned: Sequence[int], positions: Array, moved: Sequence[int]
    ) -> None:
        """An animation with LINEAR keys at every frame.

        Args:
            name: Its name.
            rate: Frames per second [Hz].
            rotations: Local rotations wxyz, sign-continuous, shape (T, J, 4).
            turned: The J nodes they are for.
            positions: Local positions, shape (T, K, 3).
            moved: The K nodes they are for.
        """
        times = self.accessor((np.arange(len(rotations)) / rate)[:, None], "f4", bounds=True)
        keys = self.accessors(rotations[..., [1, 2, 3, 0]].transpose(1, 0, 2), "f4")
        paths = [(node, "rotation") for node in turned]
        if len(moved):
            keys += self.accessors(positions.transpose(1, 0, 2), "f4")
            paths += [(node, "translation") for node in moved]
        channels = [
            {"sampler": at, "target": {"node": int(node), "path": path}} for at, (node, path) in enumerate(paths)
        ]
        samplers = [{"input": times, "output": output, "interpolation": "LINEAR"} for output in keys]
        extras = {FRAME_RATE: rate}
        self.append("animations", {"name": name, "channels": channels, "samplers": samplers, "extras": extras})

    def to_glb(self) -> bytes:
        """The file."""
        if not self.tree.get("buffers"):
            self.tree["buffers"] = [{}]
        self.tree["buffers"][0]["byteLength"] = self._size
        return join_glb(self.tree, b"".join(self._pieces))
