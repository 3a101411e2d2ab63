"""What a clip says about how somebody walks: its motion with feet that stand still, its way, its steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, clip_from_generalized, generalized_from_clip
from poise.body.trajectory import Trajectory
from poise.characters.character import Character, CharacterOptions
from poise.characters.ground import legs_on_ground
from poise.errors import InputError
from poise.locomotion.contacts import ContactPhases, runs, stated_phases
from poise.locomotion.soles import BALL, FEET, Sole, find_sole
from poise.locomotion.steps import FootSteps
from poise.locomotion.sync import carried, in_place_speed, sync_phases
from poise.locomotion.travel import Travel
from poise.locomotion.walk import plan_walk
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.signals import Ground

__all__ = ["Gait", "Stretch", "going"]

Array = NDArray[np.float64]

_LONG_ENOUGH = 6.0
"""A clip that is one cycle is repeated until it is this long [s]."""
_CYCLIC = float(np.radians(12.0))
"""Joints of a cycle's last pose are on average within this of its first [rad]."""
_STRIDE = 1.1
"""Of a clip that shows none [s]."""
_WALKS = 0.45
"""Walkers' feet stand for more of the time than this, runners' for less."""


def going(clip: Clip, options: CharacterOptions | None = None) -> tuple[Clip, tuple[str, ...]]:
    """The clip made fit to be walked with: carried on where it walks in place, repeated where it is one short cycle.

    Returns:
        The clip, and what was done, one line each.

    Raises:
        InputError: The character has no feet.
    """
    probe = Character.from_clip(clip, options)
    frames = body_frames(probe.plan, generalized_from_clip(probe.plan, probe.clip))
    speed = in_place_speed(probe.plan, frames, clip.rate)
    notes = []
    cycles = int(np.ceil(_LONG_ENOUGH / max(clip.duration, 1e-6)))
    if cycles > 1 and len(clip) > 5 and _cyclic(clip):
        clip = loop(clip, cycles)
        notes.append(f"a cycle of {probe.clip.duration:.2f} s, repeated {cycles} times")
    if speed > 0.0:
        own = Character.from_clip(clip, options)
        rows = generalized_from_clip(own.plan, own.clip)
        way = carried(own.plan, body_frames(own.plan, rows), speed, clip.rate)
        way = np.concatenate([np.zeros((len(clip) - len(way), 3)), way])
        clip = _carried_on(clip, way)
        notes.append(f"walks in place; carried on at {speed:.2f} m/s, as fast as its feet go back")
    return clip, tuple(notes)


def _cyclic(clip: Clip) -> bool:
    apart = quat.angle_between(clip.rotations[0, 1:], clip.rotations[-1, 1:])
    return float(np.mean(apart)) < _CYCLIC


def _carried_on(clip: Clip, way: Array) -> Clip:
    """The clip with its root moved along `way` (T, 3)."""
    translated = np.union1d(clip.translated, [0])
    local = clip.local_positions()
    local[:, 0] += way
    return replace(clip, translations=local[:, translated], translated=translated)


class Stretch(NamedTuple):
    """A part of a clip that goes in one way.

    Args:
        begins: When [s].
        speed: Mean speed of its way [m/s].
        walks: Whether feet stand for so much of its time that it is a walk.
    """

    begins: float
    speed: float
    walks: bool


@dataclass(frozen=True, eq=False)
class Gait:
    """A clip taken apart into the way of the body, the steps of the feet and the rest.

    Args:
        character: With the clip whose feet stand still.
        trajectory: Its motion.
        travel: The pelvis' way without the sway of its steps.
        steps: Of the left and the right foot.
        soles: Their soles.
        stride: How long two steps take [s].
        phases: When heels and balls stand.
        stretches: Of one gait each, in order; one where it does not change.
    """

    character: Character
    trajectory: Trajectory
    travel: Travel
    steps: tuple[FootSteps, FootSteps]
    soles: tuple[Sole, Sole]
    stride: float
    phases: ContactPhases
    stretches: tuple[Stretch, ...]

    @classmethod
    def of(cls, character: Character, ground: Ground, changes: Sequence[float] = ()) -> Gait:
        """A character's clip, set onto a ground.

        Args:
            character: Whose.
            ground: Onto what.
            changes: When its gait changes, between walking and running or the like [s], in order.

        Raises:
            InputError: Nothing in it steps.
        """
        plan, clip = character.plan, character.clip
        frames = body_frames(plan, generalized_from_clip(plan, clip))
        phases = _phases(character)
        goals = plan_walk(plan, frames, phases, ground, floor=character.floor)
        rows = legs_on_ground(character, goals)
        grounded = clip_from_generalized(plan, rows, clip)
        character = replace(character, prepared=replace(character.prepared, clip=grounded))
        soles = find_sole(plan, FEET[0]), find_sole(plan, FEET[1])
        after = body_frames(plan, rows)
        left, right = (_ball(sole, after.positions[:, sole.body], after.rotations[:, sole.body]) for sole in soles)
        stride = _stride(phases)
        travel = Travel(after.positions[:, 0, :2], clip.rate, stride)
        return cls(
            character=character,
            trajectory=Trajectory(plan, grounded),
            travel=travel,
            steps=(FootSteps.of(phases, 0, left), FootSteps.of(phases, 1, right)),
            soles=soles,
            stride=stride,
            phases=phases,
            stretches=_stretches(phases, travel, changes),
        )

    @property
    def duration(self) -> float:
        """Of the clip [s]."""
        return self.character.clip.duration

    @property
    def walks(self) -> bool:
        """Whether it begins as a walk."""
        return self.stretches[0].walks

    @property
    def speed(self) -> float:
        """Mean speed of its way before the gait changes [m/s]."""
        return self.stretches[0].speed


def _stretches(phases: ContactPhases, travel: Travel, changes: Sequence[float]) -> tuple[Stretch, ...]:
    last = len(phases.mask) - 1
    edges = [0, *(round(change * phases.rate) for change in changes), last]
    stretches = []
    for first, end in pairwise(edges):
        ways = np.linalg.norm(np.diff(travel.places[first : end + 1], axis=0), axis=1)
        mask = phases.mask[first : end + 1]
        stands = float(np.mean([mask[:, 2 * foot : 2 * foot + 2].any(axis=1).mean() for foot in range(2)]))
        seconds = max((end - first) / phases.rate, 1e-9)
        stretches.append(Stretch(first / phases.rate, float(ways.sum() / seconds), stands > _WALKS))
    return tuple(stretches)


def _phases(character: Character) -> ContactPhases:
    plan, clip = character.plan, character.clip
    if character.options.contacts is not None:
        return stated_phases(character.options.contacts, len(clip), clip.rate)
    phases = sync_phases(plan, body_frames(plan, generalized_from_clip(plan, clip)), clip.rate, character.floor)
    stands = [phases.mask[:, 2 * foot] | phases.mask[:, 2 * foot + 1] for foot in range(2)]
    if not all(stand.any() for stand in stands) or all(stand.all() for stand in stands):
        raise InputError("shows no steps: wading needs a clip that walks or runs", source=clip.source.path or clip.name)
    return phases


def _ball(sole: Sole, positions: Array, rotations: Array) -> Array:
    """Middle of a sole's ball in the world [m], shape (T, 3)."""
    return positions + quat.rotate(rotations, sole.points(np.array([BALL]), np.zeros(1))[0])


def _stride(phases: ContactPhases) -> float:
    """Median time from a foot's landing to its next [s]."""
    gaps = []
    for foot in range(2):
        spans = runs(phases.mask[:, 2 * foot] | phases.mask[:, 2 * foot + 1])
        gaps += [float(gap) for gap in np.diff([first for first, _ in spans if first > 0])]
    return float(np.median(gaps)) / phases.rate if gaps else _STRIDE
