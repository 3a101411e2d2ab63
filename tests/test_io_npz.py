"""The .npz form of a clip: the same bits back, and anything else refused in one line."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from io_samples import PLAIN, clip_or_error, read
from poise.errors import InputError
from poise.io import read_clip, write_clip
from poise.motion import Clip


@pytest.fixture
def clip(tmp_path: Path) -> Clip:
    return read(tmp_path, PLAIN, unit="cm", up="y")


def test_round_trip_is_exact(tmp_path: Path, clip: Clip) -> None:
    path = tmp_path / "clip.npz"
    assert write_clip(path, clip) == []
    again = read_clip(path)
    for name in ("rotations", "translations", "translated"):
        np.testing.assert_array_equal(getattr(again, name), getattr(clip, name))
    for name in ("parents", "offsets", "end_parents", "end_offsets"):
        np.testing.assert_array_equal(getattr(again.skeleton, name), getattr(clip.skeleton, name))
    assert again.skeleton.names == clip.skeleton.names
    assert (again.rate, again.source, again.name) == (clip.rate, clip.source, clip.name)


def test_same_clip_same_bytes(tmp_path: Path, clip: Clip) -> None:
    write_clip(tmp_path / "a.npz", clip)
    write_clip(tmp_path / "b.npz", read_clip(tmp_path / "a.npz"))
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()


def test_bvh_through_npz_is_the_same_file(tmp_path: Path, clip: Clip) -> None:
    write_clip(tmp_path / "direct.bvh", clip)
    write_clip(tmp_path / "between.npz", clip)
    write_clip(tmp_path / "through.bvh", read_clip(tmp_path / "between.npz"))
    assert (tmp_path / "direct.bvh").read_bytes() == (tmp_path / "through.bvh").read_bytes()


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "schema": ({"schema": np.array("other")}, "no Poise clip"),
    "version": ({"version": np.array(99)}, "version 99 of the schema is unknown; known: 1"),
    "missing": ({"rotations": None}, "entry 'rotations': the entry is missing"),
    "objects": ({"names": np.array([{}], dtype=object)}, "damaged"),
    "kind": ({"parents": np.array([0.5])}, "entry 'parents': the entry has type float64"),
    "dimensions": ({"rotations": np.zeros((2, 3))}, "entry 'rotations': the entry has type float64 and 2 dim"),
    "shape": ({"rotations": np.zeros((3, 2, 4))}, "rotations must have shape"),
    "not finite": ({"offsets": np.full((3, 3), np.nan)}, "offsets must be finite"),
    "cycle": ({"parents": np.array([-1, 2, 1])}, "parents must come before children"),
    "ends": ({"end_parents": np.array([7, 7])}, "end site hangs on a joint outside"),
    "rate": ({"rate": np.array(-1.0)}, "frame rate must be positive"),
    "no json": ({"source": np.array("{")}, "entry 'source'"),
    "deep json": ({"source": np.array("[" * 100_000)}, "entry 'source'"),
    "other json": ({"source": np.array("{}")}, "entry 'source'"),
}


@pytest.mark.parametrize(("changes", "message"), DAMAGE.values(), ids=DAMAGE)
def test_damaged_entries_are_refused(tmp_path: Path, clip: Clip, changes: dict[str, Any], message: str) -> None:
    path = tmp_path / "clip.npz"
    write_clip(path, clip)
    with np.load(path) as data:
        entries = {key: data[key] for key in data} | changes
    np.savez(path, **{key: value for key, value in entries.items() if value is not None})
    with pytest.raises(InputError) as caught:
        read_clip(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"up_axis": "y"', '"up_axis": "w"'),
        ('"metres_per_unit": 0.01', '"metres_per_unit": 0.0'),
        ('"metres_per_unit": 0.01', '"metres_per_unit": "cm"'),
        ("Xposition", "Wposition"),
        ("Xposition", "Yposition"),
        ('"notes": []', '"notes": [1]'),
        ('"path": ', '"paths": '),
    ],
)
def test_damaged_source_is_refused(tmp_path: Path, clip: Clip, old: str, new: str) -> None:
    path = tmp_path / "clip.npz"
    write_clip(path, clip)
    with np.load(path) as data:
        entries = {key: data[key] for key in data}
    text = str(entries["source"])
    assert old in text
    np.savez(path, **(entries | {"source": np.array(text.replace(old, new))}))
    with pytest.raises(InputError, match="entry 'source'"):
        read_clip(path)


def test_an_entry_that_is_no_array_is_refused(tmp_path: Path, clip: Clip) -> None:
    path = tmp_path / "clip.npz"
    write_clip(path, clip)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, packed in (content | {"rotations.npy": b"no array"}).items():
            archive.writestr(name, packed)
    with pytest.raises(InputError, match=r"entry 'rotations': the entry is damaged: it holds no array"):
        read_clip(path)


def test_unit_and_axis_are_not_for_npz(tmp_path: Path, clip: Clip) -> None:
    write_clip(tmp_path / "clip.npz", clip)
    with pytest.raises(InputError, match="in metres with z up"):
        read_clip(tmp_path / "clip.npz", unit="cm")


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_mutated_bytes_give_a_clip_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.getbasetemp()  # Its name is in the file: as long each time, or draws would differ.
    path = folder / "clip.npz"
    write_clip(path, read(folder, PLAIN, unit="cm", up="y"))
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content) - 1))
        content[at : at + data.draw(st.integers(0, 8))] = data.draw(st.binary(max_size=8))
    path.write_bytes(content[: data.draw(st.integers(1, len(content)))] if data.draw(st.booleans()) else content)
    found = clip_or_error(path)
    assert isinstance(found, Clip) or "\n" not in str(found)
