"""A whole person as FBX in text: skin, an image in it, joints whose names say nothing, and a HumanIK character that does."""

import base64
import io
from pathlib import Path

import numpy as np
from PIL import Image

from poise.body.humanoid import humanoid
from poise.body.mannequin import mannequin
from poise.motion import Clip
from poise.motion.skin import SkinnedMesh

COLORS = {"left": (210, 40, 40), "right": (40, 60, 200), "middle": (40, 170, 60)}
"""Of what follows a left limb, a right one, and the trunk."""
_SLOTS = {"pelvis": "Hips", "spine": "Spine", "head": "Head"} | {
    f"{side.lower()}_{part}": f"{side}{bone}"
    for side in ("Left", "Right")
    for part, bone in (
        *(("upper_arm", "Arm"), ("forearm", "ForeArm"), ("hand", "Hand")),
        *(("thigh", "UpLeg"), ("shank", "Leg"), ("foot", "Foot"), ("toes", "ToeBase")),
    )
}


def stripes() -> bytes:
    """An image of three upright stripes, one for each color, as PNG."""
    image = Image.new("RGB", (96, 32))
    for number, color in enumerate(COLORS.values()):
        image.paste(color, (32 * number, 0, 32 * number + 32, 32))
    content = io.BytesIO()
    image.save(content, "PNG")
    return content.getvalue()


def person(path: Path, *, image: bytes | None = None) -> tuple[Clip, SkinnedMesh]:
    """Write the file; returns the clip and the skin that are in it.

    Args:
        path: Where to.
        image: Of the skin, within the file; `stripes()` by default.
    """
    clip = humanoid(1.7)
    mesh = mannequin(clip)
    skeleton = clip.skeleton
    objects, links = [], []
    for joint, name in enumerate(skeleton.names):
        x, y, z = clip.translations[0, 0] if joint == 0 else skeleton.offsets[joint]
        objects.append(f"""
    Model: {1000 + joint}, "Model::J{joint:02d}", "LimbNode" {{ Version: 232
        Properties70: {{ P: "Lcl Translation", "Lcl Translation", "", "A",{x:.9g},{y:.9g},{z:.9g} }} }}
    NodeAttribute: {2000 + joint}, "NodeAttribute::J{joint:02d}", "LimbNode" {{ TypeFlags: "Skeleton" }}""")
        above = 0 if joint == 0 else 1000 + int(skeleton.parents[joint])
        links += [f'C: "OO",{1000 + joint},{above}', f'C: "OO",{2000 + joint},{1000 + joint}']
        if name in _SLOTS:
            links.append(f'C: "OP",{1000 + joint},7,"{_SLOTS[name]}Link"')
    for joint, at, weights in _clusters(mesh):
        bind = mesh.inverse_bind[joint]
        objects.append(f"""
    Deformer: {3000 + joint}, "SubDeformer::", "Cluster" {{ Version: 100
        {_numbers("Indexes", at)}
        {_numbers("Weights", weights)}
        {_numbers("Transform", bind.T.ravel())}
        {_numbers("TransformLink", np.linalg.inv(bind).T.ravel())} }}""")
        links += [f'C: "OO",{3000 + joint},5', f'C: "OO",{1000 + joint},{3000 + joint}']
    corners = mesh.triangles.copy()
    corners[:, 2] = ~corners[:, 2]
    content = base64.b64encode(stripes() if image is None else image).decode()
    path.write_text(f"""; FBX 7.4.0 project file
FBXHeaderExtension:  {{ FBXHeaderVersion: 1003 FBXVersion: 7400 }}
GlobalSettings:  {{ Version: 1000 Properties70: {{
    P: "UpAxis", "int", "Integer", "",2
    P: "UpAxisSign", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",0
    P: "FrontAxisSign", "int", "Integer", "",1
    P: "CoordAxis", "int", "Integer", "",1
    P: "CoordAxisSign", "int", "Integer", "",1
    P: "UnitScaleFactor", "double", "Number", "",100
}} }}
Objects:  {{
    Geometry: 1, "Geometry::skin", "Mesh" {{
        {_numbers("Vertices", mesh.vertices.ravel())}
        {_numbers("PolygonVertexIndex", corners.ravel())}
        LayerElementUV: 0 {{ MappingInformationType: "ByVertice" ReferenceInformationType: "Direct"
            {_numbers("UV", _uvs(mesh, skeleton.names).ravel())} }}
        LayerElementMaterial: 0 {{ MappingInformationType: "AllSame" ReferenceInformationType: "IndexToDirect"
            Materials: *1 {{ a: 0 }} }}
        Layer: 0 {{ Version: 100
            LayerElement:  {{ Type: "LayerElementUV" TypedIndex: 0 }}
            LayerElement:  {{ Type: "LayerElementMaterial" TypedIndex: 0 }} }}
    }}
    Model: 2, "Model::skin", "Mesh" {{ Version: 232 }}
    Material: 3, "Material::cloth", "" {{ Version: 102 ShadingModel: "phong" }}
    Texture: 4, "Texture::stripes.png", "" {{ FileName: "stripes.png" RelativeFilename: "stripes.png" }}
    Video: 6, "Video::stripes.png", "Clip" {{
        FileName: "stripes.png" RelativeFilename: "stripes.png" Content: , "{content}" }}
    Deformer: 5, "Deformer::", "Skin" {{ Version: 101 }}
    Constraint: 7, "Constraint::Someone", "Character" {{ Version: 100 }}
    {"".join(objects)}
}}
Connections:  {{
    C: "OO",2,0
    C: "OO",1,2
    C: "OO",3,2
    C: "OP",4,3,"DiffuseColor"
    C: "OO",6,4
    C: "OO",5,1
    {chr(10).join(links)}
}}
""")
    return clip, mesh


def side_of(name: str) -> str:
    """Whose color a joint's skin has."""
    return name.partition("_")[0] if name.startswith(("left_", "right_")) else "middle"


def _uvs(mesh: SkinnedMesh, names: tuple[str, ...]) -> np.ndarray:
    first = mesh.joints[np.arange(len(mesh)), mesh.weights.argmax(axis=1)]
    stripe = [list(COLORS).index(side_of(names[joint])) for joint in first]
    return np.stack([(np.array(stripe) + 0.5) / 3.0, np.full(len(mesh), 0.5)], axis=1)


def _clusters(mesh: SkinnedMesh) -> list[tuple[int, np.ndarray, np.ndarray]]:
    """Joints that something follows: which vertices and how much."""
    found = []
    for joint in range(len(mesh.inverse_bind)):
        at, slot = np.nonzero((mesh.joints == joint) & (mesh.weights > 0.0))
        if len(at):
            found.append((joint, at, mesh.weights[at, slot]))
    return found


def _numbers(name: str, values: np.ndarray) -> str:
    return f"{name}: *{len(values)} {{ a: {','.join(f'{value:.9g}' for value in values)} }}"
