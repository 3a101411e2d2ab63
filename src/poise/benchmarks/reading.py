"""What it costs to read a BVH file, beside other readers of it in the same run, and to doubt what was read."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from poise.benchmarks.readers import READERS, long_walk, read_times
from poise.benchmarks.result import Result, at_most, noted, skipped
from poise.characters.prepare import prepare
from poise.io import read_clip
from poise.motion import Clip, guess_roles
from poise.motion.mirrored import look_at_handedness

__all__ = ["reading_files"]


def reading_files(repetitions: int) -> list[Result]:
    """A file of a thousand frames: our time over the fastest other reader's, and the doubt stage over the reading."""
    others = [name for name, reader in READERS.items() if name != "poise" and reader.installed()]
    times = read_times(["poise", *others], repetitions)
    results = [noted("reading a BVH of 1000 frames", 1e3 * times["poise"][0], "ms")]
    for number, what in enumerate(("reading a BVH", "reading a BVH and placing its joints")):
        name = f"{what}, over the fastest other reader"
        if not others:
            results.append(skipped(name, "none is installed (pip install 'poise[peers]')"))
            continue
        fastest = min(others, key=lambda other: times[other][number])
        ratio = times["poise"][number] / times[fastest][number]
        results.append(at_most(f"{name} ({fastest})", ratio, "×", 1.0))
    return [*results, _doubting(repetitions)]


def _doubting(repetitions: int) -> Result:
    """Time of all that is looked for in a take (lost moments, repeats, sides) over that of reading it."""
    with tempfile.TemporaryDirectory() as folder:
        path = long_walk(Path(folder))
        clip = read_clip(path)
        reading = _shortest(lambda: read_clip(path), repetitions)
    doubting = _shortest(lambda: _doubt(clip), repetitions)
    return at_most("doubting a take, over reading it", doubting / reading, "×", 1.0)


def _doubt(clip: Clip) -> None:
    prepare(clip, cutoff=None)
    look_at_handedness(clip, guess_roles(clip.skeleton))


def _shortest(work: Callable[[], object], repetitions: int) -> float:
    times = []
    for _ in range(repetitions):
        begin = perf_counter()
        work()
        times.append(perf_counter() - begin)
    return min(times)
