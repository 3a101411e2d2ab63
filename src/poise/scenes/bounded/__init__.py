"""Scenes in which the surroundings have the last word: bodies that only aim at their pose (Hu 2024, Figs. 8, 9, 22-26)."""

from poise.scenes.bounded.blocks import Course, blocks, treads
from poise.scenes.bounded.climb import HIT, climb
from poise.scenes.bounded.drag import DRAG_RADIUS, Part, drag, drag_radius, drag_way
from poise.scenes.bounded.hands_out import hand_dragged, hands_hit
from poise.scenes.bounded.hits import LARGE, SMALL, Shot, Struck, hits
from poise.scenes.bounded.legs import physical_legs
from poise.scenes.bounded.person import LEGS, at_ease, feet_on, settled, standing

__all__ = [
    "DRAG_RADIUS",
    "HIT",
    "LARGE",
    "LEGS",
    "SMALL",
    "Course",
    "Part",
    "Shot",
    "Struck",
    "at_ease",
    "blocks",
    "climb",
    "drag",
    "drag_radius",
    "drag_way",
    "feet_on",
    "hand_dragged",
    "hands_hit",
    "hits",
    "physical_legs",
    "settled",
    "standing",
    "treads",
]
