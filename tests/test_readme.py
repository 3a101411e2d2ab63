"""Every statement of the README is shown by a test, or it is said why none can (`readme.yaml`)."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from typer.main import get_command

import poise
from conftest import Command
from poise.assets import clip_path
from poise.cli.main import app
from poise.io import read_clip, write_clip
from poise.io.formats import FORMATS
from poise.motion import loop
from poise.reproductions.papers import PAPER_NAMES
from poise.scenes import read_scene
from poise.scenes.named import SCENES, WADE, named_scene
from readme import README, statements

ROOT = README.parent
TEXT = README.read_text(encoding="utf-8")
WORDS = " ".join(TEXT.split())
SHOWN = yaml.safe_load((ROOT / "tests" / "readme.yaml").read_text(encoding="utf-8"))


def test_every_statement_is_shown_by_a_test_or_says_why_none_can() -> None:
    """A sentence that is changed, added or taken out has to be looked at here, too."""
    assert [entry["says"] for entry in SHOWN] == statements()
    assert [entry["says"] for entry in SHOWN if ("by" in entry) == ("unless" in entry)] == []


def test_what_statements_are_shown_by_is_there() -> None:
    for place in {place for entry in SHOWN for place in entry.get("by", [])}:
        file, _, name = place.partition("::")
        tree = ast.parse((ROOT / "tests" / f"{file}.py").read_text(encoding="utf-8"))
        assert name in {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}, place


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", TEXT):
        path, _, heading = target.partition("#")
        assert (ROOT / path).exists(), target
        if heading:
            heads = re.findall(r"^#+ (.*)$", (ROOT / path).read_text(encoding="utf-8"), flags=re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}, target


def test_python_and_environment_are_those_of_the_project() -> None:
    (version,) = re.findall(r"You need Python (3\.\d+) or newer", TEXT)
    assert f'requires-python = ">={version}"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "VENV := .venv" in makefile
    assert re.search(r"^demo: .*\n\t\$\(BIN\)/poise demo$", makefile, re.MULTILINE)


@pytest.mark.slow
def test_the_demo_writes_what_the_page_says(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, said, _ = command("demo")
    assert code == 0
    (paragraph,) = re.findall(r"`make demo` writes into `(.*?)\n\n", TEXT, flags=re.DOTALL)
    folder, *files = re.findall(r"([\w/]+/|(?:report|forest|metrics)\.\w+)(?=`)", paragraph)
    assert (folder, len(files)) == ("out/forest/", 6)
    drawn = {file for file in files if (tmp_path / folder / file).exists()}
    assert drawn == set(files) or ({*files} - drawn == {"forest.png"} and "OpenGL" in said)


def test_with_a_kinematic_root_only_arms_differ(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "walk.bvh"
    write_clip(file, loop(read_clip(clip_path("walk")), 3))
    assert command("run", file, "--root", "kinematic", "--tension", "1", "--out", tmp_path / "out", "--quiet")[0] == 0
    before, after = read_clip(file), read_clip(tmp_path / "out" / "walk.bvh")
    turned = np.abs(before.rotations - after.rotations).max(axis=(0, 2)) > 1e-9
    moved = {name for name, other in zip(before.skeleton.names, turned, strict=True) if other}
    assert moved, "something touched an arm"
    assert all(re.search("Arm|Hand", name) for name in moved)
    assert np.array_equal(before.translations, after.translations)


def test_inspect_tells_all_of_it(command: Command) -> None:
    _, said, _ = command("inspect", clip_path("walk"))
    for told in (
        r"unit +\S+ m +\S",
        r"up +y +\S",
        r"Hips +pelvis +name",
        r"body: 19 bodies, [\d.]+ kg, [\d.]+ m tall",
        r"path: from \(.*at first faces",
        r"joints outside a person's range: \d+ % of the frames",
        "Foot skate, weighted by height: ",
        "Joint jerk, mean: ",
    ):
        assert re.search(told, said), told


def test_the_words_are_explained() -> None:
    page = (ROOT / "docs" / "terms.md").read_text(encoding="utf-8").lower()
    for word in ("anchor", "tension", "kinematic", "responsive"):
        assert re.search(rf"^(\||-|\*|#).*\b{word}\b", page, re.MULTILINE), word


def test_every_scene_is_in_the_table() -> None:
    rows = re.findall(r"^\| (`.*?) \|", TEXT, flags=re.MULTILINE)
    told = {name.split()[0] for row in rows for name in re.findall(r"`([^`]+)`", row)}
    assert told == {*SCENES, WADE, "orchestra"} - {"apple_unseen", "apple_fast"}
    assert all(name in (ROOT / "docs" / "anticipation.md").read_text() for name in ("apple_unseen", "apple_fast"))


def test_the_trail_is_one_person_and_one_clip() -> None:
    scene = named_scene("trail")
    assert list(scene.characters) == ["walker"]
    kinds = {type(prop).__name__ for prop in scene.setting.props}
    assert kinds >= {"Plant", "Ball", "Gate", "Hanging", "Wall", "Fence"}
    assert scene.setting.terrain
    assert "Push" in {type(each).__name__ for each in scene.session().behaviors}


def test_rough_ground_has_bumps_steps_and_a_slope() -> None:
    scene = named_scene("rough")
    assert {type(each).__name__ for each in scene.setting.terrain} >= {"HeightField", "Steps", "Slope"}


def _row(name: str) -> list[str]:
    """Scenes of the row of the table that has one."""
    (row,) = re.findall(rf"^\| (`[^|]*`{name}`.*?|`{name}`.*?) \|", TEXT, flags=re.MULTILINE)
    return re.findall(r"`(\w+)", row)


def _behaviors(scene: str) -> set[str]:
    return {type(each).__name__ for each in named_scene(scene).session().behaviors}


@pytest.mark.parametrize("scene", [*_row("apple"), *_row("duck")])
def test_people_of_these_scenes_anticipate(scene: str) -> None:
    assert "Anticipation" in _behaviors(scene)


@pytest.mark.parametrize("scene", _row("conductor"))
def test_people_of_these_scenes_balance(scene: str) -> None:
    assert ("Pump" if scene == "swing" else "Balance") in _behaviors(scene)


@pytest.mark.parametrize("scene", _row("king"))
def test_people_of_these_scenes_are_a_group(scene: str) -> None:
    assert _behaviors(scene) == {"Together"}


@pytest.mark.parametrize("scene", _row("blocks"))
def test_legs_of_these_scenes_are_physical(scene: str) -> None:
    assert "Bounded" in _behaviors(scene)


def test_the_stream_and_the_scene_on_the_page_are_some(tmp_path: Path) -> None:
    (scene,) = re.findall(r"```yaml\n(.*?)```", TEXT, flags=re.DOTALL)
    (stream,) = re.findall(r"`- (\{fluid:.*?\})`", WORDS)
    file = tmp_path / "page.yaml"
    file.write_text(f"{scene}fluids:\n  - {stream}\n")
    scene = read_scene(file)
    assert len(scene.fluids) == 1
    assert len(scene.setting.props) == 4
    scene.session().run(10)


def test_the_door_is_as_long_as_told() -> None:
    (lines,) = re.findall(r"the door in \[(\d+) lines\]", WORDS)
    assert len((ROOT / "examples/scenes/door.yaml").read_text(encoding="utf-8").splitlines()) == int(lines)


def test_parameters_are_listed_with_default_range_and_what_is_live(command: Command) -> None:
    _, said, _ = command("parameters")
    assert re.search(r"^tension\.frequency: 3 Hz \(from 0\.01 to 50 Hz, live\)$", said, re.MULTILINE)
    assert re.search(r"^anchors: (?!.*live)", said, re.MULTILINE)


def test_compare_ends_with_the_verdict_and_the_distance(command: Command, tmp_path: Path) -> None:
    _, said, _ = command("compare", clip_path("walk"), clip_path("walk"))
    verdict, distance = said.strip().splitlines()[-2:]
    assert verdict.startswith("no clear difference in foot skate")
    assert re.search(r"is where .* is, to 0 mm$", distance)


def test_the_script_on_the_page_runs(tmp_path: Path) -> None:
    (script,) = re.findall(r"```python\n(.*?)```", TEXT, flags=re.DOTALL)
    write_clip(tmp_path / "walk.bvh", read_clip(clip_path("walk")))
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    assert {"out.bvh", "report.html"} <= {file.name for file in tmp_path.iterdir()}
    assert hasattr(poise, "show")


def test_the_examples_are_there() -> None:
    listed = re.findall(r"More in \[`examples/`\]\(examples\): (.*?)\.\s", WORDS)[0]
    titles = [ast.get_docstring(ast.parse(file.read_text())) for file in sorted((ROOT / "examples").glob("*.py"))]
    about = {"tension": "tense", "letting a limb go": "Letting go", "a few goals": "From goals to a pose"}
    about |= {
        "conducting": "Conduct a score",
        "reaction": "The reaction of",
        "a rule of your own": "A rule and a region",
    }
    for told, title in about.items():
        assert told in listed
        assert any(title in (each or "") for each in titles), title


def test_defaults_that_are_told_are_the_defaults() -> None:
    options = {option.name: option for option in get_command(app).commands["run"].params}  # type: ignore[attr-defined]
    assert "low-pass filtered at 12 Hz" in WORDS
    assert options["filter_"].default == "12"
    assert "3 Hz is the default" in WORDS
    assert options["tension"].default == 3.0
    assert "--relax 0.8 # arms that hang and drag, since their muscles carry a fifth" in WORDS


def test_commands_take_the_options_they_are_said_to() -> None:
    commands = get_command(app).commands  # type: ignore[attr-defined]
    options = {name: {each for one in each_of.params for each in one.opts} for name, each_of in commands.items()}
    assert [name for name, has in options.items() if "--json" not in has] == []
    about_clips = {"demo", "run", "inspect", "compare", "convert"}
    assert [name for name in about_clips if not {"--quiet", "--verbose", "-v"} <= options[name]] == []


def test_numbers_of_hands_are_those_of_the_evidence() -> None:
    evidence = (ROOT / "docs" / "evidence.md").read_text(encoding="utf-8")
    (within, runs) = re.findall(r"^\| hand jerk ≤ 2 × \| 81 of 81 \| (\d+) of (\d+) \|", evidence, re.MULTILINE)[0]
    assert "jerk more than twice as much as its clip or a quick reach on a sixth of other people's clips" in WORDS
    assert round(int(runs) / (int(runs) - int(within))) == 6


def test_groups_walk_as_fast_as_the_page_of_groups_says() -> None:
    (fastest,) = re.findall(r"walk at up to ([\d.]+) m/s", WORDS)
    assert f"to {fastest} m/s so with every limit kept" in (ROOT / "docs" / "many-characters.md").read_text()


def test_formats_are_those_that_are_read() -> None:
    kinds = {"BVH": ".bvh", "FBX": ".fbx", "GLB": ".glb", "VRM": ".vrm", "USD": ".usd", "AMC": ".amc", "NPZ": ".npz"}
    kinds |= {"DeepMimic": ".txt", "ASF": ".amc", "AMASS": ".npz"}
    (told,) = re.findall(r"Clips are (.*?) \(\[what is kept\]", WORDS)
    assert all(kind in told for kind in kinds)
    assert {*kinds.values()} <= FORMATS.keys()


def test_a_skeleton_without_arms_and_legs_is_refused(command: Command, tmp_path: Path) -> None:
    file = tmp_path / "snake.bvh"
    joint = "OFFSET 0 10 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n"
    file.write_text(
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        f"JOINT b\n{{\n{joint}JOINT c\n{{\n{joint}End Site\n{{\nOFFSET 0 10 0\n}}\n}}\n}}\n}}\n"
        "MOTION\nFrames: 2\nFrame Time: 0.03\n" + 2 * ("0 " * 12 + "\n")
    )
    code, _, err = command("run", file)
    assert code == 2
    assert err.startswith("error: ")


def test_licences_are_those_of_the_files() -> None:
    assert (ROOT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License")
    clips = ROOT / "src/poise/assets/clips"
    assert "zlib licence of the source" in (clips / "README.md").read_text(encoding="utf-8")
    assert len([*clips.glob("*.bvh")]) == 2


def test_papers_are_those_that_are_reproduced() -> None:
    told = {
        f"{author.lower()}{year}"
        for author, year in (
            *re.findall(
                r"(Alvarado|Hu|Bermudez|Vaillant|van Welbergen)[^()]*? (20\d\d) \(", WORDS.split("The methods")[1]
            ),
        )
    }
    assert {name.replace(" ", "") for name in told} == {name for name in PAPER_NAMES if name[-4:].isdigit()}
