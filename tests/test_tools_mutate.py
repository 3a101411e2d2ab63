"""The mutation tool: what it breaks, and that it breaks one thing only."""

import ast
import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = '''"""A module of 3 lines."""

__all__ = ["f"]
_MOST: float = 0.5
_ROWS = list(zip((), (), strict=True))
"""At most [m]."""


def f(x: int, wide: bool = False) -> float:
    """Of 2."""
    if x > 1 and not wide:
        return min(x, _MOST) + 2.0
    return -x * 4
'''


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mutate", ROOT / "tools" / "mutate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutate"] = module
    spec.loader.exec_module(module)
    return module


def test_constants_and_logic_are_broken_and_nothing_else(tool: ModuleType) -> None:
    found = {(each.before, each.what) for each in tool.mutations_of(TEXT, "f.py")}
    assert found == {
        ("0.5", "zero"),
        ("0.5", "triple"),
        ("0.5", "third"),
        ("False", "flip"),
        ("x > 1 and (not wide)", "connective"),
        ("x > 1", "comparison"),
        ("1", "zero"),
        ("not wide", "negation"),
        ("min(x, _MOST) + 2.0", "operator"),
        ("min", "extreme"),
        ("2.0", "zero"),
        ("2.0", "triple"),
        ("2.0", "third"),
        ("-x * 4", "operator"),
        ("4", "zero"),
    }


def test_one_thing_is_broken_at_a_time(tool: ModuleType) -> None:
    whole = ast.dump(ast.parse(TEXT))
    for mutation in tool.mutations_of(TEXT, "f.py"):
        broken = tool.mutated(TEXT, mutation)
        assert ast.dump(ast.parse(broken)) != whole
        assert len([1 for a, b in zip(TEXT.splitlines(), broken.splitlines(), strict=True) if a != b]) == 1
        assert f"({mutation.after})" in broken


def test_the_same_seed_breaks_the_same_things(tool: ModuleType) -> None:
    assert tool.sample("controllers", 5, 3) == tool.sample("controllers", 5, 3)
    assert tool.sample("controllers", 5, 3) != tool.sample("controllers", 5, 4)


def test_a_smaller_sample_is_the_beginning_of_a_larger_one(tool: ModuleType) -> None:
    assert tool.sample("controllers", 20, 3)[:5] == tool.sample("controllers", 5, 3)


def test_names_of_mutations_are_unique_and_outlive_lines_put_before_them(tool: ModuleType) -> None:
    keys = [each.key for each in tool.mutations_of(TEXT, "f.py")]
    assert len(set(keys)) == len(keys)
    assert [each.key for each in tool.mutations_of("import numpy\n" + TEXT, "f.py")] == keys


def test_every_excuse_is_for_a_mutation_that_exists(tool: ModuleType) -> None:
    for key in json.loads(tool.EXCUSES.read_text(encoding="utf-8")):
        file = key.split(":")[0]
        assert key in {each.key for each in tool.mutations_of((ROOT / file).read_text(encoding="utf-8"), file)}


def test_users_of_a_constant_are_found_through_a_package_that_passes_it_on(tool: ModuleType) -> None:
    imports = tool.Imports()
    options = "src/poise/body/options.py"
    assert imports.home("poise.body", "BodyOptions") == options
    assert "src/poise/body/build.py" in imports.users[options]
    assert "src/poise/body/options.py" in imports.above(options, lambda _: True)
    kernels = imports.above("src/poise/math/_tuples.py", lambda _: True) & imports.kernels
    assert "src/poise/behaviors/evasion/_kernels.py" in kernels


def test_functions_carry_the_names_that_python_gives_them(tool: ModuleType) -> None:
    text = (
        "class A:\n    b = 2\n\n    def f(self, x=3):\n        def g():\n            return x + 4\n        return g\n"
    )
    assert {each.before: each.function for each in tool.mutations_of(text, "f.py")} == {
        "2": "A.",
        "3": "A.f",
        "4": "A.fg",
        "x + 4": "A.fg",
    }


def test_every_package_has_its_tests(tool: ModuleType) -> None:
    for package, patterns in tool.TESTS.items():
        assert (ROOT / "src" / "poise" / package).is_dir()
        for pattern in patterns.split():
            assert list((ROOT / "tests").glob(pattern)), f"{package}: {pattern}"
