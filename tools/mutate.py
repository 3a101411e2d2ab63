"""Breaks one thing at a time and sees whether a test notices: `make mutate PACKAGE=behaviors COUNT=150`.

A mutation changes one constant, comparison, operator, condition or `min`/`max` of a package. The tests that call its function
run on a copy of the sources, the quick ones first, at most `BUDGET` seconds of them; what none of them notices survives and is
listed. Where nothing can notice, because the change is no change in what happens (an upper bound that is never reached, a
scratch size), `tools/mutation_excuses.json` says why: `"file:function:what:source": "reason"`. Fates are kept in
`out/mutations/PACKAGE.json` and a run that was broken off goes on from there; `--again` tries survivors anew. Which test calls
what is found once per test file and kept in `out/mutations/calls.json`.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import multiprocessing
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
EXCUSES = ROOT / "tools" / "mutation_excuses.json"
KEPT = ROOT / "out" / "mutations"
TESTS = {
    "behaviors": "test_behaviors* test_startle.py test_evasion.py test_pacing.py test_compliant_root.py test_effort.py "
    "test_runtime_balance.py test_runtime_bounded.py test_runtime_switching.py test_gesture_bodies.py test_anticipation* "
    "test_breathing.py test_falling.py test_hand_ways.py test_physical_root.py test_wall_hand.py",
    "controllers": "test_controllers.py test_weightless_limbs.py test_control_muscles.py test_relaxed.py test_behaviors.py "
    "test_runtime_session.py",
    "world": "test_world_* test_runtime_session.py test_qp.py test_fluid_wetting.py test_crowd.py",
    "runtime": "test_runtime_record.py test_runtime_failure.py test_plausibility.py test_runtime_session.py "
    "test_live_parameters.py test_blend.py test_retarget.py test_behaviors_state.py test_world_command.py",
    "body": "test_body_* test_fingers.py",
    "control": "test_control_* test_relaxed.py test_compliant_root.py",
    "locomotion": "test_locomotion_* test_compliant_root.py",
    "ik": "test_ik_*",
    "qp": "test_qp* test_group.py",
    "fluid": "test_fluid.py test_locomotion_wading.py test_runtime_wading.py",
}
"""Which tests look after a package, the quick ones first."""
BUDGET = 30.0
"""How many seconds of tests are tried on one mutation. What only longer ones would notice counts as survived."""
WATCHED = 20.0
"""How many seconds of a test file are watched, once, for what its tests call; what comes later in it is not tried."""
MEMORY = 8 * 2**30
"""What a test run may take [bytes]; one that wants more has noticed, as has one that takes too long."""
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
    function: str
    node: int
    what: str
    line: int
    before: str
    after: str
    key: str
    """Its name among fates and excuses, which outlives changes elsewhere in the file."""


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


def walk(node: ast.AST, inside: str = "") -> Iterator[tuple[ast.expr, str]]:
    """The expressions in it that do something, and in which function.

    No annotations, no lists of public names, no types, no decorators, and not `strict`, which only guards.
    """
    names = [getattr(target, "id", "") for target in getattr(node, "targets", [])]
    if "__all__" in names or isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "arg", "") == "strict":
        return
    parts: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.AnnAssign):
        parts = [node.value] if node.value is not None else []
    elif isinstance(node, (ast.FunctionDef, ast.Lambda)):
        body = node.body if isinstance(node.body, list) else [node.body]
        parts = [*node.args.defaults, *(each for each in node.args.kw_defaults if each is not None), *body]
    if isinstance(node, ast.FunctionDef):
        inside += node.name
    elif isinstance(node, ast.ClassDef):
        inside += f"{node.name}."
        parts = list(node.body)
    for part in parts:
        if isinstance(part, ast.expr):
            yield part, inside
        yield from walk(part, inside)


def mutations_of(text: str, file: str) -> list[Mutation]:
    """Everything that can be broken in a source."""
    found = []
    seen: dict[str, int] = {}
    lines = text.splitlines()
    for number, (node, function) in enumerate(walk(ast.parse(text))):
        for what, after in changes(node):
            before = ast.unparse(node)
            name = f"{file}:{function}:{what}:{before} in {lines[node.lineno - 1].strip()}"
            seen[name] = seen.get(name, 0) + 1
            key = name + (f" #{seen[name]}" if seen[name] > 1 else "")
            found.append(Mutation(file, function, number, what, node.lineno, before, ast.unparse(after), key))
    return found


def mutated(text: str, mutation: Mutation) -> str:
    """The source with one thing broken; everything else stays as it is written."""
    node, _ = list(walk(ast.parse(text)))[mutation.node]
    lines = text.encode().splitlines(keepends=True)
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or node.lineno) - 1])) + (node.end_col_offset or 0)
    whole = b"".join(lines)
    return (whole[:begin] + b"(" + mutation.after.encode() + b")" + whole[end:]).decode()


def sample(package: str, count: int, seed: int) -> list[Mutation]:
    """So many mutations of a package, the same for the same seed; a smaller sample is the beginning of a larger one."""
    every = [
        mutation
        for path in sorted((SOURCES / "poise" / package).rglob("*.py"))
        for mutation in mutations_of(path.read_text(encoding="utf-8"), str(path.relative_to(ROOT)))
    ]
    return sorted(every, key=lambda each: hashlib.sha256(f"{seed} {each.key}".encode()).digest())[:count]


class Imports:
    """Which source uses which: names are followed through the packages that only pass them on."""

    def __init__(self) -> None:
        """Read all sources."""
        self.names: dict[str, dict[str, tuple[str, str]]] = {}
        self.kernels: set[str] = set()
        for path in SOURCES.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            file = str(path.relative_to(ROOT))
            if "njit" in text:
                self.kernels.add(file)
            self.names[file] = {
                alias.asname or alias.name: (node.module, alias.name)
                for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("poise")
                for alias in node.names
            }
        self.users: dict[str, set[str]] = {}
        for file, names in self.names.items():
            for module, name in names.values():
                self.users.setdefault(self.home(module, name), set()).add(file)

    def home(self, module: str, name: str) -> str:
        """The file where an imported name is made."""
        place = f"src/{module.replace('.', '/')}"
        choices = (f"{place}/{name}.py", f"{place}/{name}/__init__.py", f"{place}.py", f"{place}/__init__.py")
        file = next((each for each in choices if each in self.names), place)
        further = self.names.get(file, {}).get(name) if file in choices[2:] else None
        return self.home(*further) if further else file

    def above(self, file: str, through: Callable[[str], bool]) -> set[str]:
        """The file and those that use it, and those that use these as long as the way goes through such files."""
        found = {file}
        open_ends = [file]
        while open_ends:
            new = self.users.get(open_ends.pop(), set()) - found
            found |= new
            open_ends += [each for each in new if through(each)]
        return found


class Calls:
    """A plugin of pytest: the seconds of each test, and the functions of the house that are called in it."""

    def __init__(self) -> None:
        """Nothing was called so far."""
        self.seconds: dict[str, float] = {}
        self.functions: dict[str, set[str]] = {}
        self._now: set[str] = set()
        self._seen: set[CodeType] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Watch one test with its fixtures; what fixtures of several tests call is with the first that needs them."""
        self._now = self.functions.setdefault(item.nodeid, set())
        self._seen.clear()
        begin = time.process_time()
        sys.settrace(self._trace)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.seconds[item.nodeid] = time.process_time() - begin
            if sum(self.seconds.values()) > WATCHED:
                item.session.shouldstop = "that is enough"

    def _trace(self, frame: FrameType, _event: str, _argument: object) -> None:
        code = frame.f_code
        if code not in self._seen:
            self._seen.add(code)
            if code.co_filename.startswith(f"{SOURCES}/") and code.co_name != "<module>":
                function = code.co_qualname.replace(".<locals>.", "")
                self._now.add(f"{code.co_filename[len(str(ROOT)) + 1 :]}:{function}")


def in_a_child(source: Path, work: Callable[[], int], seconds: float) -> int | None:
    """Do it in a process of its own with these sources; numpy and the like are there already. None: it took too long."""

    def start() -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        os.environ["PYTHONPATH"] = str(source)
        sys.path.insert(0, str(source))
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        os._exit(work())

    process = multiprocessing.get_context("fork").Process(target=start)
    process.start()
    process.join(seconds)
    with suppress(ProcessLookupError):
        os.killpg(process.pid or 0, signal.SIGKILL)
    late = process.exitcode is None
    process.join()
    return None if late else process.exitcode


def tested(tests: list[str], *plugins: object) -> int:
    """What pytest says to these tests."""
    options = ["-q", "-x", "-p", "no:cacheprovider", "-m", "not slow and not external", *tests]
    return int(pytest.main(options, plugins=list(plugins)))


def calls_of(files: list[Path]) -> dict[str, dict[str, Any]]:
    """Which tests of these files call what, by test: `seconds` and `functions`. All of them have to pass."""
    kept = KEPT / "calls.json"
    known: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    for file in files:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        if known.get(file.name, {}).get("digest") == digest:
            continue
        with tempfile.NamedTemporaryFile() as answer:

            def watch(file: Path = file, answer: str = answer.name) -> int:
                calls = Calls()
                code = tested([str(file)], calls)
                found = {
                    test: {"seconds": calls.seconds[test], "functions": sorted(functions)}
                    for test, functions in calls.functions.items()
                }
                Path(answer).write_text(json.dumps(found), encoding="utf-8")
                return code

            well = (pytest.ExitCode.OK, pytest.ExitCode.INTERRUPTED, pytest.ExitCode.NO_TESTS_COLLECTED)
            if in_a_child(SOURCES, watch, SECONDS) not in well:
                sys.exit(f"{file.name}: fails with nothing broken, so it would seem to notice everything")
            tests = json.loads(Path(answer.name).read_text(encoding="utf-8"))
        print(f"{file.name}: {sum(test['seconds'] for test in tests.values()):.0f} s", flush=True)
        known[file.name] = {"digest": digest, "tests": tests}
        KEPT.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(known), encoding="utf-8")
    return {test: each for file in files for test, each in known[file.name]["tests"].items()}


def chosen(mutation: Mutation, calls: dict[str, dict[str, Any]], imports: Imports) -> list[str]:
    """The tests that may notice, the quick ones first.

    Those that call the function. What is compiled or done on import is never seen to be called; there it is those that call
    anything of its file or of those that use it, through compiled ones.
    """
    function = f"{mutation.file}:{mutation.function}"
    able = {test for test, each in calls.items() if function in each["functions"]}
    if not able:
        files = imports.above(mutation.file, imports.kernels.__contains__)
        able = {t for t, each in calls.items() if any(f.split(":")[0] in files for f in each["functions"])}
    taken: list[str] = []
    seconds = 0.0
    for test in sorted(able, key=lambda each: calls[each]["seconds"]):
        seconds += calls[test]["seconds"]
        if taken and seconds > BUDGET:
            break
        taken.append(test)
    return taken


def survives(mutation: Mutation, base: Path, tests: list[str], imports: Imports) -> bool:
    """Whether no test notices; `base` is a copy of the sources with their compiled kernels, which stays as it is."""
    if not tests:
        return True
    with tempfile.TemporaryDirectory(dir=base.parent) as folder:
        source = Path(folder) / "src"
        shutil.copytree(base, source, copy_function=os.link)
        path = source / Path(mutation.file).relative_to("src")
        text = mutated(path.read_text(encoding="utf-8"), mutation)
        path.unlink()
        path.write_text(text, encoding="utf-8")
        # A cache of numba sees changes of its own file only, and not those of constants and loops that it took from others.
        for file in imports.above(mutation.file, lambda _: True) & imports.kernels:
            kernel = source / Path(file).relative_to("src")
            for cache in (kernel.parent / "__pycache__").glob(f"{kernel.stem}.*.nb[ic]"):
                cache.unlink()
        return in_a_child(source, lambda: tested(tests), SECONDS) == 0


def run(package: str, count: int, seed: int, again: bool) -> int:
    """Try a sample of mutations; the exit code is 1 where less than 95 % are noticed or excused."""
    excuses = json.loads(EXCUSES.read_text(encoding="utf-8")) if EXCUSES.exists() else {}
    kept = KEPT / f"{package}.json"
    fates: dict[str, str] = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    calls = calls_of([path for pattern in TESTS[package].split() for path in sorted((ROOT / "tests").glob(pattern))])
    imports = Imports()
    wanted = sample(package, count, seed)
    alive = 0
    with tempfile.TemporaryDirectory(dir=KEPT) as folder:
        base = Path(folder) / "src"
        shutil.copytree(SOURCES, base)
        for number, mutation in enumerate(wanted):
            if fates.get(mutation.key) not in ("killed", "" if again else "survived"):
                begin = time.monotonic()
                tests = chosen(mutation, calls, imports)
                fates[mutation.key] = "survived" if survives(mutation, base, tests, imports) else "killed"
                print(f"{len(tests)} tests, {time.monotonic() - begin:.0f} s", end=": ")
                kept.write_text(json.dumps(fates, indent=1), encoding="utf-8")
            fate = "excused" if fates[mutation.key] == "survived" and mutation.key in excuses else fates[mutation.key]
            alive += fate == "survived"
            print(f"{number + 1}/{len(wanted)} {fate}: {mutation.line} {mutation.key} -> {mutation.after}", flush=True)
    share = 100.0 * (1.0 - alive / max(len(wanted), 1))
    print(f"{package}: {share:.0f} % of {len(wanted)} noticed (seed {seed})")
    return int(share < 95.0)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", choices=sorted(TESTS))
    parser.add_argument("--count", type=int, default=150, help="how many mutations are tried")
    parser.add_argument("--seed", type=int, default=0, help="which ones")
    parser.add_argument("--again", action="store_true", help="try again what survived before")
    arguments = parser.parse_args()
    for heavy in ("hypothesis", "mujoco", "numba", "numpy", "scipy"):
        __import__(heavy)  # Once, for all the processes that are made of this one.
    os.chdir(ROOT)
    sys.exit(run(arguments.package, arguments.count, arguments.seed, arguments.again))


if __name__ == "__main__":
    main()
