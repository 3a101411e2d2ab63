"""Groups: characters and things that one quadratic program moves together."""

from poise.runtime.group.group import Group, Input, Person
from poise.runtime.group.steps import Footstep, walk
from poise.runtime.group.together import Together

__all__ = ["Footstep", "Group", "Input", "Person", "Together", "walk"]
