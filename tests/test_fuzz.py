"""Mutated clips and scene files through the whole pipeline; hours of it by `make fuzz`."""

import importlib.util
import warnings
from pathlib import Path

import pytest

FUZZ = Path(__file__).resolve().parents[1] / "tools" / "fuzz.py"


pytest.importorskip("pxr", reason="usd-core is not installed")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [20180407, 7])
def test_mutated_inputs_get_only_our_own_errors(seed: int) -> None:
    spec = importlib.util.spec_from_file_location("fuzz", FUZZ)
    assert spec is not None
    assert spec.loader is not None
    fuzz = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fuzz)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # MuJoCo's compiler, about bodies it then refuses
        found = list(fuzz.faults(600.0, seed, most=50))
    assert len(found) == 50
    assert [fault for fault in found if fault is not None and "took" not in fault.problem] == []
    assert fuzz.PLAYED[0] >= 8
