"""A walk over steps of random height, and a ball that hits the walker (Hu 2024, Fig. 25)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.assets import clip_path
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.characters.ground import on_ground
from poise.io import read_clip
from poise.motion.edit import loop
from poise.scenes.bounded.hits import Shot
from poise.scenes.bounded.legs import physical_legs
from poise.scenes.layout import walked_path
from poise.scenes.scene import Scene
from poise.world.props import Ball
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec
from poise.world.terrain import Steps

__all__ = ["HIT", "climb"]

Array = NDArray[np.float64]

_CYCLES, _STEPS, _DEPTH, _WIDTH = 7, 10, 0.5, 3.0
_LOWEST, _HIGHEST = 0.05, 0.2
"""Of the rise or fall between two steps [m]. The paper's go to 0.4 m; from 0.25 m on thighs and shanks of the walk that was set
onto the steps pass through their edges, on which physical ones get caught."""
_BEGIN = 1.2
"""How far along the way the first step is [m]."""
_SHOT = Shot(0.1, 10.0, 4.0)
"""Radius and mass as in the paper; its "acceleration 200" over one step of 20 ms is 4 m/s."""
HIT, _FLIGHT = 4.5, 0.3
"""When the ball arrives [s] and how long it flies [s]."""


def climb(*, seed: int = 1, ball: bool = True) -> Scene:
    """The shipped walk over random steps, with hips that are held by a limited wrench and legs that walk by their muscles.

    Args:
        seed: Of the steps.
        ball: Whether a ball of 10 kg comes from the front and hits the chest.
    """
    who = Character.from_clip(loop(read_clip(clip_path("walk")), _CYCLES))
    path = walked_path(who)
    foot, ahead = path.at(_BEGIN)
    steps = Steps(
        name="steps",
        position=(float(foot[0]), float(foot[1]), who.floor),
        yaw=float(np.arctan2(ahead[1], ahead[0])),
        tops=_tops(seed),
        depth=_DEPTH,
        width=_WIDTH,
    )
    setting = SceneSpec(props=[_ball(who, steps)] if ball else [], floor=who.floor, terrain=[steps])
    scene = physical_legs(Scene("climb", {"walker": who}, setting))
    return replace(scene, name="climb")


def _tops(seed: int) -> tuple[float, ...]:
    """Heights of steps that rise or fall by 0.05 to 0.2 m each, never below the floor, the last near it."""
    rng, tops, level = np.random.default_rng(seed), list[float](), 0.0
    for number in range(_STEPS):
        change = float(rng.uniform(_LOWEST, _HIGHEST))
        down = level > 0.6 or (level > change and bool(rng.uniform() < 0.4)) or (number > 6 and level > change)
        level += -min(change, level - 0.05) if down else change
        tops.append(level)
    return tuple(tops)


def _ball(who: Character, steps: Steps) -> Ball:
    """A ball that meets the chest from the front."""
    walker = on_ground(who, TerrainGround([steps], who.floor))
    plan, clip = walker.plan, walker.clip
    row = generalized_from_clip(plan, clip)[round(HIT * clip.rate)]
    place = body_frames(plan, row).positions[0, plan.with_role("neck")[0]] - (0.0, 0.0, 0.12)
    forward = np.array([np.cos(steps.yaw), np.sin(steps.yaw), 0.0])
    velocity = -_SHOT.speed * forward + (0.0, 0.0, 0.5 * 9.81 * _FLIGHT)
    start = place + (_SHOT.speed * _FLIGHT + _SHOT.radius + 0.1) * forward
    return Ball(
        name="ball",
        position=(float(start[0]), float(start[1]), float(start[2])),
        velocity=(float(velocity[0]), float(velocity[1]), float(velocity[2])),
        time=HIT - _FLIGHT,
        radius=_SHOT.radius,
        mass=_SHOT.mass,
    )
