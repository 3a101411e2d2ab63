"""Layer 3: seeing what comes and deciding what the hands do about it (Alvarado 2022, section 5)."""

from poise.anticipation.assign import NOTHING, assign_hands
from poise.anticipation.bounds import KINDS, Bounds
from poise.anticipation.hop import hermite_hop
from poise.anticipation.place import held_off, meeting_point
from poise.anticipation.regions import REGIONS, Region, Spots, spots_of
from poise.anticipation.rules import Rules, both_hands, palm_turn, printed_reaction_time, reaction_time, tension
from poise.anticipation.sight import Memory, Sight, in_view
from poise.anticipation.threats import Threats, Watched, find_threats

__all__ = [
    "KINDS",
    "NOTHING",
    "REGIONS",
    "Bounds",
    "Memory",
    "Region",
    "Rules",
    "Sight",
    "Spots",
    "Threats",
    "Watched",
    "assign_hands",
    "both_hands",
    "find_threats",
    "held_off",
    "hermite_hop",
    "in_view",
    "meeting_point",
    "palm_turn",
    "printed_reaction_time",
    "reaction_time",
    "spots_of",
    "tension",
]
