"""Scenes of van Welbergen 2009: arms that follow their animation exactly on a body that balances."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.behaviors.balance import Balance, BalanceOptions, standing_modes
from poise.behaviors.switching import Handover, Switching
from poise.body.coordinates import generalized_from_clip
from poise.body.layout import turn_slice
from poise.body.options import BodyOptions
from poise.body.plan import BodyPlan
from poise.characters.character import Character, CharacterOptions
from poise.characters.gesture_clips import gesturing
from poise.characters.standing import standing_clip
from poise.control.tension import Tension
from poise.gesture import ArmSwing, Clapping, Conducting, TempoMap
from poise.io import read_clip
from poise.motion.clip import Clip
from poise.motion.edit import loop
from poise.scenes.scene import Scene
from poise.world.scene import SceneSpec

__all__ = [
    "CLAPS",
    "SWING",
    "TRUNK",
    "arm_swing",
    "clapping",
    "conductor",
    "fat_thin",
    "halt",
    "mixed_character",
    "upper_body",
]

Array = NDArray[np.float64]

TRUNK = Tension(frequency=4.0, load="gravity")
"""The trunk carries its weight and answers the arms with its springs."""
SWING = ArmSwing(duration=0.45)
"""The large swing of Fig. 6."""
CLAPS = Clapping(tempo=TempoMap.from_beats(1.5 + np.arange(8) / 1.7), count=8)
"""Eight claps, 1.7 a second."""


def mixed_character(clip: Clip, mass: float | None = None) -> Character:
    """A character whose arms a clip moves and whose lower body balances.

    Args:
        clip: Its motion.
        mass: [kg]; by default from its stature.
    """
    character = Character.from_clip(
        clip, CharacterOptions(tension=TRUNK, body=BodyOptions(mass=mass), self_contact=False)
    )
    return replace(character, modes=standing_modes(character.plan))


def _walk() -> Clip:
    return read_clip(clip_path("walk"))


def arm_swing() -> Scene:
    """Fig. 6: both arms swing up and back, and the body under them answers and stays up."""
    character = mixed_character(standing_clip(_walk(), 6.5, movement=gesturing(SWING)))
    return Scene(
        "arm_swing",
        {"swinger": character},
        SceneSpec(floor=character.floor),
        behaviors={"swinger": [partial(Balance, BalanceOptions(preview=1.0))]},
    )


def conductor() -> Scene:
    """The right hand conducts; the left hangs loosely, takes up a cue for two bars and drops again (Sec. 4)."""
    # Arms hang until hands are raised for the beat before the first.
    beats = 1.75 + 0.625 * np.arange(21)
    bars = gesturing(Conducting(tempo=TempoMap.from_beats(beats), count=len(beats)))
    character = mixed_character(standing_clip(_walk(), 16.0, movement=bars))
    left = ("left_upper_arm",)
    orders = (
        Handover(time=0.0, joints=left, to="muscles"),
        Handover(time=5.25, joints=left, to="motion", fade=0.6),
        Handover(time=10.5, joints=left, to="muscles"),
    )
    return Scene(
        "conductor",
        {"conductor": character},
        SceneSpec(floor=character.floor),
        behaviors={"conductor": [partial(Balance, BalanceOptions(preview=1.0)), partial(Switching, orders)]},
    )


def clapping() -> Scene:
    """Somebody claps, and the trunk answers every clap."""
    character = mixed_character(standing_clip(_walk(), 6.0, 120.0, gesturing(CLAPS)))
    return Scene(
        "clapping",
        {"clapper": character},
        SceneSpec(floor=character.floor),
        behaviors={"clapper": [partial(Balance, BalanceOptions(preview=1.0))]},
    )


def upper_body() -> Scene:
    """The trunk, arms and head of the shipped walk over legs that stand and balance."""
    walk = loop(_walk(), 6)

    def movement(plan: BodyPlan, rows: Array, times: Array) -> None:
        keys = generalized_from_clip(plan, walk)
        picked = np.minimum(np.round(times * walk.rate).astype(int), len(keys) - 1)
        legs = [b for root in plan.with_role("left_thigh", "right_thigh") for b in plan.subtree(root)]
        for body in set(range(1, len(plan))) - set(legs):
            rows[:, turn_slice(body)] = keys[picked, turn_slice(body)]

    character = mixed_character(standing_clip(walk, walk.duration, walk.rate, movement))
    return Scene(
        "upper_body",
        {"walker": character},
        SceneSpec(floor=character.floor),
        behaviors={"walker": [partial(Balance, BalanceOptions(preview=1.0))]},
    )


def fat_thin() -> Scene:
    """Three bodies of one build, 0.7, 1 and 1.5 times as heavy, swing their arms; the paper's balance, one multiplier."""
    clips = [standing_clip(_walk(), 6.5, movement=gesturing(SWING)) for _ in range(3)]
    usual = mixed_character(clips[0]).plan.total_mass
    people = {}
    for number, (name, share) in enumerate((("thin", 0.7), ("usual", 1.0), ("fat", 1.5))):
        aside = np.array([0.0, 1.2 * (1 - number), 0.0])
        clip = clips[number]
        moved = clip.with_motion(clip.rotations, clip.translations + aside)
        people[name] = mixed_character(moved, share * usual)
    behaviors = {name: [partial(Balance, BalanceOptions(law="published", multiplier=1.5))] for name in people}
    return Scene("fat_thin", people, SceneSpec(floor=people["usual"].floor), behaviors=behaviors)


def halt() -> Scene:
    """A walker's legs and trunk are handed to physics in mid-stride: a foot comes down, and the body stands."""
    walk = loop(_walk(), 3)
    character = Character.from_clip(walk, CharacterOptions(anchors=(), tension=TRUNK, self_contact=False))
    return Scene(
        "halt",
        {"walker": character},
        SceneSpec(floor=character.floor),
        behaviors={"walker": [partial(Balance, BalanceOptions(start=1.2))]},
    )
