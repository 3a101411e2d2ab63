"""The outside of a glTF file: a GLB's chunks or JSON text, and the buffers it refers to."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import unquote

from poise.errors import InputError
from poise.io.files import MAX_BYTES, read_bytes
from poise.io.gltf.entry import Entry

__all__ = ["Document", "join_glb", "open_document", "parse_json", "split_glb"]

MAGIC = b"glTF"
JSON_CHUNK, BIN_CHUNK = 0x4E4F534A, 0x004E4942
COMPRESSED = {
    "KHR_draco_mesh_compression": "Draco",
    "EXT_meshopt_compression": "meshopt",
    "KHR_meshopt_compression": "meshopt",
}
"""Extensions that hide the numbers; what they are called."""


@dataclass(frozen=True, eq=False)
class Document:
    """A glTF file: its JSON and, where it is a GLB, the bytes of its BIN chunk.

    Args:
        path: The file.
        root: The whole JSON.
        binary: The BIN chunk, or None.
    """

    path: Path
    root: Entry
    binary: bytes | None
    _buffers: dict[int, bytes] = field(default_factory=dict)

    def buffer(self, index: int) -> bytes:
        """All bytes of buffer `index`, at least as many as it declares."""
        if index not in self._buffers:
            entry = self.root.item("buffers", index)
            declared = entry.integer("byteLength", low=1, high=MAX_BYTES)
            content = self._content(entry, index)
            if len(content) < declared:
                raise entry.bad(f"the buffer declares {declared} bytes and has {len(content)}", "byteLength")
            self._buffers[index] = content
        return self._buffers[index]

    def _content(self, entry: Entry, index: int) -> bytes:
        if "uri" in entry:
            return self.resolve(entry)
        if index == 0 and self.binary is not None:
            return self.binary
        raise entry.bad("the buffer has neither a uri nor a BIN chunk")

    def resolve(self, entry: Entry) -> bytes:
        """What the `uri` of a buffer or an image refers to: data, or a file in the folder of the glTF or below."""
        uri = entry.text("uri")
        if uri.startswith("data:"):
            header, _, data = uri.partition(",")
            if not header.endswith(";base64"):
                raise entry.bad("the data URI is not base64", "uri")
            try:
                return base64.b64decode(unquote(data), validate=True)
            except (binascii.Error, ValueError):
                raise entry.bad("the data URI is not valid base64", "uri") from None
        return self._beside(entry, unquote(uri))

    def _beside(self, entry: Entry, name: str) -> bytes:
        folder = self.path.parent.resolve()
        try:
            file = (folder / name).resolve()
            inside = file.is_relative_to(folder) and ":" not in name
        except (OSError, ValueError, RuntimeError):
            inside = False
        if not inside:
            raise entry.bad(f"{name[:80]!r} is outside the file's folder; only files in it or below are read", "uri")
        try:
            return read_bytes(file)
        except InputError as error:
            raise entry.bad(f"{name[:80]!r}: {error.problem}", "uri") from None


def split_glb(content: bytes) -> tuple[bytes, bytes | None]:
    """JSON text and BIN chunk of a GLB."""

    def bad(problem: str, at: int) -> NoReturn:
        raise InputError(problem, place=f"byte {at}")

    if len(content) < 20:
        bad(f"the GLB is cut off: it has {len(content)} bytes; expected at least 20", len(content))
    version, declared = struct.unpack_from("<II", content, 4)
    if version != 2:
        bad(f"the GLB has version {version}; expected 2", 4)
    if declared < 20:
        bad(f"the GLB declares {declared} bytes; expected at least 20", 8)
    if declared > len(content):
        bad(f"the GLB is cut off: it declares {declared} bytes and has {len(content)}", len(content))
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= declared:
        length, kind = struct.unpack_from("<II", content, at)
        if at + 8 + length > declared:
            bad(f"the chunk declares {length} bytes; the GLB has {declared - at - 8} left", at)
        if not chunks and kind != JSON_CHUNK:
            bad("the first chunk is not JSON", at)
        chunks.setdefault(kind, content[at + 8 : at + 8 + length])
        at += 8 + length
    return chunks[JSON_CHUNK], chunks.get(BIN_CHUNK)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def parse_json(text: bytes) -> Any:
    """The value of a JSON text; raises `InputError` with line and column."""
    try:
        return json.loads(text.decode("utf-8-sig"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        place = f"JSON line {error.lineno}, column {error.colno}"
        raise InputError(f"the JSON is damaged: {error.msg.lower()}", place=place) from None
    except UnicodeDecodeError:
        raise InputError("the JSON is not UTF-8 text") from None
    except RecursionError:
        raise InputError("the JSON is nested too deeply") from None
    except ValueError as error:
        raise InputError(f"the JSON is damaged: {error}") from None


def open_document(path: Path) -> Document:
    """Read a GLB or glTF file as far as its JSON.

    Raises:
        InputError: It is no such file, it is cut off, its version is not 2, or it is compressed.
    """
    content = read_bytes(path)
    if content[:4] == MAGIC:
        text, binary = split_glb(content)
    elif content.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"{":
        text, binary = content, None
    else:
        raise InputError("this is not a glTF file (neither GLB nor JSON)")
    root = Entry(parse_json(text), "")
    version = root.member("asset").text("version", "missing")
    if not version.startswith("2."):
        raise InputError(f"found version {version[:20]!r}; expected 2.x", place="asset.version")
    required = [name for name in root.values("extensionsRequired") if isinstance(name, str)]
    for name in required:
        if name in COMPRESSED:
            raise InputError(
                f"the file is compressed with {COMPRESSED[name]}, which is not read; export it without compression",
                place="extensionsRequired",
            )
    return Document(path, root, binary)


def join_glb(tree: dict[str, Any], binary: bytes) -> bytes:
    """A GLB of a JSON tree and a BIN chunk."""
    text = json.dumps(tree, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    total = 12 + 8 + len(text) + 8 + len(binary)
    head = MAGIC + struct.pack("<II", 2, total)
    return b"".join(
        [head, struct.pack("<II", len(text), JSON_CHUNK), text, struct.pack("<II", len(binary), BIN_CHUNK), binary]
    )
