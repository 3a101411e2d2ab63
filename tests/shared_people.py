"""Skinned people of ../shared/data whose formats Poise does not read, built from their parts: skeleton, mesh, weights."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation

from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton
from poise.motion.skin import SkinnedMesh, bind_at

Array = np.ndarray

MPFB_RIGS = ("cmu_mb", "game_engine", "mixamo")


def standing(skeleton: Skeleton) -> Clip:
    """The bind pose as one frame."""
    return Clip(skeleton, 30.0, np.tile(quat.IDENTITY, (1, len(skeleton), 1)), skeleton.offsets[None, :1])


def in_order(parents: dict[str, str]) -> list[str]:
    """Names with parents before children."""
    order: list[str] = []
    while len(order) < len(parents):
        order += [name for name, above in parents.items() if name not in order and (not above or above in order)]
    return order


def skeleton_of(parents: dict[str, str], places: dict[str, Array]) -> Skeleton:
    names = in_order(parents)
    above = [names.index(parents[name]) if parents[name] else -1 for name in names]
    offsets = [places[name] - (places[parents[name]] if parents[name] else 0.0) for name in names]
    return Skeleton(tuple(names), np.array(above), np.array(offsets))


def skinned(skeleton: Skeleton, vertices: Array, triangles: Array, table: Array) -> SkinnedMesh:
    """A mesh from a table of weights (V, J) for all joints."""
    joints = np.argsort(-table, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(table, joints, axis=1)
    used = np.unique(triangles)
    number = np.full(len(vertices), -1)
    number[used] = np.arange(len(used))
    return SkinnedMesh(vertices[used], number[triangles], joints[used], weights[used], bind_at(skeleton))


def fans(corners: list[list[int]]) -> Array:
    return np.array([[each[0], each[k], each[k + 1]] for each in corners for k in range(1, len(each) - 1)])


def mpfb_person(folder: Path, rig: str) -> tuple[Clip, SkinnedMesh]:
    """The MakeHuman base mesh on one of its rigs; decimetres and y up in the mesh, metres and z up in the rig."""
    bones = json.loads((folder / f"rig.{rig}.json").read_text())
    bones = bones.get("bones", bones)
    parents = {name: bone["parent"] or "" for name, bone in bones.items()}
    points: list[list[float]] = []
    polygons: list[list[int]] = []
    cubes: dict[str, set[int]] = {}
    group = ""
    for line in (folder / "base.obj").read_text().splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "v":
            points.append([float(value) for value in rest.split()])
        elif kind == "g":
            group = rest.strip()
        elif kind == "f":
            corners = [int(corner.split("/")[0]) - 1 for corner in rest.split()]
            cubes.setdefault(group, set()).update(corners)
            if group == "body":
                polygons.append(corners)
    vertices = 0.1 * np.array(points)[:, [2, 0, 1]]

    def place(head: dict[str, Any]) -> Array:
        if head["strategy"] == "CUBE":
            return np.asarray(vertices[sorted(cubes[head["cube_name"]])].mean(axis=0))
        marks = head["vertex_indices"] if head["strategy"] == "MEAN" else [head["vertex_index"]]
        return np.asarray(vertices[marks].mean(axis=0))

    skeleton = skeleton_of(parents, {name: place(bone["head"]) for name, bone in bones.items()})
    table = np.zeros((len(vertices), len(skeleton)))
    weights: dict[str, Any] = json.loads((folder / f"weights.{rig}.json").read_text())["weights"]
    for name, pairs in weights.items():
        if name in skeleton.names:
            for vertex, share in pairs:
                table[int(vertex), skeleton.index(name)] = share
    return standing(skeleton), skinned(skeleton, vertices, fans(polygons), table)


def cgmath_person(folder: Path) -> tuple[Clip, SkinnedMesh]:
    """The humanoid of cgmath: Maya joints with orients, in centimetres and y up."""
    items = json.loads((folder / "test_hierarchy.skeleton.json").read_text())["__items__"]
    names = {item["uuid"]: item["name"] for item in items}
    parents = {item["name"]: names.get(item.get("parent_node", ""), "") for item in items}
    own = {item["name"]: item for item in items}
    turns: dict[str, Rotation] = {}
    places: dict[str, Array] = {}
    for name in in_order(parents):
        item, above = own[name], parents[name]
        turn = Rotation.from_euler("xyz", item.get("_joint_orient", [0.0] * 3), degrees=True) * Rotation.from_euler(
            "xyz", item.get("_rotate", [0.0] * 3), degrees=True
        )
        away = np.array(item.get("_translate", [0.0] * 3))
        turns[name] = turns[above] * turn if above else turn
        places[name] = places[above] + turns[above].apply(away) if above else away
    skeleton = skeleton_of(parents, {name: 0.01 * place[[2, 0, 1]] for name, place in places.items()})
    mesh, skin = (np.load(folder / f"test_resample.dst_{part}_data.npz") for part in ("mesh", "skin"))
    starts = np.concatenate([[0], np.cumsum(mesh["counts"])])
    corners = [mesh["indices"][a:b].tolist() for a, b in pairwise(starts)]
    vertices = 0.01 * mesh["points"][:, [2, 0, 1]]
    table = np.zeros((len(vertices), len(skeleton)))
    for column, name in enumerate(skin["influences/~pack"]):
        table[:, skeleton.index(str(name))] += skin["weights"][:, column]
    return standing(skeleton), skinned(skeleton, vertices, fans(corners), table)
