"""What the first run after installation costs: compiling the numba kernels."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import numpy as np

from poise.benchmarks.bare_step import asked, beside_bare_steps
from poise.benchmarks.result import Result, at_most, noted

__all__ = ["compile_time"]


def compile_time(_repetitions: int) -> list[Result]:
    """The same short run in a fresh process twice: with an empty cache of compiled kernels, and with the one it left."""
    with TemporaryDirectory() as cache:
        (cold, warm), step = beside_bare_steps(lambda: (_run(cache), _run(cache)))
    return [
        at_most("first run, compiling kernels", (cold - warm) / step, "bare steps", asked(10.0)),
        noted("first run, compiling kernels", cold - warm, "s"),
        noted("the same short run with compiled kernels, start-up included", warm, "s"),
    ]


def _run(cache: str) -> float:
    """Processor time of a process [s] that keeps its compiled kernels in `cache`.

    The work is done by one thread, so on an idle machine that is the time one waits; on a busy one it still compares.
    """
    done = subprocess.run(
        [sys.executable, "-c", "from poise.benchmarks.first_run import main; main()"],
        env={
            **os.environ,
            "NUMBA_CACHE_DIR": cache,
            "XDG_CACHE_HOME": cache,
            "OMP_NUM_THREADS": "1",
            "OPENBLAS_NUM_THREADS": "1",
        },
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout.split()[-1])


def main() -> None:
    """What a first run does: the start of the demo, its export, and the metrics that have kernels of their own.

    Prints the processor time it took [s].
    """
    from poise.io import write_clip
    from poise.metrics.balance import support_margin
    from poise.scenes import named_scene

    session = named_scene("forest").session()
    session.run(120)
    with TemporaryDirectory() as folder:
        write_clip(Path(folder) / "first.bvh", session.result("character"))
    support_margin(np.zeros((1, 2)), np.eye(4)[None, :, :2], np.ones((1, 4), dtype=bool))
    sys.stdout.write(f"{process_time():.3f}\n")
