"""What Blender reads from our exports is what we wrote; run by `make external`."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from poise.assets import clip_path
from poise.body.mannequin import mannequin
from poise.characters.character import Character
from poise.io import read_character, read_clip, write_character, write_clip
from poise.motion import Clip
from poise.motion.edit import trim
from poise.motion.skin import SkinnedMesh, skin
from poise.report.films import film_of
from poise.report.wetness import WetTrack
from poise.runtime import Session
from poise.scenes import named_scene
from test_convert_skin import convert, leg

pytestmark = pytest.mark.external


@pytest.fixture(scope="module")
def forest() -> Session:
    session = named_scene("forest").session()
    session.run()
    return session


def blender(script: str, file: Path, answer: Path, rate: float) -> Any:
    """What a script says of a file, run by Blender's Python."""
    python = os.environ.get("POISE_BLENDER_PYTHON")
    if not python:
        pytest.skip("POISE_BLENDER_PYTHON does not name a Python with bpy; `make external` sets it")
    command = [python, str(Path(__file__).with_name(script)), str(file), str(answer), f"{rate:.0f}"]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return json.loads(answer.read_text())


def largest_difference(file: Path, clip: Clip, answer: Path) -> float:
    """Between Blender's joints and the clip's [m], over all frames."""
    theirs = blender("blender_joints.py", file, answer, clip.rate)
    ours = clip.world_positions()[0][..., [1, 2, 0]] / clip.source.metres_per_unit
    shared = [name for name in theirs["names"] if name in clip.skeleton.names]
    assert len(shared) == len(clip.skeleton)
    columns = [theirs["names"].index(name) for name in shared]
    order = [clip.skeleton.index(name) for name in shared]
    apart = np.abs(np.array(theirs["positions"])[:, columns] - ours[:, order]).max()
    return float(apart * clip.source.metres_per_unit)


def test_blender_reads_the_bvh_as_we_do(forest: Session, tmp_path: Path) -> None:
    file = tmp_path / "forest.bvh"
    write_clip(file, forest.result("character"))
    assert largest_difference(file, read_clip(file), tmp_path / "blender.json") < 1e-5


def test_blender_reads_the_glb_as_we_do(forest: Session, tmp_path: Path) -> None:
    file, character = tmp_path / "forest.glb", forest.characters["character"]
    write_character(file, forest.result("character"), mannequin(character.prepared.source, character.plan))
    assert largest_difference(file, read_clip(file), tmp_path / "blender.json") < 1e-5


def test_blender_reads_the_usd_as_we_do(forest: Session, tmp_path: Path) -> None:
    file, character = tmp_path / "forest.usdz", forest.characters["character"]
    write_character(file, forest.result("character"), mannequin(character.prepared.source, character.plan))
    assert largest_difference(file, read_clip(file), tmp_path / "blender.json") < 1e-5


def test_blender_sees_the_converted_character_in_its_skin(tmp_path: Path) -> None:
    file = tmp_path / "out.glb"
    assert convert(leg(tmp_path / "leg.glb"), file, "--animation", "kick").exit_code == 0
    clip, mesh = read_character(file)
    assert mesh is not None
    theirs = blender("blender_skin.py", file, tmp_path / "blender.json", clip.rate)
    assert (theirs["action"], theirs["images"]) == ("kick", [[4, 4]])
    shown = skin(mesh, *clip.world())[..., [1, 2, 0]]
    ours = np.stack([shown.min(axis=1), shown.max(axis=1)], axis=1)
    np.testing.assert_allclose(theirs["corners"], ours, atol=1e-5)


def test_blender_shows_the_wet_skin_as_it_comes(tmp_path: Path) -> None:
    who = Character.from_clip(trim(read_clip(clip_path("walk")), 0, 31))
    levels = np.array([0.1, 0.1, 0.25, 0.45])
    depths = levels[:, None] + who.skin.vertices[:, 2].min() - who.skin.vertices[None, :, 2]
    film = film_of(who.skin, WetTrack(depths.astype(np.float32), (0.3, 0.2, 0.1), 0.8), np.array([0.0, 0.2, 0.5, 0.8]))
    file = tmp_path / "wet.glb"
    write_character(file, who.clip, who.skin, film=film)
    theirs = blender("blender_film.py", file, tmp_path / "blender.json", who.clip.rate)
    faces = np.arange(len(film.corners)).reshape(-1, 3)
    own = SkinnedMesh(film.corners, faces, film.joints, film.weights, film.inverse_bind)
    for frame, steps in ((0, 0), (15, 1), (30, 2)):
        corners = skin(own, *(each[frame] for each in who.clip.world()))[faces[film.steps <= steps]]
        edges = np.diff(corners, axis=1)
        area = 0.5 * float(np.linalg.norm(np.cross(edges[:, 0], edges[:, 1]), axis=1).sum())
        # What is not there yet is specks.
        assert theirs[frame] == pytest.approx(area, rel=0.01)
