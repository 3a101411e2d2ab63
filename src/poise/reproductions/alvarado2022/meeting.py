"""Seeded random obstacles that a person could meet, and what they hit first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.io import read_clip
from poise.motion.edit import loop
from poise.reproductions.alvarado2022.played import HANDS, HEAD, TRUNK, play
from poise.runtime import Character
from poise.scenes import Scene
from poise.scenes.upper_body_figures import anticipating
from poise.world import Divergence, Hanging, Plant, Prop, SceneSpec

__all__ = ["Met", "meet", "meeting"]

Array = NDArray[np.float64]

_CYCLES = 2
_SPEEDS = (0.8, 1.9)
"""Of the walk, and so of the obstacle relative to it [m/s]; 2 m/s at most."""
_MASSES = (0.1, 15.0)
_HEIGHTS = (1.0, 1.6)
"""Of what is met, over the ground [m]: what hands can reach, from the belly to the head."""
_AHEAD = (1.3, 1.8)
"""How far away it is at the beginning [m]."""
_SEEN = 0.8
"""Least time from the beginning to the meeting [s]: a reaction time of half a second and 0.3 s."""


@dataclass(frozen=True)
class Met:
    """What happened with one obstacle.

    Args:
        prop: What it is.
        hands: When a hand was touched first [s]; infinity if never.
        body: When head or trunk were.
    """

    prop: Prop
    hands: float
    body: float

    @property
    def failed(self) -> bool:
        """Whether head or trunk were hit without a hand first."""
        return self.body < self.hands


def meeting(seed: int) -> Scene:
    """A walk at a random speed towards a random obstacle in the way of head or trunk."""
    rng = np.random.default_rng(seed)
    walk = loop(read_clip(clip_path("walk")), _CYCLES)
    speed = rng.uniform(*_SPEEDS)
    own = float(walk.translations[-1, 0, 0] - walk.translations[0, 0, 0]) / walk.duration
    walk = walk.with_motion(walk.rotations, walk.translations, rate=round(walk.rate * speed / own))
    who = Character.from_clip(walk)
    start = float(walk.translations[0, 0, 0])
    ahead = start + max(float(rng.uniform(*_AHEAD)), (_SEEN + 0.2) * speed + 0.2)
    prop = _obstacle(rng, ahead, who.floor)
    return anticipating(Scene(f"meeting_{seed}", {"walker": who}, SceneSpec(props=(prop,), floor=who.floor)))


def _obstacle(rng: np.random.Generator, ahead: float, ground: float) -> Prop:
    """A ball or a box on a rope, or a plant with a crown, whose middle is in the way of head or trunk."""
    radius = float(rng.uniform(0.05, 0.18))
    aside = float(rng.uniform(-0.12, 0.12))
    mass = float(np.exp(rng.uniform(*np.log(_MASSES))))
    height = ground + float(rng.uniform(*_HEIGHTS))
    kind = rng.choice(("ball", "box", "plant"))
    if kind == "plant":
        length, light = height - ground, min(mass, 3.0)
        stiffness = 1.5 * light * 9.81 * length + float(rng.uniform(5.0, 40.0))
        return Plant(
            name="obstacle",
            position=(ahead, aside, ground),
            length=length,
            mass=light,
            stiffness=stiffness,
            damping=0.05 * stiffness,
            crown_radius=min(radius, 0.15),
        )
    rope = 1.5
    shape, size = ("sphere", (radius, 0.0, 0.0)) if kind == "ball" else ("box", (radius, radius, radius))
    place = (ahead, aside, height + rope + radius)
    return Hanging(name="obstacle", position=place, rope=rope, size=size, shape=shape, mass=mass)


def meet(scene: Scene) -> Met:
    """Play a meeting; a simulation that runs away counts as a hit."""
    (prop,) = scene.setting.props
    try:
        played = play(scene)
    except Divergence:
        return Met(prop, np.inf, 0.0)
    return Met(prop, played.first_touch(*HANDS, prop="obstacle"), played.first_touch(*HEAD, *TRUNK, prop="obstacle"))
