"""Scenes of people who handle things together, after Vaillant 2017, section 4."""

from collections.abc import Callable

from poise.groups import Group
from poise.scenes.scene import Scene
from poise.scenes.together.acrobats import acrobats, acrobats_group
from poise.scenes.together.box import box, box_group
from poise.scenes.together.door import door, door_group
from poise.scenes.together.funambulist import funambulist, funambulist_group
from poise.scenes.together.king import king, king_group
from poise.scenes.together.lever import lever, lever_group
from poise.scenes.together.plank import plank
from poise.scenes.together.sword import sword, sword_group
from poise.scenes.together.together import together
from poise.scenes.together.valve import valve, valve_group

__all__ = ["GROUPS", "SCENES", "together"]

SCENES: dict[str, Callable[[], Scene]] = {
    "king": king,
    "funambulist": funambulist,
    "sword": sword,
    "acrobats": acrobats,
    "door": door,
    "valve": valve,
    "box": box,
    "lever": lever,
    "plank": plank,
}
"""Scene name to its maker."""
GROUPS: dict[str, Callable[[], Group]] = {
    "king": king_group,
    "funambulist": funambulist_group,
    "sword": sword_group,
    "acrobats": acrobats_group,
    "door": door_group,
    "valve": valve_group,
    "box": box_group,
    "lever": lever_group,
}
"""Scene name to the maker of its group."""
