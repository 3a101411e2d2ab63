"""What a mesh looks like: the color of its UsdPreviewSurface and that color's image, or its display color."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pxr import Ar, Sdf, Usd, UsdGeom, UsdShade

from poise.io.usd.native.confine import inside

__all__ = ["Materials"]

MOST_IMAGE_BYTES = 1 << 26
MAGIC = (b"\x89PNG", b"\xff\xd8\xff")
"""Beginnings of PNG and JPEG files."""


def _numbers(value: Any) -> list[float] | None:
    """Red, green and blue from 0 to 1."""
    try:
        numbers = np.array(value, dtype=np.float64).reshape(-1)[:3]
    except (TypeError, ValueError):
        return None
    return np.clip(numbers, 0.0, 1.0).tolist() if len(numbers) == 3 and np.isfinite(numbers).all() else None


def _source(shader: UsdShade.Shader, name: str) -> UsdShade.Shader | None:
    """The shader that feeds an input."""
    given = shader.GetInput(name)
    for attribute in UsdShade.Utils.GetValueProducingAttributes(given) if given else ():
        feeding = UsdShade.Shader(attribute.GetPrim())
        if feeding and attribute.GetPrim() != shader.GetPrim():
            return feeding
    return None


class Materials:
    """The materials met so far, `found`, each with a name, a color, whether it has holes and the array of its image.

    An image that cannot be had costs the picture, not the character.
    """

    def __init__(self, folder: Path, arrays: dict[str, Any], notes: list[str]) -> None:
        self.found: list[dict[str, Any]] = []
        self._folder, self._arrays, self._notes = folder, arrays, notes
        self._numbers: dict[str, int] = {}

    def of(self, prim: Usd.Prim) -> int:
        """The number of a prim's look; -1 where it says nothing."""
        material = UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
        if not material:
            return self._displayed(prim)
        key = str(material.GetPath())
        if key not in self._numbers:
            self._numbers[key] = self._add(self._read(material))
        return self._numbers[key]

    def _add(self, look: dict[str, Any]) -> int:
        self.found.append(look)
        return len(self.found) - 1

    def _displayed(self, prim: Usd.Prim) -> int:
        shown = UsdGeom.PrimvarsAPI(prim).GetPrimvar("displayColor") if prim.IsA(UsdGeom.Gprim) else None
        values = shown.Get(Usd.TimeCode.EarliestTime()) if shown else None
        color = _numbers(values[0]) if values else None
        return (
            -1 if color is None else self._add({"name": prim.GetName(), "color": color, "holes": False, "image": None})
        )

    def _read(self, material: UsdShade.Material) -> dict[str, Any]:
        look: dict[str, Any] = {"name": material.GetPrim().GetName(), "color": [1.0] * 3, "holes": False, "image": None}
        surface = material.ComputeSurfaceSource()[0]
        if not surface or surface.GetIdAttr().Get() != "UsdPreviewSurface":
            return {**look, "color": [0.8] * 3}
        feeding = _source(surface, "diffuseColor")
        given = surface.GetInput("diffuseColor")
        if feeding is None:
            value = UsdShade.Utils.GetValueProducingAttributes(given)[0].Get() if given and given.GetAttr() else None
            look["color"] = _numbers(value) or [0.18] * 3
        elif feeding.GetIdAttr().Get() == "UsdUVTexture":
            look["image"] = self._image(feeding, f"{material.GetPath()}")
            opacity = surface.GetInput("opacity")
            look["holes"] = look["image"] is not None and bool(opacity and opacity.HasConnectedSource())
            scale = feeding.GetInput("scale")
            look["color"] = (_numbers(scale.Get()) if scale and scale.Get() else None) or [1.0] * 3
        return look

    def _image(self, texture: UsdShade.Shader, where: str) -> str | None:
        """The array with the bytes of a texture's file."""
        moved = _source(texture, "st")
        if moved is not None and moved.GetIdAttr().Get() == "UsdTransform2d":
            self._notes.append(f"{where}: its image is laid on with a transform; drawn without it")
            return None
        given = texture.GetInput("file")
        asset = given.Get() if given else None
        path = asset.resolvedPath if isinstance(asset, Sdf.AssetPath) else ""
        if not path:
            self._notes.append(f"{where}: its image is not there; drawn without it")
            return None
        if not inside(path, self._folder):
            self._notes.append(f"{where}: its image lies outside the file's folder; drawn without it")
            return None
        opened = Ar.GetResolver().OpenAsset(Ar.ResolvedPath(path))
        if not opened or not 0 < opened.GetSize() <= MOST_IMAGE_BYTES:
            self._notes.append(f"{where}: its image cannot be read; drawn without it")
            return None
        content = bytes(opened.GetBuffer())
        if not content.startswith(MAGIC):
            self._notes.append(f"{where}: its image is neither PNG nor JPEG; drawn without it")
            return None
        name = f"image:{path}"
        self._arrays[name] = np.frombuffer(content, dtype=np.uint8)
        return name
