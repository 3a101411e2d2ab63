"""Compiling the kernels before they are timed: numba compiles each when it is first called, once per machine."""

from __future__ import annotations

import numpy as np

from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.io import read_clip
from poise.runtime.balance import Balance
from poise.runtime.character import Character
from poise.runtime.session import Session
from poise.world.props import Box
from poise.world.scene import SceneSpec

__all__ = ["warm_up"]


def warm_up() -> None:
    """Play two ticks of a small scene that calls every kernel of a tick; a tenth of a second once they are compiled."""
    character = Character.from_clip(read_clip(clip_path("walk")))
    plan = character.plan
    start = generalized_from_clip(plan, character.clip)[:1]
    hand = body_frames(plan, start).positions[0, plan.with_role("left_hand")[0]]
    # A box in the hand's way, so that contacts are gathered too.
    x, y, z = (float(value) for value in hand + np.array([0.0, 0.0, -0.1]))
    box = Box(name="box", position=(x, y, z), size=(0.1, 0.1, 0.1), mass=1.0)
    Session({"character": character}, SceneSpec(props=(box,), floor=character.floor)).run(ticks=2)
    Session({"character": character}, stages={"character": [Balance()]}).run(ticks=2)
