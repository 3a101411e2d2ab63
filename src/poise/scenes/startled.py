"""Scenes of hits that nobody sees coming: what is hit gives way and comes back (Alvarado 2022, section 5.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from poise.behaviors.anticipation import AnticipationOptions
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.math import quat
from poise.scenes.people import stander
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.scenes.upper_body_figures import anticipating
from poise.world.props import Ball
from poise.world.scene import SceneSpec

__all__ = ["Blow", "shoved", "struck"]

_FLIGHT = 0.35
"""How long a ball is on its way [s]."""


@dataclass(frozen=True, kw_only=True)
class Blow:
    """A ball that hits a part of a body."""

    part: str
    """Role of the body it is aimed at, at its centre of mass."""
    time: float
    """When it gets there [s]."""
    off: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How far from there it is aimed: forward, left and up [m]."""
    heading: float = 0.0
    """Where it flies, from forward to the left [degrees]; 0 comes from behind."""
    speed: float = 4.0
    """Level [m/s]."""
    mass: float = 0.6


def struck(character: Character, blows: Sequence[Blow], options: AnticipationOptions | None = None) -> Scene:
    """Balls hit someone.

    Args:
        character: Who, facing forward.
        blows: Where and when.
        options: How they anticipate.
    """
    balls = tuple(_ball(character, blow, f"ball_{number + 1}") for number, blow in enumerate(blows))
    setting = SceneSpec(props=balls, floor=character.floor)
    return anticipating(Scene("struck", {"person": character}, setting), options)


def _ball(character: Character, blow: Blow, name: str) -> Ball:
    plan, clip = character.plan, character.clip
    row = min(round(blow.time * clip.rate), len(clip) - 1)
    frames = body_frames(plan, generalized_from_clip(plan, clip)[row : row + 1])
    body = plan.with_role(blow.part)[-1]
    centre = frames.positions[0, body] + quat.rotate(frames.rotations[0, body], plan.centres[body])
    angle = np.radians(blow.heading)
    course = blow.speed * np.array([np.cos(angle), np.sin(angle), 0.0])
    time = max(0.0, blow.time - _FLIGHT)
    target = centre + np.array(blow.off)
    return replace(thrown(name, target, course, _FLIGHT, time=time, mass=blow.mass), color=(0.2, 0.45, 0.75))


def shoved(options: AnticipationOptions | None = None) -> Scene:
    """Medicine balls from behind hit the back, a shoulder blade and an upper arm of someone who stands, and a ball the head."""
    person = stander(10.0)
    blows = (
        Blow(part="spine", time=0.8, mass=6.0, off=(0.0, 0.0, -0.05)),
        Blow(part="left_clavicle", time=3.0, mass=5.0, off=(0.0, 0.02, 0.0), heading=-25.0),
        Blow(part="right_upper_arm", time=5.2, mass=5.0, heading=25.0),
        Blow(part="head", time=7.4, mass=0.3, off=(0.0, 0.0, 0.03), heading=60.0),
    )
    scene = struck(person, blows, options)
    return Scene("shoved", scene.characters, scene.setting, behaviors=scene.behaviors)
