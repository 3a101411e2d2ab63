"""Mutated clips (BVH, SMPL, DeepMimic) and scene files through the whole pipeline: only Poise's own errors may come out.

    python tools/fuzz.py [--seconds 60] [--seed 0]

Each input is read, made a character, played for ten ticks and written. What breaks it otherwise, computes with what is no
number, or takes more than five seconds of processor time, is kept in out/fuzz/ and told; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from poise.assets import clip_path
from poise.errors import PoiseError
from poise.io import read_clip, write_clip
from poise.motion import loop, trim
from poise.scenes import Scene, clip_scene, read_scene
from poise.scenes.budget import check_budget, estimate

TICKS = 10
PLAYED = [0]
"""How many inputs came to be played."""
SLOWEST, LARGEST = 5.0, 1 << 20
"""Processor time one input may take [s], and memory all may [KiB]."""
_NUMBERS = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_ODD = (
    *("0", "-0", "1", "-1", "1e-9", "1e9", "-1e9", "1e308", "nan", "inf", "90", "180", "-720", "1e5", "1e3", "0.00001"),
    *("", "x", "1,5", "99999999999999999999", "\u0663"),
)
_SCENE = """characters:
  walker: {clip: "shipped:walk", cycles: 2, at: [0.5, 0.0], turn: 30, tension: {frequency: 4}, anchors: [left_upper_arm]}
  other: {clip: "shipped:run", at: [4.0, 1.2], cutoff: 8, blend: {left_hand: 0.5}, anticipation: {contact: stick}}
terrain:
  - {steps: stairs, position: [6.0, 0, 0], depth: 0.5, count: 3, height: 0.14}
  - {field: hill, position: [-6, 0, 0], size: [4, 4], cell: 0.5, amplitude: 0.1}
props:
  - {asset: sunflower_large, position: [2.5, 0.6]}
  - {plant: reed, position: [3.2, 0.75, 0], length: 1.2, mass: 0.3, stiffness: 15, damping: 2, links: 2}
  - {ball: ball, at: walker, time: 0.5, side: right, mass: 0.5}
  - {box: crate, position: [3.0, -1.5, 0.3], size: [0.3, 0.3, 0.3], mass: 5}
  - {hanging: bag, position: [2.0, -1.5, 2.2], rope: 0.8, size: 0.2, mass: 3}
floor: 0.0
gravity: 9.81
substep: 0.002
seed: 3
"""


class Fault(NamedTuple):
    """An input that did what none may do."""

    text: str
    suffix: str
    problem: str


def bvh_text() -> str:
    """A short walk to start from."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "walk.bvh"
        write_clip(file, trim(loop(read_clip(clip_path("walk")), 1), 0, 20))
        return file.read_text()


def usd_text() -> str:
    """The same walk as USD."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "walk.usda"
        write_clip(file, trim(loop(read_clip(clip_path("walk")), 1), 0, 20))
        return file.read_text()


def standing_smpl() -> str:
    """Entries of an AMASS file as JSON, so that they are mutated as text: a row of numbers or one for each."""
    frames = 12
    poses = np.zeros((frames, 66))
    poses[:, 0] = np.pi / 2
    trans = np.stack([np.zeros(frames), -0.02 * np.arange(frames), np.full(frames, 0.95)], axis=1)
    return _lines({"poses": poses.tolist(), "trans": trans.tolist(), "mocap_framerate": 30.0, "gender": "male"})


def standing_deepmimic() -> str:
    """A DeepMimic motion: the duration and place of a frame, then identities, w first, and angles of hinges."""
    widths = (4, 4, 4, *(2 * (4, 1, 4, 4, 1)))
    turns = [float(part == 0 and width == 4) for width in widths for part in range(width)]
    return _lines({"Loop": "wrap", "Frames": [[0.0333, 0.02 * frame, 0.88, 0.0, *turns] for frame in range(12)]})


def _lines(values: dict[str, object]) -> str:
    """JSON with a line for each frame."""
    return json.dumps(values).replace("], ", "],\n")


def mutated(text: str, rng: np.random.Generator) -> str:
    """The text with a few numbers, words or lines changed."""
    for _ in range(int(rng.integers(1, 5))):
        kind = rng.integers(5)
        lines = text.split("\n")
        row = int(rng.integers(len(lines)))
        spots = list(_NUMBERS.finditer(text))
        if kind <= 2 and spots:
            spot = spots[int(rng.integers(len(spots)))]
            odd = str(rng.choice(_ODD)) if rng.integers(3) == 0 else f"{float(spot[0]) * rng.normal(0.0, 3.0):.6g}"
            text = text[: spot.start()] + odd + text[spot.end() :]
        elif kind == 3:
            other = int(rng.integers(len(lines)))
            lines[row], lines[other] = lines[other], lines[row]
            text = "\n".join(lines)
        else:
            lines[row : row + 1] = [] if rng.integers(2) else [lines[row]] * 2
            text = "\n".join(lines)
    return text


def play(scene: Scene, folder: Path) -> None:
    """Ten ticks, and everybody's motion written."""
    check_budget(estimate(scene.characters, scene.setting, scene.substep))
    session = scene.session()
    session.run(min(TICKS, session.tick_count))
    PLAYED[0] += 1
    for name in session.characters:
        write_clip(folder / f"{name}.bvh", session.result(name))


def try_clip(file: Path) -> None:
    """A clip from its file to its result."""
    play(clip_scene(read_clip(file)), file.parent)


def try_smpl(file: Path) -> None:
    """Entries written as a .npz, and that from its file to its result; what is no JSON is told as what it is."""
    try:
        entries = json.loads(file.read_text(encoding="utf-8"))
        arrays = {key: np.array(value) for key, value in entries.items()}
    except (ValueError, OverflowError) as error:  # rows of different lengths, and what is no longer JSON
        raise PoiseError(str(error).split("\n")[0]) from None
    np.savez(file.with_suffix(".npz"), **arrays)
    try_clip(file.with_suffix(".npz"))


def try_scene(file: Path) -> None:
    """A scene from its file to its results."""
    play(read_scene(file), file.parent)


def spent() -> float:
    """Processor time of this process and of its children so far [s]: what else a machine does is no fault of an input."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def faults(seconds: float, seed: int, most: int | None = None) -> Iterator[Fault | None]:
    """Try mutated inputs, clips and scenes in turn, for so long or so many; None for each that did as it should."""
    kinds: tuple[tuple[str, str, Callable[[Path], None]], ...] = (
        (bvh_text(), ".bvh", try_clip),
        (_SCENE, ".yaml", try_scene),
        (standing_smpl(), ".smpl", try_smpl),
        (standing_deepmimic(), ".txt", try_clip),
        (usd_text(), ".usda", try_clip),
    )
    rng, number = np.random.default_rng(seed), 0
    with tempfile.TemporaryDirectory() as folder:
        for text, suffix, attempt in kinds:  # What is compiled at first is no fault of an input either.
            file = Path(folder) / f"input{suffix}"
            file.write_text(text, encoding="utf-8")
            attempt(file)
        end = time.monotonic() + seconds
        while time.monotonic() < end and number != most:
            text, suffix, attempt = kinds[number % len(kinds)]
            text, file = mutated(text, rng), Path(folder) / f"input{suffix}"
            file.write_text(text, encoding="utf-8")
            start, problem = spent(), ""
            try:
                attempt(file)
            except PoiseError as error:
                problem = "" if "\n" not in str(error) and len(str(error)) < 3000 else "the message is not one line"
            except Exception:
                problem = traceback.format_exc()
            took = spent() - start
            if took > SLOWEST:
                problem = problem or f"took {took:.1f} s"
            number += 1
            yield Fault(text, suffix, problem) if problem else None


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    warnings.simplefilter("error", RuntimeWarning)
    folder, tried, found = Path("out") / "fuzz", 0, 0
    for fault in faults(asked.seconds, asked.seed):
        tried += 1
        if fault is not None:
            found += 1
            folder.mkdir(parents=True, exist_ok=True)
            (folder / f"{asked.seed}_{tried}{fault.suffix}").write_text(fault.text, encoding="utf-8")
            told = fault.problem.strip().splitlines()[-1]
            sys.stdout.write(f"{asked.seed}_{tried}{fault.suffix}: {told}\n")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sys.stdout.write(f"{tried} inputs, {PLAYED[0]} of them played, {found} faults, {peak / 1024:.0f} MiB at most\n")
    sys.exit(1 if found or peak > LARGEST else 0)


if __name__ == "__main__":
    main()
