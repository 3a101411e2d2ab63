"""Groups: characters and things that one quadratic program moves together."""

from poise.runtime.group.group import Group, Input, Person
from poise.runtime.group.together import Together

__all__ = ["Group", "Input", "Person", "Together"]
