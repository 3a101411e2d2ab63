"""The mutation tool: what it breaks, and that it breaks one thing only."""

import ast
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
TEXT = '''"""A module of 3 lines."""

__all__ = ["f"]
_MOST: float = 0.5
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


def test_every_package_has_its_tests(tool: ModuleType) -> None:
    for package, patterns in tool.TESTS.items():
        assert (ROOT / "src" / "poise" / package).is_dir()
        for pattern in patterns.split():
            assert list((ROOT / "tests").glob(pattern)), f"{package}: {pattern}"
