"""The one door of `io`: extensions, paths that cannot be read or written, overrides, hostile text."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from io_samples import PLAIN, clip_or_error, read
from poise.errors import InputError
from poise.io import FORMATS, read_clip, write_clip

WRITTEN = sorted(extension for extension, kind in FORMATS.items() if kind.write is not None)


@pytest.mark.parametrize("extension", sorted(FORMATS))
@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "there is no such file"), (b"", "the file is empty"), (bytes(range(256)) * 4, "not a")],
    ids=["missing", "empty", "binary"],
)
def test_unreadable_files(tmp_path: Path, extension: str, content: bytes | None, message: str) -> None:
    path = tmp_path / f"clip{extension}"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_clip(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)


@pytest.mark.parametrize("extension", WRITTEN)
def test_folders_are_no_files(tmp_path: Path, extension: str) -> None:
    folder = tmp_path / f"folder{extension}"
    folder.mkdir()
    with pytest.raises(InputError, match="this is a folder"):
        read_clip(folder)
    with pytest.raises(InputError, match="this is a folder"):
        write_clip(folder, read(tmp_path, PLAIN))


@pytest.mark.skipif(os.name == "posix" and os.geteuid() == 0, reason="root may read everything")
def test_forbidden_file(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text(PLAIN)
    path.chmod(0)
    with pytest.raises(InputError, match="cannot be read: permission denied"):
        read_clip(path)


@pytest.mark.parametrize("name", ["clip.abc", "clip", "bvh"])
def test_unknown_extension_lists_the_known(tmp_path: Path, name: str) -> None:
    for act in (lambda: read_clip(tmp_path / name), lambda: write_clip(tmp_path / name, read(tmp_path, PLAIN))):
        with pytest.raises(InputError, match=r"unknown file extension .*known: \.bvh, \.npz"):
            act()


@pytest.mark.parametrize("name", ["a\0b.bvh", "a" * 5000 + ".bvh"], ids=["zero", "long"])
def test_impossible_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"cannot be read|no such file"):
        read_clip(tmp_path / name)
    with pytest.raises(InputError, match="cannot be written"):
        write_clip(tmp_path / name, read(tmp_path, PLAIN))


def test_extension_in_any_case_and_path_as_text(tmp_path: Path) -> None:
    (tmp_path / "Clip.BVH").write_text(PLAIN)
    assert read_clip(str(tmp_path / "Clip.BVH")).name == "Clip"


@pytest.mark.parametrize("unit", ["parsec", "", "-1", "nan", "inf", 0, -0.5, float("nan"), 1e300])
def test_unknown_unit_lists_the_allowed(tmp_path: Path, unit: str | float) -> None:
    with pytest.raises(InputError, match="allowed: m, dm, cm, mm, inch, ft, cmu, or metres per unit"):
        read(tmp_path, PLAIN, unit=unit)


@pytest.mark.parametrize("up", ["w", "", "-y", "yz"])
def test_unknown_up_axis_lists_the_allowed(tmp_path: Path, up: str) -> None:
    with pytest.raises(InputError, match="allowed: x, y, z"):
        read(tmp_path, PLAIN, up=up)


@pytest.mark.parametrize(("unit", "metres"), [("CM", 0.01), ("ft", 0.3048), ("cmu", 0.0254 / 0.45), (0.5, 0.5)])
def test_overrides_are_kept_with_their_reason(tmp_path: Path, unit: str | float, metres: float) -> None:
    source = read(tmp_path, PLAIN, unit=unit, up="Y").source
    assert (source.metres_per_unit, source.up_axis) == (metres, "y")
    assert (source.unit_reason, source.up_reason) == ("given by the user", "given by the user")


@pytest.mark.parametrize("extension", WRITTEN)
def test_a_failed_write_leaves_nothing(tmp_path: Path, extension: str, monkeypatch: pytest.MonkeyPatch) -> None:
    clip = read(tmp_path, PLAIN)
    (tmp_path / "clip.bvh").unlink()
    path = tmp_path / f"kept{extension}"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(InputError, match="cannot be written: no space left"):
        write_clip(path, clip)
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    assert path.read_bytes() == b"old"


def test_writing_into_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no folder"):
        write_clip(tmp_path / "nowhere" / "clip.bvh", read(tmp_path, PLAIN))


def test_latin_names_survive(tmp_path: Path) -> None:
    (tmp_path / "clip.bvh").write_bytes(PLAIN.replace("Spine", "Wirbelsäule").encode("latin-1"))
    clip = read_clip(tmp_path / "clip.bvh", unit="cm", up="y")
    assert clip.skeleton.names[1] == "Wirbelsäule"
    write_clip(tmp_path / "again.bvh", clip)
    assert read_clip(tmp_path / "again.bvh", unit="cm", up="y").skeleton.names == clip.skeleton.names


WORDS = [*PLAIN.split(), "\n", "{", "}", "nan", "1e999", "-1", "99999999999", "ROOT", "MOTION", "\x00", "\x85", "é"]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_mutated_text_gives_a_clip_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    text = PLAIN
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.sampled_from([0, 1, 5, 40, 10_000]))
        new = data.draw(st.one_of(st.just(""), st.sampled_from(WORDS), st.text(max_size=6), st.just(text[:200])))
        text = text[:start] + new + text[start + length :]
    path = tmp_path_factory.mktemp("fuzz", numbered=True) / "clip.bvh"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    clip = clip_or_error(path)
    if isinstance(clip, InputError):
        assert "\n" not in str(clip)
        assert clip.source == str(path)
        return
    write_clip(path, clip)
    again = read_clip(path, unit=clip.source.metres_per_unit, up=clip.source.up_axis)
    np.testing.assert_allclose(again.world_positions()[0], clip.world_positions()[0], atol=1e-4, rtol=1e-6)
