"""Breaks one thing at a time and sees whether a test notices: `make mutate PACKAGE=behaviors COUNT=150`.

A mutation changes one constant, comparison, operator, condition or `min`/`max` of a package. Its tests run on a copy of the
sources; what no test notices survives and is listed. Where nothing can notice, because the change is no change in what happens
(an upper bound that is never reached, a scratch size), `tools/mutation_excuses.json` says why: `"file:line:what": "reason"`.
Results are kept in `out/mutations/PACKAGE.json`, and a run that was broken off goes on from there.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXCUSES = ROOT / "tools" / "mutation_excuses.json"
TESTS = {
    "behaviors": "test_behaviors* test_startle.py test_evasion.py test_pacing.py test_compliant_root.py test_effort.py "
    "test_runtime_balance.py test_runtime_bounded.py test_runtime_switching.py test_gesture_bodies.py test_anticipation*",
    "controllers": "test_controllers.py test_weightless_limbs.py test_control_muscles.py test_behaviors.py "
    "test_runtime_session.py",
    "world": "test_world_* test_runtime_session.py",
    "runtime": "test_runtime_* test_live_parameters.py test_plausibility.py test_behaviors* test_blend.py test_retarget.py",
    "body": "test_body_* test_fingers.py",
    "control": "test_control_* test_compliant_root.py",
    "locomotion": "test_locomotion_* test_compliant_root.py",
    "ik": "test_ik_*",
    "qp": "test_qp* test_group.py",
    "fluid": "test_fluid.py test_locomotion_wading.py test_runtime_wading.py",
}
"""Which tests look after a package, the quick ones first."""
SECONDS = 900
"""A test run that takes longer has noticed: something goes on for ever."""
SWAPS: dict[type, type] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.And: ast.Or,
    ast.Or: ast.And,
}
NAMES = {"min": "max", "max": "min", "minimum": "maximum", "maximum": "minimum", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutation:
    """One change: where, the number of the node in the walk, what is done, and how the place reads before and after."""

    file: str
    node: int
    what: str
    line: int
    before: str
    after: str

    @property
    def key(self) -> str:
        """Its name in the list of excuses."""
        return f"{self.file}:{self.line}:{self.what}"


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What can be done to a node, as its name and the node that takes its place."""
    match node:
        case ast.Constant(value=bool() as value):
            yield "flip", ast.Constant(not value)
        case ast.Constant(value=(int() | float()) as value):
            yield "zero" if value else "one", ast.Constant(type(value)(0 if value else 1))
            if value and isinstance(value, float):
                yield "triple", ast.Constant(3.0 * value)
                yield "third", ast.Constant(value / 3.0)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in SWAPS:
            yield "operator", ast.BinOp(left, SWAPS[type(op)](), right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in SWAPS:
            yield "comparison", ast.Compare(left, [SWAPS[type(op)]()], [right])
        case ast.BoolOp(op=op, values=values):
            yield "connective", ast.BoolOp(SWAPS[type(op)](), values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "negation", operand
        case ast.Name(id=name) if name in NAMES:
            yield "extreme", ast.Name(NAMES[name], ast.Load())
        case ast.Attribute(value=value, attr=name) if name in NAMES:
            yield "extreme", ast.Attribute(value, NAMES[name], ast.Load())


def walk(tree: ast.AST) -> Iterator[ast.expr]:
    """The expressions that do something: no annotations, no lists of public names, no types."""
    for node in ast.iter_child_nodes(tree):
        names = [getattr(target, "id", "") for target in getattr(node, "targets", [])]
        if "__all__" in names or isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.AnnAssign):
            parts = [node.value] if node.value is not None else []
        elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
            arguments = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None)]
            body = node.body if isinstance(node.body, list) else [node.body]
            parts = [*arguments, *body]
        else:
            parts = [node]
        for part in parts:
            if isinstance(part, ast.expr):
                yield part
            yield from walk(part)


def mutations_of(text: str, file: str) -> list[Mutation]:
    """Everything that can be broken in a source."""
    found = []
    for number, node in enumerate(walk(ast.parse(text))):
        for what, after in changes(node):
            found.append(Mutation(file, number, what, node.lineno, ast.unparse(node), ast.unparse(after)))
    return found


def mutated(text: str, mutation: Mutation) -> str:
    """The source with one thing broken; everything else stays as it is written."""
    node = list(walk(ast.parse(text)))[mutation.node]
    lines = text.encode().splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or node.lineno) - 1])) + (node.end_col_offset or 0)
    whole = b"".join(lines)
    return (whole[:begin] + b"(" + mutation.after.encode() + b")" + whole[end:]).decode()


def sample(package: str, count: int, seed: int) -> list[Mutation]:
    """So many mutations of a package, the same for the same seed."""
    folder = ROOT / "src" / "poise" / package
    every = [
        mutation
        for path in sorted(folder.rglob("*.py"))
        for mutation in mutations_of(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    return random.Random(seed).sample(every, min(count, len(every)))


def survives(mutation: Mutation, source: Path, tests: list[str]) -> bool:
    """Whether no test notices."""
    path = source / Path(mutation.file).relative_to("src")
    text = path.read_text(encoding="utf-8")
    path.write_text(mutated(text, mutation), encoding="utf-8")
    if "njit" in text:
        # Compiled loops that others call are taken from their caches, which see changes of their own file only.
        for cache in source.rglob("*.nb[ic]"):
            cache.unlink()
    try:
        return passes(source, tests)
    finally:
        path.write_text(text, encoding="utf-8")


def passes(source: Path, tests: list[str]) -> bool:
    """Whether the tests pass on a copy of the sources; they do not where something goes on for ever."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-x",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow and not external",
        *tests,
    ]
    try:
        environment = {**os.environ, "PYTHONPATH": str(source)}
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, timeout=SECONDS, check=False)
        return done.returncode == 0
    except subprocess.TimeoutExpired:
        return False


def run(package: str, count: int, seed: int) -> int:
    """Try a sample of mutations; the exit code is 1 where less than 95 % are noticed or excused."""
    excuses = json.loads(EXCUSES.read_text(encoding="utf-8")) if EXCUSES.exists() else {}
    kept = ROOT / "out" / "mutations" / f"{package}.json"
    results: dict[str, str] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    tests = [str(path) for pattern in TESTS[package].split() for path in sorted((ROOT / "tests").glob(pattern))]
    wanted = sample(package, count, seed)
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "src"
        shutil.copytree(ROOT / "src", source, ignore=shutil.ignore_patterns("__pycache__"))
        if not passes(source, tests):
            sys.exit(f"{package}: its tests fail with nothing broken, so they would seem to notice everything")
        for number, mutation in enumerate(wanted):
            name = f"{mutation.key}: {mutation.before} -> {mutation.after}"
            if name not in results:
                fate = "survived" if survives(mutation, source, tests) else "killed"
                results[name] = fate
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_text(json.dumps(results, indent=1), encoding="utf-8")
            fate = "excused" if results[name] == "survived" and mutation.key in excuses else results[name]
            print(f"{number + 1}/{len(wanted)} {fate}: {name}", flush=True)
    alive = [m for m in wanted if results[f"{m.key}: {m.before} -> {m.after}"] == "survived" and m.key not in excuses]
    share = 100.0 * (1.0 - len(alive) / max(len(wanted), 1))
    print(f"{package}: {share:.0f} % of {len(wanted)} noticed (seed {seed})")
    return int(share < 95.0)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=sorted(TESTS))
    parser.add_argument("--count", type=int, default=150, help="how many mutations are tried")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    arguments = parser.parse_args()
    sys.exit(run(arguments.package, arguments.count, arguments.seed))


if __name__ == "__main__":
    main()
