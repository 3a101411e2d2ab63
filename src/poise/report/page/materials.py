"""A skin's own colors and images, made small enough for a page."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from poise.motion.skin import Material, SkinnedMesh
from poise.report.page.pack import Packer

__all__ = ["by_material", "pack_materials"]

_EDGE, _FULL = 512, 4
"""Longest edge of an image [pixels], and how many are shown so large; of more, each gets half of it."""
_PLAIN = Material((1.0, 1.0, 1.0))
_FORMATS = ("PNG", "JPEG")


def by_material(mesh: SkinnedMesh) -> NDArray[np.int64]:
    """The triangles (F, 3), those of one material together."""
    ordered: NDArray[np.int64] = mesh.triangles[np.argsort(mesh.triangle_materials, kind="stable")]
    return ordered


def pack_materials(mesh: SkinnedMesh, packer: Packer) -> dict[str, Any]:
    """Texture coordinates, images and what to draw with which; empty where the looks are not known.

    Each look has the number of its image or None, its color as a screen shows it, and which corners it is for.
    """
    if not mesh.materials:
        return {}
    materials, counts = np.unique(mesh.triangle_materials, return_counts=True)
    used = [mesh.materials[material] if 0 <= material < len(mesh.materials) else _PLAIN for material in materials]
    files = list(dict.fromkeys((look.image, look.holes) for look in used if look.image and mesh.uvs is not None))
    edge = _EDGE if len(files) <= _FULL else _EDGE // 2
    shrunk = {key: _shrunk(*key, edge) for key in files}
    shown = [key for key, content in shrunk.items() if content is not None]
    looks, first = [], 0
    for look, count in zip(used, counts, strict=True):
        key = (look.image, look.holes)
        looks.append(
            {
                "first": first,
                "count": 3 * int(count),
                "color": [round(float(value) ** (1.0 / 2.2), 4) for value in look.color],
                "image": shown.index(key) if key in shown else None,
                "holes": look.holes,
            }
        )
        first += 3 * int(count)
    packed: dict[str, Any] = {
        "looks": looks,
        "images": [packer.add(np.frombuffer(shrunk[key] or b"", np.uint8)) for key in shown],
    }
    if shown and mesh.uvs is not None:
        packed["uvs"] = packer.add(mesh.uvs.astype(np.float32))
    return packed


def _shrunk(content: bytes, holes: bool, edge: int) -> bytes | None:
    """An image of at most `edge` pixels, in the format that needs fewer bytes; None where it cannot be read."""
    try:
        with Image.open(io.BytesIO(content), formats=_FORMATS) as picture:
            picture.draft("RGB", (edge, edge))
            small = picture.convert("RGBA" if holes else "RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    small.thumbnail((edge, edge))
    options: list[dict[str, Any]] = [{"format": "PNG", "optimize": True}]
    if not holes:
        options.append({"format": "JPEG", "quality": 88})
    return min((_saved(small, option) for option in options), key=len)


def _saved(picture: Image.Image, options: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    picture.save(stream, **options)
    return stream.getvalue()
