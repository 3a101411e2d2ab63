"""Write a character back with one more animation, or another in the place of one; all else that its file holds stays."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np

from poise.errors import InputError
from poise.io.files import MAX_BYTES, write_bytes
from poise.io.gltf.container import Document
from poise.io.gltf.pack import Packer
from poise.io.gltf.read import GltfCharacter
from poise.motion.clip import Clip

__all__ = ["append_animation", "check_same_skeleton"]

IMAGE_TYPES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"RIFF": "image/webp", b"\xabKTX": "image/ktx2"}
SAME = 1e-6
"""Two skeletons are the same where their offsets differ by at most this [m]."""


def _one_buffer(document: Document, tree: dict[str, Any]) -> bytes:
    """All buffers behind one another; the views of `tree` follow."""
    starts, pieces, size = list[int](), list[bytes](), 0
    for index in range(document.root.count("buffers")):
        content = document.buffer(index)
        padding = b"\0" * (-len(content) % 4)
        starts.append(size)
        pieces += [content, padding]
        size += len(content) + len(padding)
    for entry, view in zip(document.root.objects("bufferViews"), tree.get("bufferViews", []), strict=True):
        start = starts[entry.index("buffer", len(starts), "buffers")]
        if start:
            view["byteOffset"] = entry.integer("byteOffset", high=MAX_BYTES, default=0) + start
        view["buffer"] = 0
    if starts:
        tree["buffers"] = [{key: value for key, value in tree["buffers"][0].items() if key != "uri"}]
    return b"".join(pieces)


def _embed_images(document: Document, packer: Packer) -> None:
    """Images that are files beside the original become buffer views; their bytes stay."""
    for entry, image in zip(document.root.objects("images"), packer.tree.get("images", []), strict=True):
        if "uri" in entry and not entry.text("uri").startswith("data:"):
            content = document.resolve(entry)
            kind = next((kind for magic, kind in IMAGE_TYPES.items() if content.startswith(magic)), None)
            if kind is None:
                raise entry.bad("the image is none of PNG, JPEG, WebP, KTX2", "uri")
            del image["uri"]
            image |= {"bufferView": packer.view(content), "mimeType": image.get("mimeType", kind)}


def check_same_skeleton(original: GltfCharacter, clip: Clip) -> None:
    """Raise `InputError` unless the clip is of the original's skeleton."""
    ours, theirs = original.skeleton, clip.skeleton
    if ours.names != theirs.names or not np.array_equal(ours.parents, theirs.parents):
        raise InputError("the clip's joints are not those of the original; expected the same names and parents")
    if np.abs(ours.offsets - theirs.offsets).max() > SAME:
        raise InputError("the clip's joints stand elsewhere than those of the original; expected the same offsets")


def _free_name(name: str, taken: tuple[str, ...]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}_{number}"
    return free


def append_animation(
    path: Path, original: GltfCharacter, clip: Clip, name: str = "poise", *, instead: bool = False
) -> list[str]:
    """Write the original file with `clip` as one more animation, whole or not at all.

    Meshes, materials, textures, animations and whatever else the file holds stay as they were: the JSON only grows, and
    the bytes of the buffers come first. Files beside the original are taken in. Nodes that are given as matrices
    become rotation, translation and scale, as animated nodes must be.

    Args:
        path: The file, a GLB. One of that name is replaced.
        original: The character.
        clip: The motion, on the original's skeleton.
        name: What to call the animation; numbered where the file has one of that name.
        instead: Whether it takes the place of the file's own animation of that name; it comes first then, where programs that
            play one look. Where the file has none of that name the file alone is written.

    Returns:
        Notes, one line each, on what is not as it was.

    Raises:
        InputError: The clip is of another skeleton, something beside the original is missing, or the file cannot be
            written.
    """
    body, notes = original.body, list[str]()
    tree = copy.deepcopy(body.document.root.value)
    rest, joints = body.rest, list(body.rest.joints)
    free = name if instead else _free_name(name, original.animations)
    if free != name:
        notes.append(f"the file has an animation {name!r}; the new one is called {free!r}")
    try:
        check_same_skeleton(original, clip)
        packer = Packer(tree, _one_buffer(body.document, tree))
        _embed_images(body.document, packer)
    except InputError as error:
        raise InputError(error.problem, source=original.path, place=error.place) from None
    if instead and name not in original.animations:
        write_bytes(path, packer.to_glb())
        return notes
    for node in joints:
        if tree["nodes"][node].pop("matrix", None) is not None:
            w, x, y, z = body.nodes.rotations[node].tolist()
            translation, scale = body.nodes.translations[node].tolist(), body.nodes.scales[node].tolist()
            tree["nodes"][node] |= {"translation": translation, "rotation": [x, y, z, w], "scale": scale}
            notes.append(f"node {body.nodes.names[node]!r} was a matrix; it is written as translation, rotation, scale")
    moved = [joints[joint] for joint in clip.translated]
    positions = rest.positions_out(clip.translations, clip.translated)
    packer.animate(free, clip.rate, rest.rotations_out(clip.rotations), joints, positions, moved)
    if instead:
        animations = tree["animations"]
        del animations[original.animations.index(name)]
        animations.insert(0, animations.pop())
    write_bytes(path, packer.to_glb())
    return notes
