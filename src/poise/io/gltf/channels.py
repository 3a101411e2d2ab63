"""One animated property of one node: its keys, and its values at given times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.io.gltf.accessors import read_floats
from poise.io.gltf.container import Document
from poise.io.gltf.entry import Entry
from poise.math import quat

__all__ = ["Channel", "read_channels"]

Array = NDArray[np.float64]

WIDTHS = {"rotation": 4, "translation": 3, "scale": 3}
INTERPOLATIONS = ("LINEAR", "STEP", "CUBICSPLINE")


@dataclass(frozen=True, eq=False)
class Channel:
    """Keys of a node's rotation (wxyz), translation or scale.

    `values` is (N, width); `tangents` (N, 2, width), into and out of each key, where the interpolation is CUBICSPLINE.
    """

    node: int
    path: str
    times: Array
    values: Array
    interpolation: str
    tangents: Array | None

    def at(self, times: Array, slack: float) -> Array:
        """Values (T, width) at `times` [s]; a key counts from `slack` before its time. Ends hold."""
        key = np.clip(np.searchsorted(self.times, times + slack, side="right") - 1, 0, len(self.times) - 1)
        after = np.minimum(key + 1, len(self.times) - 1)
        span = self.times[after] - self.times[key]
        part = np.clip((times - self.times[key]) / np.where(after > key, span, 1.0), 0.0, 1.0)
        if self.interpolation == "STEP" or not part.any():
            return self.values[key]
        if self.tangents is not None:
            return self._cubic(key, after, part[:, None], span[:, None])
        a, b = self.values[key], self.values[after]
        return quat.slerp(a, b, part) if self.path == "rotation" else a + (b - a) * part[:, None]

    def _cubic(self, key: NDArray[np.int64], after: NDArray[np.int64], s: Array, span: Array) -> Array:
        assert self.tangents is not None
        a, b = self.values[key], self.values[after]
        leaving, entering = span * self.tangents[key, 1], span * self.tangents[after, 0]
        c, d = s * s, s * s * s
        value: Array = (2 * d - 3 * c + 1) * a + (d - 2 * c + s) * leaving + (3 * c - 2 * d) * b + (d - c) * entering
        return quat.normalize(value) if self.path == "rotation" else value


def _channel(document: Document, animation: Entry, channel: Entry, node: int) -> Channel:
    root = document.root
    path = channel.member("target").text("path")
    samplers = animation.count("samplers")
    sampler = animation.item("samplers", channel.index("sampler", samplers, "samplers"))
    count = root.count("accessors")
    times = read_floats(document, sampler.index("input", count, "accessors"), "SCALAR")[:, 0]
    if (np.diff(times) <= 0.0).any():
        raise sampler.bad(f"key {int(np.argmax(np.diff(times) <= 0.0)) + 1} is not later than the one before", "input")
    interpolation = sampler.text("interpolation", "LINEAR")
    if interpolation not in INTERPOLATIONS:
        raise sampler.bad(f"found {interpolation[:20]!r}; expected {', '.join(INTERPOLATIONS)}", "interpolation")
    width = WIDTHS[path]
    values = read_floats(document, sampler.index("output", count, "accessors"), f"VEC{width}")
    per_key = 3 if interpolation == "CUBICSPLINE" else 1
    if len(values) != per_key * len(times):
        raise sampler.bad(f"{len(times)} keys have {len(values)} values; expected {per_key * len(times)}", "output")
    if path == "rotation":
        values = values[:, [3, 0, 1, 2]]
    values = values.reshape(len(times), per_key, width)
    middle = values[:, per_key // 2]
    if path == "rotation":
        lengths = np.linalg.norm(middle, axis=1)
        if lengths.min() < 1e-6:
            raise sampler.bad(f"key {int(lengths.argmin())} is a quaternion of length 0; expected a rotation", "output")
        middle = middle if per_key == 3 else quat.normalize(middle)
    return Channel(node, path, times, middle, interpolation, values[:, [0, 2]] if per_key == 3 else None)


def read_channels(document: Document, animation: Entry, nodes: set[int]) -> list[Channel]:
    """The channels of an animation that turn, move or scale one of `nodes`.

    Raises:
        InputError: With the JSON path: keys that do not increase, values that are not as many, bad accessors.
    """
    channels = []
    for channel in animation.objects("channels"):
        target = channel.member("target")
        if "node" in target and target.text("path") in WIDTHS:
            node = target.index("node", document.root.count("nodes"), "nodes")
            if node in nodes:
                channels.append(_channel(document, animation, channel, node))
    return channels
