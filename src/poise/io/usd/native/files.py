"""Files on their way: a stage's own copy to work on, and layers and packages as bytes."""

from __future__ import annotations

import io
import shutil
import zipfile
from pathlib import Path

from pxr import Ar, Sdf, UsdUtils

from poise.io.usd.native.confine import inside, open_stage, outer

__all__ = ["as_package", "as_type", "copy_of"]

MOST_BYTES = 1 << 30
ALIGNMENT = 64
"""Where files begin in a package: at multiples of so many bytes."""
HEADER_BYTES = 30
"""What a file in a package has before its name."""
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every file in a package, so that the same content gives the same bytes."""


def as_type(layer: Sdf.Layer, suffix: str, folder: Path) -> bytes:
    """A layer as text (.usda) or binary (.usdc, .usd)."""
    target = folder / f"written{suffix}"
    if not layer.Export(
        str(target), args={"format": "usda" if suffix == ".usda" else "usdc"} if suffix == ".usd" else {}
    ):
        raise ValueError(f"USD cannot write it as {suffix}")
    return target.read_bytes()


def as_package(folder: Path, first: Path) -> bytes:
    """All files of a folder as a .usdz: stored as they are, the root layer first."""
    files = [first, *sorted(each for each in folder.rglob("*") if each.is_file() and each != first)]
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as package:
        for file in files:
            entry = zipfile.ZipInfo(file.relative_to(folder).as_posix(), EPOCH)
            begins = content.tell() + HEADER_BYTES + len(entry.filename.encode()) + 4
            padding = -begins % ALIGNMENT
            # An extra field that says nothing: number, length, zeros.
            entry.extra = (0x1986).to_bytes(2, "little") + padding.to_bytes(2, "little") + bytes(padding)
            package.writestr(entry, file.read_bytes())
    return content.getvalue()


def _unpack(file: Path, folder: Path) -> Path:
    """Take a package apart; returns its root layer."""
    with zipfile.ZipFile(file) as package:
        entries = [each for each in package.infolist() if not each.is_dir()]
        if not entries or sum(each.file_size for each in entries) > MOST_BYTES:
            raise ValueError("the package is empty or too large")
        if any(each.compress_type != zipfile.ZIP_STORED for each in entries):
            raise ValueError("the package is compressed, which .usdz must not be")
        paths = [Path(package.extract(each, folder)) for each in entries]
    return paths[0]


def copy_of(file: str, folder: Path) -> tuple[Path, list[str]]:
    """Copy a file with everything that it refers to into `folder`; returns the copy of the file itself, and notes.

    Raises:
        ValueError: The file refers to layers outside its own folder or is damaged.
    """
    open_stage(file)
    home = Path(file).parent
    if file.lower().endswith(".usdz"):
        return _unpack(Path(file), folder), []
    layers, assets, _ = UsdUtils.ComputeAllDependencies(Sdf.AssetPath(file))
    notes, copies = list[str](), list[Path]()
    for path in dict.fromkeys([*(layer.realPath for layer in layers), *assets]):
        if not inside(path, home):
            notes.append(f"{Path(path).name!r} lies outside the file's folder and is not taken along")
            continue
        source = outer(path)
        target = folder / source.relative_to(home)
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
        if not Ar.IsPackageRelativePath(path) and target.suffix.lower() in (".usd", ".usda", ".usdc"):
            copies.append(target)
    for copy in dict.fromkeys(copies):
        _make_relative(copy, home, folder)
    return folder / Path(file).relative_to(home), notes


def _make_relative(copy: Path, home: Path, folder: Path) -> None:
    """Absolute paths into the old folder become relative in the copy."""
    layer = Sdf.Layer.FindOrOpen(str(copy))
    changed = False

    def relative(path: str) -> str:
        nonlocal changed
        if not path.startswith(f"{home}/"):
            return path
        changed = True
        up = "../" * (len(copy.relative_to(folder).parts) - 1)
        return f"./{up}{path[len(str(home)) + 1 :]}"

    UsdUtils.ModifyAssetPaths(layer, relative)
    if changed:
        layer.Save()
