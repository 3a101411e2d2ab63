"""What materials look like: base color and its image. Everything else of a material is only written back."""

from __future__ import annotations

from poise.errors import InputError
from poise.io.files import MAX_BYTES
from poise.io.gltf.container import Document
from poise.io.gltf.entry import Entry
from poise.motion.skin import Material

__all__ = ["read_materials"]

_PLAIN = Material((1.0, 1.0, 1.0))
_STILL = {"offset": [0, 0], "scale": [1, 1], "rotation": 0}


def read_materials(document: Document, notes: list[str]) -> tuple[Material, ...]:
    """The look of every material; none at all where all of them are plain white.

    An image that cannot be found costs the picture, not the character.

    Args:
        document: The file.
        notes: Gets a line for each image that is left out.
    """
    images: dict[int, bytes] = {}
    materials = tuple(_material(document, entry, images, notes) for entry in document.root.objects("materials"))
    return () if all(look == _PLAIN for look in materials) else materials


def _material(document: Document, entry: Entry, images: dict[int, bytes], notes: list[str]) -> Material:
    color, image = _PLAIN.color, None
    try:
        surface = entry.member("pbrMetallicRoughness")
        red, green, blue, _ = (
            min(max(float(value), 0.0), 1.0) for value in surface.numbers("baseColorFactor", (1.0,) * 4)
        )
        color = (red, green, blue)
        if "baseColorTexture" in surface:
            image = _image(document, surface.member("baseColorTexture"), images)
    except InputError as error:
        notes.append(f"{error.place}: {error.problem}; drawn without it")
    return Material(color, image, image is not None and entry.value.get("alphaMode", "OPAQUE") != "OPAQUE")


def _image(document: Document, use: Entry, images: dict[int, bytes]) -> bytes | None:
    """The file of a texture; None where it is in a format, or is laid on in a way, that is not drawn."""
    root = document.root
    shift = use.member("extensions").member("KHR_texture_transform").value
    moved = any(shift.get(key, still) != still for key, still in _STILL.items())
    texture = root.item("textures", use.index("index", root.count("textures"), "textures"))
    if moved or use.value.get("texCoord", 0) != 0 or "source" not in texture:
        return None
    at = texture.index("source", root.count("images"), "images")
    if at not in images:
        images[at] = _content(document, root.item("images", at))
    return images[at]


def _content(document: Document, image: Entry) -> bytes:
    if "bufferView" not in image:
        return document.resolve(image)
    root = document.root
    view = root.item("bufferViews", image.index("bufferView", root.count("bufferViews"), "buffer views"))
    content = document.buffer(view.index("buffer", root.count("buffers"), "buffers"))
    start = view.integer("byteOffset", high=MAX_BYTES, default=0)
    length = view.integer("byteLength", low=1, high=MAX_BYTES)
    if start + length > len(content):
        raise view.bad(f"the view ends at byte {start + length}; its buffer has {len(content)}", "byteLength")
    return content[start : start + length]
