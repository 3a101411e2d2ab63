"""What Blender reads from our exports is what we wrote; run by `make external`."""

import json
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

from poise.io import read_clip, write_clip
from poise.scenes import named_scene

pytestmark = pytest.mark.external


def test_blender_reads_the_forest_walk_as_we_do(tmp_path: Path) -> None:
    python = os.environ.get("POISE_BLENDER_PYTHON")
    if not python:
        pytest.skip("POISE_BLENDER_PYTHON does not name a Python with bpy; `make external` sets it")
    session = named_scene("forest").session()
    session.run()
    file, answer = tmp_path / "forest.bvh", tmp_path / "blender.json"
    write_clip(file, session.result("character"))
    script = Path(__file__).with_name("blender_joints.py")
    subprocess.run([python, str(script), str(file), str(answer)], check=True, capture_output=True, timeout=300)
    theirs = json.loads(answer.read_text())
    clip = read_clip(file)
    ours = clip.world_positions()[0][..., [1, 2, 0]] / clip.source.metres_per_unit
    order = [clip.skeleton.index(name) for name in theirs["names"]]
    apart = np.abs(np.array(theirs["positions"]) - ours[:, order]).max() * clip.source.metres_per_unit
    assert apart < 1e-3
