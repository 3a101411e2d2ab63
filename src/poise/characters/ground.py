"""A character's clip set onto a scene's ground: goals from `locomotion`, poses from `ik`, once before the run.

The clip is known, so the whole adapted motion is solved at load and everything after it (drives, muscles, recording) stays
as it is on flat ground. Live, where the next step is not known, the same parts would run with a horizon: `plan_walk` on the
clip's next second each time a foot leaves the ground, with what stands held fixed, and `LimbSolver.solve` on one row a tick.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.coordinates import body_frames, clip_from_generalized, generalized_from_clip
from poise.characters.character import Character
from poise.characters.toes import bend_toes
from poise.ik.limbs import LimbGoals, LimbOptions, LimbSolver
from poise.locomotion.contacts import ContactPhases, contact_phases, stated_phases
from poise.locomotion.knees import with_deep_knees
from poise.locomotion.walk import GroundGoals, plan_walk
from poise.signals import Ground
from poise.world.terrain import Platform, Terrain
from poise.world.world import World

__all__ = ["Platforms", "goals_on_ground", "legs_on_ground", "on_ground", "phases_of"]

Array = NDArray[np.float64]


def phases_of(character: Character) -> ContactPhases:
    """When the character's feet are on the ground: as its options state, else as its clip shows."""
    clip, plan = character.clip, character.plan
    if character.options.contacts is not None:
        return stated_phases(character.options.contacts, len(clip), clip.rate)
    return contact_phases(plan, body_frames(plan, generalized_from_clip(plan, clip)), clip.rate, character.floor)


def goals_on_ground(character: Character, ground: Ground) -> GroundGoals:
    """Where feet and pelvis go on the ground, over the whole clip."""
    plan = character.plan
    frames = body_frames(plan, generalized_from_clip(plan, character.clip))
    return plan_walk(plan, frames, phases_of(character), ground, floor=character.floor)


def legs_on_ground(character: Character, goals: GroundGoals) -> Array:
    """Generalized positions (T, nq) that meet the goals: the pelvis moved, the legs by inverse kinematics."""
    plan = character.plan
    rows = generalized_from_clip(plan, character.clip)
    rows[:, :3] += goals.pelvis
    solver = LimbSolver(with_deep_knees(plan), LimbOptions(limits=False))
    wanted = LimbGoals.none(len(rows), len(solver.names))
    for role, track in zip(("left_foot", "right_foot"), goals.feet, strict=True):
        limb = solver.names.index(role)
        wanted.positions[:, limb], wanted.rotations[:, limb] = track.positions, track.rotations
        wanted.weights[:, limb, :2] = 1.0
    solver.solve(rows, wanted)
    return rows


def on_ground(character: Character, ground: Ground) -> Character:
    """The same character with its clip set onto the ground.

    Raises:
        InputError: The character has no feet to stand on.
    """
    rows = legs_on_ground(character, goals_on_ground(character, ground))
    clip = bend_toes(character.plan, clip_from_generalized(character.plan, rows, character.clip), ground)
    prepared = replace(character.prepared, clip=clip, notes=(*character.prepared.notes, "set onto the terrain"))
    return replace(character, prepared=prepared)


class Platforms:
    """The moving platforms of a scene: their part of the drive.

    Args:
        world: The world they are in.
        pieces: The scene's terrain.
    """

    def __init__(self, world: World, pieces: Sequence[Terrain]) -> None:
        moving = [piece for piece in pieces if isinstance(piece, Platform)]
        self._moving = [(piece, world.position_start(piece.name)) for piece in moving]

    def move(self, times: Array, positions: Array) -> None:
        """Write where they are at `times` (n,) [s] into generalized positions (n, nq) of the world."""
        for piece, at in self._moving:
            positions[:, at] = piece.rise(times)
