"""Groups: characters and things that one quadratic program moves together."""

from poise.groups.apart import Apart
from poise.groups.group import Group, Input, Person
from poise.groups.physical import Physical
from poise.groups.preview import Preview, stride
from poise.groups.steps import Footstep, walk
from poise.groups.together import Together

__all__ = ["Apart", "Footstep", "Group", "Input", "Person", "Physical", "Preview", "Together", "stride", "walk"]
