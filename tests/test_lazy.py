"""What reads a file or refuses loads nothing slow; packages that import lazily say the same to people, checkers and Python."""

import ast
import importlib
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import poise
from poise.assets import clip_path

ROOT = Path(poise.__file__).parent
SLOW = ("mujoco", "numba", "scipy", "trimesh", "skimage", "manifold3d", "PIL", "mido", "proxsuite", "daqp")
WALK = str(clip_path("walk"))
RUN = """
import json, sys
sys.argv[0] = "poise"
from poise.cli.main import main
try:
    main()
except SystemExit as end:
    code = end.code
print("LOADED" + json.dumps([code, sorted({name.split(".")[0] for name in sys.modules})]))
"""
BROKEN = "HIERARCHY\nROOT hips\n{\n  OFFSET 0 0 zero\n"


def loaded_by(*arguments: str) -> tuple[int, set[str]]:
    """Exit code of `poise ARGUMENTS` in a process of its own, and which of the slow modules were loaded."""
    done = subprocess.run([sys.executable, "-c", RUN, *arguments], capture_output=True, text=True, check=True)
    code, modules = json.loads(done.stdout.rpartition("LOADED")[2])
    return code, set(SLOW) & set(modules)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--version",), 0),
        (("--help",), 0),
        (("run", "--help"), 0),
        (("nosuch",), 2),
        (("run", "nosuch"), 2),
        (("run", "forest", "--tensn", "3"), 2),
        (("run", "forest", "--root", "loose"), 2),
        (("run", "nosuch.bvh"), 2),
        (("run", WALK, "--tension", "99"), 2),
        (("run", WALK, "--table", "nosuch"), 2),
        (("run", WALK, "--axes", "nosuch"), 2),
        (("run", "wade", WALK, "--depth", "deep"), 2),
        (("run", "wade", WALK, "--fluid", "tar"), 2),
        (("convert", "nosuch.bvh", "out.bvh"), 2),
        (("compare", "nosuch.bvh", WALK), 2),
        (("reproduce", "nosuch"), 2),
        (("parameters", "nosuch"), 2),
        (("parameters", "anticipation.evasion.dcuk"), 2),
        (("parameters", "tension"), 0),
        (("inspect", WALK, "--axes", "nosuch"), 2),
        (("inspect", WALK), 0),
        (("inspect", WALK, "--axes", "rest"), 0),
    ],
    ids=lambda value: "-".join(value).replace(WALK, "walk") if isinstance(value, tuple) else "",
)
def test_reading_and_refusing_load_nothing_slow(arguments: tuple[str, ...], code: int) -> None:
    assert loaded_by(*arguments) == (code, set())


def test_matrices_are_turned_into_quaternions_without_scipy() -> None:
    program = "import sys, numpy; from poise.math import quat; quat.from_matrix(numpy.eye(3)); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not set(SLOW) & set(done.stdout.split())


@pytest.mark.parametrize("command", ["run", "inspect", "convert", "compare"])
def test_a_broken_file_is_refused_before_anything_slow(command: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.bvh"
    broken.write_text(BROKEN)
    more = {"convert": [str(tmp_path / "out.bvh")], "compare": [WALK]}.get(command, [])
    assert loaded_by(command, str(broken), *more) == (2, set())


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", WALK, "--anchor", "nobody"),
        ("run", WALK, "--stature", "9"),
        ("run", WALK, "--limit", "0.0001"),
        ("run", WALK, "--markers", "nosuch.c3d"),
        ("run", "slow.bvh"),
        ("run", "slow.yaml"),
        ("run", "anchor.yaml"),
        ("compare", WALK, "tiny.bvh"),
        ("convert", WALK, "out.glb", "--onto", "broken.bvh"),
        ("convert", WALK, "out.csv", "--onto", "bare.xml"),
        ("inspect", "bare.xml"),
    ],
    ids="-".join,
)
def test_what_makes_no_character_is_refused_before_anything_slow(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    walk = Path(WALK).read_text()
    texts = {
        "slow.bvh": re.sub(r"Frame Time: .*", "Frame Time: 1000", walk),
        "slow.yaml": "characters: {a: {clip: slow.bvh}}\n",
        "anchor.yaml": "characters: {a: {clip: 'shipped:walk', anchors: [nobody]}}\n",
        "tiny.bvh": "HIERARCHY\nROOT hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\n"
        "OFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.1\n0 0 0\n0 0 1\n",
        "broken.bvh": BROKEN,
        "bare.xml": "<mujoco><worldbody/></mujoco>",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    assert loaded_by(*arguments) == (2, set())


@pytest.mark.parametrize(
    "text",
    [
        "a: &x [1]\nb: *x\n",
        "characters: {a: {clip: 'shipped:walk'}}\nfloor: 2001-99-99\n",
        "characters: {a: {clip: 'shipped:walk', roles: ../secret.yml}}\n",
        "characters: {a: {clip: broken.bvh}}\n",
        "characters: {a: {clip: 'shipped:walk', anticipation: {rect: 3}}}\n",
        "characters: {a: {clip: 'shipped:walk'}}\nfluids: [{fluid: tar, depth: knee}]\n",
        "people: {a: {at: no}}\n",
    ],
)
def test_a_bad_scene_file_is_refused_before_anything_slow(text: str, tmp_path: Path) -> None:
    (tmp_path / "broken.bvh").write_text(BROKEN)
    (tmp_path / "scene.yaml").write_text(text)
    assert loaded_by("run", str(tmp_path / "scene.yaml")) == (2, set())


def test_the_list_of_slow_modules_is_of_real_ones() -> None:
    """What a run does load is seen by the same means."""
    code = "import sys, json; import poise; poise.Session; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"mujoco", "numba", "scipy"} <= set(json.loads(done.stdout))


def test_the_demo_starts_without_what_is_slowest_of_scipy() -> None:
    """A second of processor time and more: statistics, optimizers, and what parses all its own documentation on import."""
    code = "import sys, json; import poise.cli.play, poise.scenes; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    slowest = {
        f"scipy.{name}" for name in ("signal", "stats", "interpolate", "optimize", "spatial", "ndimage", "special")
    }
    assert not slowest & set(json.loads(done.stdout))


def _lazy_packages() -> list[str]:
    names = ["poise", *(module.name for module in pkgutil.walk_packages(poise.__path__, "poise.") if module.ispkg)]
    folders = {name: ROOT.joinpath(*name.split(".")[1:]) for name in names}
    return [name for name, folder in folders.items() if "lazy_names(" in (folder / "__init__.py").read_text()]


@pytest.mark.parametrize("name", _lazy_packages())
def test_a_lazy_package_says_the_same_to_checkers_and_to_python(name: str) -> None:
    package = importlib.import_module(name)
    tree = ast.parse(Path(str(package.__file__)).read_text())
    (branch,) = [node for node in tree.body if isinstance(node, ast.If)]
    checked = {
        (each.module, alias.name) for each in branch.body if isinstance(each, ast.ImportFrom) for alias in each.names
    }
    (table,) = [node for each in branch.orelse for node in ast.walk(each) if isinstance(node, ast.Dict)]
    ran = {(module, item) for module, items in ast.literal_eval(table).items() for item in items}
    assert checked == ran
    assert {item for _, item in ran} <= set(package.__all__)
    assert set(package.__all__) <= set(dir(package))
    modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert not modules & {item for _, item in ran}, "importing a module of that name would hide what is lazily found"
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nosuch'"):
        package.nosuch  # noqa: B018
