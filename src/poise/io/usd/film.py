"""What comes to lie over a skin by and by, for a USD stage: blend shapes of a mesh on the character's own skeleton.

As in a GLB (`poise.io.gltf.film`): what is not yet there is shrunk to specks under the skin, and each step is a blend shape
that brings its triangles out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import Axes
from poise.io.gltf.film import Film, at_rest, coming_out
from poise.io.gltf.read import GltfCharacter
from poise.io.usd.joints import BIND, JOINT, SIGNS
from poise.motion.skeleton import Skeleton

__all__ = ["Over", "film_arrays", "onto_stage"]

Array = NDArray[np.float64]
_FILE = Axes("y", 1.0)
_AGREE = 1e-3
"""Where a corner's joints have it in the file's bind pose may differ by this [m]."""


class Over(NamedTuple):
    """A film, its name, and the skeleton whose joints it counts."""

    name: str
    film: Film
    skeleton: Skeleton


def film_arrays(
    name: str, film: Film, joints: list[str], matrix: Array
) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """What the child that writes USD is told of a film, for its header and as arrays.

    Args:
        name: Of the film.
        film: The film.
        joints: What the stage calls the joints that it follows.
        matrix: From the film's corners, y up in metres, to the skeleton's bind pose, shape (4, 4).
    """
    begin, moves = coming_out(film)
    linear = matrix[:3, :3]
    normals = _FILE.lengths_out(film.normals) @ np.linalg.inv(linear)
    header = {"name": name, "joints": joints, "color": list(film.color), "times": film.times.tolist()}
    return header, {
        "film_points": _FILE.lengths_out(begin) @ linear.T + matrix[:3, 3],
        "film_normals": normals / np.linalg.norm(normals, axis=1, keepdims=True),
        "film_joints": film.joints,
        "film_weights": film.weights,
        "film_own": np.concatenate([np.zeros(0, np.int64), *(own for own, _ in moves)]),
        "film_moved": np.concatenate([np.zeros((0, 3)), *(_FILE.lengths_out(moved) @ linear.T for _, moved in moves)]),
        "film_counts": np.array([len(own) for own, _ in moves], dtype=np.int64),
    }


def onto_stage(film: Film, original: GltfCharacter, skeleton: Skeleton) -> tuple[list[str], Array] | None:
    """What a stage calls the joints a film may follow, and how its corners get into the stage's bind pose; see `film_arrays`.

    Args:
        film: The film.
        original: The character, read from that stage.
        skeleton: The same, its joints in the film's order.

    Returns:
        None where the film follows what is no joint of the stage's skeleton, or its joints do not agree on where it is bound.
    """
    rest, nodes, root = original.body.rest, original.body.nodes, original.body.document.root
    names = {name: node for name, node in zip(original.skeleton.names, rest.joints, strict=True)}
    if any(name not in names for name in skeleton.names):
        return None
    joints = [names[name] for name in skeleton.names]
    extras = [root.value["nodes"][node].get("extras", {}) for node in joints]
    used = np.unique(film.joints[film.weights > 0.0]).tolist()
    if any(BIND not in extras[at] or JOINT not in extras[at] for at in used):
        return None
    turn = np.eye(4)
    turn[:3, :3] = rest.axes.lengths_out(_FILE.lengths_in(np.eye(3))).T
    into = at_rest(film, nodes.world[joints], skeleton, rest.axes) @ turn
    matrices = []
    for at in used:
        mirrors = float(np.prod(extras[at].get(SIGNS, [1.0])))
        bind = np.array(extras[at][BIND]).reshape(4, 4).T
        matrices.append(bind @ np.diag([mirrors, mirrors, mirrors, 1.0]) @ into[at])
    corners = np.c_[_FILE.lengths_out(film.corners), np.ones(len(film.corners))]
    places = np.array([corners @ matrix.T for matrix in matrices])
    size = float(np.cbrt(abs(np.linalg.det(matrices[0][:3, :3]))))
    if np.ptp(places, axis=0).max() > _AGREE * size:
        return None
    return [each.get(JOINT, "") for each in extras], matrices[0]
