"""The scenes of Alvarado 2022's figures, as functions and as scene files."""

from pathlib import Path

import numpy as np
import pytest

from poise.anticipation import Sight
from poise.scenes import ASSETS, read_scene
from poise.scenes import upper_body_figures as figures
from poise.scenes.people import stander
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.world.scene import SceneSpec

FILES = sorted((Path(__file__).parents[1] / "examples" / "scenes").glob("*.yaml"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.stem)
def test_scene_files_load_and_run(file: Path) -> None:
    scene = read_scene(file)
    changes = any(who.options.root_changes for who in scene.characters.values())
    shown = (any(scene.behaviors.values()), bool(scene.groups), changes)
    assert sum(shown) == 1, "someone in it looks ahead, one program moves all, or a root becomes another"
    session = scene.session()
    recording = session.run(90)
    assert len(recording) == 90
    assert np.isfinite(recording.positions).all()


def test_every_scene_of_a_figure_has_its_file() -> None:
    assert {file.stem for file in FILES} >= {"apple", "apple_unseen", "apple_fast", "ball", "heavy", "gate"}
    assert {file.stem for file in FILES} >= {"wall_slide", "wall_stick", "garden"}


@pytest.mark.parametrize("kind", ["seen", "unseen", "fast"])
def test_the_apple_would_hit_the_head(kind: figures.Apple) -> None:
    touched = _touched(figures.apple(kind))
    assert ("Head", "apple") in touched


def test_the_ball_would_hit_the_chest() -> None:
    assert ("Chest", "ball") in _touched(figures.ball())


@pytest.mark.parametrize("gravity", [0.0, 1.62])
def test_a_ball_is_foreseen_as_it_falls_there(gravity: float) -> None:
    """With another gravity in mind it would seem to pass below, and the hand would wait."""
    ball = thrown("ball", figures.HEAD, np.array([-2.5, 0.0, 0.0]), 1.0, time=0.3, mass=0.5, gravity=gravity)
    setting = SceneSpec(props=(ball,), gravity=gravity)
    session = figures.anticipating(Scene("thrown", {"person": stander(2.0)}, setting)).session()
    events = session.run().events
    first = {kind: min(e.time for e in events if e.kind == kind) for kind in ("sees", "reach", "contact")}
    assert first["reach"] - first["sees"] < Sight.latency + 0.05
    assert first["contact"] == pytest.approx(1.2, abs=0.15)


def _touched(scene: Scene) -> set[tuple[str, str]]:
    """Bodies and props that meet when nobody looks ahead."""
    session = Scene(scene.name, scene.characters, scene.setting).session()
    recording = session.run()
    names = [[recording.geom_names[geom] for geom in pair] for pair in recording.contacts.pairs]
    return {(a.split("/")[-1], b) if "/" in a else (b.split("/")[-1], a) for a, b in names}


def test_the_garden_has_seventy_obstacles_with_all_of_table_3_on_both_sides() -> None:
    props = figures.garden().setting.props
    kinds = {prop.name.rsplit("_", 1)[0] for prop in props}
    assert len(props) == 70
    assert kinds == {*ASSETS, "reed"}
    for kind in kinds:
        sides = {bool(prop.position[1] > 0.0) for prop in props if prop.name.rsplit("_", 1)[0] == kind}
        assert sides == {True, False}, kind


def test_nothing_in_the_garden_but_the_walker_presses_on_anything() -> None:
    recording = figures.garden().session().run(300)
    names = [[recording.geom_names[geom] for geom in pair] for pair in recording.contacts.pairs]
    assert names
    assert all(any(name.startswith("walker/") for name in pair) for pair in names)
