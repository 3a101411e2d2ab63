"""An independent, plain reader of glTF on SciPy, and tiny files; shared by the tests of `io.gltf`."""

from __future__ import annotations

import base64
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation, Slerp

Array = NDArray[np.float64]

TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}


class Naive:
    """A well-formed glTF file: node matrices and skinned vertices at a time, in the file's own frame."""

    def __init__(self, path: Path) -> None:
        content = path.read_bytes()
        self.binary = b""
        if content[:4] == b"glTF":
            size = struct.unpack_from("<I", content, 12)[0]
            self.tree = json.loads(content[20 : 20 + size])
            self.binary = content[28 + size :]
        else:
            self.tree = json.loads(content)
        self.nodes = self.tree["nodes"]
        self.parents = {child: at for at, node in enumerate(self.nodes) for child in node.get("children", [])}

    def numbers(self, index: int) -> NDArray[Any]:
        accessor = self.tree["accessors"][index]
        view = self.tree["bufferViews"][accessor["bufferView"]]
        uri = self.tree["buffers"][view["buffer"]].get("uri")
        content = base64.b64decode(uri.split(",")[1]) if uri else self.binary
        kind, width = np.dtype(KINDS[accessor["componentType"]]), TYPES[accessor["type"]]
        stride = view.get("byteStride", kind.itemsize * width)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        rows = [np.frombuffer(content, kind, width, start + stride * at) for at in range(accessor["count"])]
        return np.stack(rows)

    def key_times(self, animation: int) -> Array:
        times = [self.numbers(sampler["input"]) for sampler in self.tree["animations"][animation]["samplers"]]
        return np.unique(np.concatenate(times).astype(np.float64))

    def local(self, node: int) -> dict[str, Array]:
        entry = self.nodes[node]
        return {
            "translation": np.array(entry.get("translation", [0.0, 0.0, 0.0])),
            "rotation": np.array(entry.get("rotation", [0.0, 0.0, 0.0, 1.0])),
            "scale": np.array(entry.get("scale", [1.0, 1.0, 1.0])),
        }

    def world(self, animation: int | None = None, time: float = 0.0, *, with_scale: bool = True) -> list[Array]:
        """World matrices of the nodes; LINEAR and STEP only."""
        local = [self.local(node) for node in range(len(self.nodes))]
        anim = {"channels": []} if animation is None else self.tree["animations"][animation]
        for channel in anim["channels"]:
            path, sampler = channel["target"]["path"], anim["samplers"][channel["sampler"]]
            if path not in ("translation", "rotation", "scale") or (path == "scale" and not with_scale):
                continue
            times = self.numbers(sampler["input"])[:, 0].astype(np.float64)
            values = self.numbers(sampler["output"]).astype(np.float64)
            if sampler.get("interpolation", "LINEAR") == "STEP" or len(times) == 1:
                value = values[max(0, int(np.searchsorted(times, time + 1e-5, side="right")) - 1)]
            elif path == "rotation":
                value = Slerp(times, Rotation.from_quat(values))(np.clip(time, times[0], times[-1])).as_quat()
            else:
                value = np.array([np.interp(time, times, column) for column in values.T])
            local[channel["target"]["node"]][path] = value
        matrices = []
        for parts, entry in zip(local, self.nodes, strict=True):
            matrix = np.eye(4)
            matrix[:3, :3] = Rotation.from_quat(parts["rotation"]).as_matrix() * parts["scale"]
            matrix[:3, 3] = parts["translation"]
            matrices.append(np.array(entry["matrix"]).reshape(4, 4).T if "matrix" in entry else matrix)

        def up(node: int) -> Array:
            return up(self.parents[node]) @ matrices[node] if node in self.parents else matrices[node]

        return [up(node) for node in range(len(self.nodes))]

    def vertices(self, world: list[Array]) -> Array:
        """World positions of the vertices of all meshes, node by node."""
        result = []
        for at, node in enumerate(self.nodes):
            for primitive in self.tree["meshes"][node["mesh"]]["primitives"] if "mesh" in node else []:
                attributes = primitive["attributes"]
                points = self.numbers(attributes["POSITION"]).astype(np.float64)
                points = np.concatenate([points, np.ones((len(points), 1))], axis=1)
                if "skin" not in node:
                    result.append(points @ world[at][:3].T)
                    continue
                skin = self.tree["skins"][node["skin"]]
                inverse = self.numbers(skin["inverseBindMatrices"]).astype(np.float64).reshape(-1, 4, 4)
                binds = np.array([world[joint] @ inverse[k].T for k, joint in enumerate(skin["joints"])])
                names = sorted(name for name in attributes if name.startswith("JOINTS_"))
                joints = np.concatenate([self.numbers(attributes[name]) for name in names], axis=1)
                weights = np.concatenate(
                    [self.numbers(attributes[name.replace("JOINTS", "WEIGHTS")]) for name in names], axis=1
                ).astype(np.float64)
                weights /= weights.sum(axis=1, keepdims=True)
                result.append(np.einsum("vk,vkij,vj->vi", weights, binds[joints][:, :, :3], points))
        return np.concatenate(result)


class Builder:
    """Puts numbers into a GLB by hand, independently of the writer that is tested."""

    def __init__(self) -> None:
        self.tree: dict[str, Any] = {"asset": {"version": "2.0"}, "accessors": [], "bufferViews": [], "buffers": [{}]}
        self.binary = b""

    def view(self, content: bytes, **more: object) -> int:
        self.binary += b"\0" * (-len(self.binary) % 4)
        view = {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(content), **more}
        self.tree["bufferViews"].append(view)
        self.binary += content
        return len(self.tree["bufferViews"]) - 1

    def accessor(self, values: object, code: int = 5126, **more: object) -> int:
        stored = np.asarray(values, dtype=KINDS[code])
        stored = stored.reshape(len(stored), -1)
        kind = next(name for name, width in TYPES.items() if width == stored.shape[1])
        accessor = {
            "bufferView": self.view(stored.tobytes()),
            "componentType": code,
            "count": len(stored),
            "type": kind,
        }
        self.tree["accessors"].append({**accessor, **more})
        return len(self.tree["accessors"]) - 1

    def glb(self) -> bytes:
        self.tree["buffers"][0].setdefault("byteLength", len(self.binary))
        return glb_bytes(self.tree, self.binary)

    def write(self, path: Path) -> Path:
        path.write_bytes(self.glb())
        return path


def glb_bytes(tree: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x004E4942) + binary
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def quaternion(axis: str, degrees: float) -> list[float]:
    return Rotation.from_euler(axis, degrees, degrees=True).as_quat().tolist()


def tiny() -> Builder:
    """A skinned, animated leg under a turned armature in half metres; node 3 shows the mesh."""
    b = Builder()
    b.tree["nodes"] = [
        {"name": "Armature", "scale": [0.5, 0.5, 0.5], "rotation": quaternion("x", -90), "children": [1]},
        {"name": "hip", "translation": [0.1, 0.2, 2.0], "rotation": quaternion("y", 30), "children": [2]},
        {"name": "knee", "translation": [0, 0, -1], "rotation": quaternion("zx", [40, 10]), "children": [4]},
        {"name": "shown", "mesh": 0, "skin": 0},
        {"name": "foot_end", "translation": [0, 0.1, -1.0]},
    ]
    b.tree["scenes"] = [{"nodes": [0, 3]}]
    knee_first = {"joints": [2, 1], "inverseBindMatrices": 0}
    b.tree["skins"] = [knee_first]
    naive = Naive.__new__(Naive)
    naive.tree, naive.nodes, naive.parents = b.tree, b.tree["nodes"], {1: 0, 2: 1, 4: 2}
    world = naive.world()
    b.accessor([np.linalg.inv(world[joint]).T.ravel() for joint in (2, 1)])
    points = [[0, 0.9, 0.1], [0.2, 0.5, 0.0], [0.1, 0.1, 0.2], [-0.1, 0.3, 0.1]]
    weights = [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25, 0.75, 0, 0], [0.1, 0.9, 0, 0]]
    attributes = {
        "POSITION": b.accessor(points, min=[-0.1, 0.1, 0.0], max=[0.2, 0.9, 0.2]),
        "JOINTS_0": b.accessor([[1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0], [1, 0, 0, 0]], 5121),
        "WEIGHTS_0": b.accessor(weights),
    }
    indices = b.accessor([0, 1, 2, 0, 2, 3], 5123)
    b.tree["meshes"] = [{"primitives": [{"attributes": attributes, "indices": indices}]}]
    times = b.accessor([1.0, 1.05, 1.1, 1.2])
    hip = b.accessor([quaternion("y", 30 + 20 * k) for k in range(4)])
    knee = b.accessor([quaternion("zx", [40 - 25 * k, 10]) for k in range(4)])
    place = b.accessor([[0.1 * k, 0.2, 2.0] for k in range(4)])
    targets = [(1, "rotation", hip), (2, "rotation", knee), (1, "translation", place)]
    b.tree["animations"] = [
        {
            "name": "swing",
            "channels": [{"sampler": k, "target": {"node": n, "path": p}} for k, (n, p, _) in enumerate(targets)],
            "samplers": [{"input": times, "output": output} for _, _, output in targets],
        }
    ]
    return b
