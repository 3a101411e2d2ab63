"""The animations of a USD file as those of a glTF document."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown
from poise.io.gltf.animation import FRAME_RATE
from poise.io.gltf.pack import Packer
from poise.io.usd.joints import Joints, from_matrices
from poise.math import quat

__all__ = ["add_takes"]

Array = NDArray[np.float64]


def _channels(track: dict[str, Any], arrays: dict[str, NDArray[Any]]) -> list[tuple[str, Array]]:
    """What a track moves, with values (T, nodes, 3 or 4)."""
    values = arrays[track["array"]]
    if track["part"] != "matrix":
        return [(track["part"], values)]
    places, rotations, scales = from_matrices(values)
    parts = {"translation": places, "rotation": rotations[:, [1, 2, 3, 0]], "scale": scales}
    return [(part, found[:, None]) for part, found in parts.items()]


def _turns(take: dict[str, Any], arrays: dict[str, NDArray[Any]], count: int) -> Array:
    """What each node's rotations are turned by at the end, as its scales have signs: half turns xyzw, shape (nodes, 4)."""
    turns = np.tile([0.0, 0.0, 0.0, 1.0], (count, 1))
    for track in take["tracks"]:
        if track["part"] == "scale":
            nodes = np.array(track["nodes"], np.int64)
            signs = np.where(arrays[track["array"]][0] < 0.0, -1.0, 1.0)
            alike = signs * np.prod(signs, axis=1, keepdims=True)  # two or none are negative
            axis = np.where(alike.min(axis=1) < 0.0, np.argmax(alike, axis=1), 3)
            turns[nodes[nodes >= 0]] = np.eye(4)[axis[nodes >= 0]]
    return turns


def _plain(part: str, values: Array, nodes: list[int], signs: Array, turns: Array) -> Array:
    """Values of joints as they are where nothing mirrors."""
    if part == "translation":
        return values * signs[nodes, None]
    if part == "scale":
        return np.abs(values)
    turned = quat.mul(values[..., [3, 0, 1, 2]], turns[nodes][:, [3, 0, 1, 2]])
    return turned[..., [1, 2, 3, 0]]


def add_takes(packer: Packer, header: dict[str, Any], arrays: dict[str, NDArray[Any]], rig: Joints) -> None:
    """Every animation of the header; its first key is at time 0."""
    signs = np.concatenate([np.ones(header["first"]), rig.above])
    for take in header["animations"]:
        moving = [arrays[f"{track['array']}t"] for track in take["tracks"] if not track["still"]]
        start = min((float(times[0]) for times in moving), default=0.0)
        turns = _turns(take, arrays, len(signs))
        samplers, channels = list[dict[str, Any]](), list[dict[str, Any]]()
        known: dict[bytes, int] = {}
        for track in take["tracks"]:
            times = np.zeros(1) if track["still"] else (arrays[f"{track['array']}t"] - start) / header["codes"]
            if times.tobytes() not in known:
                known[times.tobytes()] = packer.accessor(times[:, None], "f4", bounds=True)
            there = [at for at, node in enumerate(track["nodes"]) if node >= 0]
            nodes = [track["nodes"][at] for at in there]
            for part, values in _channels(track, arrays):
                found = values[:, there]
                if not np.isfinite(found).all():
                    raise InputError(f"the animation {shown(take['name'])} has a {part} that is no finite number")
                if track["part"] != "matrix":
                    found = _plain(part, found, nodes, signs, turns)
                outputs = packer.accessors(found.transpose(1, 0, 2), "f4")
                for node, output in zip(nodes, outputs, strict=True):
                    samplers.append({"input": known[times.tobytes()], "output": output, "interpolation": "LINEAR"})
                    channels.append({"sampler": len(samplers) - 1, "target": {"node": node + 1, "path": part}})
        if channels:
            extras = {} if header["rate"] is None else {FRAME_RATE: header["rate"]}
            name = take["name"]
            packer.append("animations", {"name": name, "channels": channels, "samplers": samplers, "extras": extras})
