"""A USD file as plain arrays and a header that says what they are."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Sdf, UsdGeom, UsdSkel, UsdUtils

from poise.io.usd.native.confine import open_stage
from poise.io.usd.native.materials import Materials
from poise.io.usd.native.rig import Rig, read_rig
from poise.io.usd.native.shapes import read_meshes

__all__ = ["read_scene"]

MOST_FRAMES_PER_SECOND = 240.0
"""Time codes finer than this are no frames [Hz]."""


def _bind(rig: Rig) -> list[list[float]]:
    """Where each joint stood when meshes were bound, as 16 numbers; nothing where the file does not say."""
    if rig.skeleton is None:
        return []
    values = UsdSkel.Skeleton(rig.skeleton).GetBindTransformsAttr().Get() or ()
    matrices = np.array(values, dtype=np.float64).reshape(-1, 4, 4)
    if len(matrices) != len(rig.joints) or not np.isfinite(matrices).all() or not np.linalg.det(matrices).all():
        return []
    return matrices.reshape(-1, 16).tolist()


def _refers(file: str) -> bool:
    """Whether a file that is no package refers to others: layers, images."""
    if file.lower().endswith(".usdz"):
        return False
    layers, assets, _ = UsdUtils.ComputeAllDependencies(Sdf.AssetPath(file))
    return len(layers) + len(assets) > 1


def read_scene(file: str) -> bytes:
    """The file as the bytes of an npz: `header`, JSON, and arrays whose names it gives.

    Raises:
        ValueError: What is wrong with it.
    """
    stage, notes = open_stage(file)
    arrays: dict[str, Any] = {}
    rig = read_rig(stage, arrays)
    looks = Materials(Path(file).parent, arrays, rig.notes)
    binds = _bind(rig)
    meshes = read_meshes(stage, rig, looks, arrays) if binds else []
    if rig.skeleton is not None and not binds:
        rig.notes.append(
            f"{rig.skeleton.GetPath()} has no bindTransforms that have an inverse; it is read without a skin"
        )
    codes = stage.GetTimeCodesPerSecond()
    stated = stage.GetFramesPerSecond() if stage.HasAuthoredMetadata("framesPerSecond") else codes
    header = {
        "unit": UsdGeom.GetStageMetersPerUnit(stage),
        "unit_stated": UsdGeom.StageHasAuthoredMetersPerUnit(stage),
        "up": str(UsdGeom.GetStageUpAxis(stage)).lower(),
        "up_stated": stage.HasAuthoredMetadata("upAxis"),
        "codes": codes,
        "rate": stated if stated <= MOST_FRAMES_PER_SECOND else None,
        "nodes": rig.nodes,
        "first": rig.first,
        "joints": len(rig.joints),
        "skeleton": "" if rig.skeleton is None else str(rig.skeleton.GetPath()),
        "animations": rig.animations,
        "meshes": meshes,
        "binds": binds,
        "materials": looks.found,
        "beside": _refers(file),
        "notes": [*notes, *rig.notes],
    }
    arrays["header"] = np.array(json.dumps(header))
    content = io.BytesIO()
    np.savez(content, **arrays)
    return content.getvalue()
