"""`poise inspect` says of every public file what somebody who looked at it says."""

import json
import re
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from every_file import NOTES, TABLE
from poise.body import build_body
from poise.characters.prepare import prepare
from poise.cli.entry import start
from poise.errors import PoiseError
from poise.io import FORMATS, read_clip
from poise.motion.roles import guess_roles
from poise.report.joint_ranges import range_summary

pytestmark = [pytest.mark.shared, pytest.mark.slow]

ROWS = {cells[0]: cells[1:] for cells in (line.split(" | ") for line in TABLE.strip().splitlines())}
"""Per file, what it is and the rest."""
FOLDERS = sorted({name.split("/")[0] for name in ROWS})


def test_the_table_has_every_file(shared_data: Path) -> None:
    files = {path.relative_to(shared_data).as_posix() for path in shared_data.rglob("*") if path.is_file()}
    assert files - {"README.md"} == ROWS.keys()


@pytest.mark.parametrize("folder", FOLDERS)
def test_inspect_says_what_was_seen(
    folder: str, shared_data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("pxr", reason="usd-core is not installed")
    wrong = []
    for name, (kind, *cells) in ROWS.items():
        if name.split("/")[0] != folder:
            continue
        monkeypatch.setattr(sys, "argv", ["poise", "inspect", str(shared_data / name), "--json"])
        with pytest.raises(SystemExit) as ended:
            start()
        out, err = capsys.readouterr()
        found = [err.strip()] if kind == "refused" else told(kind, json.loads(out))
        agree = cells[0] in found[0] and "\n" not in found[0] if kind == "refused" else found == cells
        if not agree or (ended.value.code or 0) != (0 if kind in ("person", "markers") else 2):
            wrong.append((name, cells, found))
    assert wrong == []


def test_who_is_outside_a_persons_range_is_in_the_table_of_the_page(shared_data: Path) -> None:
    """Which takes, in how many frames, and no other: what each is was judged by eye (docs/map-a-skeleton.md)."""
    page = (Path(__file__).parents[1] / "docs" / "map-a-skeleton.md").read_text(encoding="utf-8")
    listed = {name: int(share) for name, share in re.findall(r"^\| `(\w+)` \| (\d+) % \|", page, flags=re.MULTILINE)}
    found = {}
    for name, (kind, *_) in ROWS.items():
        path = shared_data / name
        if kind == "person" and path.suffix.lower() in FORMATS:
            with suppress(PoiseError):
                clip = prepare(read_clip(path), cutoff=None).clip
                share = range_summary(build_body(clip, guess_roles(clip.skeleton)), clip).percent[-1]
                found |= {path.stem: round(share)} if share >= 5.0 else {}
    assert found == listed


def told(kind: str, facts: dict[str, object]) -> list[str]:
    """The cells of a row as `poise inspect` would fill them."""
    cells = [f"{facts['frames']}", f"{round(facts['rate_hz'], 2):g}", facts["up"], f"{round(facts['unit_m'], 4):g}"]
    if kind == "markers":
        return [*cells, f"{len(facts['markers'])}"]
    cells.append(f"{facts['joints']}")
    if kind == "no person":
        assert facts["body"] is None
        return cells
    why = "/".join(sorted({joint["role_reason"] for joint in facts["skeleton"] if joint["role"]}))
    notes = " ".join(word for word, says in NOTES.items() if any(says in note for note in facts["notes"]))
    return [*cells, f"{facts['body']['stature_m']:.2f}", why, *([notes] if notes else [])]
