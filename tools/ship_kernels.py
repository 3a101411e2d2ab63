"""Put compiled kernels into a wheel: `make wheel`.

    python tools/ship_kernels.py poise-0.1.0-py3-none-any.whl

To be run by a Python in which that wheel is installed. It does what the README does, from an empty cache, with kernels
compiled for any processor of this kind, and keeps the mannequin that the demo made; `poise/math/_shipped.py` says what becomes
of them on somebody else's machine.
"""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

ANY_PROCESSOR = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}


def main(wheel: Path) -> None:
    """Make the archive in a process of its own, since numba asks for the processor once, and put it into the wheel."""
    with tempfile.TemporaryDirectory() as folder:
        archive = Path(folder) / "kernels.zip"
        environment = {**os.environ, **ANY_PROCESSOR, "NUMBA_CACHE_DIR": str(Path(folder) / "cache")}
        environment["XDG_CACHE_HOME"] = str(Path(folder) / "mannequins")  # A mannequin that is kept compiles nothing.
        call = [sys.executable, str(Path(__file__).resolve()), "--play", str(archive)]
        subprocess.run(call, check=True, env=environment, cwd=folder)
        put_into_wheel(wheel, archive.read_bytes())
    print(f"{wheel.name}: {wheel.stat().st_size / 2**20:.1f} MiB with compiled kernels")


def jobs() -> list[list[str]]:
    """Command lines that call what users call."""
    from poise.assets import clip_path
    from poise.scenes.named import SCENES

    walk = str(clip_path("walk"))
    return [
        ["demo"],
        *(["run", name] for name in SCENES),
        ["run", "orchestra", "--count", "20", "--seconds", "1"],
        ["run", walk, "--cycles", "4", "--anticipate", "--strip"],
        ["run", walk, "--cycles", "4", "--root", "kinematic", "--breathe", "--relax", "0.5"],
        ["inspect", walk, "--json"],
        ["convert", walk, "walk.glb"],
        ["convert", "walk.glb", "again.bvh"],
        ["compare", walk, "again.bvh", "--out", "compared"],
    ]


def play(archive: Path) -> None:
    """Do it, and write what was compiled into an archive."""
    from poise.body.mannequin import cache_folder
    from poise.cli.main import main as poise
    from poise.math._shipped import SOURCES, kernel_sources

    mannequins: dict[str, bytes] = {}
    for job in jobs():
        sys.argv = ["poise", *job, *([] if "--json" in job else ["--quiet"])]
        try:
            with redirect_stdout(io.StringIO()):
                poise()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"poise {' '.join(job)} ended with {ended.code}") from None
        if not mannequins:
            mannequins = {f"mannequins/{file.name}": file.read_bytes() for file in cache_folder().glob("*.npz")}
    import poise as package

    sources = kernel_sources(Path(package.__file__).parent)
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        file.writestr(SOURCES, json.dumps(sources))
        for name, version in sorted({**dict(compiled()), **mannequins}.items()):
            file.writestr(name, version)


def compiled() -> Iterator[tuple[str, bytes]]:
    """Every version of every kernel that this process compiled: its name in the archive, and numba's own file of it."""
    from numba.extending import is_jitted

    from poise.math._shipped import entry_name

    kernels: dict[int, Any] = {}
    for name, module in list(sys.modules.items()):
        if name.startswith("poise."):
            kernels |= {id(each): each for each in vars(module).values() if is_jitted(each)}
    for kernel in kernels.values():
        cache = kernel._cache
        with suppress(AttributeError):  # not cached
            for (signature, *_), file in cache._cache_file._load_index().items():
                yield entry_name(kernel.py_func, signature), (Path(cache.cache_path) / file).read_bytes()


def put_into_wheel(wheel: Path, archive: bytes) -> None:
    """Add a file to a wheel, and to the list of files in it."""
    from poise.math._shipped import archive_name

    target = f"poise/{archive_name()}"
    digest = base64.urlsafe_b64encode(hashlib.sha256(archive).digest()).rstrip(b"=").decode()
    with zipfile.ZipFile(wheel) as before:
        members = [(each, before.read(each)) for each in before.infolist() if each.filename != target]
    ((listing, record),) = (member for member in members if member[0].filename.endswith(".dist-info/RECORD"))
    rows = [row for row in csv.reader(record.decode().splitlines()) if row[0] != target]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([[target, f"sha256={digest}", str(len(archive))], *rows])
    added = zipfile.ZipInfo(target)
    added.external_attr = listing.external_attr
    rest = [member for member in members if member[0] is not listing]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as after:
        for each, content in [(added, archive), *rest, (listing, text.getvalue().encode())]:
            after.writestr(each, content)


if __name__ == "__main__":
    if sys.argv[1] == "--play":
        play(Path(sys.argv[2]))
    else:
        main(Path(sys.argv[1]))
