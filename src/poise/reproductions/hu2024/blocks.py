"""Four blocks go up and down under someone whose hips are held (Fig. 26): B driven within limits, C a plain ragdoll.

Bodies in reduced coordinates cannot come apart, so the paper's "disintegration" is measured as how far joints pass the ends of
their range, how deep feet go into the blocks, and how far the pose is off half a second after the blocks have stopped. C has
the same body, joints, stops and downward force on its feet, and nothing that holds a pose.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from poise.reproductions.check import Trial, claim
from poise.reproductions.hu2024.album import Moments, write_album
from poise.reproductions.hu2024.played import Played, play
from poise.reproductions.hu2024.subject import PEOPLE, body_of, people
from poise.reproductions.motion.clips import Source, data_folder, drawn
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.scenes.bounded import LEGS, Course, blocks
from poise.world import Platform
from poise.world.render import Camera

__all__ = ["CHECKS", "STEPS", "picture"]

STEPS = (0.01, 0.05, 0.1)
"""Fastest the blocks move [m per frame]."""
_COURSES: tuple[Course, ...] = ("triangle", "cosine")
_CANNOT = "hello-avatar/Shove_Reaction.bvh"
"""Who cannot begin: with hips that low their left foot stays 5 cm below the highest block."""
_FINE, _COARSE = 0.001, 0.002
_RETURN = 0.5
"""Time after the blocks' stop at which the pose is measured [s]."""


class _Case(NamedTuple):
    """Fastest that blocks move [m per frame], how they do, and under whom; the shipped walk's person for None."""

    step: float
    course: Course
    source: Source | None = None


def _cases(trial: Trial) -> list[_Case]:
    """Other people, each with a speed and a course that are drawn; for a sample the shipped person on the paper's three."""
    if trial.quick or data_folder() is None:
        return [_Case(step, course) for step in STEPS for course in _COURSES]
    cases = []
    for source in people(trial):
        if source.file == _CANNOT:
            continue
        rng = drawn(source)
        cases.append(_Case(float(rng.uniform(STEPS[0], STEPS[-1])), _COURSES[int(rng.integers(2))], source))
    return cases


@once
def run(case: _Case, drive: bool = True, substep: float = _FINE) -> Played:
    """One case, 8 s of moving blocks and one of still ones."""
    return play(blocks(case.step, case.course, drive=drive, substep=substep, plan=body_of(case.source)))


def _deepest(played: Played) -> float:
    return 100.0 * float(played.depth.max())


def _excess(played: Played) -> float:
    return played.excess(played.below(*LEGS))


def _off(played: Played) -> float:
    """How far the legs' joints are from where they were before the blocks moved, half a second after their stop [degrees]."""
    errors = played.errors(played.below(*LEGS))
    return float(errors[played.at(_stop(played) + _RETURN)].max())


def _stop(played: Played) -> float:
    """When the blocks stopped [s]."""
    return max(piece.until for piece in played.session.setting.terrain if isinstance(piece, Platform))


def _worst(measure: Callable[[Played], float], trial: Trial, substep: float = _FINE) -> float:
    """Over all cases; infinite where one runs away."""
    runs = [run(case, trial.on, substep) for case in _cases(trial)]
    return max(np.inf if played.diverged else measure(played) for played in runs)


def _most(measure: Callable[[Played], float], trial: Trial) -> float:
    """Of nine of ten people; infinite where too many run away."""
    found = [np.inf if played.diverged else measure(played) for played in (run(c, trial.on) for c in _cases(trial))]
    return float(np.percentile(found, 90.0, method="higher"))


@claim("legs driven to goals on the blocks", off="blocks(drive=False): a plain ragdoll", cases=PEOPLE - 1)
def b_penetrates(trial: Trial) -> Row:
    """How deep B goes into the blocks."""
    deep = _worst(_deepest, trial)
    return Row(
        "hu2024/blocks-b-penetration",
        "B, everybody, stays on blocks that move 0.01 to 0.1 m per frame, triangle or cosine; the paper's goes through at 0.1. "
        "Deepest overlap at substeps of 1 ms with a foot margin of 5 mm, below 1 cm",
        None,
        deep,
        "cm",
        deep < 1.0,
    )


@claim("legs driven to goals on the blocks", off="blocks(drive=False): a plain ragdoll", cases=PEOPLE - 1)
def b_penetrates_coarse(trial: Trial) -> Row:
    """The same at 2 ms."""
    deep = _worst(_deepest, trial, _COARSE)
    return Row(
        "hu2024/blocks-b-penetration-2ms",
        "The same at substeps of 2 ms, below 1 cm",
        None,
        deep,
        "cm",
        deep < 1.0,
    )


@claim("legs driven to goals on the blocks", off="blocks(drive=False): a plain ragdoll", cases=PEOPLE - 1)
def b_limits(trial: Trial) -> Row:
    """How far B's joints pass the ends of their range."""
    beyond = _most(_excess, trial)
    return Row(
        "hu2024/blocks-b-limits",
        "B shows no deformation (Fig. 26): its legs pass the ends of their range by less than 3°, "
        "of nine of ten people",
        None,
        beyond,
        "°",
        beyond < 3.0,
    )


@claim("legs driven to goals on the blocks", off="blocks(drive=False): a plain ragdoll", cases=PEOPLE - 1)
def b_returns(trial: Trial) -> Row:
    """How far B's pose is off after the blocks' stop."""
    off = _most(_off, trial)
    return Row(
        "hu2024/blocks-b-returns",
        "Half a second after the blocks stop every joint of B's legs is back within 2°, of nine of ten people",
        None,
        off,
        "°",
        off < 2.0,
    )


CHECKS = (b_penetrates, b_penetrates_coarse, b_limits, b_returns)


def picture(folder: Path) -> Path:
    """B and C at the three speeds, three moments each, and half a second after the blocks' stop."""
    lines = []
    camera = Camera(target=np.array([0.2, 0.0, -0.25]), azimuth=np.radians(160.0), elevation=-0.15, distance=5.2)
    for name, drive in (("B, driven within limits", True), ("C, plain ragdoll", False)):
        for step in STEPS:
            played = run(_Case(step, "triangle"), drive)
            times = [0.0, 1.1, 2.3, 3.6, 4.7, 5.9, _stop(played) + _RETURN]
            captions = [f"{time:.1f} s" for time in times[:-1]] + [f"{_RETURN} s after the stop"]
            label = f"{name}, blocks move {step:g} m per frame"
            lines.append(Moments(label, played, times, captions, camera))
    return write_album(
        folder, "blocks", "Hips held, feet on blocks that go up and down by 0.4 m (Hu 2024, Fig. 26)", lines
    )
