"""Groups: characters and things that one quadratic program moves together."""

from poise.runtime.group.group import Group, Input, Person
from poise.runtime.group.stage import GroupStage

__all__ = ["Group", "GroupStage", "Input", "Person"]
