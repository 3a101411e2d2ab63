"""Fixtures every test may use."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import settings

from poise.cli.entry import start

# The same examples every time, and no deadline: the first example of a test may compile a kernel.
settings.register_profile("poise", derandomize=True, deadline=None)
settings.load_profile("poise")

Command = Callable[..., tuple[int, str, str]]
"""The command line, run in this process: arguments in; exit code, standard output and standard error out."""

SCRIPT = Path(__file__).resolve().parents[1] / "tools" / "validate_gltf.cjs"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real clips beside the project; the test skips where it is absent."""
    if not SHARED.is_dir():
        pytest.skip("../shared/data is not here")
    return SHARED


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20220222)


@pytest.fixture(scope="session")
def validate() -> Any:
    """Runs the Khronos validator on files; skips where node or the npm package `gltf-validator` is absent."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not here")
    found = subprocess.run([node, "-e", "require.resolve('gltf-validator')"], capture_output=True, cwd=SCRIPT.parent)
    if found.returncode:
        pytest.skip("the npm package gltf-validator is not here; set NODE_PATH to the node_modules that has it")

    def run(*files: Path) -> list[dict[str, Any]]:
        command = [node, str(SCRIPT), *map(str, files)]
        output = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ)).stdout
        return [json.loads(line) for line in output.splitlines()]

    return run


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run the command line in this process; gives exit code, standard output and standard error."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["poise", *map(str, arguments)])
        code = 0
        try:
            start()
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run
