"""One door for motion files: the name's extension says which reader or writer is meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from poise.errors import InputError, likeliest
from poise.io.axes import check_unit, check_up
from poise.io.files import is_folder, read_bytes
from poise.io.taken import as_in_file, right_handed, with_rate
from poise.motion.clip import Clip
from poise.motion.ik_rig import join_limbs, part_limbs

__all__ = ["FORMATS", "Format", "format_of", "read_clip", "write_clip"]

Reader = Callable[..., Clip]
Writer = Callable[[Path, Clip], list[str]]


@dataclass(frozen=True)
class Format:
    """A kind of file.

    Args:
        title: What it is.
        read: `read(path, unit, up)`, where there are `animations` to choose from with which as the last; None where that is
            not offered.
        write: `write(path, clip) -> notes`, None where that is not offered.
        animations: Whether a file may have several.
    """

    title: str
    read: Reader | None = None
    write: Writer | None = None
    animations: bool = False


def _later(module: str, name: str) -> Callable[..., Any]:
    """A reader or writer whose module is imported when it is first called: who reads a BVH needs none of the others."""

    def call(*arguments: Any) -> Any:
        return getattr(import_module(f"poise.io.{module}"), name)(*arguments)

    return call


def _is_smpl(path: Path) -> bool:
    """Whether a .npz is a motion of SMPL and no clip of Poise's: their entries have other names."""
    from poise.io.npz_entries import entry_names
    from poise.io.smpl import KEYS

    try:
        there = entry_names(read_bytes(path))
    except InputError as error:
        raise InputError(error.problem, source=path) from None
    return "schema" not in there and bool(there & KEYS)


def _read_npz(path: Path, unit: str | float | None, up: str | None) -> Clip:
    if _is_smpl(path):
        return _read_smpl(path, unit, up)
    if unit is not None or up is not None:
        raise InputError("a .npz clip is in metres with z up; unit and up cannot be chosen", source=path)
    clip: Clip = _later("npz", "read_npz")(path)
    return clip


_read_smpl: Reader = _later("smpl", "read_smpl")
_GLTF: Reader = _later("gltf", "read_gltf_clip")
_USD: tuple[Reader, Writer] = (_later("usd", "read_usd_clip"), _later("usd", "write_usd"))

FORMATS: dict[str, Format] = {
    ".bvh": Format("Biovision hierarchy", _later("bvh_read", "read_bvh"), _later("bvh_write", "write_bvh")),
    ".npz": Format("Poise clip, or AMASS and SMPL motion", _read_npz, _later("npz", "write_npz")),
    ".glb": Format("binary glTF", _GLTF, _later("gltf", "write_glb"), animations=True),
    ".gltf": Format("glTF", _GLTF, animations=True),
    ".vrm": Format("VRM", _GLTF, animations=True),
    ".vrma": Format("VRM animation", _GLTF, animations=True),
    ".amc": Format("Acclaim motion, its skeleton (.asf) beside it", _later("amc", "read_amc")),
    ".txt": Format("DeepMimic motion", _later("deepmimic", "read_deepmimic")),
    ".json": Format("DeepMimic motion", _later("deepmimic", "read_deepmimic")),
    ".fbx": Format("FBX", _later("fbx", "read_fbx_clip"), animations=True),
    ".dae": Format("Collada", _later("collada", "read_collada_clip"), animations=True),
    **{suffix: Format("USD", *_USD, animations=True) for suffix in (".usd", ".usda", ".usdc", ".usdz")},
}
"""Per extension in lower case, the format."""


_NO_CLIPS: dict[str, str] = {
    ".c3d": "a C3D file holds markers, which are not solved for joints here: 'poise inspect' shows them, and 'poise run CLIP "
    "--markers FILE' shows and keeps them beside a clip of the same take",
}
"""Per extension in lower case, what to say of files that people have and that are no clips here."""


def format_of(path: Path, *, writing: bool = False) -> Format:
    """The format that the extension of `path` names; raises `InputError` with the known ones.

    Args:
        path: The file.
        writing: Whether it is to be written; what can only be read is refused then.
    """
    known = [suffix for suffix, kind in FORMATS.items() if kind.write is not None or not writing]
    if is_folder(path):
        raise InputError(f"this is a folder; name the files in it, such as {path}/*.bvh", source=path)
    if path.suffix.lower() in _NO_CLIPS:
        raise InputError(_NO_CLIPS[path.suffix.lower()], source=path)
    suffix = path.suffix.lower()
    if suffix in known:
        return FORMATS[suffix]
    if suffix in FORMATS:
        raise InputError(f"{FORMATS[suffix].title} files cannot be written; can be: {', '.join(known)}", source=path)
    close = likeliest(suffix, known)
    raise InputError(f"unknown file extension {path.suffix!r}{close}; known: {', '.join(known)}", source=path)


def read_clip(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    animation: str | None = None,
    rate: float | None = None,
    mirrored: bool | None = None,
) -> Clip:
    """Read a motion file.

    Args:
        path: The file; its extension says which format it is.
        unit: The file's length unit, a name in `UNITS` or metres per unit; guessed where the file does not say.
        up: The file's up axis, "x", "y" or "z"; guessed where the file does not say.
        animation: Which of its animations; the first without one. Only glTF, FBX, USD and Collada files have several.
        rate: Frames per second [Hz], where the file says it wrongly.
        mirrored: Whether the file is left-handed, so that it must be mirrored; told from toes and knees by default, in formats
            that do not say which hand they are of.

    Returns:
        The clip in Poise's frame, with `source` telling what was found, what was guessed and why.

    Raises:
        InputError: With the file, the place, what was wrong and what is allowed.
    """
    file = Path(path)
    kind = format_of(file)
    if kind.read is None:
        raise InputError(f"{kind.title} files cannot be read", source=file)
    metres, axis = None if unit is None else check_unit(unit), None if up is None else check_up(up)
    if animation is not None and not kind.animations:
        raise InputError("only glTF, FBX, USD and Collada files have animations to choose from", source=file)
    clip = kind.read(file, metres, axis, *([] if animation is None else [animation]))
    return right_handed(with_rate(join_limbs(clip)[0], rate), mirrored)


def write_clip(path: str | os.PathLike[str], clip: Clip) -> list[str]:
    """Write a motion file, whole or not at all.

    Args:
        path: The file; its extension says which format it becomes. A file of that name is replaced.
        clip: What to write.

    Returns:
        Notes, one line each, on what could not be written as it was.

    Raises:
        InputError: The extension is unknown or the file cannot be written.
    """
    file = Path(path)
    write = cast(Writer, format_of(file, writing=True).write)
    return write(file, part_limbs(as_in_file(clip)))
