"""An FBX file as plain arrays, by ufbx. It is run as a child of its own, since it opens hostile files in native code.

    python bake.py FILE UNIT AXES > arrays.npz

UNIT is 1 for lengths in metres, AXES 1 for y up in a right-handed frame; with 0 the file's own numbers are kept. Nothing of
Poise is imported here, so that the child is quick to start.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from pathlib import Path
from typing import Any

LEAST_MEMORY, MEMORY_PER_BYTE, MOST_MEMORY = 3 << 28, 64, 3 << 30
"""Address space [bytes]: for a small file, for each byte of a file, and for any."""
LEAST_SECONDS, BYTES_PER_SECOND = 4, 1 << 19
"""Processor time [s] for a small file, and how much of a large one goes with each further second."""


def main(path: str, unit: bool, axes: bool) -> bytes:
    """The file at `path` as the bytes of an npz: `header`, JSON, and arrays whose names it gives."""
    import ufbx  # type: ignore[import-untyped]

    options: dict[str, Any] = {
        "space_conversion": ufbx.SpaceConversion.TRANSFORM_ROOT,
        "geometry_transform_handling": ufbx.GeometryTransformHandling.MODIFY_GEOMETRY,
        "inherit_mode_handling": ufbx.InheritModeHandling.COMPENSATE,
        "load_external_files": False,
    }
    if unit:
        options["target_unit_meters"] = 1.0
    if axes:
        options["target_axes"] = ufbx.axes_right_handed_y_up
    scene = ufbx.load_file(path, **options)
    # NumPy, which a file that cannot be opened does not wait for; a thread for each core would not fit into the memory.
    os.environ["OPENBLAS_NUM_THREADS"] = "1"
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    from scene_arrays import scene_arrays  # type: ignore[import-not-found]

    content: bytes = scene_arrays(scene)
    return content


if __name__ == "__main__":
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        size = os.path.getsize(sys.argv[1])
        memory = min(LEAST_MEMORY + MEMORY_PER_BYTE * size, MOST_MEMORY)
        seconds = LEAST_SECONDS + size // BYTES_PER_SECOND
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    gc.disable()
    try:
        sys.stdout.buffer.write(main(sys.argv[1], sys.argv[2] == "1", sys.argv[3] == "1"))
        sys.stdout.flush()
        os._exit(0)  # Nothing is taken down: that is where the binding crashes.
    except MemoryError:
        sys.exit("it does not fit into memory")
    except Exception as error:
        said = str(error) or type(error).__name__
        sys.exit(said[:1].lower() + said[1:])
