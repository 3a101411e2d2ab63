"""A quarter of an hour in bounded memory; an hour by `make soak`."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

SOAK = Path(__file__).resolve().parents[1] / "tools" / "soak.py"


@pytest.fixture(scope="module")
def soak() -> ModuleType:
    spec = importlib.util.spec_from_file_location("soak", SOAK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_a_quarter_of_an_hour_stays_as_it_is(soak: ModuleType) -> None:
    session = soak.conductor(900.0)
    parts = soak.played(session, 9)
    assert session.count == 9 * (54000 // 9)
    assert max(part.hands for part in parts) > 1e-3  # Something is touched.
    assert soak.faults(parts, timed=False) == []
    assert len(session.recording()) == soak.KEPT * 60


def test_what_grows_slows_or_drifts_is_told(soak: ModuleType) -> None:
    flat = [soak.Part(400.0, 3.0, 0.005, (0.0, 0.0, 0.9)) for _ in range(9)]
    assert soak.faults(flat) == []
    grown = [part._replace(memory=400.0 + 10.0 * number) for number, part in enumerate(flat)]
    slowed = [part._replace(tick_ms=3.0 + 0.6 * number) for number, part in enumerate(flat)]
    away = [part._replace(hands=0.005 * (1 + number)) for number, part in enumerate(flat)]
    moved = [part._replace(pelvis=(0.01 * number, 0.0, 0.9)) for number, part in enumerate(flat)]
    told = [soak.faults(parts) for parts in (grown, slowed, away, moved)]
    assert [len(lines) for lines in told] == [1, 1, 1, 1]
    assert soak.faults(slowed, timed=False) == []
