"""Layer 3: which parts obey the clip and which obey physics, and what the one does to the other."""

from poise.hybrid.coupling import Coupling, CouplingOptions
from poise.hybrid.partition import anchored, find_bodies, find_named, whole
from poise.hybrid.reaction import Connector, Limb, LimbMotion, Reaction, Wrench, motion_from_keys, reaction

__all__ = [
    "Connector",
    "Coupling",
    "CouplingOptions",
    "Limb",
    "LimbMotion",
    "Reaction",
    "Wrench",
    "anchored",
    "find_bodies",
    "find_named",
    "motion_from_keys",
    "reaction",
    "whole",
]
