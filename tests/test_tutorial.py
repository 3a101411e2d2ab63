"""What the tutorial and the how-to pages tell a reader to do, done in order; each command by itself: `test_told_commands`."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import poise
from poise.assets import clip_path
from poise.scenes import read_scene

DOCS = Path(__file__).parents[1] / "docs"
TUTORIAL = (DOCS / "tutorial.md").read_text(encoding="utf-8")
HOW_TO = (DOCS / "how-to.md").read_text(encoding="utf-8")


def blocks(text: str, kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", text, flags=re.DOTALL)


@pytest.mark.slow
def test_the_tutorial_works_as_it_is_written(tmp_path: Path) -> None:
    """Every command of it in a fresh folder, with the scene file it gives; then its script."""
    (scene,) = blocks(TUTORIAL, "yaml")
    (tmp_path / "garden.yaml").write_text(scene)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    for block in blocks(TUTORIAL, "console"):
        for line in block.strip().splitlines():
            words = shlex.split(line)
            words = [sys.executable, *({"poise": ["-m", "poise"], "python": []}[words[0]]), *words[1:]]
            done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
            assert done.returncode == 0, f"{line}: {done.stderr}"
    results = {path.name for path in (tmp_path / "out" / "take").iterdir()}
    told = set(re.findall(r"`([\w.]+)`", TUTORIAL.split("| file |")[1].split("Open the report")[0]))
    assert told <= results
    assert (tmp_path / "out" / "compared" / "compare.html").exists()
    (script,) = blocks(TUTORIAL, "python")
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert len(poise.read_clip(tmp_path / "result.bvh")) == len(poise.read_clip(tmp_path / "take.bvh"))
    assert (tmp_path / "report.html").exists()


@pytest.mark.parametrize("scene", blocks(HOW_TO, "yaml"))
def test_the_scenes_of_the_how_to_pages_are_played(scene: str, tmp_path: Path) -> None:
    poise.write_clip(tmp_path / "take.bvh", poise.read_clip(clip_path("walk")))
    (tmp_path / "scene.yaml").write_text(scene)
    session = read_scene(tmp_path / "scene.yaml").session()
    session.run(30)
    assert session.count == 30


@pytest.mark.slow
def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    pytest.importorskip("mkdocstrings")
    pytest.importorskip("material")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "NO_MKDOCS_2_WARNING": "1"}
    words = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    done = subprocess.run(words, cwd=DOCS.parent, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "--cycles" in (tmp_path / "site" / "commands.html").read_text(encoding="utf-8")
    pages = {path.stem for path in (tmp_path / "site").glob("*.html")}
    assert {path.stem for path in DOCS.glob("*.md")} <= pages
