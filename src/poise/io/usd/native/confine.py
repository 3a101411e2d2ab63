"""Open a stage whose layers all lie in its file's folder or below."""

from __future__ import annotations

import os
from pathlib import Path

from pxr import Ar, Sdf, Usd

from poise.io.usd.native.limits import allow

__all__ = ["MOST_LAYERS", "inside", "open_stage"]

MOST_LAYERS = 1000
MOST_BYTES = 1 << 30
MOST_PRIMS = 1 << 16


def outer(path: str) -> Path:
    """The file on disk of a resolved path; for `a.usdz[b.png]` that is a.usdz. Links are followed."""
    if Ar.IsPackageRelativePath(path):
        path = Ar.SplitPackageRelativePathOuter(path)[0]
    return Path(path).resolve()


def inside(path: str, folder: Path) -> bool:
    """Whether a resolved path is a plain file in `folder` or below."""
    try:
        file = outer(path)
        return file.is_relative_to(folder) and (
            not file.exists() or (file.is_file() and file.stat().st_size <= MOST_BYTES)
        )
    except (OSError, ValueError, RuntimeError):
        return False


def _refuse(named: str) -> ValueError:
    return ValueError(f"it refers to {named[:80]!r}, outside its own folder; only files in it or below are read")


def _clips(layer: Sdf.Layer) -> bool:
    found = False

    def look(path: Sdf.Path) -> None:
        nonlocal found
        spec = layer.GetPrimAtPath(path) if path.IsPrimPath() or path.IsPrimVariantSelectionPath() else None
        found = found or bool(spec and spec.HasInfo("clips"))

    layer.Traverse(Sdf.Path.absoluteRootPath, look)
    return found


def _check(root: str, folder: Path) -> list[str]:
    """Look into layer after layer before any is composed; returns what is not there."""
    waiting, seen, missing = [root], {root}, list[str]()
    while waiting:
        layer = Sdf.Layer.FindOrOpen(waiting.pop())
        if layer is None:
            raise ValueError("it is damaged, or no USD file")
        if _clips(layer):
            raise ValueError("it has value clips, which are not read; flatten it before export")
        for named in layer.GetCompositionAssetDependencies():
            if "`" in named:
                raise ValueError(f"it refers to the expression {named[:80]!r}; only names of files are followed")
            # A bare name that is nowhere stays as it is; it is looked up in the working folder, which is `folder`.
            path = Sdf.Layer.SplitIdentifier(layer.ComputeAbsolutePath(named))[0]
            if not inside(path, folder):
                raise _refuse(named)
            if path in seen:
                continue
            seen.add(path)
            if len(seen) > MOST_LAYERS:
                raise ValueError(f"it has more than {MOST_LAYERS} layers")
            if Ar.GetResolver().Resolve(path):
                allow(outer(path).stat().st_size)
                waiting.append(path)
            else:
                missing.append(named)
    return missing


def open_stage(file: str) -> tuple[Usd.Stage, list[str]]:
    """The stage of a file and notes.

    Raises:
        ValueError: A layer lies elsewhere, is damaged, or there are too many layers or prims.
    """
    folder = Path(file).resolve().parent
    os.chdir(folder)
    missing = _check(file, folder)
    stage = Usd.Stage.Open(file)
    for layer in stage.GetUsedLayers():
        if not layer.anonymous and not inside(layer.realPath, folder):
            raise _refuse(layer.identifier)
    for count, _ in enumerate(stage.Traverse(Usd.TraverseInstanceProxies())):
        if count >= MOST_PRIMS:
            raise ValueError(f"it has more than {MOST_PRIMS} prims")
    return stage, [f"{named!r} is not there; read without it" for named in missing[:8]]
