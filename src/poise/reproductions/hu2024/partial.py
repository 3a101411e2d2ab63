"""Partial input (IV.C): a body that is told its hips, hands and feet alone, some of them, or loses sight of one for a while."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.build import build_body
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.ik import BodySolver, ElasticPole, Goal, Goals, SolverOptions, relaxed_positions
from poise.motion import guess_roles
from poise.reproductions.check import Trial, claim, invariant
from poise.reproductions.motion.clips import HELD_OUT, Source, sources
from poise.reproductions.once import once
from poise.reproductions.row import Row

__all__ = ["CHECKS"]

Array = NDArray[np.float64]

_FRAMES = 60
_GAP = slice(20, 40)
"""Frames in which the left hand's tracker has lost sight."""


@once
def followed(source: Source, weight: float = 1.0, gap: bool = False, remembers: bool = True) -> tuple[Array, Array]:
    """How far ends are from their goals [m] (T, 4), and the left hand's way in each frame [m] (T - 1,).

    Args:
        source: The clip whose pelvis, hands and feet are given; head and trunk are not.
        weight: Of the goals.
        gap: Whether the left hand is lost for a third of the time.
        remembers: Whether the last good goal holds then; otherwise there is none.
    """
    clip, _ = source.read()
    step = max(1, round(clip.rate / 60.0))
    plan = build_body(clip, guess_roles(clip.skeleton))
    capture = generalized_from_clip(plan, clip)[::step][:_FRAMES]
    solver = BodySolver(plan, SolverOptions(poles=ElasticPole()))
    frames, base = body_frames(plan, capture), relaxed_positions(plan)
    ends, places = [int(body) for body in solver.limbs.bodies[:, 2]], []
    for frame in range(len(capture)):
        lost = gap and _GAP.start <= frame < _GAP.stop
        goals = {}
        for name, end in zip(solver.limbs.names, ends, strict=True):
            place = frames.positions[frame, end].copy()
            if lost and name == "left_hand":
                if not remembers:
                    continue
                place[:] = np.nan
            goals[name] = Goal(place, frames.rotations[frame, end], weight=weight)
        pelvis = Goal(frames.positions[frame, 0], frames.rotations[frame, 0])
        row = solver.solve(base, Goals(goals, pelvis), step / clip.rate if frame else None)
        places.append(body_frames(plan, row).positions[0, ends])
    path = np.array(places)
    miss = np.linalg.norm(path - frames.positions[: len(path), ends], axis=2)
    return miss, np.linalg.norm(np.diff(path[:, solver.limbs.names.index("left_hand")], axis=0), axis=1)


@invariant("a solver of the whole body", broken="goals have half their weight", cases=len(HELD_OUT))
def ends_only(trial: Trial) -> Row:
    """How near hands and feet come to where they are captured, in nine of ten frames of nine of ten clips."""
    misses = [np.percentile(followed(each, 1.0 if trial.on else 0.5)[0], 90.0) for each in sources(quick=trial.quick)]
    worst = 1e3 * float(np.percentile(misses, 90.0))
    return Row(
        "hu2024/partial-ends",
        f"Told hips, hands and feet alone a body gets there (IV.C): {len(misses)} clips of all kinds, ends from their goals in "
        "nine of ten frames of nine of ten clips below 5 cm (shoulders keep their place)",
        None,
        worst,
        "mm",
        worst < 50.0,
    )


@claim("the last good goal holds", off="a Goal left out while it is lost", cases=len(HELD_OUT))
def lost_hand(trial: Trial) -> Row:
    """Farthest that a hand goes in a frame while its goal is lost and found again, over clips, beyond the clip's own."""
    beyond = []
    for each in sources(quick=trial.quick):
        way, own = followed(each, gap=True, remembers=trial.on)[1], followed(each)[1]
        beyond.append(float(way[_GAP.start - 1 : _GAP.stop - 1].max() - own.max()))
    most = 100.0 * float(np.percentile(beyond, 90.0))
    return Row(
        "hu2024/partial-lost",
        "A tracker that loses sight of a hand throws nothing: in the frames in which it is lost the hand goes at most 1 cm "
        "farther in a frame than it ever does in its clip, in nine of ten clips",
        None,
        most,
        "cm",
        most < 1.0,
    )


CHECKS = (ends_only, lost_hand)
