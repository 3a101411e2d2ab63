"""What one waits for before anything is played: looking into a file, and being told that something is wrong."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from poise.assets import clip_path
from poise.benchmarks.result import Result, at_most, noted, skipped

__all__ = ["start_up"]

_BARE = ("-c", "import numpy, typer, rich.console")
"""What cannot be done without: arrays, and the library of the command line."""


def start_up(repetitions: int) -> list[Result]:
    """Processor time of whole processes, caches warm, beside one that imports what cannot be done without."""
    if find_spec("resource") is None:
        return [skipped("start-up", "this system does not tell the processor time of children")]
    commands = {
        "bare": _BARE,
        "inspect": ("-m", "poise", "inspect", str(clip_path("walk"))),
        "refusal": ("-m", "poise", "run", "no-such-scene"),
    }
    best = {name: min(_processor_time(words) for _ in range(repetitions)) for name, words in commands.items()}
    bare = best["bare"]
    return [
        at_most("poise inspect of a clip, beside importing NumPy and typer", best["inspect"] / bare, "×", 5.0),
        at_most("a refusal, beside importing NumPy and typer", best["refusal"] / bare, "×", 3.5),
        noted("poise inspect of a clip, processor time", best["inspect"], "s"),
        noted("a refusal, processor time", best["refusal"], "s"),
    ]


def _processor_time(words: tuple[str, ...]) -> float:
    """Of a child process [s], user and system together."""
    import resource  # Not on every system.

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *words], capture_output=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
