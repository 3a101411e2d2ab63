"""A Collada file as GLB, by assimp. It is run as a child of its own, since it opens hostile files in native code.

    python convert.py LIBRARY FILE UNIT AXES > character.glb

LIBRARY is assimp's own, UNIT 1 for lengths in metres, AXES 1 for y up; with 0 the file's own numbers are kept. No more of
assimp is used than opening and writing: how its C structures lie in memory changes from release to release. Nothing of
Poise is imported here, so that the child is quick to start.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
import tempfile
from pathlib import Path

LEAST_MEMORY, MEMORY_PER_BYTE, MOST_MEMORY = 3 << 28, 64, 3 << 30
"""Address space [bytes]: for a small file, for each byte of a file, and for any."""
LEAST_SECONDS, BYTES_PER_SECOND = 4, 1 << 20
"""Processor time [s] for a small file, and how much of a large one goes with each further second."""
TRIANGULATE, LIMIT_BONE_WEIGHTS = 0x8, 0x200
"""What assimp is to do on the way: glTF has triangles, and four bones for each vertex."""


def main(library: str, path: str, unit: bool, axes: bool) -> bytes:
    """The file at `path` as the bytes of a GLB."""
    assimp = ctypes.CDLL(library)
    assimp.aiCreatePropertyStore.restype = ctypes.c_void_p
    assimp.aiSetImportPropertyInteger.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
    assimp.aiImportFileExWithProperties.argtypes = [ctypes.c_char_p, ctypes.c_uint, ctypes.c_void_p, ctypes.c_void_p]
    assimp.aiImportFileExWithProperties.restype = ctypes.c_void_p
    assimp.aiExportScene.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_uint]
    assimp.aiGetErrorString.restype = ctypes.c_char_p
    wishes = assimp.aiCreatePropertyStore()
    for name, wish in (
        ("IMPORT_COLLADA_USE_COLLADA_NAMES", True),  # else joints are called by their ids
        ("IMPORT_COLLADA_IGNORE_UNIT_SIZE", not unit),
        ("IMPORT_COLLADA_IGNORE_UP_DIRECTION", not axes),
    ):
        assimp.aiSetImportPropertyInteger(wishes, name.encode(), int(wish))
    scene = assimp.aiImportFileExWithProperties(
        os.fsencode(path), TRIANGULATE | LIMIT_BONE_WEIGHTS, None, ctypes.c_void_p(wishes)
    )
    if not scene:
        raise ValueError(assimp.aiGetErrorString().decode("utf-8", "replace") or "assimp gives no reason")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "character.glb"
        if assimp.aiExportScene(ctypes.c_void_p(scene), b"glb2", os.fsencode(target), 0):
            raise ValueError(assimp.aiGetErrorString().decode("utf-8", "replace") or "assimp gives no reason")
        return target.read_bytes()


if __name__ == "__main__":
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        size = os.path.getsize(sys.argv[2])
        memory = min(LEAST_MEMORY + MEMORY_PER_BYTE * size, MOST_MEMORY)
        seconds = LEAST_SECONDS + size // BYTES_PER_SECOND
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    try:
        sys.stdout.buffer.write(main(sys.argv[1], sys.argv[2], sys.argv[3] == "1", sys.argv[4] == "1"))
        sys.stdout.flush()
        os._exit(0)  # Nothing is taken down.
    except MemoryError:
        sys.exit("it does not fit into memory")
    except Exception as error:
        said = str(error) or type(error).__name__
        sys.exit(said[:1].lower() + said[1:])
