"""A replay as text for the page: a list of what there is, and one block of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.report.page.figures import DrawnFigure, Shape
from poise.report.page.materials import by_material, pack_materials
from poise.report.page.pack import Packer
from poise.report.page.replay import Replay
from poise.report.page.sheets import encode_sheet
from poise.report.wetness import WetTrack
from poise.world.heightfield_mesh import Relief
from poise.world.render import MARKER_COLOR, MARKER_RADIUS

__all__ = ["encode", "wet_listing"]

Array = NDArray[np.float64]

_WET_REACH = 0.2
"""What is farther from the line between wet and dry than this is one or the other [m]."""


def encode(replay: Replay) -> tuple[dict[str, Any], str]:
    """What a replay holds, as plain values for JSON, and the block of numbers they refer to."""
    packer = Packer()
    rotations = quat.continuous(quat.normalize(replay.rotations))
    listing = {
        "rate": replay.rate,
        "frames": len(replay.positions),
        "nodes": replay.positions.shape[1],
        "positions": packer.add_track(replay.positions),
        "rotations": packer.add_track(rotations, reach=1.0),
        "floor": replay.floor,
        "ground": [_ground(piece, packer) for piece in replay.ground],
        "sheets": [encode_sheet(sheet, packer) for sheet in replay.sheets],
        "markers": None if replay.markers is None else _markers(replay.markers, packer),
        "figures": [_figure(figure, replay.wet_rate, packer) for figure in replay.figures],
        "props": _shapes(replay.props),
        "forces": _forces(replay, packer),
    }
    return listing, packer.text()


def _figure(figure: DrawnFigure, wet_rate: float, packer: Packer) -> dict[str, Any]:
    mesh = figure.mesh
    joints, vertices = len(mesh.inverse_bind), len(mesh)
    # Weights that sum to 255 exactly, or skin would shrink towards the origin.
    weights = np.floor(mesh.weights * 255.0)
    weights[np.arange(vertices), mesh.weights.argmax(axis=1)] += 255.0 - weights.sum(axis=1)
    normals = np.ones((vertices, 3)) if mesh.normals is None else mesh.normals
    return {
        "name": figure.name,
        "first": figure.first,
        "ghost": figure.ghost,
        "root": figure.root,
        "joints": joints,
        "size": figure.size,
        "middle": figure.middle,
        "shift": figure.shift,
        "vertices": packer.add(mesh.vertices.astype(np.float32)),
        "normals": packer.add(np.rint(127.0 * normals).astype(np.int8)),
        "skinJoints": packer.add(mesh.joints.astype(np.uint16)),
        "skinWeights": packer.add(weights.astype(np.uint8)),
        "triangles": packer.add(by_material(mesh).astype(np.uint32 if vertices > 65535 else np.uint16)),
        "bind": packer.add(mesh.inverse_bind[:, :3].astype(np.float32)),
        "colors": packer.add(figure.colors.astype(np.float32)),
        "colliders": _shapes(figure.colliders),
        **pack_materials(mesh, packer),
        **({} if figure.wet is None else {"wet": wet_listing(figure.wet, wet_rate, packer)}),
    }


def wet_listing(track: WetTrack, rate: float, packer: Packer) -> dict[str, Any]:
    """What the page is told about what is wet of a skin: depths near the line between wet and dry, as changes over time."""
    levels = np.rint(127.0 * np.clip(track.depths / _WET_REACH, -1.0, 1.0)).astype(np.int8)
    return {
        "frames": len(levels),
        "rate": rate,
        "scale": _WET_REACH / 127.0,
        "steps": packer.add(np.diff(levels, axis=0, prepend=np.int8(0))),
        "color": [round(float(part) ** (1.0 / 2.2), 4) for part in track.color],
        "opacity": track.opacity,
    }


def _markers(places: Array, packer: Packer) -> dict[str, Any]:
    """Markers over time; where one was not seen it stays where it was, and is told to be unseen."""
    seen = ~np.isnan(places[..., 0])
    last = np.maximum.accumulate(np.where(seen, np.arange(len(places))[:, None], 0), axis=0)
    held = np.nan_to_num(np.take_along_axis(places, last[..., None], axis=0))
    return {
        "count": places.shape[1],
        "positions": packer.add_track(held),
        "seen": packer.add(seen.astype(np.uint8)),
        "color": MARKER_COLOR,
        "radius": MARKER_RADIUS,
    }


def _ground(piece: Relief, packer: Packer) -> dict[str, Any]:
    return {
        "vertices": packer.add(piece.vertices.astype(np.float32)),
        "normals": packer.add(np.rint(127.0 * piece.normals).astype(np.int8)),
        "triangles": packer.add(piece.triangles.astype(np.uint32)),
        "color": _rounded(np.array(piece.color)),
    }


def _shapes(shapes: Iterable[Shape]) -> list[dict[str, Any]]:
    return [
        {
            "kind": shape.kind,
            "size": _rounded(shape.size),
            "position": _rounded(shape.position),
            "rotation": _rounded(shape.rotation),
            "color": _rounded(np.array(shape.color)),
            "frame": shape.frame,
        }
        for shape in shapes
    ]


def _rounded(values: Array) -> list[float]:
    return [round(float(value), 5) for value in values]


def _forces(replay: Replay, packer: Packer) -> dict[str, Any]:
    """Per contact and tick: when, which pair, where and how strong."""
    pairs: dict[tuple[str, str, str], int] = {}
    which = [pairs.setdefault((each.character, each.body, each.other), len(pairs)) for each in replay.touches]
    return {
        "count": len(which),
        "time": packer.add(np.array([each.state * replay.tick for each in replay.touches], np.float32)),
        "pair": packer.add(np.array(which, np.uint16)),
        "point": packer.add(np.array([each.point for each in replay.touches], np.float32).reshape(-1, 3)),
        "force": packer.add(np.array([each.force for each in replay.touches], np.float32).reshape(-1, 3)),
    }
