"""Write a character back onto its own USD stage, played by one more animation; all else on it stays as it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.io.gltf.append_animation import check_same_skeleton
from poise.io.gltf.joints import moving_nodes
from poise.io.gltf.read import GltfCharacter
from poise.io.usd.child import ask_to_write
from poise.io.usd.film import Over, film_arrays, onto_stage
from poise.io.usd.joints import JOINT, PRIM, SIGNS
from poise.io.usd.write import identifier
from poise.math import quat
from poise.motion.clip import Clip

__all__ = ["append_to_stage", "own_suffix", "skeleton_prim"]

Array = NDArray[np.float64]

_STILL = 1e-7
"""A prim above the joints that was still stays so where it moves by less than this (file units)."""


def skeleton_prim(original: GltfCharacter) -> str:
    """The path of the character's Skeleton; empty where the file has an animation only."""
    path: str = original.body.document.root.value["extras"]["skeleton"]
    return path


def own_suffix(original: GltfCharacter) -> str:
    """The extension of the file that the character comes back in: its own, or .usdz where it refers to files beside it."""
    return ".usdz" if original.body.document.root.value["extras"]["beside"] else original.path.suffix.lower()


def _placed(places: Array, rotations: Array, scale: Array) -> Array:
    """Transforms (T, 4, 4), translation in the last row, of positions (T, 3), rotations (T, 4) and a scale (3,)."""
    matrices = np.zeros((len(places), 4, 4))
    matrices[:, :3, :3] = (quat.to_matrix(rotations) * scale).transpose(0, 2, 1)
    matrices[:, 3, :3], matrices[:, 3, 3] = places, 1.0
    return matrices


def append_to_stage(
    path: Path, original: GltfCharacter, clip: Clip, name: str = "poise", *, film: Over | None = None
) -> list[str]:
    """Write the original USD file with `clip` as the animation of its skeleton, whole or not at all.

    Everything else on the stage stays as it was, the animations it has too, of which the skeleton now plays the new one. The
    motion begins at the time code at which the old one did.

    Args:
        path: The file. One of that name is replaced.
        original: The character, read from USD.
        clip: The motion, on the original's skeleton.
        name: What to call the animation; numbered where there is one of that name.
        film: What comes to lie over the skin.

    Returns:
        Notes, one line each: why there is no film, where the stage cannot have it.

    Raises:
        InputError: The clip is of another skeleton, the original refers to files beside it and `path` is no .usdz, or the
            file cannot be written.
    """
    try:
        check_same_skeleton(original, clip)
    except InputError as error:
        raise InputError(error.problem, source=original.path) from None
    rest, nodes, root = original.body.rest, original.body.nodes, original.body.document.root
    extras = [node.get("extras", {}) for node in root.value["nodes"]]
    joints, moving = list(rest.joints), moving_nodes(root)
    positions = np.tile(nodes.translations[joints], (len(clip), 1, 1))
    positions[:, clip.translated] = rest.positions_out(clip.translations, clip.translated)
    rotations, scales = rest.rotations_out(clip.rotations), nodes.scales[joints]
    prims, moved = list[str](), list[Array]()
    for at, node in enumerate(joints):
        if PRIM in extras[node]:
            matrices = _placed(positions[:, at], rotations[:, at], scales[at])
            still = _placed(nodes.translations[[node]], nodes.rotations[[node]], nodes.scales[node])
            if node in moving or np.abs(matrices - still).max() > _STILL:
                prims.append(extras[node][PRIM])
                moved.append(matrices)
    own = [at for at, node in enumerate(joints) if JOINT in extras[node]]
    signs = np.array([extras[joints[at]].get(SIGNS, [1.0, 1.0]) for at in own])
    tokens = [extras[joints[at]][JOINT] for at in own]
    header: dict[str, Any] = {"skeleton": skeleton_prim(original), "name": identifier(name), "rate": clip.rate}
    notes, over = list[str](), dict[str, NDArray[Any]]()
    if film is not None:
        onto = onto_stage(film.film, original, film.skeleton)
        if onto is None:
            notes.append(f"no {film.name} in {path.name}: its joints are not those of the motion")
        else:
            header["film"], over = film_arrays(film.name, film.film, *onto)
    arrays = over | {
        "header": np.array(json.dumps(header | {"joints": tokens, "prims": prims})),
        "translations": positions[:, own] * signs[:, [1]],
        "rotations": rotations[:, own][..., [1, 2, 3, 0]],
        "scales": scales[own] * signs[:, [0]],
        "moved": np.stack(moved, axis=1) if moved else np.zeros((len(clip), 0, 4, 4)),
    }
    ask_to_write(path, ["replace", str(original.path.resolve()), path.suffix.lower()], arrays)
    return notes
