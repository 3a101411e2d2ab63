"""What the body does beside the hands: out of the way of a heavy ball, against a heavy door, to rest before a wall."""

from __future__ import annotations

import numpy as np

from poise.behaviors.anticipation import Anticipation
from poise.characters.character import Character
from poise.scenes.people import stander, walker
from poise.scenes.scene import Scene
from poise.scenes.thrown import thrown
from poise.world.props import Gate, Hanging, Prop, Wall
from poise.world.scene import SceneSpec

__all__ = ["duck", "lean", "log", "stop"]

_FLIGHT, _SPEED = 0.9, 4.0
"""How long the heavy ball flies [s], and how fast it goes over the ground [m/s]."""
_FACE = np.array([0.05, 0.04, 1.53])
"""Where it would hit whoever stands at ease [m]."""


def _scene(name: str, who: Character, *props: Prop) -> Scene:
    return Scene(name, {"person": who}, SceneSpec(props=props, floor=who.floor), behaviors={"person": [Anticipation]})


def duck() -> Scene:
    """A ball of 12 kg flies at the face of someone who stands: no hand stops it, and the trunk bends aside."""
    course = np.array([-_SPEED, 0.0, 0.0])
    ball = thrown("ball", _FACE, course, _FLIGHT, time=0.6, radius=0.12, mass=12.0, color=(0.45, 0.3, 0.2))
    return _scene("duck", stander(3.5), ball)


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
