"""Every claim of every paper is told in the report's terms and holds, every experiment has its picture."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from poise.reproductions import PAPERS, PICTURES, Check, Row
from poise.reproductions.vaillant2017 import played, table
from poise.reproductions.vanwelbergen2009 import many_conductors, wrench
from poise.world.render import NoRenderer

TIMES = {wrench.cost, many_conductors.real_time, *table.TIMES}
"""Claims about wall-clock time are left to `poise reproduce` and `poise bench`."""
LONG = {
    "alvarado2022": {
        "equilibrium",
        "sight",
        "timing",
        "wall",
        "arms",
        "perception",
        "route",
        "garden",
        "pairs",
        "apple",
        "upright",
        "rules",
        "going_by",
    },
    "bermudez2018": {"gait", "live", "pressure", "speeds", "steps", "strip", "turns"},
    "compliant": {"pushes", "flinches", "balancing", "gazes"},
    "hu2024": {"balls", "blocks", "walk", "terrain", "drags"},
    "vaillant2017": {"ahead", "laws", "scenes", "starts", "physical", "table", "tracking"},
    "vanwelbergen2009": {"balance", "pushes", "switching", "many_conductors"},
}
"""Modules whose runs take more than a second or two; CI measures them, with and without their methods, by `poise reproduce`."""


def measured(check: Check | Callable[[], Row]) -> Callable[..., Row]:
    return check.measure if isinstance(check, Check) else check


def long(paper: str, check: Check | Callable[[], Row]) -> bool:
    return measured(check).__module__.rpartition(".")[2] in LONG[paper]


CHECKS = [
    pytest.param(paper, check, id=f"{paper}-{measured(check).__name__}")
    for paper, checks in PAPERS.items()
    for check in checks
    if check not in TIMES and paper != "motion" and not long(paper, check)
]
DRAWN = [
    pytest.param(paper, picture, id=f"{paper}-{picture.__module__.rpartition('.')[2]}-{picture.__name__}")
    for paper, pictures in PICTURES.items()
    for picture in pictures
    if paper != "motion"
]


@pytest.mark.parametrize(("paper", "check"), CHECKS)
def test_a_claim_is_told_and_holds(paper: str, check: Check | Callable[[], Row]) -> None:
    row = check.row(ablate=True, quick=True) if isinstance(check, Check) else check()
    assert row.id.startswith(f"{paper}/")
    assert row.claim
    assert np.isfinite(row.measured)
    json.dumps(row._asdict(), allow_nan=False)
    assert not row.fault, f"{row.id} {row.fault}: {row.measured:g} {row.unit}, without {row.without}; {row.claim}"


@pytest.mark.slow
@pytest.mark.parametrize(("paper", "picture"), DRAWN)
def test_a_picture_is_written(paper: str, picture: Callable[[Path], Path], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    try:
        file = picture(tmp_path)
    except NoRenderer as error:
        pytest.skip(str(error))
    assert file.name.startswith(paper)
    assert file.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert list(tmp_path.iterdir()) == [file]


def test_ids_are_given_once() -> None:
    """Told from the source, since measuring them all takes a minute."""
    rows = [line for paper in PAPERS for line in ids_in(paper)]
    assert len(set(rows)) == len(rows) > 70


def ids_in(paper: str) -> list[str]:
    folder = Path(__import__(f"poise.reproductions.{paper}", fromlist=["x"]).__file__).parent
    text = "".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.py")))
    return [part.split('"')[0] for part in text.split(f'"{paper}/')[1:]]


@pytest.mark.parametrize("paces", [(3.17, 1.48), (1.48, 3.17)])
def test_a_hiccup_before_or_after_a_scene_makes_its_aim_no_laxer(
    paces: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = iter(paces)
    monkeypatch.setattr(played, "pace", lambda: next(told))
    monkeypatch.setitem(played.SECONDS, "door", 0.005)
    assert played.play.__wrapped__("door").pace == 1.48
    assert next(told, None) is None


def test_a_step_that_was_late_once_is_timed_again_and_one_that_is_late_each_time_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = iter([[0.9, 0.001, 0.001, 0.02], [0.9, 0.03, 0.001, 0.02], [0.9, 0.001, 0.5, 0.02], [0.9] * 4])

    def made(name: str, start: int) -> SimpleNamespace:
        times = iter(next(runs))
        return SimpleNamespace(
            controller=SimpleNamespace(step=0.01), advance=lambda: (SimpleNamespace(processor=next(times)), ())
        )

    monkeypatch.setattr(table, "make", made)
    shares = table._shares("king", "daqp", 20, 3, 1.0)
    assert shares.tolist() == pytest.approx([0.1, 0.1, 2.0])
    assert next(runs), "taken three times, no more"
    runs = iter([[0.9, 0.001, 0.001, 0.002], [0.9] * 4])
    assert table._shares("king", "daqp", 20, 3, 1.0).max() == pytest.approx(0.2)
    assert next(runs), "taken once where nothing was late"
