"""Readers of BVH beside one another, in one run: how many odd files each reads right, and how long each takes.

    python tools/peers.py [FOLDER…] [--markdown]

Right is a file whose joints are within 1 mm of an independent plain reader on SciPy (`tests/io_samples.py`) in every frame, of
which there are as many as the file has or declares; of what no reader can read, an error that says so (ValueError, SyntaxError,
or the reader's own). Each file is read in a process of its own, which may hang or crash. Folders are looked through for .bvh
files; the odd files that are written here come first. Needs the extra 'peers'.
"""

from __future__ import annotations

import argparse
import multiprocessing
import platform
import re
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from io_samples import naive_positions
from poise.benchmarks.readers import READERS, read_times
from poise.errors import InputError
from poise.io import read_clip
from poise.io.bvh_text import unique_names

Array = np.ndarray
_SECONDS = 60.0
"""A reader that takes longer hangs."""
_MOST_FRAMES = 3000
_CLOSE = 1e-3
_MOSTLY = 0.5
_NO_MOTION = ("two_roots", "decimal_commas", "zero_frame_time", "glued_values", "three_hierarchies")
"""Files that no reader can make one motion of, by a part of their names."""

PLAIN = """HIERARCHY
ROOT Hips
{
  OFFSET 1.5 90.0 -2.0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0.0 20.0 1.0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0.0 30.0 0.0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0.0 10.0 0.0
      }
    }
  }
  JOINT Leg
  {
    OFFSET 9.0 -5.0 0.0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0.0 -40.0 0.0
    }
  }
}
MOTION
Frames: 3
Frame Time: 0.0333333
10.0 95.0 3.0 5.0 -10.0 40.0 3.0 15.0 -8.0 1.0 2.0 3.0 -30.0 20.0 5.0
11.0 95.5 3.5 6.0 -11.0 41.0 4.0 16.0 -7.0 2.0 3.0 4.0 -31.0 21.0 6.0
12.0 96.0 4.0 7.0 -12.0 42.0 5.0 17.0 -6.0 3.0 4.0 5.0 -32.0 22.0 7.0
"""
_ROW = "12.0 96.0 4.0 7.0 -12.0 42.0 5.0 17.0 -6.0 3.0 4.0 5.0 -32.0 22.0 7.0\n"


class Odd(NamedTuple):
    """A file, and one that means the same written plainly."""

    name: str
    text: str
    plain: str


def odd_files() -> list[Odd]:
    """What readers trip over, one oddity each."""
    every = re.sub(r"CHANNELS 3 ", "CHANNELS 6 Xposition Yposition Zposition ", PLAIN)
    rows = [line.split() for line in PLAIN.splitlines()[-3:]]
    moved = ["0.5 21.0 1.0", "0.0 31.0 2.0", "9.0 -6.0 0.5"]
    wide = [
        " ".join([*row[:6], *(w for k, at in enumerate(moved) for w in (at, *row[6 + 3 * k : 9 + 3 * k]))])
        for row in rows
    ]
    every = every.split("Frame Time: 0.0333333\n")[0] + "Frame Time: 0.0333333\n" + "\n".join(wide) + "\n"
    turned_first = PLAIN.replace(
        "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition",
    )
    one = PLAIN.replace(
        "OFFSET 0.0 30.0 0.0\n      CHANNELS 3 Zrotation Xrotation Yrotation",
        "OFFSET 0.0 30.0 0.0\n      CHANNELS 1 Xrotation",
    )
    one = "\n".join(
        " ".join(line.split()[:9] + line.split()[10:11] + line.split()[12:]) if re.match(r"1\d\.\d 9", line) else line
        for line in one.split("\n")
    )
    mixed = PLAIN.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Xrotation Yrotation Zrotation", 1)
    no_end = re.sub(r"\n *End Site\n *\{\n *OFFSET 0.0 10.0 0.0\n *\}", "", PLAIN)
    same = {
        "line ends of Windows": PLAIN.replace("\n", "\r\n"),
        "tabs and empty lines behind": PLAIN.replace("  ", "\t").replace("10.0 95.0 ", "10.0\t95.0\t") + "\n \n\n",
        "scientific notation": PLAIN.replace("10.0 95.0 3.0", "1.0e1 9.5E+01 300e-2"),
        "brace on the joint's line": re.sub(r"\n *\{", " {", PLAIN),
        "channels in capitals": re.sub(r"([XYZ])(position|rotation)", lambda m: m[0].upper(), PLAIN),
        "more rows than declared": PLAIN.replace("Frames: 3", "Frames: 2"),
        "fewer rows than declared": PLAIN.replace("Frames: 3", "Frames: 5"),
        "keywords in small letters": PLAIN.replace("OFFSET", "Offset").replace("CHANNELS", "Channels"),
    }
    files = [Odd(name, text, PLAIN) for name, text in same.items()]
    own = {
        "position channels on every joint": every,
        "rotations before positions": turned_first,
        "a joint of one channel": one,
        "an order of its own per joint": mixed,
        "no End Site": no_end,
    }
    files += [Odd(name, text, text) for name, text in own.items()]
    spaced = PLAIN.replace("JOINT Chest", "JOINT Upper Chest")
    return [*files, Odd("a space in a name", spaced, spaced), Odd("a frame cut short", PLAIN[:-20], "")]


class Wanted(NamedTuple):
    """What a file means.

    Args:
        places: Of its joints in its own unit, by name (T, 3).
        gaps: Frames with a number that is none, shape (T,).
        declared: Frames that it says it has.
        metres: Length of its unit [m].
    """

    places: dict[str, Array]
    gaps: Array
    declared: int
    metres: float


def wanted_of(plain: str) -> Wanted:
    """By the plain reader; rows behind the declared ones that are no frames are left out, and nan is no angle to SciPy."""
    head, motion = re.split(r"^MOTION", plain, maxsplit=1, flags=re.MULTILINE)
    lines = [line for line in motion.split("\n") if line.strip()]
    declared, width = int(lines[0].split(":")[1]), len(lines[2].split())
    rows = [line for number, line in enumerate(lines[2:]) if number < declared or len(line.split()) == width]
    names = re.findall(r"^\s*(?:ROOT|JOINT)\s+(.*\S)", head, re.MULTILINE)
    called = iter(unique_names(names)[0])
    head = re.sub(r"^(\s*(?:ROOT|JOINT)\s+).*$", lambda found: found[1] + next(called), head, flags=re.MULTILINE)
    gaps = np.array(["nan" in row.lower() for row in rows])
    sound = [re.sub("nan", "0", row, flags=re.IGNORECASE) for row in rows]
    text = "\n".join([f"{head}MOTION", *lines[:2], *sound])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "a.bvh"
        file.write_text(text)
        metres = read_clip(file, mirrored=False).source.metres_per_unit
    # A frame that is declared and not there is none; one that is there and not declared may be taken or left.
    return Wanted(naive_positions(text), gaps, declared, metres)


def _judge(reader: str, path: Path, wanted: Wanted | None, verdict: Callable[[str], None]) -> None:
    """Tell in a word how a reader does on a file; runs in a process of its own."""
    warnings.simplefilter("ignore")
    try:
        found = READERS[reader].positions(path, _MOST_FRAMES)
    except (ValueError, SyntaxError, InputError) as error:
        # Of a file that is mostly gaps it is as right to say so.
        verdict("right" if wanted is None or wanted.gaps.mean() > _MOSTLY else f"refused: {str(error)[:70]}")
    except BaseException as error:  # Whatever it is, it was not meant for a user.
        verdict(f"broke: {type(error).__name__}")
    else:
        verdict("made something up" if wanted is None else _compared(found, wanted))


def _compared(found: dict[str, Array], wanted: Wanted) -> str:
    rows = len(wanted.gaps)
    for name, places in wanted.places.items():
        got = found.get(name)
        if got is None:
            return f"wrong: no joint {name!r}"
        if len(got) not in {min(each, _MOST_FRAMES) for each in (rows, min(wanted.declared, rows))}:
            return f"wrong: {len(got)} frames of {rows}"
        there = places[: len(got)][~wanted.gaps[: len(got)]]
        off = float(np.abs(got[~wanted.gaps[: len(got)]] - there).max(initial=0.0)) * wanted.metres
        # Far from the origin 32-bit numbers have no millimetres.
        if not off < _CLOSE * max(1.0, float(np.abs(there).max(initial=0.0)) * wanted.metres / 1e3):
            return f"wrong: {1e3 * off:.3g} mm"
    return "right"


def verdict_on(reader: str, path: Path, wanted: Wanted | None) -> str:
    """How a reader does on a file, in a process that may hang or crash."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(False)
    child = context.Process(target=_judge, args=(reader, path, wanted, theirs.send))
    child.start()
    theirs.close()
    try:
        return str(ours.recv()) if ours.poll(_SECONDS) else "hangs"
    except EOFError:
        return "crashes"
    finally:
        child.kill()
        child.join()


def _files(folders: list[Path], scratch: Path) -> list[tuple[str, Path, Wanted | None]]:
    """Name, file and what it means, None where that is nothing."""
    files: list[tuple[str, Path, Wanted | None]] = []
    for odd in odd_files():
        path = scratch / f"{odd.name}.bvh"
        path.write_bytes(odd.text.encode())
        said = int(re.findall(r"Frames: (\d+)", odd.text)[0])
        files.append((odd.name, path, wanted_of(odd.plain)._replace(declared=said) if odd.plain else None))
    for folder in folders:
        for path in sorted(folder.rglob("*.bvh")):
            lost = any(part in path.name for part in _NO_MOTION)
            text = path.read_bytes().decode("utf-8-sig", "replace").replace("\r\n", "\n")
            files.append((str(path.relative_to(folder.parent)), path, None if lost else wanted_of(text)))
    return files


def main() -> None:
    """Print two tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path)
    parser.add_argument("--verbose", action="store_true", help="tell every file that a reader does not read right")
    chosen = parser.parse_args()
    readers = [name for name, reader in READERS.items() if reader.installed()]
    with tempfile.TemporaryDirectory() as folder:
        files = _files(chosen.folders, Path(folder))
        verdicts = {name: [verdict_on(name, path, wanted) for _, path, wanted in files] for name in readers}
    print(f"{platform.machine()}, Python {platform.python_version()}, {len(files)} files")
    print("| reader | right | refused | wrong, or broke, hung, made up |\n|---|---|---|---|")
    for name, given in verdicts.items():
        right, refused = given.count("right"), sum(each.startswith("refused") for each in given)
        print(f"| {name} | {right} | {refused} | {len(given) - right - refused} |")
        for (file, _, _), each in zip(files, given, strict=True):
            if chosen.verbose and each != "right":
                print(f"    {file}: {each}")
    print("| reader | reading, ms | and world positions, ms |\n|---|---|---|")
    for name, (read, placed) in read_times(readers, 7).items():
        print(f"| {name} | {1e3 * read:.1f} | {1e3 * placed:.1f} |")


if __name__ == "__main__":
    main()
