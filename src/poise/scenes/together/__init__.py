"""Scenes of people who handle things together, after Vaillant 2017, section 4."""

from collections.abc import Callable

from poise.groups import Group
from poise.scenes.together.acrobats import acrobats_group
from poise.scenes.together.box import box_group
from poise.scenes.together.door import door_group
from poise.scenes.together.funambulist import funambulist_group
from poise.scenes.together.king import king_group
from poise.scenes.together.lever import lever_group
from poise.scenes.together.sword import sword_group
from poise.scenes.together.together import together
from poise.scenes.together.valve import valve_group

__all__ = ["GROUPS", "together"]

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
