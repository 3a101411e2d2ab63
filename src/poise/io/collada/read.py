"""Read the character and the animation of a Collada file: what assimp makes of it in glTF, read as any.

assimp is native code that opens files of strangers, so it runs in a child (`convert.py`), which may crash, hang or eat memory
on its own account.
"""

from __future__ import annotations

import os
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any

from poise.errors import InputError
from poise.io.child import ask_child
from poise.io.collada import convert
from poise.io.damaged import reading
from poise.io.files import check_readable
from poise.io.gltf.container import Document, parse_json, split_glb
from poise.io.gltf.entry import Entry
from poise.io.gltf.read import GltfCharacter, Stated, read_document
from poise.motion.clip import Clip

__all__ = ["read_collada", "read_collada_clip"]

_PACKAGE = "cmeel-assimp"
_HEAD = 1 << 16
"""Within so many bytes a Collada says that it is one."""
_STATED = Stated("collada", 1.0, "y", "m: made so from the file's unit", "y: made so from the file's up_axis")


def read_collada(
    path: str | os.PathLike[str],
    animation: str | None = None,
    *,
    unit: str | float | None = None,
    up: str | None = None,
) -> GltfCharacter:
    """Read a character with its mesh and its animation.

    Args:
        path: A .dae file.
        animation: Name of the animation to read; by default the first.
        unit: Metres per unit or a name in `UNITS`; by default what the file says.
        up: The up axis; by default what the file says.

    Raises:
        InputError: With the file, what was wrong and what is allowed.
    """
    file = Path(path)
    check_readable(file)
    with reading("Collada", file):
        _check_kind(file)
        document, notes = _document(file, unit is None, up is None)
        return read_document(document, animation, unit=unit, up=up, stated=_STATED._replace(notes=notes))


def read_collada_clip(
    path: Path, unit: str | float | None = None, up: str | None = None, animation: str | None = None
) -> Clip:
    """An animation of a file, by default the first, or its rest pose as one frame."""
    return read_collada(path, animation, unit=unit, up=up).clip


def _check_kind(file: Path) -> None:
    """Refuse what does not begin as Collada does, in UTF-8 or UTF-16, so that native code need not."""
    try:
        with file.open("rb") as content:
            begins = content.read(_HEAD)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}") from None
    if b"<COLLADA" not in begins.replace(b"\0", b""):
        raise InputError("this is not a Collada file")


def _library() -> Path:
    """Where assimp is; raises `InputError` with how to install it."""
    try:
        found = files(_PACKAGE) or []
    except PackageNotFoundError:
        found = []
    for file in found:
        if file.name in ("libassimp.so", "libassimp.dylib"):
            return Path(str(file.locate()))
    raise InputError("Collada files are read by assimp, of the extra 'collada': pip install 'poise[collada]'")


def _document(file: Path, own_unit: bool, own_axes: bool) -> tuple[Document, tuple[str, ...]]:
    """The same scene in glTF; and notes."""
    library = str(_library())
    answer = ask_child(
        "Collada",
        Path(convert.__file__),
        [library, str(file.resolve()), str(int(own_unit)), str(int(own_axes))],
        environment=dict(os.environ),
    )
    text, binary = split_glb(answer)
    tree = parse_json(text)
    notes = _without_images(tree)
    return Document(file, Entry(tree, ""), binary), notes


def _without_images(tree: dict[str, Any]) -> tuple[str, ...]:
    """Leave images out: a Collada names them by paths of the machine that wrote it."""
    if not tree.pop("images", []):
        return ()
    for key in ("textures", "samplers"):
        tree.pop(key, None)
    for material in tree.get("materials", []):
        for look in (material, material.get("pbrMetallicRoughness", {})):
            for name in [name for name in look if name.endswith("Texture")]:
                del look[name]
    return ("images of a Collada are not read; drawn without them",)
