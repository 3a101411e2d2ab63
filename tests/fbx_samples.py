"""A small FBX in text: a sheet of two squares and two materials on two bones."""

import base64
from pathlib import Path

POINTS = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)]
CORNERS = [0, 1, 4, 3, 1, 2, 5, 4]
"""Of the first square, then of the second; they share an edge."""
UVS = [(0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0), (1.0, 0.25)]
UV_OF_CORNER = [0, 1, 2, 3, 1, 4, 2, 2]
NORMAL = (0.0, 0.6, 0.8)
"""Of every corner; the faces themselves look along z."""
_IDENTITY = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1"
_KNEE = "1,0,0,0,0,1,0,0,0,0,1,0,0,-1,0,1"


def _array(name: str, values: list[float]) -> str:
    return f"{name}: *{len(values)} {{ a: {','.join(f'{value:g}' for value in values)} }}"


def _flat(rows: list[tuple[float, ...]]) -> list[float]:
    return [float(value) for row in rows for value in row]


def _texture(number: int, material: int, name: str, embedded: bytes | None) -> tuple[str, str]:
    """A texture and its video as objects, and their connections."""
    objects = f"""
    Texture: {number}, "Texture::{name}", "" {{ FileName: "C:\\art\\{name}" RelativeFilename: "..\\art\\{name}" }}
    Video: {number + 1}, "Video::{name}", "Clip" {{
        FileName: "C:\\art\\{name}" RelativeFilename: "..\\art\\{name}"
        {f'Content: , "{base64.b64encode(embedded).decode()}"' if embedded else ""}
    }}"""
    return objects, f'C: "OP",{number},{material},"DiffuseColor"\nC: "OO",{number + 1},{number}'


def sheet(path: Path, *, image: str | None = None, embedded: bytes | None = None) -> Path:
    """Write the file.

    Args:
        path: Where to.
        image: What the image of the first material is called, which lies elsewhere; none without.
        embedded: The image of the second, within the file; none without.
    """
    ends = [~corner if at % 4 == 3 else corner for at, corner in enumerate(CORNERS)]
    textures = []
    if image is not None:
        textures.append(_texture(100, 50, image, None))
    if embedded is not None:
        textures.append(_texture(102, 51, "inside.png", embedded))
    path.write_text(f"""; FBX 7.4.0 project file
FBXHeaderExtension:  {{ FBXHeaderVersion: 1003 FBXVersion: 7400 }}
GlobalSettings:  {{ Version: 1000 Properties70: {{
    P: "UpAxis", "int", "Integer", "",1
    P: "FrontAxis", "int", "Integer", "",2
    P: "CoordAxis", "int", "Integer", "",0
    P: "UnitScaleFactor", "double", "Number", "",100
}} }}
Objects:  {{
    Geometry: 1, "Geometry::sheet", "Mesh" {{
        {_array("Vertices", _flat(POINTS))}
        {_array("PolygonVertexIndex", ends)}
        LayerElementNormal: 0 {{ MappingInformationType: "ByPolygonVertex" ReferenceInformationType: "Direct"
            {_array("Normals", list(NORMAL) * 8)} }}
        LayerElementUV: 0 {{ MappingInformationType: "ByPolygonVertex" ReferenceInformationType: "IndexToDirect"
            {_array("UV", _flat(UVS))}
            {_array("UVIndex", UV_OF_CORNER)} }}
        LayerElementMaterial: 0 {{ MappingInformationType: "ByPolygon" ReferenceInformationType: "IndexToDirect"
            {_array("Materials", [0, 1])} }}
        Layer: 0 {{ Version: 100
            LayerElement:  {{ Type: "LayerElementNormal" TypedIndex: 0 }}
            LayerElement:  {{ Type: "LayerElementUV" TypedIndex: 0 }}
            LayerElement:  {{ Type: "LayerElementMaterial" TypedIndex: 0 }} }}
    }}
    Model: 2, "Model::sheet", "Mesh" {{ Version: 232 }}
    Model: 3, "Model::hip", "LimbNode" {{ Version: 232 }}
    Model: 4, "Model::knee", "LimbNode" {{ Version: 232
        Properties70: {{ P: "Lcl Translation", "Lcl Translation", "", "A",0,-1,0 }} }}
    NodeAttribute: 30, "NodeAttribute::hip", "LimbNode" {{ TypeFlags: "Skeleton" }}
    NodeAttribute: 40, "NodeAttribute::knee", "LimbNode" {{ TypeFlags: "Skeleton" }}
    Material: 50, "Material::cloth", "" {{ Version: 102 ShadingModel: "phong"
        Properties70: {{ P: "DiffuseColor", "Color", "", "A",0.2,0.4,0.6 }} }}
    Material: 51, "Material::leather", "" {{ Version: 102 ShadingModel: "phong"
        Properties70: {{ P: "DiffuseColor", "Color", "", "A",0.5,0.25,0.125 }} }}
    {"".join(objects for objects, _ in textures)}
    Deformer: 90, "Deformer::", "Skin" {{ Version: 101 }}
    Deformer: 91, "SubDeformer::", "Cluster" {{ Version: 100
        {_array("Indexes", [0, 1, 3, 4])}
        {_array("Weights", [1, 0.5, 1, 0.5])}
        Transform: *16 {{ a: {_IDENTITY} }}
        TransformLink: *16 {{ a: {_IDENTITY} }} }}
    Deformer: 92, "SubDeformer::", "Cluster" {{ Version: 100
        {_array("Indexes", [1, 4, 5])}
        {_array("Weights", [0.5, 0.5, 1])}
        Transform: *16 {{ a: {_KNEE.replace("-1", "1")} }}
        TransformLink: *16 {{ a: {_KNEE} }} }}
}}
Connections:  {{
    C: "OO",2,0
    C: "OO",3,0
    C: "OO",4,3
    C: "OO",30,3
    C: "OO",40,4
    C: "OO",1,2
    C: "OO",50,2
    C: "OO",51,2
    C: "OO",90,1
    C: "OO",91,90
    C: "OO",92,90
    C: "OO",3,91
    C: "OO",4,92
    {chr(10).join(links for _, links in textures)}
}}
""")
    return path
