"""Collada files of a clip, written by hand as programs write them: by matrices (Blender, Mixamo) or by angles (Maya)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.spatial.transform import Rotation

from poise.math import quat
from poise.motion import Clip

SIZE = 0.2137
"""Of the triangle at each joint [file units]."""


def numbers(values: object) -> str:
    return " ".join(f"{value:.9g}" for value in np.asarray(values, dtype=np.float64).ravel())


def source(name: str, values: object, params: Sequence[tuple[str, str]], stride: int) -> str:
    count = np.asarray(values).size
    listed = "".join(f'<param name="{param}" type="{kind}"/>' for param, kind in params)
    return (
        f'<source id="{name}"><float_array id="{name}-array" count="{count}">{numbers(values)}</float_array><technique_common>'
        f'<accessor source="#{name}-array" count="{count // stride}" stride="{stride}">{listed}</accessor>'
        "</technique_common></source>"
    )


def words(name: str, values: Sequence[str], param: str) -> str:
    return (
        f'<source id="{name}"><Name_array id="{name}-array" count="{len(values)}">{" ".join(values)}</Name_array>'
        f'<technique_common><accessor source="#{name}-array" count="{len(values)}" stride="1">'
        f'<param name="{param}" type="name"/></accessor></technique_common></source>'
    )


def channel(target: str, times: np.ndarray, values: np.ndarray, param: tuple[str, str], stride: int) -> str:
    name = target.replace("/", "_").replace(".", "_")
    return (
        f'<animation id="{name}">{source(f"{name}-input", times, [("TIME", "float")], 1)}'
        f"{source(f'{name}-output', values, [param], stride)}"
        f"{words(f'{name}-interpolation', ['LINEAR'] * len(times), 'INTERPOLATION')}"
        f'<sampler id="{name}-sampler"><input semantic="INPUT" source="#{name}-input"/>'
        f'<input semantic="OUTPUT" source="#{name}-output"/>'
        f'<input semantic="INTERPOLATION" source="#{name}-interpolation"/></sampler>'
        f'<channel source="#{name}-sampler" target="{target}"/></animation>'
    )


def collada(clip: Clip, *, angles: bool = False, unit: float = 0.01, up: str = "Z_UP", image: str = "") -> str:
    """A clip whose root alone has positions, as Collada, with a triangle at each joint that hangs on it.

    Args:
        clip: The clip.
        angles: Whether joints turn by angles about z, y and x, or by matrices.
        unit: Metres per unit.
        up: The axis that is said to be up.
        image: Name of the image that the triangles have, if any.
    """
    skeleton, frames = clip.skeleton, len(clip)
    names, parents, count = skeleton.names, skeleton.parents, len(skeleton.names)
    rest = np.tile(np.eye(4), (count, 1, 1))
    rest[:, :3, 3] = skeleton.offsets / unit
    moved = np.tile(rest, (frames, 1, 1, 1))
    moved[..., :3, :3] = quat.to_matrix(clip.rotations)
    moved[:, 0, :3, 3] = clip.translations[:, 0] / unit
    bound = rest.copy()
    for joint in range(1, count):
        bound[joint] = bound[parents[joint]] @ rest[joint]
    corners = np.concatenate([bound[:, :3, 3] + SIZE * np.array(way) for way in ((0, 0, 0), (1, 0, 0), (0, 1, 0))])
    xyz = [(axis, "float") for axis in "XYZ"]
    look = (
        f'<library_images><image id="i" name="i"><init_from>{image}</init_from></image></library_images>'
        '<library_effects><effect id="e"><profile_COMMON><newparam sid="s"><surface type="2D"><init_from>i</init_from>'
        '</surface></newparam><newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam><technique sid="c">'
        '<lambert><diffuse><texture texture="t" texcoord="UV"/></diffuse></lambert></technique></profile_COMMON></effect>'
        '</library_effects><library_materials><material id="m" name="m"><instance_effect url="#e"/></material>'
        "</library_materials>"
    )
    triangles = " ".join(f"{joint} {joint + count} {joint + 2 * count}" for joint in range(count))
    mesh = (
        f'<library_geometries><geometry id="Body-mesh" name="Body"><mesh>{source("places", corners, xyz, 3)}'
        '<vertices id="vertices"><input semantic="POSITION" source="#places"/></vertices>'
        f'<triangles count="{count}" material="m"><input semantic="VERTEX" source="#vertices" offset="0"/><p>{triangles}</p>'
        "</triangles></mesh></geometry></library_geometries>"
    )
    skin = (
        '<library_controllers><controller id="skin" name="Armature"><skin source="#Body-mesh">'
        f"<bind_shape_matrix>{numbers(np.eye(4))}</bind_shape_matrix>{words('joints', names, 'JOINT')}"
        f"{source('binds', np.linalg.inv(bound), [('TRANSFORM', 'float4x4')], 16)}"
        f"{source('weights', [1.0], [('WEIGHT', 'float')], 1)}"
        '<joints><input semantic="JOINT" source="#joints"/><input semantic="INV_BIND_MATRIX" source="#binds"/></joints>'
        f'<vertex_weights count="{len(corners)}"><input semantic="JOINT" source="#joints" offset="0"/>'
        f'<input semantic="WEIGHT" source="#weights" offset="1"/><vcount>{" ".join(["1"] * len(corners))}</vcount>'
        f"<v>{' '.join(f'{corner % count} 0' for corner in range(len(corners)))}</v></vertex_weights></skin></controller>"
        "</library_controllers>"
    )
    times, moves = np.arange(frames) / clip.rate, ""
    for joint, name in enumerate(names):
        node = f"Armature_{name}"
        if not angles:
            moves += channel(f"{node}/transform", times, moved[:, joint], ("TRANSFORM", "float4x4"), 16)
            continue
        turns = Rotation.from_matrix(moved[:, joint, :3, :3]).as_euler("ZYX", degrees=True)
        for axis, column in zip("ZYX", np.unwrap(turns, period=360.0, axis=0).T, strict=True):
            moves += channel(f"{node}/rotate{axis}.ANGLE", times, column, ("ANGLE", "float"), 1)
        if joint == 0:
            for axis, column in zip("XYZ", moved[:, 0, :3, 3].T, strict=True):
                moves += channel(f"{node}/translate.{axis}", times, column, (axis, "float"), 1)

    def place(joint: int) -> str:
        if not angles:
            return f'<matrix sid="transform">{numbers(rest[joint])}</matrix>'
        turns = "".join(
            f'<rotate sid="rotate{axis}">{way} 0</rotate>'
            for axis, way in zip("ZYX", ("0 0 1", "0 1 0", "1 0 0"), strict=True)
        )
        return f'<translate sid="translate">{numbers(rest[joint, :3, 3])}</translate>{turns}'

    def node(joint: int) -> str:
        below = "".join(node(other) for other in range(count) if parents[other] == joint)
        name = names[joint]
        return f'<node id="Armature_{name}" name="{name}" sid="{name}" type="JOINT">{place(joint)}{below}</node>'

    here = '<matrix sid="transform">1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</matrix>'
    scene = (
        f'<library_visual_scenes><visual_scene id="Scene" name="Scene"><node id="Armature" name="Armature">{here}{node(0)}'
        f'<node id="Body" name="Body">{here}<instance_controller url="#skin"><skeleton>#Armature_{names[0]}</skeleton>'
        '<bind_material><technique_common><instance_material symbol="m" target="#m"/></technique_common></bind_material>'
        "</instance_controller></node></node></visual_scene></library_visual_scenes>"
    )
    return (
        '<?xml version="1.0" encoding="utf-8"?>'
        '<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset>'
        f'<unit name="unit" meter="{unit:g}"/><up_axis>{up}</up_axis></asset>{look if image else ""}{mesh}{skin}'
        f'<library_animations>{moves}</library_animations>{scene}<scene><instance_visual_scene url="#Scene"/></scene></COLLADA>'
    )
