"""Every declared number of how hands are guided reaches the compiled loops and changes a motion."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from poise.anticipation.coming import Coming
from poise.anticipation.guiding import Approach, Calming, Clearing, Touching
from poise.anticipation.leading import Leading
from poise.behaviors.anticipation import AnticipationOptions
from poise.scenes.scene import Scene
from poise.scenes.upper_body_figures import Contact, anticipating, ball, gate, wall

GROUPS = {"approach": Approach, "clearing": Clearing, "calming": Calming, "touching": Touching}
CHANGED = {
    "ball": (
        *(("approach.newer", 0.75), ("approach.jerk", 130.0), ("clearing.soft", 0.06), ("clearing.foresees", 0.07)),
        *(("calming.bends", 80.0), ("calming.turns", 10.0), ("touching.slopes", 2.1)),
        *(("touching.leant", 0.045), ("touching.lean", 0.18)),
    ),
    "ball_at_the_middle": (("touching.beside", 0.3),),
    "wall_slide": (
        *(
            ("approach.jump", 0.015),
            ("calming.elbow", 180.0),
            ("calming.settles", 0.75),
            ("touching.leant_fixed", 0.09),
        ),
        ("touching.lean_fixed", 0.6),
    ),
    "wall_stick": (("approach.patience", 0.16), ("approach.missed", 0.0017), ("approach.leap", 0.017)),
    "gate": (
        *(("approach.before", 0.3), ("approach.far", 0.3), ("approach.over", 0.36), ("approach.passes", 0.9)),
        *(
            ("clearing.early", 0.15),
            ("clearing.widest", 0.02),
            ("clearing.short", 0.0),
            ("approach.fastest", 0.3),
            ("touching.apart", 0.36),
        ),
    ),
}


def scene(name: str, options: AnticipationOptions) -> Scene:
    if name == "ball":
        return ball(options)
    if name == "ball_at_the_middle":
        return moved(ball(options, speed=4.0, distance=5.0), -0.12)
    if name == "gate":
        return gate(replace(options, coming=Coming(light=0.0)))
    contact: Contact = "stick" if name == "wall_stick" else "slide"
    return anticipating(wall(contact), replace(options, contact=contact))


def moved(where: Scene, left: float) -> Scene:
    """The scene with its props farther to the left [m]."""
    props = [
        replace(prop, position=(prop.position[0], prop.position[1] + left, prop.position[2]))
        for prop in where.setting.props
    ]
    return replace(where, setting=replace(where.setting, props=tuple(props)))


def played(name: str, leading: Leading) -> np.ndarray:
    return scene(name, AnticipationOptions(leading=leading)).session().run().kinematic


@cache
def as_declared(name: str) -> np.ndarray:
    return played(name, Leading())


@pytest.mark.parametrize(
    ("name", "number", "value"), [(name, *each) for name, numbers in CHANGED.items() for each in numbers]
)
def test_every_number_changes_a_motion(name: str, number: str, value: float) -> None:
    group, _, field = number.partition(".")
    now = replace(getattr(Leading(), group), **{field: value})
    found = played(name, replace(Leading(), **{group: now}))
    assert np.abs(found - as_declared(name)).max() > 0.005


def test_numbers_are_handed_on_in_order() -> None:
    for kind in GROUPS.values():
        own = kind()
        assert list(own.numbers) == [getattr(own, name) for name in own.__dataclass_fields__]


def test_no_number_is_left_out() -> None:
    there = {f"{group}.{name}" for group, kind in GROUPS.items() for name in kind.__dataclass_fields__}
    assert there == {number for numbers in CHANGED.values() for number, _ in numbers}
