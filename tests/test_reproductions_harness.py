"""The harness the reproductions report into."""

import json

import pytest

from poise.errors import InputError
from poise.reproductions import PAPERS, Row, registry, run_checks

KEYS = ["id", "claim", "paper", "measured", "unit", "holds"]


def good() -> Row:
    return Row("made_up/good", "one is one", 1.0, 1.0, "", True)


def bad() -> Row:
    return Row("made_up/bad", "one is two", 2.0, 1.0, "m", False)


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PAPERS", {"made_up": (good, bad), "other": (good,)})


@pytest.mark.usefixtures("made_up")
def test_a_failing_check_is_reported_and_the_others_still_run() -> None:
    assert [row.holds for row in run_checks("made_up")] == [True, False]
    assert [row.holds for row in run_checks()] == [True, False, True]


@pytest.mark.usefixtures("made_up")
def test_rows_have_exactly_the_keys_of_the_report() -> None:
    for row in run_checks():
        assert list(row._asdict()) == KEYS
        assert json.loads(json.dumps(row._asdict())) == row._asdict()


@pytest.mark.usefixtures("made_up")
def test_progress_counts_to_the_end() -> None:
    seen: list[tuple[int, int]] = []
    run_checks("made_up", lambda done, total: seen.append((done, total)))
    assert seen == [(0, 2), (1, 2), (2, 2)]


def test_an_unknown_paper_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r"unknown paper 'alvardo', did you mean 'alvarado2022'.*known: .*alvarado2022"
    ):
        run_checks("alvardo")


def test_checks_are_listed_once() -> None:
    for checks in PAPERS.values():
        assert checks
        assert len(set(checks)) == len(checks)
