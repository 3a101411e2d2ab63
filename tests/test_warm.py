"""What is compiled before a run is timed, and that a rehearsal leaves no trace."""

import ast
import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import poise
from poise.cli.timed_run import timed_run
from poise.math._compile import njit
from poise.math.compile_watch import CompileWatch, watch_compilation
from poise.runtime.session import Session
from poise.scenes import named_scene

COLD = """
import json, sys
from numba.extending import is_jitted
from poise.runtime.session import Session
from poise.cli.timed_run import timed_run
from poise.math.compile_watch import watch_compilation
from poise.scenes import named_scene

plays, run = [], Session.run
def noted(session, *arguments):
    before = watch.count
    run(session, *arguments)
    plays.append(watch.count - before)

with watch_compilation() as watch:
    session = named_scene("wall_slide").session()
    Session.run = noted
    timed = timed_run(session)
print(watch.count, plays[-1], len(plays), session.count == session.tick_count, timed.failure)
kernels = {
    f"{name}.{called}": [repr(signature) for signature in kernel.signatures]
    for name, module in list(sys.modules.items()) if name.startswith("poise.")
    for called, kernel in vars(module).items() if is_jitted(kernel) and kernel.py_func.__module__ == name
}
print(json.dumps(kernels))
"""

NEEDED_TWICE = {"poise.math._tuples.vector"}
"""What the world hands out is read-only."""


def needless(kernels: dict[str, list[str]]) -> set[str]:
    """Kernels that were compiled for a constant, or again for arrays that only lie otherwise or may (not) be written."""
    found = {name for name, signatures in kernels.items() if any("Literal" in each for each in signatures)}
    for name, signatures in kernels.items():
        plain = Counter(re.sub(r"'[ACF]', (?:True|False), ", "", each) for each in signatures)
        if plain and max(plain.values()) > 1 and name not in NEEDED_TWICE:
            found.add(name)
    return found


def test_a_kernel_is_compiled_for_a_type_not_for_every_constant() -> None:
    @njit()
    def inner(row, index):
        return row[index] + row[index + 1]

    @njit()
    def outer(row):
        return inner(row, 0) + inner(row, 2) + inner(row, -2)

    row = np.array([1.0, 2.0, 4.0, 8.0])
    assert outer(row) == 3.0 + 12.0 + 12.0
    assert len(inner.signatures) == 1
    assert needless({"inner": [repr(each) for each in inner.signatures]}) == set()


def test_every_kernel_is_compiled_that_way() -> None:
    source = Path(poise.__file__).parent
    pattern = re.compile(r"^from numba import .*\bn?jit\b|numba\.n?jit\(", re.MULTILINE)
    found = [str(file.relative_to(source)) for file in source.rglob("*.py") if pattern.search(file.read_text("utf-8"))]
    assert found == ["math/_compile.py"]


def test_no_kernel_copies_a_row_at_once_or_rounds_to_digits() -> None:
    """For `row[:] = other` numba compiles forty functions for the text of a message, for `np.round` those for digits."""
    source = Path(poise.__file__).parent
    copies = re.compile(
        r"^ +\w+\[[^]]*:[^]]*\](?:, \w+\[:\])* [-+*]?= (?!(?:-?[\d.]+(?:, )?)+$|np\.inf$|False$)|np\.round\(",
        re.MULTILINE,
    )
    kernels = {file: file.read_text("utf-8") for file in source.rglob("_*.py")}
    found = {
        f"{file.relative_to(source)}: {copy.group()}"
        for file, text in kernels.items()
        if "@njit(" in text
        for copy in copies.finditer(text)
    }
    assert found == set()
    assert copies.search("    best[:] = row")
    assert copies.search("    rows[r, :size] = mass[r]")


def rows_at_once(text: str) -> set[str]:
    """Where a whole row of an array of two dimensions is reckoned with: `whole[0] /= total` makes messages, too."""
    found = set()
    for function in (each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)):
        parts = [each for each in ast.walk(function) if isinstance(each, ast.Subscript)]
        tables = {ast.unparse(each.value) for each in parts if isinstance(each.slice, ast.Tuple)}
        for each in ast.walk(function):
            target = each.target if isinstance(each, ast.AugAssign) else None
            if isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Tuple):
                found |= {ast.unparse(each)} if ast.unparse(target.value) in tables else set()
    return found


def test_no_kernel_reckons_with_a_row_at_once() -> None:
    source = Path(poise.__file__).parent
    texts = {file.relative_to(source): file.read_text("utf-8") for file in source.rglob("_*.py")}
    assert {
        str(file): rows_at_once(text) for file, text in texts.items() if "@njit(" in text and rows_at_once(text)
    } == {}
    assert rows_at_once("def f(a, b):\n    a[0, 1] = b\n    a[0] /= b\n") == {"a[0] /= b"}
    assert rows_at_once("def f(a, b):\n    a[0, 1] += b\n    b[0] /= a[1, 2]\n") == set()


def test_needless_versions_are_noticed() -> None:
    row = "(Array(float64, 1, '{}', False, aligned=True), {})"
    assert needless({"a": [row.format("C", "int64"), row.format("A", "int64")]}) == {"a"}
    assert needless({"a": [row.format("C", "int64"), row.format("C", "int64").replace("False", "True")]}) == {"a"}
    assert needless({"b": [row.format("C", "Literal[int](3)")]}) == {"b"}
    assert needless({"c": [row.format("C", "int64"), row.format("C", "float64")]}) == set()


@pytest.mark.slow
def test_everything_is_compiled_before_the_run_and_only_once(tmp_path: Path) -> None:
    """With an empty cache of kernels the run compiles nothing, and a second process finds all that it needs."""
    counts = []
    for _ in range(2):
        environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path), "PATH": ""}
        done = subprocess.run(
            [sys.executable, "-c", COLD], env=environment, capture_output=True, text=True, check=True, timeout=300
        )
        run, kernels = done.stdout.splitlines()
        compiled, last, plays, *ended = run.split()
        assert ended == ["True"]
        assert last == "0", "the run that was timed compiled something"
        counts.append((int(compiled), int(plays)))
        assert needless(json.loads(kernels)) == set()
    assert counts[0][0] > 20
    assert counts[0][1] == 3, "what only happens later was compiled in a rehearsal"
    assert counts[1] == (0, 2)


@pytest.mark.parametrize("name", ["shoved", "conductor", "drag"])
def test_a_rehearsal_leaves_no_trace(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = named_scene(name)
    monkeypatch.setattr(Session, "duration", 1.0)
    plain, rehearsed = scene.session(), scene.session()
    plain.run()
    monkeypatch.setattr("poise.cli.timed_run._LOADED_AFTER", 50)
    timed_run(rehearsed)
    plain, again = plain.recording(), rehearsed.recording()
    assert len(again) == 60
    for part in ("positions", "kinematic", "torques", "stiffness"):
        # What is noted before the first tick is noted anew when a session goes back to it.
        assert np.array_equal(getattr(plain, part)[1:], getattr(again, part)[1:]), part
    assert plain.events == again.events


def test_compiling_one_kernel_for_another_is_counted_once_in_time() -> None:
    moments = iter([1.0, 4.0])
    told: list[int] = []
    with pytest.MonkeyPatch.context() as patch, watch_compilation():
        patch.setattr("poise.math.compile_watch.perf_counter", lambda: next(moments))
        watch = CompileWatch(told.append)
        watch.on_start(None)
        watch.on_start(None)
        watch.on_end(None)
        watch.on_end(None)
    assert (watch.count, watch.seconds, told) == (2, 3.0, [1, 2])
