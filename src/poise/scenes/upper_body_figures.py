"""The scenes of Alvarado 2022's figures: balls, apples, a wall to walk along, something heavy, and the way to the gate."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from poise.behaviors.anticipation import Anticipation, AnticipationOptions
from poise.characters.character import Character
from poise.scenes.catalog import make_asset
from poise.scenes.people import stander, walker
from poise.scenes.scene import Scene
from poise.scenes.thicket import thicket
from poise.scenes.thrown import rise, thrown
from poise.world.props import HELD, Ball, Hanging, Plant, Prop, Wall
from poise.world.scene import SceneSpec

__all__ = ["HEAD", "Apple", "Contact", "anticipating", "apple", "ball", "fruit", "garden", "gate", "heavy", "wall"]

Array = NDArray[np.float64]
Apple = Literal["seen", "unseen", "fast"]
Contact = Literal["slide", "stick"]

HEAD = np.array([0.015, 0.0, 1.53])
"""Middle of the head of who stands at ease [m]."""
_RED = (0.75, 0.16, 0.14)


def anticipating(scene: Scene, options: AnticipationOptions | None = None) -> Scene:
    """The scene with everybody anticipating."""
    return replace(scene, behaviors={name: [partial(Anticipation, options)] for name in scene.characters})


_APPLES: dict[str, tuple[tuple[float, float, float], float, float]] = {
    "seen": ((-2.2, 0.0, -3.7), 0.8, 0.6),
    "unseen": ((1.5, 0.0, -4.9), 0.5, 0.6),
    "fast": ((-8.0, 0.0, -4.8), 0.33, 0.6),
}
"""Velocity at the head [m/s], how long it falls [s] and when it is let go [s]."""


def apple(kind: Apple = "seen", options: AnticipationOptions | None = None, *, mass: float = 0.3) -> Scene:
    """An apple falls on the head of someone who stands (Fig. 12): from before them, from behind, or too fast.

    Args:
        kind: Which of the three.
        options: How they anticipate.
        mass: Of the apple [kg].
    """
    velocity, flight, time = _APPLES[kind]
    prop = thrown("apple", HEAD, np.array(velocity) + rise(flight), flight, time=time, radius=0.045, mass=mass)
    prop = replace(prop, color=_RED)
    name = "apple" if kind == "seen" else f"apple_{kind}"
    return anticipating(Scene(name, {"person": stander(3.5)}, SceneSpec(props=(prop,))), options)


def ball(options: AnticipationOptions | None = None, *, speed: float = 4.0, distance: float = 3.0) -> Scene:
    """A ball flies at the left half of the chest of someone who stands (Fig. 13).

    Args:
        options: How they anticipate.
        speed: Horizontal [m/s].
        distance: From which it is thrown [m].
    """
    flight = distance / speed
    target = np.array([0.1, 0.12, 1.25])
    prop = thrown("ball", target, np.array([-speed, 0.0, 0.0]), flight, time=0.5, mass=0.6)
    prop = replace(prop, color=_RED)
    return anticipating(Scene("ball", {"person": stander(0.5 + flight + 1.5)}, SceneSpec(props=(prop,))), options)


def fruit(
    place: tuple[float, float, float],
    options: AnticipationOptions | None = None,
    *,
    radius: float = 0.05,
    seconds: float = 2.0,
) -> Scene:
    """Something small that floats beside, before or behind someone who stands (Fig. 8).

    Args:
        place: Of its middle [m].
        options: How they anticipate.
        radius: Its size [m].
        seconds: How long it lasts.
    """
    thing = Ball(name="fruit", position=place, velocity=(0.0, 0.0, 0.0), time=HELD, radius=radius, mass=0.1, color=_RED)
    return anticipating(Scene("fruit", {"person": stander(seconds)}, SceneSpec(props=(thing,))), options)


def heavy(options: AnticipationOptions | None = None, *, mass: float = 8.0) -> Scene:
    """A walk into something heavy that hangs at the height of the chest (Fig. 11).

    Args:
        options: How the walker anticipates.
        mass: Of what hangs there [kg].
    """
    who = walker(3)
    rope, radius = 4.0, 0.16
    thing = Hanging(
        name="weight",
        position=(1.9, 0.0, who.floor + 1.2 + rope + radius),
        rope=rope,
        size=(radius, 0.0, 0.0),
        mass=mass,
        color=_RED,
    )
    return anticipating(Scene("heavy", {"walker": who}, SceneSpec(props=(thing,), floor=who.floor)), options)


def wall(contact: Contact = "slide") -> Scene:
    """A walk along a wall, whose hand slides along it or holds on and goes on from hold to hold (Fig. 10)."""
    who = walker(6)
    side = Wall(name="wall", position=(3.6, 0.6, who.floor + 1.1), size=(3.0, 0.1, 1.1))
    scene = Scene(f"wall_{contact}", {"walker": who}, SceneSpec(props=(side,), floor=who.floor))
    return anticipating(scene, AnticipationOptions(contact=contact))


def _grass(begin: float, end: float, ground: float) -> tuple[Prop, ...]:
    """Tall grass on both sides of the way from `begin` to `end` [m]."""
    rng = np.random.default_rng(4)
    places = np.linspace(begin, end, 16)
    return tuple(
        Plant(
            name=f"grass_{number + 1}",
            position=(float(x), float((1.0 if number % 2 else -1.0) * rng.uniform(0.22, 0.45)), ground),
            length=float(rng.uniform(1.1, 1.35)),
            links=3,
            mass=0.06,
            stiffness=2.0,
            damping=0.25,
            stem_radius=0.008,
        )
        for number, x in enumerate(places)
    )


def garden(character: Character | None = None, options: AnticipationOptions | None = None, *, seed: int = 0) -> Scene:
    """A walk through seventy obstacles on both sides of the way (Fig. 14), everything of Table 3 among them.

    Args:
        character: Who walks, and so where; by default the shipped walk, for 34 m: one obstacle in half a metre is
            what two arms can see to.
        options: How they anticipate.
        seed: Of the obstacles' places.
    """
    who = character or walker(27)
    setting = SceneSpec(props=thicket(who, seed=seed), floor=who.floor)
    return anticipating(Scene("garden", {"walker": who}, setting), options)


def gate(options: AnticipationOptions | None = None) -> Scene:
    """The way of Fig. 15: through tall grass, past a bush, to a wooden door that is pushed open.

    Args:
        options: How the walker anticipates.
    """
    who = walker(7)
    props: list[Prop] = list(_grass(1.2, 3.2, who.floor))
    props.append(make_asset("bush", "bush", (4.5, 0.4), ground=who.floor, size=1.3))
    props.append(make_asset("fence_door", "door", (6.3, 0.95), ground=who.floor, yaw=-0.5 * np.pi, size=1.15))
    return anticipating(Scene("gate", {"walker": who}, SceneSpec(props=props, floor=who.floor)), options)
