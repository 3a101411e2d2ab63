"""Kernels that a wheel brings compiled: taken where they hold, else compiled as ever."""

import csv
import importlib.util
import json
import zipfile
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import poise
from poise.assets import clip_path
from poise.body.mannequin import mannequin
from poise.io import read_clip
from poise.math import _shipped
from poise.math._shipped import SOURCES, archive_name, entry_name, kernel_sources
from poise.math.compile_watch import watch_compilation

KERNEL = """
from poise.math._compile import njit

@njit(cache=True)
def inner(x):
    return x + 1.0

@njit(cache=True)
def outer(x):
    return inner(x) * 2.0
"""
TOOL = Path(__file__).parents[1] / "tools" / "ship_kernels.py"


def loaded(file: Path) -> Any:
    """A module, loaded anew from its file."""
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled_versions(module: ModuleType) -> dict[str, bytes]:
    """Of `inner` and `outer`: numba's own files, by their names in an archive."""
    versions = {}
    for kernel in (module.inner, module.outer):
        for (signature, *_), file in kernel._cache._cache_file._load_index().items():
            versions[entry_name(kernel.py_func, signature)] = (Path(kernel._cache.cache_path) / file).read_bytes()
    return versions


def archive_of(file: Path, sources: dict[str, str], versions: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(SOURCES, json.dumps(sources))
        for name, version in versions.items():
            archive.writestr(name, version)
    return file


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with kernels in which archives are looked for."""
    monkeypatch.setattr(_shipped, "_ROOT", tmp_path)
    _shipped._archive.cache_clear()
    yield tmp_path  # type: ignore[misc]
    _shipped._archive.cache_clear()


def test_a_kernel_that_came_compiled_is_not_compiled(package: Path) -> None:
    file = package / "_loops.py"
    file.write_text(KERNEL)
    module = loaded(file)
    with watch_compilation() as watch:
        assert module.outer(3.0) == 8.0
    assert watch.count == 2
    archive_of(package / archive_name(), kernel_sources(package), compiled_versions(module))
    for left in package.rglob("*.nb[ic]"):
        left.unlink()
    _shipped._archive.cache_clear()
    again = loaded(file)
    with watch_compilation() as watch:
        assert again.outer(3.0) == 8.0
        assert watch.count == 0
        assert again.outer(3) == 8.0
    assert watch.count == 2, "another type is not in the archive"


def test_an_archive_of_other_sources_is_left_alone(package: Path) -> None:
    (package / "_loops.py").write_text(KERNEL)
    file = archive_of(package / archive_name(), kernel_sources(package), {})
    assert _shipped._archive() is not None
    (package / "_loops.py").write_text(KERNEL.replace("1.0", "2.0"))
    _shipped._archive.cache_clear()
    assert _shipped._archive() is None
    file.write_bytes(b"no archive")
    _shipped._archive.cache_clear()
    assert _shipped._archive() is None


def test_all_files_with_kernels_are_among_the_sources() -> None:
    root = Path(poise.__file__).parent
    with_kernels = {
        file.relative_to(root).as_posix()
        for file in root.rglob("*.py")
        if any(line.startswith("@njit(") for line in file.read_text("utf-8").splitlines())
    }
    assert with_kernels <= set(kernel_sources(root))
    assert "math/_compile.py" in kernel_sources(root)


@pytest.mark.skipif(not TOOL.exists(), reason="tools/ lies in the repository only")
def test_an_archive_is_put_into_a_wheel_once_and_listed_there(tmp_path: Path) -> None:
    wheel, record = tmp_path / "poise-1-py3-none-any.whl", "poise-1.dist-info/RECORD"
    with zipfile.ZipFile(wheel, "w") as file:
        file.writestr("poise/__init__.py", "")
        file.writestr(record, f"poise/__init__.py,sha256=abc,0\n{record},,\n")
    for content in (b"first", b"second"):
        loaded(TOOL).put_into_wheel(wheel, content)
    with zipfile.ZipFile(wheel) as file:
        assert sorted(file.namelist()) == sorted(["poise/__init__.py", f"poise/{archive_name()}", record])
        assert file.read(f"poise/{archive_name()}") == b"second"
        rows = list(csv.reader(file.read(record).decode().splitlines()))
    # The digest by another tool: printf second | openssl dgst -sha256 -binary | base64
    assert rows[0] == [f"poise/{archive_name()}", "sha256=FjZ6rLZ6SgF8jairlWgsyzkIY3gPcRTdoKDgxVZEx8Q", "6"]
    assert len(rows) == 3


def test_a_mannequin_that_came_with_them_is_not_made_again(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip, folder = read_clip(clip_path("walk")), tmp_path / "kept"
    made = mannequin(clip, folder=folder)
    (kept,) = folder.glob("*.npz")
    archive_of(package / archive_name(), kernel_sources(package), {f"mannequins/{kept.name}": kept.read_bytes()})
    _shipped._archive.cache_clear()
    monkeypatch.setattr("poise.body.mannequin.build.surface", None)
    with pytest.raises(TypeError):
        mannequin(clip)
    shipped = mannequin(clip, folder=tmp_path / "empty")
    assert np.array_equal(shipped.vertices, made.vertices)
    assert np.array_equal(shipped.weights, made.weights)
