"""One door for motion files: the name's extension says which reader or writer is meant."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from poise.errors import InputError
from poise.io.amc import read_amc
from poise.io.axes import check_unit, check_up
from poise.io.bvh_read import read_bvh
from poise.io.bvh_write import write_bvh
from poise.io.deepmimic import read_deepmimic
from poise.io.fbx import read_fbx_clip
from poise.io.files import is_folder, read_bytes
from poise.io.gltf import read_gltf_clip, write_glb
from poise.io.npz import read_npz, write_npz
from poise.io.npz_entries import entry_names
from poise.io.smpl import KEYS as SMPL_KEYS
from poise.io.smpl import read_smpl
from poise.io.taken import as_in_file, right_handed, with_rate
from poise.io.usd import SUFFIXES as USD
from poise.io.usd import read_usd_clip, write_usd
from poise.motion.clip import Clip
from poise.motion.ik_rig import join_limbs, part_limbs

__all__ = ["FORMATS", "Format", "format_of", "read_clip", "write_clip"]

Reader = Callable[[Path, str | float | None, str | None], Clip]
Writer = Callable[[Path, Clip], list[str]]


@dataclass(frozen=True)
class Format:
    """A kind of file: `read(path, unit, up)` and `write(path, clip) -> notes`, None where that is not offered."""

    title: str
    read: Reader | None = None
    write: Writer | None = None


def _is_smpl(path: Path) -> bool:
    """Whether a .npz is a motion of SMPL and no clip of Poise's: their entries have other names."""
    try:
        there = entry_names(read_bytes(path))
    except InputError as error:
        raise InputError(error.problem, source=path) from None
    return "schema" not in there and bool(there & SMPL_KEYS)


def _read_npz(path: Path, unit: str | float | None, up: str | None) -> Clip:
    if _is_smpl(path):
        return read_smpl(path, unit, up)
    if unit is not None or up is not None:
        raise InputError("a .npz clip is in metres with z up; unit and up cannot be chosen", source=path)
    return read_npz(path)


FORMATS: dict[str, Format] = {
    ".bvh": Format("Biovision hierarchy", read_bvh, write_bvh),
    ".npz": Format("Poise clip, or AMASS and SMPL motion", _read_npz, write_npz),
    ".glb": Format("binary glTF", read_gltf_clip, write_glb),
    ".gltf": Format("glTF", read_gltf_clip),
    ".vrm": Format("VRM", read_gltf_clip),
    ".vrma": Format("VRM animation", read_gltf_clip),
    ".amc": Format("Acclaim motion, its skeleton (.asf) beside it", read_amc),
    ".txt": Format("DeepMimic motion", read_deepmimic),
    ".json": Format("DeepMimic motion", read_deepmimic),
    ".fbx": Format("FBX", read_fbx_clip),
    **{suffix: Format("USD", read_usd_clip, write_usd) for suffix in USD},
}
"""Per extension in lower case, the format."""


_NO_CLIPS: dict[str, str] = {
    ".c3d": "a C3D file holds markers, which are not solved for joints here: 'poise inspect' shows them, and 'poise run CLIP "
    "--markers FILE' shows and keeps them beside a clip of the same take",
    ".dae": "Collada files are not read; export the character as GLB or FBX",
}
"""Per extension in lower case, what to say of files that people have and that are no clips here."""


def format_of(path: Path) -> Format:
    """The format that the extension of `path` names; raises `InputError` with the known ones."""
    if is_folder(path):
        raise InputError(f"this is a folder; name the files in it, such as {path}/*.bvh", source=path)
    if path.suffix.lower() in _NO_CLIPS:
        raise InputError(_NO_CLIPS[path.suffix.lower()], source=path)
    try:
        return FORMATS[path.suffix.lower()]
    except KeyError:
        known = ", ".join(FORMATS)
        raise InputError(f"unknown file extension {path.suffix!r}; known: {known}", source=path) from None


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
        animation: Which of its animations; the first without one. Only glTF, FBX and USD files have several.
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
    if animation is None:
        clip = kind.read(file, metres, axis)
    elif kind.read is read_gltf_clip:
        clip = read_gltf_clip(file, metres, axis, animation)
    elif kind.read is read_fbx_clip:
        clip = read_fbx_clip(file, metres, axis, animation)
    elif kind.read is read_usd_clip:
        clip = read_usd_clip(file, metres, axis, animation)
    else:
        raise InputError("only glTF, FBX and USD files have animations to choose from", source=file)
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
    kind = format_of(file)
    if kind.write is None:
        raise InputError(f"{kind.title} files cannot be written", source=file)
    return kind.write(file, part_limbs(as_in_file(clip)))
