"""What is taken of an FBX scene that ufbx has opened, as plain arrays. Imported in the child alone (`bake.py`)."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import ufbx  # type: ignore[import-untyped]

_kept: list[Any] = []
"""All that was ever taken of a scene: the binding crashes when parts of one are freed."""
MOST_KEYS = 20_000_000


def kept(value: Any) -> Any:
    """The value, never to be freed."""
    _kept.append(value)
    return value


def each(values: Any) -> list[Any]:
    """The members of one of the binding's lists."""
    kept(values)
    return [kept(values[number]) for number in range(len(values))]


def scene_arrays(scene: Any) -> bytes:
    """A scene as the bytes of an npz: `header`, JSON, and arrays whose names it gives."""
    nodes = each(kept(scene).nodes)
    parents = [-1] * len(nodes)
    for number, node in enumerate(nodes):
        for child in each(node.children):
            parents[int(child.typed_id)] = number
    arrays: dict[str, Any] = {}
    header: dict[str, Any] = {
        "rate": float(scene.settings.frames_per_second),
        "version": int(scene.metadata.version),
        "unit": float(scene.settings.unit_meters),
        "up": int(scene.settings.axes.up),
        "nodes": [node.name for node in nodes],
        "parents": parents,
        "bones": [number for number, node in enumerate(nodes) if node.attrib_type == ufbx.ElementType.BONE],
        "materials": [_material(material, number, arrays) for number, material in enumerate(each(scene.materials))],
        "meshes": [
            _mesh(mesh, number, arrays) for number, mesh in enumerate(each(scene.meshes)) if len(kept(mesh.instances))
        ],
        "stacks": [],
        "humanik": _humanik(scene),
    }
    places = [kept(node.local_transform) for node in nodes]
    for part, width in (("translation", 3), ("rotation", 4), ("scale", 3)):
        rows = [[getattr(kept(getattr(place, part)), axis) for axis in "xyzw"[:width]] for place in places]
        arrays[part] = np.array(rows, dtype=np.float64)
    for number, stack in enumerate(each(scene.anim_stacks)):
        header["stacks"].append({"name": stack.name, "channels": _stack(scene, stack, number, arrays)})
    arrays["header"] = np.array(json.dumps(header))
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()


def _humanik(scene: Any) -> list[tuple[str, int]]:
    """Slots of the first HumanIK character and the nodes in them."""
    slots: list[tuple[str, int]] = []
    for character in each(scene.characters)[:1]:
        for link in each(character.connections_dst):
            bone, slot = kept(link.src), str(link.dst_prop)
            if slot.endswith("Link") and bone is not None and bone.type == ufbx.ElementType.NODE:
                slots.append((slot.removesuffix("Link"), int(bone.typed_id)))
    return slots


def _material(material: Any, number: int, arrays: dict[str, Any]) -> dict[str, Any]:
    """Color of one material and its image: the file's own into `arrays`, of one beside it what it is called."""
    shade = kept(material.fbx)
    value = kept(kept(shade.diffuse_color).value_vec4)
    result = {"name": material.name, "color": [float(value.x), float(value.y), float(value.z)], "files": []}
    shown = _file_texture(shade.diffuse_color) or _file_texture(kept(material.pbr).base_color)
    if shown is None:
        return result
    content = kept(shown.content)
    if content:
        arrays[f"image{number}"] = np.frombuffer(content, np.uint8)
    see_through = _file_texture(shade.transparency_color) or _file_texture(kept(material.pbr).opacity)
    return result | {"files": [shown.relative_filename, shown.filename], "holes": see_through is not None}


def _file_texture(use: Any) -> Any | None:
    """The image that a property of a material is laid on with; of several layers the first."""
    texture = kept(kept(use).texture)
    files = [] if texture is None else each(texture.file_textures)
    return files[0] if files else None


def _numbered(rows: Any) -> Any:
    """A number per row, the same for rows that are the same."""
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)


def _split(mesh: Any, corners: Any) -> tuple[Any, dict[str, Any]]:
    """The vertex of each corner, one for every point, normal and place on the image; and each vertex's values.

    A vertex of glTF has one of each, a corner of FBX may have its own.
    """
    tables, vertex = {"points": corners}, corners
    for name, width in (("uv", 2), ("normal", 3)):
        layer = kept(getattr(mesh, f"vertex_{name}"))
        values, at = np.array(kept(layer.values), np.float64), np.array(kept(layer.indices), np.int64).reshape(-1)
        values = values.reshape(-1, width).astype(np.float32)
        if len(at) != len(corners) or not len(at) or at.max() >= len(values) or not np.isfinite(values).all():
            continue
        tables[name] = values[at]
        number = _numbered(values)[at]
        vertex = _numbered(vertex * (number.max() + 1) + number)
    _, first, vertex = np.unique(vertex, return_index=True, return_inverse=True)
    return vertex.reshape(-1), {name: table[first] for name, table in tables.items()}


def _mesh(mesh: Any, number: int, arrays: dict[str, Any]) -> dict[str, Any]:
    """Triangles of one mesh, fanned, with the material of each; its vertices; and its skin."""
    faces, corners = np.array(kept(mesh.faces), np.int64).reshape(-1, 2), np.array(kept(mesh.vertex_indices), np.int64)
    counts = np.maximum(faces[:, 1] - 2, 0)
    owner = np.repeat(np.arange(len(faces)), counts)
    within = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    first = faces[owner, 0]
    arrays[f"places{number}"] = np.array(kept(mesh.vertices), np.float64).reshape(-1, 3)
    corners, tables = _split(mesh, corners)
    arrays.update({f"{name}{number}": table for name, table in tables.items()})
    arrays[f"triangles{number}"] = corners[np.stack([first, first + within + 1, first + within + 2], axis=1)]
    used = np.array(kept(mesh.face_material), np.int64)
    arrays[f"materials{number}"] = used[owner] if len(used) == len(faces) else np.zeros(len(owner), np.int64)
    result = {
        "number": number,
        "name": mesh.name,
        "instances": [int(node.typed_id) for node in each(mesh.instances)],
        "materials": [int(material.typed_id) for material in each(mesh.materials)],
        "bones": [],
    }
    binds = []
    for skin in each(mesh.skin_deformers)[:1]:
        for cluster in each(skin.clusters):
            place = len(result["bones"])
            result["bones"].append(int(kept(cluster.bone_node).typed_id))
            matrix = kept(cluster.geometry_to_bone)
            columns = [kept(getattr(matrix, f"c{column}")) for column in range(4)]
            binds.append([[column.x, column.y, column.z, float(at == 3)] for at, column in enumerate(columns)])
            arrays[f"bound{number}_{place}"] = np.array(kept(cluster.vertices), np.int64)
            arrays[f"weights{number}_{place}"] = np.array(kept(cluster.weights), np.float64)
    arrays[f"binds{number}"] = np.array(binds, np.float64).reshape(-1, 4, 4)
    return result


def _stack(scene: Any, stack: Any, number: int, arrays: dict[str, Any]) -> list[tuple[int, str, str]]:
    """Keys of every node that a take moves, at the file's frame rate; which node, what of it, and the arrays' name."""
    rate = float(scene.settings.frames_per_second)
    if (stack.time_end - stack.time_begin) * rate * max(len(scene.nodes), 1) > MOST_KEYS:
        raise ValueError(f"the take {stack.name!r} is too long")
    keyed = kept(
        ufbx.bake_anim(scene, kept(stack.anim), resample_rate=rate, minimum_sample_rate=rate, trim_start_time=True)
    )
    channels: list[tuple[int, str, str]] = []
    for node in each(keyed.nodes):
        for part in ("translation", "rotation", "scale"):
            keys = each(getattr(node, f"{part}_keys"))
            if not keys or (getattr(node, f"constant_{part}") and part == "scale"):
                continue
            name = f"keys{number}_{len(channels)}"
            axes = "xyzw" if part == "rotation" else "xyz"
            values = [kept(key.value) for key in keys]
            arrays[f"{name}t"] = np.array([key.time for key in keys], np.float64)
            arrays[name] = np.array([[getattr(value, axis) for axis in axes] for value in values], np.float64)
            channels.append((int(node.typed_id), part, name))
    return channels
