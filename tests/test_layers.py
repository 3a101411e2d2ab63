"""The layers of docs/architecture.md, kept true by reading the imports; and the size budget."""

import ast
import re
from pathlib import Path

import pytest

import poise

ROOT = Path(poise.__file__).parent
ROOMS = {"locomotion", "anticipation", "ik", "hybrid", "control", "gesture", "qp", "metrics", "fluid"}
LAYER_0 = {"errors", "lazy", "parameters", "math", "assets"}
LAYER_1 = LAYER_0 | {"motion"}
LAYER_2 = LAYER_1 | {"body", "signals"}
LAYER_3 = LAYER_2 | ROOMS | {"world"}
EVERYTHING = LAYER_3 | {"io", "repair", "behaviors", "controllers"}
PLAYED = EVERYTHING | {"characters"}
ALLOWED = {
    "errors": set(),
    "lazy": set(),
    "parameters": {"errors"},
    "math": {"errors"},
    "assets": {"errors"},
    "motion": LAYER_0,
    "io": LAYER_1,
    "body": LAYER_1,
    "signals": LAYER_1,
    "repair": LAYER_1,
    "world": LAYER_2,
    **{room: LAYER_2 for room in ROOMS},
    "behaviors": LAYER_3,
    "controllers": LAYER_3 | {"behaviors"},
    "characters": EVERYTHING - {"controllers"},
    "robots": PLAYED,
    "runtime": PLAYED,
    "crowd": PLAYED | {"runtime"},
    "groups": PLAYED | {"runtime"},
    "wading": PLAYED | {"runtime"},
    "viewer": PLAYED | {"runtime", "wading"},
    "report": PLAYED | {"runtime", "crowd", "groups", "wading"},
    "scenes": PLAYED | {"runtime", "crowd", "groups", "wading"},
    "cli": PLAYED
    | {"crowd", "groups", "robots", "wading", "runtime", "viewer", "report", "scenes", "reproductions", "benchmarks"},
    "__main__": {"cli"},
    "reproductions": PLAYED | {"crowd", "groups", "wading", "runtime", "report", "scenes"},
    "benchmarks": PLAYED | {"crowd", "groups", "wading", "runtime", "scenes"},
}
FILES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path.name}: imports are absolute"
            names.add(node.module or "")
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def room_of(path: Path) -> str:
    first = path.relative_to(ROOT).parts[0]
    return first.removesuffix(".py")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"{room} has no layer; docs/architecture.md and this test name them all"
    used = {name.split(".")[1] for name in imported(path) if name.startswith("poise.") and "." in name}
    assert used <= ALLOWED[room] | {room}, f"{room} may not import {sorted(used - ALLOWED[room] - {room})}"


def test_only_the_world_imports_mujoco() -> None:
    users = {room_of(path) for path in FILES if any(name.split(".")[0] == "mujoco" for name in imported(path))}
    assert users <= {"world", "benchmarks", "reproductions"}


def test_the_world_is_seen_through_its_view() -> None:
    """Nobody reaches into MuJoCo's arrays from outside."""
    reaching = re.compile(r"world\.(data|model)\b")
    users = [
        path for path in FILES if room_of(path) not in ("world", "benchmarks") and reaching.search(path.read_text())
    ]
    assert not users


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_stay_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 400, "split by meaning"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            start = node.body[1].lineno if documented else node.lineno
            assert node.end_lineno is not None
            assert node.end_lineno - start < 60, f"{node.name} is longer than 60 lines"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_functions_take_few_arguments(path: Path) -> None:
    """At most eight beside self; only commands take more, whose arguments are the command line's options."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            name = getattr(node, "name", "lambda")
            count = len([argument for argument in arguments(node) if argument not in ("self", "cls")])
            assert count <= 8 or (room_of(path) == "cli" and name == path.stem), f"{name} takes {count} arguments"


def arguments(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> list[str]:
    own = node.args
    named = [*own.posonlyargs, *own.args, *own.kwonlyargs, *filter(None, (own.vararg, own.kwarg))]
    return [argument.arg for argument in named]


def test_a_first_line_says_what_each_file_is_for() -> None:
    """A sentence of its own, which no other file has, and which is more than the file's name."""
    lines: dict[str, Path] = {}
    for path in FILES:
        documented = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
        assert documented, f"{path} begins with no docstring"
        line = documented.splitlines()[0]
        assert len(line.split()) >= 3, f"{path}: {line}"
        assert line.rstrip(".").endswith("package") is False, f"{path}: {line} (which things does it do?)"
        assert line not in lines, f"{path} and {lines[line]} say the same: {line}"
        lines[line] = path


def test_the_runtime_is_session_tick_clock_frame_and_record() -> None:
    lines = sum(len(path.read_text(encoding="utf-8").splitlines()) for path in FILES if room_of(path) == "runtime")
    assert lines < 1500, "what a session is not made of belongs to the room that it is about"
