"""Write a clip as a USD stage of Poise's own: skeleton, animation and, where there is one, the skin."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.axes import Axes
from poise.io.usd.child import ask_to_write
from poise.io.usd.film import Over, film_arrays
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh, bind_at

__all__ = ["identifier", "write_usd"]

Array = NDArray[np.float64]

AXES = Axes("y", 1.0)
"""What Poise writes is Y up, Z forward, in metres, as most programs that take USD want it."""
PLAIN = {"color": [0.75, 0.71, 0.66], "image": None, "holes": False}


def identifier(name: str) -> str:
    """A name that USD allows for a prim or a joint."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name) or "_"
    return f"_{plain}" if plain[0].isdigit() else plain


def _tokens(names: list[str], parents: list[int]) -> list[str]:
    """A path per joint, each once."""
    taken, tokens = set[str](), list[str]()
    for name, parent in zip(names, parents, strict=True):
        above = f"{tokens[parent]}/" if parent >= 0 else ""
        token = above + identifier(name)
        while token in taken:
            token += "_"
        taken.add(token)
        tokens.append(token)
    return tokens


def _transforms(places: Array) -> Array:
    """Translations (J, 3) as transforms (J, 4, 4), translation in the last row."""
    matrices = np.tile(np.eye(4), (len(places), 1, 1))
    matrices[:, 3, :3] = places
    return matrices


def _bind(skeleton: Skeleton, mesh: SkinnedMesh | None) -> Array:
    """Where each joint stands when the mesh is bound, (J, 4, 4) in the file's frame, translation in the last row."""
    inverse = bind_at(skeleton) if mesh is None else mesh.inverse_bind
    turn = np.eye(4)
    turn[:3, :3] = AXES.lengths_out(np.eye(3)).T
    try:
        bind = np.linalg.inv(turn @ inverse @ turn.T)
    except np.linalg.LinAlgError:
        raise InputError("the mesh has a bind transform without inverse") from None
    return np.array(bind.transpose(0, 2, 1), dtype=np.float64)


def _extent(clip: Clip, mesh: SkinnedMesh | None) -> Array:
    """The lowest and the highest corner of all that is ever seen, generously."""
    joints, _ = clip.world_positions()
    reach = 0.1
    if mesh is not None:
        at_rest = -bind_at(clip.skeleton)[:, :3, 3]
        reach += float(np.linalg.norm(np.maximum(np.ptp(mesh.vertices, axis=0) - np.ptp(at_rest, axis=0), 0.0)))
    return np.array([joints.min(axis=(0, 1)) - reach, joints.max(axis=(0, 1)) + reach])


def _mesh_arrays(mesh: SkinnedMesh, arrays: dict[str, Any]) -> list[dict[str, Any]]:
    """The mesh into `arrays`; returns its materials, the last of which is for what has none."""
    assert mesh.normals is not None
    arrays["vertices"], arrays["normals"] = AXES.lengths_out(mesh.vertices), AXES.lengths_out(mesh.normals)
    if mesh.uvs is not None:
        arrays["uvs"] = mesh.uvs
    arrays |= {"joints": mesh.joints, "weights": mesh.weights, "triangles": mesh.triangles}
    looks: list[dict[str, Any]] = []
    for at, material in enumerate(mesh.materials):
        image = None
        if material.image is not None and mesh.uvs is not None:
            image = f"image_{at}"
            arrays[image] = np.frombuffer(material.image, dtype=np.uint8)
        looks.append({"color": list(material.color), "image": image, "holes": material.holes})
    known = (mesh.triangle_materials >= 0) & (mesh.triangle_materials < len(looks))
    arrays["looks"] = np.where(known, mesh.triangle_materials, len(looks))
    return [*looks, PLAIN]


def write_usd(path: Path, clip: Clip, mesh: SkinnedMesh | None = None, *, film: Over | None = None) -> list[str]:
    """Write `clip`, on the given mesh, as a USD stage of its own, whole or not at all.

    Every joint has a sample at every frame; end sites are joints that no animation moves. Names that USD does not allow are
    kept as `jointNames`.

    Args:
        path: A .usd, .usda, .usdc or .usdz file. One of that name is replaced.
        clip: The motion.
        mesh: The mesh, bound to the clip's skeleton; without it the file has joints and motion only.
        film: What comes to lie over it.

    Returns:
        Notes, one line each, on what could not be written: images, other than into .usdz.

    Raises:
        InputError: The mesh was bound to another number of joints, or the file cannot be written.
    """
    skeleton = clip.skeleton
    count = len(skeleton)
    if mesh is not None and len(mesh.inverse_bind) != count:
        raise InputError(
            f"the mesh is bound to {len(mesh.inverse_bind)} joints; the clip's skeleton has {count}", source=path
        )
    names = [*skeleton.names, *(f"{skeleton.names[joint]}_end" for joint in skeleton.end_parents)]
    parents = [*skeleton.parents.tolist(), *skeleton.end_parents.tolist()]
    tokens = _tokens(names, parents)
    places = AXES.lengths_out(np.concatenate([skeleton.offsets, skeleton.end_offsets]))
    bind = _bind(skeleton, mesh)
    ends = _transforms(places[count:]) @ bind[skeleton.end_parents]
    positions = np.tile(places[:count], (len(clip), 1, 1))
    positions[:, clip.translated] = AXES.lengths_out(clip.translations)
    low, high = np.sort(AXES.lengths_out(_extent(clip, mesh)), axis=0)
    arrays: dict[str, Any] = {
        "bind": np.concatenate([bind, ends]),
        "rest": _transforms(places),
        "extent": np.array([low, high]),
        "translations": positions,
        "rotations": AXES.rotations_out(clip.rotations)[..., [1, 2, 3, 0]],
        "scales": np.ones((count, 3)),
    }
    materials = [] if mesh is None else _mesh_arrays(mesh, arrays)
    header: dict[str, Any] = {
        "character": "Character",
        "name": identifier(clip.name or "motion"),
        "rate": clip.rate,
        "frames": len(clip),
        "joints": tokens,
        "names": names,
        "moving": tokens[:count],
        "materials": materials,
    }
    if film is not None:
        header["film"], over = film_arrays(film.name, film.film, tokens[:count], np.eye(4))
        arrays |= over
    ask_to_write(path, ["make", path.suffix.lower()], arrays | {"header": np.array(json.dumps(header))})
    left_out = path.suffix.lower() != ".usdz" and any(look["image"] is not None for look in materials)
    return ["images of the skin are written into .usdz only; the file has its colors"] if left_out else []
