"""No kernel reads or writes outside its arrays: scenes of every kind with the checks that compiled loops go without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_SCENES = (
    "garden",
    "trail",
    "conductor",
    "clapping",
    "rough_physical",
    "drag",
    "blocks",
    "swing",
    "surf",
    "ford",
    "shove_in_water",
    "door",
    "acrobats",
)
_PLAY = "import sys; from poise.scenes import named_scene; [named_scene(n).session().run(45) for n in sys.argv[1:]]"
_TESTS = [str(Path(__file__).with_name(f"test_{name}.py")) for name in ("floating", "fluid")]
"""Of kernels that no scene of these comes to."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [["-c", _PLAY, *_SCENES], ["-m", "pytest", "-q", "-p", "no:cacheprovider", *_TESTS]],
    ids=["scenes", "tests"],
)
def test_no_kernel_leaves_its_arrays(tmp_path: Path, command: list[str]) -> None:
    """What is written beyond an array is somebody else's memory, and nothing says so where it is done."""
    checked = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, *command], env=checked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
