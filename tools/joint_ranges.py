"""How often the people in clips leave the range of a person's joints, and which joints do: one line a clip.

    python tools/joint_ranges.py ../shared/data
    python tools/joint_ranges.py knight.glb#Walking_A dance.bvh --axes rest

Shares of frames in which some joint is outside at all, by more than 3 and by more than 15 degrees; then every joint that is by
more than 15 in more than one frame of a hundred. What is no clip of a person is passed over.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from poise.body import BodyOptions, build_body
from poise.body.options import AXES
from poise.characters.prepare import prepare
from poise.errors import PoiseError
from poise.io import FORMATS, read_clip
from poise.motion.roles import guess_roles
from poise.report.joint_ranges import RangeSummary, range_summary

_TOLD = 1.0
"""Share of frames [%] in which a joint must be far outside to be named."""


def _clips(whats: list[str]) -> Iterator[str]:
    for what in whats:
        folder = Path(what)
        if folder.is_dir():
            yield from (str(path) for path in sorted(folder.rglob("*")) if path.suffix.lower() in FORMATS)
        else:
            yield what


def measure(what: str, options: BodyOptions) -> RangeSummary:
    """The summary of one clip, `FILE` or `FILE#ANIMATION`.

    Raises:
        PoiseError: It is no clip of a person.
    """
    file, _, animation = what.partition("#")
    clip = prepare(read_clip(file, animation=animation or None), cutoff=None).clip
    return range_summary(build_body(clip, guess_roles(clip.skeleton), options), clip)


def _line(what: str, summary: RangeSummary) -> str:
    named = [joint for joint in summary.joints if joint.percent[-1] > _TOLD]
    told = "; ".join(f"{j.role} {j.angle} {j.percent[-1]:.0f} % (at most {j.most_deg:.0f}°)" for j in named)
    return f"{what[-64:]:64s} " + " ".join(f"{share:4.0f}" for share in summary.percent) + f"  {told}"


def main() -> int:
    """Print the table; the exit code is 1 where there was no clip of a person."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("clips", nargs="+", metavar="FILE|FOLDER")
    parser.add_argument("--axes", choices=AXES, default="motion")
    wanted = parser.parse_args()
    shares = []
    for what in _clips(wanted.clips):
        try:
            summary = measure(what, BodyOptions(axes=wanted.axes))
        except PoiseError:
            continue
        shares.append(summary.percent[-1])
        sys.stdout.write(_line(what, summary).rstrip() + "\n")
    often = sum(share >= 5.0 for share in shares)
    sys.stdout.write(
        f"{len(shares)} clips; {often} with a joint more than 15 degrees outside in 5 % of the frames or more\n"
    )
    return int(not shares)


if __name__ == "__main__":
    sys.exit(main())
