"""The harness the reproductions report into."""

import json
import pickle
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from typer.testing import CliRunner

from poise.cli.main import app
from poise.cli.reproduce import table_lines
from poise.errors import InputError
from poise.qp import NoSolution
from poise.reproductions import PAPERS, PICTURES, Row, draw_pictures, papers, pool, registry, run_checks
from poise.reproductions.check import Trial, claim, invariant, open_row
from poise.reproductions.once import once
from poise.world.world import Divergence

KEYS = [
    *("id", "claim", "paper", "measured", "unit", "holds"),
    *("kind", "method", "off", "cases", "aim", "without", "fails_without"),
]


def good() -> Row:
    return Row("made_up/good", "one is one", 1.0, 1.0, "", True)


def bad() -> Row:
    return Row("made_up/bad", "one is two", 2.0, 1.0, "m", False)


@claim("addition", off="Options(addition=False)", cases=3)
def falls(trial: Trial) -> Row:
    return Row("made_up/falls", "one and one is two", None, np.float32(2.0 * trial.on), "", np.bool_(trial.on))  # type: ignore[arg-type]


@claim("subtraction", off="Options(subtraction=False)")
def survives(trial: Trial) -> Row:
    return Row("made_up/survives", "holds either way", None, 1.0, "", True)


@invariant("counting", broken="every second number is left out")
def unbroken(trial: Trial) -> Row:
    return Row("made_up/unbroken", "holds even when broken", None, np.inf if trial.off else 1.0, "", True)


@open_row("division", aim="0.5 instead of 0.25: halves are not told from quarters")
def unfinished(trial: Trial) -> Row:
    assert trial.on
    return Row("made_up/unfinished", "a half", None, 0.25, "", False)


@claim("integration", off="Options(steps=0)")
def runs_away(trial: Trial) -> Row:
    if trial.off:
        raise Divergence("hand", 0.1, "ran away")
    return Row("made_up/runs-away", "stays", None, float(len(trial.seeds(100))), "", True)


def drawn(folder: Path) -> Path:
    file = folder / "drawn.png"
    file.write_bytes(b"a picture")
    return file


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PAPERS", {"made_up": (good, bad), "other": (good,)})
    monkeypatch.setattr(registry, "PICTURES", {"made_up": (drawn,)})
    monkeypatch.setattr(papers, "PAPER_NAMES", ("made_up", "other"))


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


@pytest.mark.usefixtures("made_up")
def test_pictures_are_drawn_into_a_folder_that_is_made(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    folder = tmp_path / "new" / "folder"
    assert draw_pictures(folder, "made_up", lambda done, total: seen.append((done, total))) == [folder / "drawn.png"]
    assert (folder / "drawn.png").exists()
    assert seen == [(0, 1), (1, 1)]
    assert draw_pictures(folder, "other") == []
    with pytest.raises(InputError, match="unknown paper"):
        draw_pictures(folder, "nobody1999")
    with pytest.raises(InputError, match="cannot be made a folder"):
        draw_pictures(folder / "drawn.png", "made_up")


def test_every_paper_with_pictures_has_checks() -> None:
    assert set(PICTURES) <= set(PAPERS)
    for pictures in PICTURES.values():
        assert len(set(pictures)) == len(pictures)


def test_checks_are_told_in_narrow_lines_under_their_papers_names() -> None:
    claim = "one is one and two is two, and so it goes on to the end of a line that is far too long for any terminal"
    lines = list(table_lines([good(), Row("other/longer-name", claim, 2.0, 1.98765, "°", True), bad()], 60))
    assert lines[0] == "[bold]made_up[/]"
    assert "\n[bold]other[/]" in lines
    wide = next(line for line in lines if "longer-name" in line)
    assert "1.988 °" in wide
    assert "paper: 2 °" in wide
    assert all(len(line.replace("[dim]", "").replace("[/]", "")) <= 60 for line in lines if "[dim]" in line)
    assert lines[-1] == "\n2 of 3 hold"


def test_a_row_is_measured_with_its_method_and_without() -> None:
    row = falls.row(ablate=True)
    assert (row.measured, row.holds, row.without, row.fails_without) == (2.0, True, 0.0, True)
    assert (row.kind, row.method, row.off, row.cases) == ("claim", "addition", "Options(addition=False)", 3)
    assert not row.fault
    assert falls.row().fails_without is None


def test_what_survives_is_a_fault_and_so_is_a_failure_that_is_not_open() -> None:
    assert survives.row(ablate=True).fault == "survives without its method"
    assert unbroken.row(ablate=True).fault == "survives its deliberate breakage"
    assert not survives.row().fault
    assert bad().fault == "does not hold and is not marked open"
    assert not unfinished.row(ablate=True).fault
    assert unfinished.row()._replace(aim="").fault == "is open and has no aim"


def test_a_number_that_is_not_finite_and_a_run_that_diverges_leave_none() -> None:
    assert unbroken.row(ablate=True).without is None
    row = runs_away.row(ablate=True)
    assert (row.without, row.fails_without, row.fault) == (None, True, "")
    assert (row.measured, runs_away.row(quick=True).measured) == (100.0, 20.0)


def test_people_are_told_what_falls_what_survives_and_what_is_open() -> None:
    rows = [check.row(ablate=True) for check in (falls, survives, unfinished)]
    lines = list(table_lines(rows, 200))
    assert any("3 held out; off: Options(addition=False); then 0, falls" in line for line in lines)
    assert any("!! survives without its method" in line for line in lines)
    assert any(line.startswith("[yellow]○") for line in lines)
    assert lines[-1] == "\n2 of 2 hold, 1 of 2 fall without their method, 1 open, of which 0 hold by now"


def test_exit_codes_and_keys_of_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(*checks: object, ablate: bool = True) -> tuple[int, list[dict[str, object]]]:
        monkeypatch.setattr(registry, "PAPERS", {"made_up": checks})
        monkeypatch.setattr(papers, "PAPER_NAMES", ("made_up",))
        result = CliRunner().invoke(app, ["reproduce", "made_up", "--json", *(["--ablate"] if ablate else [])])
        return result.exit_code, json.loads(result.stdout)

    code, rows = play(falls, unfinished)
    assert code == 0
    assert [list(row) for row in rows] == [KEYS, KEYS]
    assert play(falls, survives)[0] == 1
    assert play(falls, survives, ablate=False)[0] == 0
    assert play(bad)[0] == 1


def test_checks_that_share_plays_are_one_bundle_and_every_check_is_in_one() -> None:
    for paper, checks in PAPERS.items():
        found = list(pool.bundles(paper, checks, registry._SHARED[paper]))
        assert sorted(place for bundle in found for place in bundle.places) == list(range(len(checks)))
        assert set(registry._SHARED[paper]) <= {module_of(check) for check in checks}
    checks = PAPERS["vaillant2017"]
    most = max(pool.bundles("vaillant2017", checks, registry._SHARED["vaillant2017"]), key=lambda one: len(one.places))
    assert {module_of(checks[place]) for place in most.places} == {"laws", "scenes", "starts"}


def module_of(check: object) -> str:
    return getattr(check, "measure", check).__module__.rpartition(".")[2]


def test_the_same_play_is_played_once_however_it_is_asked_for_and_is_let_go_of_after_its_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    @once
    def play(speed: float, *, seed: int = 0, **options: bool) -> object:
        asked.append((speed, seed, options))
        return object()

    assert play(1.0) is play(1.0, seed=0) is play(speed=1.0)
    assert play(1.0, far=True, near=False) is play(speed=1.0, near=False, far=True)
    assert play(1.0) is not play(1.0, seed=1)
    assert len(asked) == 3

    def kept() -> Row:
        return Row("made_up/kept", "plays are kept", None, float(play(1.0) is play(1.0)), "", True)

    monkeypatch.setattr(registry, "PAPERS", {"made_up": (kept,)})
    monkeypatch.setattr(papers, "PAPER_NAMES", ("made_up",))
    assert run_checks("made_up")[0].measured == 1.0
    assert len(asked) == 3
    play(1.0)
    assert len(asked) == 4


@pytest.mark.slow
def test_rows_are_the_same_in_two_processes_and_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    few = PAPERS["hu2024"][:10]
    assert len(list(pool.bundles("hu2024", few, {}))) == 3
    monkeypatch.setattr(registry, "PAPERS", {"hu2024": few})
    seen: list[tuple[int, int]] = []
    shared = run_checks("hu2024", lambda done, total: seen.append((done, total)), ablate=True, quick=True, jobs=2)
    assert shared == run_checks("hu2024", ablate=True, quick=True)
    assert (seen[0], seen[-1]) == ((0, 10), (10, 10))


def test_errors_come_back_from_other_processes_whole() -> None:
    for error in (
        Divergence("head", 1.5, "flew off"),
        NoSolution("none", cast(Any, None)),
        InputError("no", place="here"),
    ):
        back = pickle.loads(pickle.dumps(error))
        assert type(back) is type(error)
        assert str(back) == str(error)
