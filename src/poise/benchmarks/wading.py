"""A walk straight through a thicket: seventy plants within arm's reach of the path."""

from __future__ import annotations

import numpy as np

from poise.assets import clip_path
from poise.characters.character import Character
from poise.io import read_clip
from poise.motion.edit import loop
from poise.runtime.session import Session
from poise.scenes.layout import walked_path
from poise.world.props import Plant
from poise.world.scene import SceneSpec

__all__ = ["wading_session"]

_CYCLES = 4


def wading_session(plants: int = 70, *, seed: int = 0) -> Session:
    """The shipped walk, 5 s and 5 m long, with plants of one to three links 5 to 50 cm from its path on both sides.

    With 70 plants about four contacts are active and twenty plants awake at a time.

    Args:
        plants: How many.
        seed: Of their places, sizes and springs.
    """
    character = Character.from_clip(loop(read_clip(clip_path("walk")), _CYCLES))
    path, rng = walked_path(character), np.random.default_rng(seed)
    props = []
    for number, distance in enumerate(np.linspace(0.02, 0.98, plants) * path.length):
        point, ahead = path.at(float(distance))
        side = 1.0 if number % 2 == 0 else -1.0
        place = point + side * rng.uniform(0.05, 0.5) * np.array([-ahead[1], ahead[0]])
        props.append(
            Plant(
                name=f"plant_{number + 1}",
                position=(float(place[0]), float(place[1]), character.floor),
                length=float(rng.uniform(0.8, 1.4)),
                links=1 + number % 3,
                mass=float(rng.uniform(0.3, 1.5)),
                stiffness=float(rng.uniform(30.0, 60.0)),
                damping=float(rng.uniform(1.0, 3.0)),
            )
        )
    return Session({"walker": character}, SceneSpec(props=props, floor=character.floor))
