"""Collada by assimp in a child, judged by the clip that the files were written from; damaged ones are one line."""

from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import numpy as np
import pytest

from _builders import human_clip
from collada_samples import SIZE, collada
from poise.errors import InputError
from poise.io import read_character, read_clip, write_character
from poise.io.collada import read as module
from poise.math import quat
from poise.motion import Clip
from poise.motion.skin import skin
from poise.runtime import Character, Session


@pytest.fixture(scope="module")
def walk() -> Clip:
    """Somebody of whom every joint turns."""
    clip = human_clip()
    rng, times = np.random.default_rng(5), clip.times
    axes = rng.normal(size=(len(clip.skeleton.names), 3))
    turns = 0.2 * np.sin(2.0 * np.pi * times[:, None, None] + rng.uniform(0.0, 6.0, (1, len(axes), 1))) * axes
    return replace(clip, rotations=quat.mul(clip.rotations, quat.exp(turns)))


def needs_assimp() -> None:
    try:
        module._library()
    except InputError as error:
        pytest.skip(error.problem)


def save(folder: Path, text: str) -> Path:
    file = folder / "walk.dae"
    file.write_text(text, encoding="utf-8")
    return file


def in_poise(places: np.ndarray, up: str) -> np.ndarray:
    """Places in a file whose z, or y, is up."""
    turn = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]] if up == "Z_UP" else [[0, 1, 0], [0, 0, 1], [1, 0, 0]]
    return np.asarray(places @ np.array(turn))


@pytest.mark.parametrize("up", ["Z_UP", "Y_UP"])
@pytest.mark.parametrize(("angles", "unit"), [(False, 0.01), (True, 0.01), (False, 1.0)])
def test_joints_and_skin_are_where_they_were_written(
    tmp_path: Path, walk: Clip, angles: bool, unit: float, up: str
) -> None:
    needs_assimp()
    clip, mesh = read_character(save(tmp_path, collada(walk, angles=angles, unit=unit, up=up)))
    assert set(clip.skeleton.names) == set(walk.skeleton.names)
    assert len(clip) == len(walk)
    assert clip.rate == pytest.approx(walk.rate, rel=1e-4)
    own = [clip.skeleton.index(name) for name in walk.skeleton.names]
    truth = in_poise(walk.world_positions()[0], up)
    assert np.abs(clip.world_positions()[0][:, own] - truth).max() < 1e-4
    assert mesh is not None
    frame = len(clip) // 2
    corners = skin(mesh, *(each[frame] for each in clip.world()))
    turns, places = (each[frame] for each in walk.world())
    ways = unit * SIZE * np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    expected = in_poise((places + quat.rotate(turns, ways[:, None])).reshape(-1, 3), up)
    away = np.linalg.norm(corners[:, None] - expected[None], axis=2)
    assert max(away.min(axis=0).max(), away.min(axis=1).max()) < 1e-4


def test_unit_and_up_can_be_said(tmp_path: Path, walk: Clip) -> None:
    needs_assimp()
    stature = Character.from_clip(read_clip(save(tmp_path, collada(walk)))).plan.stature
    file = save(tmp_path, collada(walk, unit=0.01, up="Y_UP"))
    assert Character.from_clip(read_clip(file, unit="cm", up="z")).plan.stature == pytest.approx(stature, rel=1e-4)


def test_it_is_played_and_becomes_a_glb(tmp_path: Path, walk: Clip) -> None:
    needs_assimp()
    clip, mesh = read_character(save(tmp_path, collada(walk)))
    session = Session({"walker": Character.from_clip(clip)})
    session.run(5)
    write_character(tmp_path / "out.glb", clip, mesh)
    again = read_clip(tmp_path / "out.glb")
    np.testing.assert_allclose(again.world_positions()[0], clip.world_positions()[0], atol=1e-4)


def test_images_are_left_out_and_told_of(tmp_path: Path, walk: Clip) -> None:
    needs_assimp()
    clip, mesh = read_character(save(tmp_path, collada(walk, image="../../secret.png")))
    assert mesh is not None
    assert [note for note in clip.source.notes if "images of a Collada are not read" in note]


def test_damaged_files_are_one_line(tmp_path: Path, walk: Clip) -> None:
    needs_assimp()
    text, rng = collada(walk), np.random.default_rng(3)
    broken = ["", "<COLLADA>", text[:9000], text.replace('meter="0.01"', 'meter="nan"'), text.replace("LINEAR", "0")]
    for _ in range(8):
        start, length = int(rng.integers(len(text))), int(rng.integers(1, 4000))
        broken.append(text[:start] + text[start + length :])
    for content in broken:
        file = save(tmp_path, content)
        said = ""
        try:
            read_clip(file)
        except InputError as error:
            said = str(error)
        assert not said or (said.startswith(f"{file}: ") and "\n" not in said)


def test_without_the_package_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(module, "files", missing)
    with pytest.raises(InputError, match=r"extra 'collada'.*pip install 'poise\[collada\]'"):
        read_clip(save(tmp_path, "<COLLADA/>"))
