"""Somebody without a clip: how tall and heavy they are, where they stand, and the character that they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from poise import parameters
from poise.body.humanoid import humanoid
from poise.body.options import BODY_MASS_INDEX, BodyOptions
from poise.motion.roles import guess_roles

if TYPE_CHECKING:
    from poise.characters.character import Character

__all__ = ["AT_EASE", "Person", "person_character"]

AT_EASE = {
    "thigh/y": -0.11,
    "shank/y": 0.22,
    "foot/y": -0.11,
    "upper_arm/x": 0.12,
    "forearm/y": -0.35,
}
"""Knees a little bent, so that the legs can do something; arms off the body. [rad]"""


@dataclass(frozen=True, kw_only=True)
class Person:
    """Somebody without a clip.

    Args:
        place: Where between the feet [m].
        pose: Joint angles beside those of standing at ease [rad]: "left_upper_arm/y", or "upper_arm/y" for both sides.

    Raises:
        InputError: A number is out of range.
    """

    stature: float = parameters.number(1.7, 0.5, 3.0, "m", says="standing height")
    mass: float | None = parameters.number(
        None, 5.0, 500.0, "kg", none=f"{BODY_MASS_INDEX:g} kg/m² times stature squared", says="total mass"
    )
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    heading: float = parameters.angle(0.0, -1e4, 1e4, says="which way they face, from x to the left")
    pose: Mapping[str, float] = field(default_factory=dict)
    strong: bool = parameters.switch(False, says="whether torques have no limit")
    strength: float = parameters.number(
        1.0, 0.05, 20.0, says="how many times a person's of this mass the largest torques are"
    )

    def __post_init__(self) -> None:
        parameters.check(self, "person")

    def character(self) -> Character:
        """Who they are."""
        return person_character(self.stature, self.mass)

    def angles(self) -> dict[str, float]:
        """Angle of every joint that is not straight, by `<body>/<axis>`."""
        result = {}
        for name, angle in {**AT_EASE, **self.pose}.items():
            if name.startswith(("left_", "right_", "spine", "head")):
                result[name] = angle
            else:
                mirrored = 1.0 if name.endswith("/y") else -1.0
                result |= {f"left_{name}": angle, f"right_{name}": mirrored * angle}
        return result


@cache
def person_character(stature: float, mass: float | None) -> Character:
    """Somebody whose body is that of the skeleton without fingers: they ride on rigid hands."""
    # Slow to import (docs/architecture.md, decision 12).
    from poise.characters.character import Character, CharacterOptions
    from poise.characters.prepare import prepare

    options = CharacterOptions(anchors=(), cutoff=None, body=BodyOptions(mass=mass), self_contact=False)
    made = Character.from_clip(humanoid(stature), options)
    clip = humanoid(stature, fingers=True)
    roles = guess_roles(clip.skeleton)
    joints = np.array([clip.skeleton.index(made.plan.skeleton.names[joint]) for joint in made.plan.joints])
    plan = replace(made.plan, skeleton=clip.skeleton, roles=roles, joints=joints)
    return replace(made, plan=plan, roles=roles, prepared=prepare(clip, None, mending=False))
