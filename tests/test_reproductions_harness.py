"""The harness the reproductions report into."""

import json
from pathlib import Path

import pytest

from poise.cli.reproduce import told
from poise.errors import InputError
from poise.reproductions import PAPERS, PICTURES, Row, draw_pictures, registry, run_checks

KEYS = ["id", "claim", "paper", "measured", "unit", "holds"]


def good() -> Row:
    return Row("made_up/good", "one is one", 1.0, 1.0, "", True)


def bad() -> Row:
    return Row("made_up/bad", "one is two", 2.0, 1.0, "m", False)


def drawn(folder: Path) -> Path:
    file = folder / "drawn.png"
    file.write_bytes(b"a picture")
    return file


@pytest.fixture
def made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "PAPERS", {"made_up": (good, bad), "other": (good,)})
    monkeypatch.setattr(registry, "PICTURES", {"made_up": (drawn,)})


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
    lines = list(told([good(), Row("other/longer-name", claim, 2.0, 1.98765, "°", True), bad()], 60))
    assert lines[0] == "[bold]made_up[/]"
    assert "\n[bold]other[/]" in lines
    wide = next(line for line in lines if "longer-name" in line)
    assert "1.988 °" in wide
    assert "paper: 2 °" in wide
    assert all(len(line.replace("[dim]", "").replace("[/]", "")) <= 60 for line in lines if "[dim]" in line)
    assert lines[-1] == "\n2 of 3 hold"
