"""What a compiled loop does where that pays, and NumPy where numba would first have to be loaded, is the same to the bit."""

import importlib
import sys

import numpy as np
import pytest

from poise.assets import clip_path
from poise.io import bvh_motion, read_clip
from poise.lazy import pays_to_compile
from poise.motion import pose

SAMPLES = [
    ["1 2.5 -3e-4", "0.1 1e22 +7"],
    ["1 nan 3", "4 5 6", "7 8 9"],
    ["123456789012345678901234567890 0.1 .5", "5. 1e-30 -0"],
    ["1 2 3", "4 5"],
    ["1 2 3", "4 x 6"],
    ["1 2 3", "4 1_0 6"],
    ["1 2 3", "4 inf 6"],
    ["1\u00a02 3", "4 5\t6"],
    ["1 2 3", "4 0x10 6"],
]


@pytest.mark.parametrize("rows", SAMPLES, ids=range(len(SAMPLES)))
def test_numbers_are_read_alike(rows: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for compiled in (True, False):
        monkeypatch.setattr(bvh_motion, "pays_to_compile", lambda *_, which=compiled: which)
        found.append(bvh_motion._numbers(rows, 3))
    first, second = found
    assert (first is None) == (second is None)
    if first is not None and second is not None:
        np.testing.assert_array_equal(first, second)


def test_random_numbers_are_read_alike(rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch) -> None:
    values = rng.normal(size=(200, 12)) * 10.0 ** rng.integers(-12, 9, size=(200, 12))
    rows = [
        " ".join(f"{value:.{digits}g}" for value in row)
        for row, digits in zip(values, np.arange(200) % 17 + 1, strict=True)
    ]
    monkeypatch.setattr(bvh_motion, "pays_to_compile", lambda *_: True)
    compiled = bvh_motion._numbers(rows, 12)
    monkeypatch.setattr(bvh_motion, "pays_to_compile", lambda *_: False)
    np.testing.assert_array_equal(compiled, bvh_motion._numbers(rows, 12))


def test_joints_are_chained_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    clip = read_clip(clip_path("walk"))
    monkeypatch.setattr(pose, "pays_to_compile", lambda *_: True)
    compiled = clip.world()
    monkeypatch.setattr(pose, "pays_to_compile", lambda *_: False)
    for one, other in zip(compiled, clip.world(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_what_numpy_does_at_once_waits_for_no_compiler() -> None:
    importlib.import_module("numba")
    assert "numba" in sys.modules
    assert pays_to_compile(100, 1_000_000)
    assert pays_to_compile(100, 1_000_000, 100)
    assert not pays_to_compile(99, 1_000_000, 100)
