"""Small FBX files in text: a sheet of two squares on two bones, and a whole person whose joints' names say nothing."""

import base64
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from poise.body.humanoid import humanoid
from poise.body.mannequin import mannequin
from poise.motion import Clip
from poise.motion.skin import SkinnedMesh

POINTS = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]
CORNERS = [0, 1, 4, 3, 1, 2, 5, 4]
"""Of the sheet's first square, then of the second; they share an edge."""
UVS = [(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0), (1.0, 0.25)]
UV_OF_CORNER = [0, 1, 2, 3, 1, 4, 2, 2]
NORMAL = (0.0, 0.6, 0.8)
"""Of every corner; the faces themselves look along z."""
COLORS = {"left": (210, 40, 40), "right": (40, 60, 200), "middle": (40, 170, 60)}
"""Of what follows a person's left limb, a right one, and the trunk."""
_SLOTS = {"pelvis": "Hips", "spine": "Spine", "head": "Head"} | {
    f"{side.lower()}_{part}": f"{side}{bone}"
    for side in ("Left", "Right")
    for part, bone in (
        *(("upper_arm", "Arm"), ("forearm", "ForeArm"), ("hand", "Hand")),
        *(("thigh", "UpLeg"), ("shank", "Leg"), ("foot", "Foot"), ("toes", "ToeBase")),
    )
}
_MESH, _GEOMETRY, _SKIN, _CHARACTER, _MATERIAL, _TEXTURE = 1, 2, 3, 4, 10, 20
_JOINT, _ATTRIBUTE, _CLUSTER = 1000, 2000, 3000
"""Numbers of objects; joints, materials and textures are counted from theirs."""


class _Part(NamedTuple):
    """Objects of a file, and what they are connected with."""

    objects: str
    links: Sequence[str]


def sheet(path: Path, *, image: str | None = None, embedded: bytes | None = None) -> Path:
    """Write a sheet of two squares and two materials on two bones.

    Args:
        path: Where to.
        image: What the image of the first material is called, which lies elsewhere; none without.
        embedded: The image of the second, within the file; none without.
    """
    ends = [~corner if at % 4 == 3 else corner for at, corner in enumerate(CORNERS)]
    layers = [
        _layer("Normal", "ByPolygonVertex", {"Normals": list(NORMAL) * 8}),
        _layer("UV", "ByPolygonVertex", {"UV": np.ravel(UVS), "UVIndex": UV_OF_CORNER}),
        _layer("Material", "ByPolygon", {"Materials": [0, 1]}),
    ]
    knee = np.eye(4)
    knee[1, 3] = -1.0
    parts = [
        _mesh("sheet", np.ravel(POINTS), ends, layers),
        _material(0, "cloth", (0.2, 0.4, 0.6)),
        _material(1, "leather", (0.5, 0.25, 0.125)),
        _joint(0, "hip", (0, 0, 0), -1),
        _joint(1, "knee", (0, -1, 0), 0),
        _cluster(0, [0, 1, 3, 4], [1, 0.5, 1, 0.5], np.eye(4)),
        _cluster(1, [1, 4, 5], [0.5, 0.5, 1], np.linalg.inv(knee)),
    ]
    if image is not None:
        parts.append(_texture(0, f"C:\\art\\{image}", f"..\\art\\{image}", None))
    if embedded is not None:
        parts.append(_texture(1, "C:\\art\\inside.png", "..\\art\\inside.png", embedded))
    return _write(path, parts, up=1)


def person(path: Path, *, image: bytes | None = None) -> tuple[Clip, SkinnedMesh]:
    """Write a person with skin, an image in it and a HumanIK character; returns the clip and the skin that are in it.

    Args:
        path: Where to.
        image: Of the skin, within the file; `stripes()` by default.
    """
    clip = humanoid(1.7)
    mesh, skeleton = mannequin(clip), clip.skeleton
    corners = mesh.triangles.copy()
    corners[:, 2] = ~corners[:, 2]
    layers = [
        _layer("UV", "ByVertice", {"UV": _uvs(mesh, skeleton.names).ravel()}),
        _layer("Material", "AllSame", {"Materials": [0]}),
    ]
    parts = [
        _mesh("skin", mesh.vertices.ravel(), corners.ravel(), layers),
        _material(0, "cloth"),
        _texture(0, "stripes.png", "stripes.png", stripes() if image is None else image),
        _Part(f'Constraint: {_CHARACTER}, "Constraint::Someone", "Character" {{ Version: 100 }}', ()),
    ]
    for joint, name in enumerate(skeleton.names):
        place = clip.translations[0, 0] if joint == 0 else skeleton.offsets[joint]
        parts.append(_joint(joint, f"J{joint:02d}", place, int(skeleton.parents[joint])))
        if name in _SLOTS:
            parts.append(_Part("", [f'C: "OP",{_JOINT + joint},{_CHARACTER},"{_SLOTS[name]}Link"']))
        at, slot = np.nonzero((mesh.joints == joint) & (mesh.weights > 0.0))
        if len(at):
            parts.append(_cluster(joint, at, mesh.weights[at, slot], mesh.inverse_bind[joint]))
    _write(path, parts, up=2)
    return clip, mesh


def stripes() -> bytes:
    """An image of three upright stripes, one for each color, as PNG."""
    image = Image.new("RGB", (96, 32))
    for number, color in enumerate(COLORS.values()):
        image.paste(color, (32 * number, 0, 32 * number + 32, 32))
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()


def side_of(name: str) -> str:
    """Whose color a joint's skin has."""
    return name.partition("_")[0] if name.startswith(("left_", "right_")) else "middle"


def _uvs(mesh: SkinnedMesh, names: tuple[str, ...]) -> np.ndarray:
    first = mesh.joints[np.arange(len(mesh)), mesh.weights.argmax(axis=1)]
    stripe = [list(COLORS).index(side_of(names[joint])) for joint in first]
    return np.stack([(np.array(stripe) + 0.5) / 3.0, np.full(len(mesh), 0.5)], axis=1)


def _numbers(name: str, values: Iterable[float]) -> str:
    words = [f"{value:.9g}" for value in values]
    return f"{name}: *{len(words)} {{ a: {','.join(words)} }}"


def _layer(kind: str, mapping: str, arrays: dict[str, Iterable[float]]) -> _Part:
    """A layer of values on a mesh, and how its list of layers names it; a second array, or materials, refers to the first."""
    how = "IndexToDirect" if len(arrays) > 1 or kind == "Material" else "Direct"
    content = " ".join(_numbers(name, values) for name, values in arrays.items())
    body = f'MappingInformationType: "{mapping}" ReferenceInformationType: "{how}"\n{content}'
    named = f'LayerElement:  {{ Type: "LayerElement{kind}" TypedIndex: 0 }}'
    return _Part(f"LayerElement{kind}: 0 {{ {body} }}", [named])


def _mesh(name: str, points: Iterable[float], corners: Iterable[int], layers: Sequence[_Part]) -> _Part:
    """The mesh, what it shows, and its skin."""
    objects = f"""
    Geometry: {_GEOMETRY}, "Geometry::{name}", "Mesh" {{
        {_numbers("Vertices", points)}
        {_numbers("PolygonVertexIndex", corners)}
        {" ".join(layer.objects for layer in layers)}
        Layer: 0 {{ Version: 100 {" ".join(name for layer in layers for name in layer.links)} }}
    }}
    Model: {_MESH}, "Model::{name}", "Mesh" {{ Version: 232 }}
    Deformer: {_SKIN}, "Deformer::", "Skin" {{ Version: 101 }}"""
    return _Part(objects, [f'C: "OO",{_MESH},0', f'C: "OO",{_GEOMETRY},{_MESH}', f'C: "OO",{_SKIN},{_GEOMETRY}'])


def _material(number: int, name: str, color: tuple[float, float, float] | None = None) -> _Part:
    shown = "" if color is None else f'P: "DiffuseColor", "Color", "", "A",{",".join(map(str, color))}'
    objects = f"""
    Material: {_MATERIAL + number}, "Material::{name}", "" {{ Version: 102 ShadingModel: "phong"
        Properties70: {{ {shown} }} }}"""
    return _Part(objects, [f'C: "OO",{_MATERIAL + number},{_MESH}'])


def _texture(material: int, whole: str, relative: str, embedded: bytes | None) -> _Part:
    """The image of a material, which lies elsewhere or within the file."""
    number = _TEXTURE + 2 * material
    files = f'FileName: "{whole}" RelativeFilename: "{relative}"'
    content = f'Content: , "{base64.b64encode(embedded).decode()}"' if embedded else ""
    objects = f"""
    Texture: {number}, "Texture::image", "" {{ {files} }}
    Video: {number + 1}, "Video::image", "Clip" {{
        {files}
        {content} }}"""
    return _Part(objects, [f'C: "OP",{number},{_MATERIAL + material},"DiffuseColor"', f'C: "OO",{number + 1},{number}'])


def _joint(number: int, name: str, place: Iterable[float], above: int) -> _Part:
    x, y, z = place
    objects = f"""
    Model: {_JOINT + number}, "Model::{name}", "LimbNode" {{ Version: 232
        Properties70: {{ P: "Lcl Translation", "Lcl Translation", "", "A",{x:.9g},{y:.9g},{z:.9g} }} }}
    NodeAttribute: {_ATTRIBUTE + number}, "NodeAttribute::{name}", "LimbNode" {{ TypeFlags: "Skeleton" }}"""
    on = 0 if above < 0 else _JOINT + above
    return _Part(objects, [f'C: "OO",{_JOINT + number},{on}', f'C: "OO",{_ATTRIBUTE + number},{_JOINT + number}'])


def _cluster(joint: int, at: Iterable[int], weights: Iterable[float], inverse_bind: np.ndarray) -> _Part:
    """Which vertices follow a joint, and how much."""
    objects = f"""
    Deformer: {_CLUSTER + joint}, "SubDeformer::", "Cluster" {{ Version: 100
        {_numbers("Indexes", at)}
        {_numbers("Weights", weights)}
        {_numbers("Transform", inverse_bind.T.ravel())}
        {_numbers("TransformLink", np.linalg.inv(inverse_bind).T.ravel())} }}"""
    return _Part(objects, [f'C: "OO",{_CLUSTER + joint},{_SKIN}', f'C: "OO",{_JOINT + joint},{_CLUSTER + joint}'])


def _write(path: Path, parts: Sequence[_Part], *, up: int) -> Path:
    """Write the file, in metres, with y (1) or z (2) up; what is in front follows in the circle of axes."""
    lines = "\n".join(link for part in parts for link in part.links)
    path.write_text(f"""; FBX 7.4.0 project file
FBXHeaderExtension:  {{ FBXHeaderVersion: 1003 FBXVersion: 7400 }}
GlobalSettings:  {{ Version: 1000 Properties70: {{
    P: "UpAxis", "int", "Integer", "",{up}
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",{(up + 1) % 3}
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",{(up + 2) % 3}
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",100
}} }}
Objects:  {{
{"".join(part.objects for part in parts)}
}}
Connections:  {{
{lines}
}}
""")
    return path
