"""Walks over hills by muscles alone: what the feet of a body that is physical from its pelvis on bear of its weight.

The paper drives the hips and says nothing of what the feet press with.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.bounded_drive import Bounded
from poise.motion.edit import trim
from poise.reproductions.bermudez2018.clips import WALKS
from poise.reproductions.check import Trial, claim
from poise.reproductions.hu2024.footing import rough_ground
from poise.reproductions.motion.clips import SHIPPED, Source, data_folder
from poise.reproductions.once import once
from poise.reproductions.row import Row
from poise.runtime import Character, Recording, Session
from poise.scenes import Scene
from poise.scenes.bounded import physical_legs
from poise.world.scene import SceneSpec

__all__ = ["CHECKS", "pressed"]

Array = NDArray[np.float64]

_CANNOT = ("3dmodelfiletest/WalkForward.bvh", "dcl-emotes/walk.glb")
"""Who has no feet to stand on, and who begins inside the hills."""
_SECONDS, _AMPLITUDE, _GROUNDS = 3.0, 0.1, 2
"""Length of what is played [s], height of the hills [m], and over how many grounds everybody walks."""
_FEELS = 0.02
"""A foot that bears less than this share of the weight is in the air."""


def pressed(session: Session, recording: Recording) -> Array:
    """Upward force on the first character's left and right foot in each tick, in body weights, shape (N, 2)."""
    name, plan, contacts = session.layouts[0].name, session.layouts[0].plan, recording.contacts
    touched, own = session.view.geoms.bodies[contacts.pairs], session.view.body_numbers(name)
    forces = np.zeros((len(recording), 2))
    for side, foot in enumerate(plan.with_role("left_foot", "right_foot")):
        for column, sign in ((0, -1.0), (1, 1.0)):
            rows = touched[:, column] == own[foot]
            up = sign * contacts.impulse[rows] * contacts.normal[rows, 2] / recording.tick
            np.add.at(forces[:, side], contacts.tick[rows] - recording.first, up)
    return forces / (plan.total_mass * 9.81)


@once
def _alone(source: Source, seed: int, carries: bool) -> float:
    """What a walker's foot bears in the middle of the ticks in which it alone does, in body weights."""
    clip, mesh = source.read()
    who = Character.from_clip(trim(clip, 0, min(len(clip), round(_SECONDS * clip.rate) + 1)), mesh=mesh)
    ground = rough_ground(who, _AMPLITUDE, seed)
    scene = physical_legs(Scene("hills", {"walker": who}, SceneSpec(floor=None, terrain=ground.pieces)))
    if not carries:
        scene = replace(scene, behaviors={"walker": [partial(Bounded, carrying=None)]})
    session = scene.session()
    force = pressed(session, session.run())
    bears = force > _FEELS
    return float(np.median(force.sum(axis=1)[bears.sum(axis=1) == 1]))


@claim(
    "legs that carry what feet can push out of the ground",
    off="Bounded(carrying=None)",
    cases=_GROUNDS * (len(WALKS) - len(_CANNOT)),
)
def bears_weight(trial: Trial) -> Row:
    """What a foot bears alone."""
    walks = [Source(file, "walk") for file in WALKS if file not in _CANNOT]
    if trial.quick or data_folder() is None:
        walks = list(SHIPPED[:1])
    seeds = range(7, 7 + _GROUNDS * len(walks))
    found = [_alone(walks[number % len(walks)], seed, trial.on) for number, seed in enumerate(seeds)]
    middle = float(np.median(found))
    return Row(
        "hu2024/terrain-bears-weight",
        "Over hills, walkers whose whole body is physical bear their weight on their feet: of a foot that stands alone in the "
        f"middle of its ticks, and of the middle one of {len(found)} walks; 0.6 to 1.2 body weights",
        None,
        middle,
        "body weights",
        0.6 <= middle <= 1.2,
    )


CHECKS = (bears_weight,)
