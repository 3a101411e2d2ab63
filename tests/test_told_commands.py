"""Every command of README and docs is typed, on small files and for a second of motion, or it is said here why not."""

import glob
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from conftest import SHARED
from poise.cli import timed_run
from poise.cli.entry import start
from poise.cli.main import app
from poise.reproductions.papers import PAPER_NAMES
from poise.runtime import Session
from told_commands import OTHERS, ROOT, furnish, told, words

TOLD = told()
TICKS = 40
"""What is played of each run; scenes are played to their ends elsewhere (`test_scenes`, `test_reproductions_*`)."""

NOT_TYPED = {
    r"make ": "installs from the network, or runs all of these tests; that the target is there is tested below",
    r"(pip|apt-get) install ": "installs from the network; that an extra is there is tested below",
    r"python3 -m venv ": "makes the environment that these tests run in",
    r"poise reproduce": "measures for minutes; `test_reproductions_*` run its checks, and paper and options are tested below",
    r"poise bench$": "measures the machine for minutes; `test_benchmarks` runs its parts",
}
TYPED = [command for command in TOLD if not any(re.match(pattern, command) for pattern in NOT_TYPED)]
QUICK = {"poise run dance.bvh --tension 8", "poise run dance.bvh --root kinematic", "poise run rough"}
"""Runs that every run of the quick tests has, beside all that only read and convert."""


def _case(command: str) -> object:
    marks = [pytest.mark.shared] if OTHERS.keys() & set(command.split()) else []
    if command.startswith("poise run") and command not in QUICK:
        marks.append(pytest.mark.slow)
    return pytest.param(command, marks=marks, id=f"{TOLD[command]}: {command[:60]}")


def _poise(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(sys, "argv", ["poise", *arguments])
    with pytest.raises(SystemExit) as ended:
        start()
    return int(ended.value.code or 0)


@pytest.mark.parametrize("command", [_case(command) for command in TYPED])
def test_what_is_told_works(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    line = words(command)
    furnish(tmp_path, line, SHARED if SHARED.is_dir() else None)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(timed_run, "_play", _shortly(timed_run._play))
    before = _files(tmp_path)
    if line[0] == "python":
        subprocess.run([sys.executable, *line[1:]], check=True)
        return
    arguments = [file for word in line[1:] for file in (sorted(glob.glob(word)) if "*" in word else [word])]
    if "orchestra" in arguments:
        arguments += ["--seconds", "1"]
    assert _poise(arguments, monkeypatch) == 0
    said = capsys.readouterr()
    assert said.err == ""
    if line[1] in {"inspect", "parameters"} or "--help" in line:
        assert said.out
    else:
        assert _files(tmp_path) - before or line[1] == "compare"


def _files(folder: Path) -> set[tuple[Path, int]]:
    """What is there, and when it was written."""
    return {(file, file.stat().st_mtime_ns) for file in folder.rglob("*") if file.is_file()}


def _shortly(play: Callable[..., str]) -> Callable[..., str]:
    """A run that ends early."""

    def shortly(session: Session, progress: Any) -> Any:
        whole = session.run

        def run(ticks: int | None = None, progress: Any = None) -> Any:
            return whole(min(ticks or TICKS, TICKS, max(session.tick_count - session.count, 0)), progress)

        session.run = run  # type: ignore[method-assign]
        return play(session, progress)

    return shortly


def test_each_reason_not_to_type_something_is_about_something() -> None:
    assert [pattern for pattern in NOT_TYPED if not any(re.match(pattern, command) for command in TOLD)] == []


def test_targets_extras_and_papers_that_are_told_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    for command in TOLD:
        first, *rest = words(command)
        if first == "make":
            targets = [word for word in rest if "=" not in word]
            assert targets
            assert [target for target in targets if not re.search(rf"^{target}: ", makefile, re.MULTILINE)] == [], (
                command
            )
        for extra in re.findall(r"\[(\w+)\]['\"]?$", command) if first == "pip" else []:
            assert re.search(rf"^{extra} = \[", project, re.MULTILINE), command
        if rest[0] == "reproduce":
            named = [word for word in rest[1:] if not word.startswith("--") and word != "drawn" and not word.isdigit()]
            assert set(named) <= set(PAPER_NAMES), command


def test_options_that_are_told_are_there() -> None:
    given = {
        name: {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}
        for name, command in get_command(app).commands.items()  # type: ignore[attr-defined]
    }
    for command in TOLD:
        first, *rest = words(command)
        if first == "poise":
            assert rest[0] in given, command
            assert {word for word in rest if word.startswith("--")} <= given[rest[0]] | {"--help"}, command
