"""Damaged USD files: text with other numbers, bytes that flipped, files cut off. Only our own errors, one line each."""

import re
from pathlib import Path

import numpy as np
import pytest

from poise.errors import InputError
from poise.io import read_character
from poise.io.child import ask_child
from test_io_usd_read import BONES
from usd_samples import random_rig

NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])")
ODD = ("0", "-1", "1e9", "-1e30", "nan", "inf", "1e308", "99999999999999999999", "", "x", "(", "[]")


def other_numbers(text: str, rng: np.random.Generator) -> str:
    """A few of a text's numbers become odd ones."""
    places = list(NUMBER.finditer(text))
    chosen = sorted(
        (places[at] for at in rng.choice(len(places), rng.integers(1, 4), replace=False)), key=lambda m: -m.start()
    )
    for match in chosen:
        text = text[: match.start()] + str(rng.choice(ODD)) + text[match.end() :]
    return text


def flipped(content: bytes, rng: np.random.Generator) -> bytes:
    """Some bytes become others; a third of the files are cut off too."""
    damaged = bytearray(content)
    for at in rng.integers(0, len(content), rng.integers(1, 30)):
        damaged[at] = rng.integers(0, 256)
    return bytes(damaged[: rng.integers(1, len(content))] if rng.random() < 0.33 else damaged)


def complaint(file: Path) -> str | None:
    """What is said of a file; None where it is read."""
    try:
        read_character(file)
    except InputError as error:
        return str(error)
    return None


def test_only_our_own_errors_one_line_each(
    tmp_path: Path, rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("poise.io.child._LONGEST", 20.0)
    random_rig(tmp_path / "rig.usdc", 1)
    binary = (tmp_path / "rig.usdc").read_bytes()
    said = []
    for number in range(15):
        file = tmp_path / f"bad{number}.usd{'aac'[number % 3]}"
        if number % 3 == 2:
            file.write_bytes(flipped(binary, rng))
        elif number % 3:
            file.write_bytes(flipped(BONES.encode(), rng))
        else:
            file.write_text(other_numbers(BONES, rng))
        said.append((file.name, complaint(file)))
    assert any(text for _, text in said)
    assert [text for name, text in said if text and ("\n" in text or name not in text or len(text) > 600)] == []


def test_a_turn_that_is_no_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "inf.usda").write_text(BONES.replace("30: [(1, 0, 0, 0)", "30: [(1e39, 0, 0, 0)"))
    said = complaint(tmp_path / "inf.usda")
    assert said is not None
    assert "the animation 'Nod' has a rotation that is no finite number" in said


def test_what_takes_far_longer_than_its_size_is_ended(tmp_path: Path) -> None:
    """A child that computes for ever, with the limits that children set themselves."""
    child = tmp_path / "child.py"
    child.write_text("import resource, sys\nresource.setrlimit(resource.RLIMIT_CPU, (1, 2))\nwhile True:\n    pass\n")
    with pytest.raises(
        InputError, match="the USD is damaged: its reader needs far longer than a file of its size takes"
    ):
        ask_child("USD", child, [])
