"""Scenes in fluid, and what the command line makes of them."""

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from poise.assets import clip_path
from poise.cli.main import app
from poise.io import read_clip
from poise.motion.edit import loop, trim
from poise.scenes import named_scene, wade_scene


def test_a_stream_from_the_right_carries_a_walker_to_the_left():
    scene = named_scene("stream")
    record = scene.wading["wader"].record
    ahead = record.intended[0] / np.linalg.norm(record.intended[0])
    left = np.array([-ahead[1], ahead[0]])
    assert (record.position[-1] - record.position[0]) @ left > 0.5
    assert scene.setting.sheets[0].heights.std() > 0.002


def test_a_ford_slows_wets_and_lets_go():
    record = named_scene("ford").wading["wader"].record
    under = np.flatnonzero(record.volume > 0.008)
    dry, wet = record.speed[60 : under[0] - 60].mean(), record.speed[under].mean()
    assert wet < 0.75 * dry
    assert record.volume[-1] == 0.0
    assert record.speed[-60:].mean() > 0.85 * dry
    # Up the bank, out of the water: heavy.
    after = slice(under[-1] + 60, under[-1] + 180)
    assert record.speed[after].mean() < 0.7 * dry


def test_wade_writes_its_table_and_its_water(tmp_path):
    file = tmp_path / "short.bvh"
    from poise.io import write_clip

    write_clip(file, trim(loop(read_clip(clip_path("walk")), 2), 0, 60))
    result = CliRunner().invoke(
        app, ["run", "wade", str(file), "--fluid", "mud", "--depth", "knee", "--json", "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 0, result.output
    told = json.loads(result.stdout)
    assert any("wades in mud" in note for note in told["notes"])
    with (tmp_path / "out" / "wader_wading.csv").open() as table:
        rows = list(csv.DictReader(table))
    assert float(rows[-1]["speed"]) < 0.9 * float(rows[-1]["intended_speed"])
    assert (tmp_path / "out" / "wade_short_mud.glb").read_bytes()[:4] == b"glTF"


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["run", "wade", "--fluid", "honey"], "honey"),
        (["run", "wade", "--depth", "nose"], "nose"),
        (["run", "wade", "nowhere.bvh"], "nowhere.bvh"),
        (["run", "forest", "--fluid", "mud"], "with wade"),
    ],
)
def test_what_cannot_be_waded_is_one_line(arguments, problem, tmp_path):
    result = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path)], catch_exceptions=True)
    assert result.exit_code != 0
    assert problem in f"{result.output}{result.exception}"


def test_a_fluid_of_ones_own_can_be_waded():
    from poise.fluid import fluid_of_density

    clip = trim(loop(read_clip(clip_path("walk")), 2), 0, 60)
    scene = wade_scene(clip, fluid=fluid_of_density("brine", 1200.0), depth=0.5)
    assert scene.setting.sheets[0].name == "brine"
