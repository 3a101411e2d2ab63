"""What the body does beside the hands: out of the way of a heavy ball, against a heavy door, to rest before a wall."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from poise.anticipation.evasion import Evasion
from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.characters.character import Character
from poise.scenes.people import stander, walker
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.world.props import Ball, Gate, Hanging, Prop, Wall
from poise.world.scene import SceneSpec

__all__ = ["duck", "lean", "log", "sidestep", "stop"]

_FLIGHT, _SPEED = 0.9, 4.0
"""How long the heavy ball flies [s], and how fast it goes over the ground [m/s]."""
_FACE = np.array([0.05, 0.04, 1.53])
"""Where it would hit whoever stands at ease [m]."""


def _scene(name: str, who: Character, *props: Prop, evasion: Evasion | None = None) -> Scene:
    options = AnticipationOptions(evasion=evasion or Evasion())
    spec = SceneSpec(props=props, floor=who.floor)
    return Scene(name, {"person": who}, spec, behaviors={"person": [partial(Anticipation, options)]})


def _at_face() -> Ball:
    course = np.array([-_SPEED, 0.0, 0.0])
    ball = thrown("ball", _FACE, course, _FLIGHT, time=0.6, radius=0.12, mass=12.0)
    return replace(ball, color=(0.45, 0.3, 0.2))


def duck() -> Scene:
    """A ball of 12 kg flies at the face of someone who stands where there is no room to step aside, and ducks under it."""
    return _scene("duck", stander(3.5), _at_face(), evasion=Evasion(sidestep=0.0))


def sidestep() -> Scene:
    """The same ball, and room: a step aside, and back when it is gone."""
    return _scene("sidestep", stander(4.0), _at_face())


def log() -> Scene:
    """A walk past the end of a log of 40 kg that hangs at the height of the head."""
    who = walker(5)
    beam = Hanging(
        name="log",
        position=(2.6, -0.06, who.floor + 4.66),
        rope=3.0,
        size=(0.08, 0.08, 0.12),
        shape="box",
        mass=40.0,
        color=(0.45, 0.3, 0.2),
    )
    return _scene("log", who, beam)


def lean() -> Scene:
    """A walk through a heavy door that closes by itself: the trunk leans into the push."""
    who = walker(5)
    door = Gate(
        name="door",
        position=(2.4, 0.5, who.floor),
        yaw=-0.5 * np.pi,
        width=1.0,
        height=1.3,
        mass=15.0,
        stiffness=30.0,
        damping=20.0,
    )
    return _scene("lean", who, door)


def stop() -> Scene:
    """A walk at a wall, which comes to rest on both feet at arm's length from it."""
    who = walker(5)
    return _scene("stop", who, Wall(name="wall", position=(4.0, 0.0, who.floor + 1.1), size=(0.1, 1.5, 1.1)))
