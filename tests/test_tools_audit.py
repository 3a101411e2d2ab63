"""What `make audit` makes of pip-audit's answers: only a vulnerability, or a tool that is broken, fails."""

import importlib.util
from pathlib import Path
from typing import Any

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "audit.py"
if not TOOL.exists():
    pytest.skip("tools/ lies in the repository only", allow_module_level=True)
SPEC = importlib.util.spec_from_file_location("audit", TOOL)
assert SPEC is not None
assert SPEC.loader is not None
audit = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(audit)

CLEAN = {"name": "numpy", "version": "2.4.6", "vulns": []}
UNKNOWN = {"name": "rich", "skip_reason": "Dependency not found on PyPI and could not be audited: rich (15.0.0)"}
HOLE = {"name": "pyyaml", "version": "5.3", "vulns": [{"id": "PYSEC-2021-142", "fix_versions": ["5.4"]}]}
OPEN = {"name": "pyyaml", "version": "5.3", "vulns": [{"id": "PYSEC-2021-142", "fix_versions": []}]}


@pytest.mark.parametrize(
    ("packages", "code", "said"),
    [
        ([CLEAN], 0, "no known vulnerability in 1 of 1 packages"),
        ([CLEAN, UNKNOWN], 0, "in 1 of 2 packages; the rest it does not know"),
        ([UNKNOWN, UNKNOWN], 0, "nothing was checked: the vulnerability service knows none of the 2 packages"),
        ([CLEAN, HOLE, UNKNOWN], 1, "pyyaml 5.3: PYSEC-2021-142, fixed in 5.4"),
        ([OPEN], 1, "PYSEC-2021-142, fixed in no release yet"),
    ],
)
def test_what_was_reported(packages: list[dict[str, Any]], code: int, said: str) -> None:
    ended, lines = audit.judged({"dependencies": packages}, "WARNING: something")
    assert ended == code
    assert len(lines) == 1
    assert said in lines[0]


@pytest.mark.parametrize(
    ("errors", "code", "said"),
    [
        ("WARNING: a\nERROR: Could not connect to PyPI's vulnerability feed\n", 0, "nothing was checked"),
        ("No module named pip_audit\n", 1, "pip-audit failed: No module named pip_audit"),
        ("", 1, "pip-audit failed"),
    ],
)
def test_no_report_is_told_in_one_line(errors: str, code: int, said: str) -> None:
    ended, lines = audit.judged(None, errors)
    assert ended == code
    assert len(lines) == 1
    assert said in lines[0]
