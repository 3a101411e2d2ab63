"""Balls that hit someone who stands (Hu 2024, Fig. 24)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from poise.behaviors.bounded_drive import Bounded
from poise.body.coordinates import body_frames
from poise.body.plan import BodyPlan
from poise.characters.character import CharacterOptions
from poise.control.tension import Tension
from poise.ik import Goals
from poise.scenes.bounded.person import at_ease, body, feet_on, settled, standing
from poise.scenes.scene import Scene
from poise.world.contact_settings import CONTACTS
from poise.world.props import Ball
from poise.world.query import TerrainGround
from poise.world.scene import SceneSpec

__all__ = ["LARGE", "SMALL", "Shot", "Struck", "hits"]

Struck = Literal["hand", "foot", "trunk"]


@dataclass(frozen=True)
class Shot:
    """A ball: radius [m], mass [kg] and speed [m/s]."""

    radius: float
    mass: float
    speed: float


SMALL = Shot(0.06, 1.0, 3.0)
LARGE = Shot(0.12, 2.0, 6.0)
"""Twice as large, heavy and fast as the small one, as in the paper, which gives no units."""
_ROLES: dict[Struck, tuple[str, tuple[float, float, float]]] = {
    "hand": ("left_hand", (0.0, 0.0, -0.06)),
    "foot": ("left_foot", (0.0, 0.0, 0.06)),
    "trunk": ("spine", (0.0, 0.0, 0.25)),
}
"""What is hit, and where from its joint [m]."""
_AWAY = 1.0
"""How far before the body a ball is thrown [m]."""
_FIRST, _APART, _AFTER = 0.5, 2.0, 2.5
"""When the first hits, the time between two, and how long it goes on after the last [s]."""
_LIFTED = (0.1, 0.0, 0.14)
"""How far a foot that is hit is off the ground; on it friction would hold it wherever it was pushed [m]."""
_BENT = 0.03
_TENSION = Tension(frequency=3.0, load="gravity")


def hits(*struck: Struck, shot: Shot = LARGE, plan: BodyPlan | None = None) -> Scene:
    """Someone who stands with free hips, every joint held by its muscles, and is hit from the front; a foot in the air.

    Args:
        struck: What is hit, one after the other; hand, foot and trunk by default.
        shot: With what.
        plan: Who; the shipped walk's person without.
    """
    struck, plan = struck or ("hand", "foot", "trunk"), plan or body()
    row, feet = at_ease(plan), dict(feet_on(TerrainGround((), 0.0), at_ease(plan), plan=plan)(0.0).ends)
    row[2] -= _BENT
    if "foot" in struck:
        feet["left_foot"] = replace(feet["left_foot"], position=feet["left_foot"].position + _LIFTED)
    row = settled(row, Goals(feet), plan)
    seconds = _FIRST + (len(struck) - 1) * _APART + _AFTER
    who = standing(row, seconds, CharacterOptions(anchors=("pelvis",), tension=_TENSION), plan)
    frames, balls = body_frames(plan, row), []
    for number, part in enumerate(struck):
        role, beside = _ROLES[part]
        place = frames.positions[0, plan.with_role(role)[0]] + beside
        place[2] = max(place[2], shot.radius + 0.01)
        flight = _AWAY / shot.speed
        balls.append(
            Ball(
                name=part,
                position=(float(place[0]) + _AWAY, float(place[1]), float(place[2])),
                velocity=(-shot.speed, 0.0, 0.5 * 9.81 * flight),
                time=_FIRST + number * _APART - flight,
                radius=shot.radius,
                mass=shot.mass,
            )
        )
    setting = SceneSpec(floor=0.0, props=balls, contact=CONTACTS["stiff"])
    return Scene("balls", {"walker": who}, setting, 0.001, {"walker": [Bounded]})
