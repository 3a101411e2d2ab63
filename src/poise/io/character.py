"""A character file: its motion and, where it has one, its skin; and the same written back."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from poise.errors import InputError
from poise.io.formats import read_clip
from poise.io.taken import as_in_file, right_handed, with_rate
from poise.motion.clip import Clip
from poise.motion.ik_rig import join_limbs, part_limbs
from poise.motion.skin import SkinnedMesh

if TYPE_CHECKING:
    from poise.io.gltf import Film, GltfCharacter

__all__ = ["CharacterFile", "read_character", "write_character", "write_own_format"]

_GLTF = (".glb", ".gltf", ".vrm", ".vrma")
_FBX, _COLLADA = ".fbx", ".dae"
_USD = (".usd", ".usda", ".usdc", ".usdz")
_FILM = "wet"
_ADDED = "poise"
"""What a motion is called that is one more animation of its file."""


class CharacterFile(NamedTuple):
    """The motion of a file and its skin, None where it has none."""

    clip: Clip
    mesh: SkinnedMesh | None


def read_character(
    path: str | os.PathLike[str],
    *,
    unit: str | float | None = None,
    up: str | None = None,
    animation: str | None = None,
    rate: float | None = None,
    mirrored: bool | None = None,
) -> CharacterFile:
    """Read a motion file with its skin.

    Args:
        path: The file.
        unit: Its unit, see `read_clip`.
        up: Its up axis.
        animation: Which of its animations; without one the first that moves. Motion files have one.
        rate: Frames per second [Hz], see `read_clip`.
        mirrored: Whether the file is left-handed, see `read_clip`; a file with a skin never is.

    Raises:
        InputError: The file is not acceptable, or has no such animation.
    """
    file = Path(path)
    if file.suffix.lower() in (*_GLTF, _FBX, _COLLADA, *_USD):
        return _joined(_skinned(file, animation, unit=unit, up=up), rate, mirrored)
    return CharacterFile(read_clip(file, unit=unit, up=up, animation=animation, rate=rate, mirrored=mirrored), None)


def _skinned(file: Path, animation: str | None = None, **said: Any) -> GltfCharacter:
    """A character by its own reader, of which each is slow to import (docs/architecture.md, decision 12)."""
    if file.suffix.lower() == _FBX:
        from poise.io.fbx import read_fbx

        return read_fbx(file, animation, **said)
    if file.suffix.lower() == _COLLADA:
        from poise.io.collada import read_collada

        return read_collada(file, animation, **said)
    if file.suffix.lower() in _USD:
        from poise.io.usd import read_usd

        return read_usd(file, animation, **said)
    from poise.io.gltf import read_gltf

    return read_gltf(file, animation, **said)


def _said(clip: Clip) -> dict[str, Any]:
    """The unit and up axis that the user gave for the clip's file."""
    source, given = clip.source, "given by the user"
    return {
        "unit": source.metres_per_unit if source.unit_reason == given else None,
        "up": source.up_axis if source.up_reason == given else None,
    }


def _joined(character: GltfCharacter, rate: float | None, mirrored: bool | None) -> CharacterFile:
    """Motion and skin of a character whose limbs are whole."""
    if mirrored and character.mesh is not None:
        raise InputError("a file with a skin cannot be mirrored", source=character.path)
    clip, order = join_limbs(character.clip)
    clip = right_handed(with_rate(clip, rate), mirrored)
    mesh = character.mesh
    if mesh is not None and np.any(order != np.arange(len(order))):
        mesh = replace(mesh, joints=np.argsort(order)[mesh.joints], inverse_bind=mesh.inverse_bind[order])
    return CharacterFile(clip, mesh)


def _original(clip: Clip) -> GltfCharacter | None:
    """The character that a clip came from, read again; None where its file had a motion only."""
    source = Path(clip.source.path)
    if clip.source.format == "gltf" and source.suffix.lower() in _GLTF:
        return _skinned(source, unit=clip.source.metres_per_unit, up=clip.source.up_axis)
    return _skinned(source, **_said(clip)) if clip.source.format in ("fbx", "usd", "collada") else None


def write_character(
    path: str | os.PathLike[str],
    clip: Clip,
    mesh: SkinnedMesh | None,
    *,
    as_own: bool = False,
    film: Film | None = None,
) -> list[str]:
    """Write a motion as GLB or USD in its skin.

    As GLB it becomes one more animation in a copy of the glTF file that it came from (one of another format in glTF likewise),
    as USD it plays the skeleton of the USD file that it came from; otherwise it is written with `mesh`.

    Args:
        path: The file; USD by its extension (.usd, .usda, .usdc, .usdz), else GLB.
        clip: The motion.
        mesh: The skin, for a motion whose own file has none.
        as_own: Whether the motion is the one of its name in the file that it came from: as GLB it takes that one's place, and
            comes first.
        film: What comes to lie over the skin, as where it gets wet; not together with `as_own`.

    Returns:
        Notes, one line each.

    Raises:
        InputError: The file it came from is gone, or the new one cannot be written.
    """
    target, clip = Path(path), as_in_file(clip)
    # Slow to import (docs/architecture.md, decision 12).
    from poise.io.gltf import add_film, append_animation, write_glb

    original = _original(clip)
    if target.suffix.lower() in _USD:
        return _write_usd(target, original, clip, mesh, film)
    if original is not None:
        name = clip.name if as_own else _ADDED
        notes = append_animation(target, original, part_limbs(clip), name, instead=as_own)
    else:
        notes = write_glb(target, clip, mesh)
    return notes if film is None else notes + add_film(target, _FILM, film, clip.skeleton)


def _write_usd(
    target: Path, original: GltfCharacter | None, clip: Clip, mesh: SkinnedMesh | None, film: Film | None
) -> list[str]:
    from poise.io.usd import Over, append_to_stage, skeleton_prim, write_usd

    over = None if film is None else Over(_FILM, film, clip.skeleton)
    if original is not None and clip.source.format == "usd" and skeleton_prim(original):
        return append_to_stage(target, original, part_limbs(clip), film=over)
    return write_usd(target, clip, mesh, film=over)


def write_own_format(
    stem: Path, clip: Clip, mesh: SkinnedMesh | None, film: Film | None = None
) -> tuple[Path, list[str]] | None:
    """Write a motion of a USD character as USD again; as .usdz where its file refers to others, which are taken along.

    Args:
        stem: The file without its extension.
        clip: The motion.
        mesh: The skin, for a motion whose own file has none.
        film: What comes to lie over the skin.

    Returns:
        The file and notes; None where the motion came from no USD file.

    Raises:
        InputError: The file it came from is gone, or the new one cannot be written.
    """
    clip = as_in_file(clip)
    original = _original(clip) if clip.source.format == "usd" else None
    if original is None:
        return None
    from poise.io.usd import own_suffix

    target = stem.with_name(stem.name + own_suffix(original))
    return target, _write_usd(target, original, clip, mesh, film)
