"""What a run will cost, told before its first tick."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from poise.errors import InputError
from poise.runtime.clock import Clock

if TYPE_CHECKING:
    from poise.characters.character import Character
    from poise.motion.clip import Clip
    from poise.world.scene import SceneSpec

__all__ = ["LIMIT", "MOST_JOINT_FRAMES", "Budget", "check_budget", "check_cycles", "estimate", "foresee"]

LIMIT = 2.0
"""Memory [GB] that a run may take without being asked: three quarters of an hour of one person among plants."""
MOST_JOINT_FRAMES = 20_000_000
"""Joints times frames of a clip that is played over and over: 0.6 GB of rotations, two hours of 40 joints at 60 Hz."""
_COPIES = 3.0
"""How often a recording is in memory at most: the arrays that grow, and the copy that is handed on while they do."""
_CONTACTS = 1200
"""Of a tick [bytes]: a dozen pairs that touch."""
_FIXED_MS, _CHARACTER_MS = 0.5, 0.4
"""Of a tick on one core of 2020, at the least [ms]."""
_LEAST_BODIES = 11
"""Of a person: a pelvis, upper arms, forearms, thighs, shanks and feet."""
_PROP_POSITIONS, _PROP_VELOCITIES = 5, 4
"""Coordinates of a prop in the mean: walls have none, a plant of three links twelve."""


@dataclass(frozen=True)
class Budget:
    """What a run will cost.

    Args:
        seconds: Simulated [s].
        ticks: In them.
        memory: What the recording will take at most [bytes].
        work: Time it will take at the least [s].
    """

    seconds: float
    ticks: int
    memory: float
    work: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:.0f} s of motion in {self.ticks} ticks: at least {_duration(self.work)} of work and about "
            f"{self.memory / 1e9:.2g} GB of memory"
        )


def estimate(characters: Mapping[str, Character], setting: SceneSpec | None = None, substep: float = 0.002) -> Budget:
    """The budget of a scene; without a setting that of its people alone.

    Raises:
        InputError: The substep is not acceptable.
    """
    clips = [who.clip for who in characters.values()]
    props = 0 if setting is None else len(setting.props) + len(setting.pool)
    return _budget(clips, [len(who.plan) for who in characters.values()], props, substep)


def foresee(clips: Sequence[Clip], props: int = 0, substep: float = 0.002) -> Budget:
    """What a scene will cost at the least, as far as that is known before anybody is made of its clips.

    Args:
        clips: Of all who are in it.
        props: How many things there will be at least.
        substep: Of the physics [s].

    Raises:
        InputError: The substep is not acceptable.
    """
    return _budget(clips, [_LEAST_BODIES] * len(clips), props, substep)


def _budget(clips: Sequence[Clip], bodies: Sequence[int], props: int, substep: float) -> Budget:
    tick = Clock.for_rate(clips[0].rate, substep).tick
    seconds = max(clip.duration for clip in clips)
    positions = sum(4 * count + 3 for count in bodies) + _PROP_POSITIONS * props
    velocities = sum(3 * count + 3 for count in bodies) + _PROP_VELOCITIES * props
    row = 8 * (1 + 4 * positions + 2 * velocities + sum(bodies) + 6) + sum(bodies) + _CONTACTS * len(bodies)
    ticks = round(seconds / tick)
    return Budget(seconds, ticks, _COPIES * row * ticks, 1e-3 * ticks * (_FIXED_MS + _CHARACTER_MS * len(bodies)))


def check_budget(budget: Budget, limit: float = LIMIT) -> None:
    """Raise `InputError` where a budget is over the limit of memory [GB]."""
    if budget.memory > 1e9 * limit:
        raise InputError(
            f"this is {budget}; the limit is {limit:g} GB: play a part of it, check its frame rate, or allow more with "
            f"--limit {_allowing(budget.memory):g}"
        )


def check_cycles(joints: int, frames: int, cycles: int) -> None:
    """Raise `InputError` where a clip that is played over and over would not fit into memory."""
    if joints * frames * cycles > MOST_JOINT_FRAMES:
        raise InputError(
            f"{cycles} cycles of {frames} frames of {joints} joints are too many; at most "
            f"{max(1, MOST_JOINT_FRAMES // (joints * frames))} are taken"
        )


def _allowing(memory: float) -> float:
    """The limit [GB] in two digits that lets it through."""
    return float(f"{1.05e-9 * memory:.2g}")


def _duration(seconds: float) -> str:
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.0f} h"
