"""Layer 3: seeing what comes and deciding what the hands do about it (Alvarado 2022, section 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.anticipation.assign import NOTHING, assign_hands
    from poise.anticipation.bounds import KINDS, Bounds
    from poise.anticipation.hop import hermite_hop
    from poise.anticipation.memory import Memory, in_view
    from poise.anticipation.place import held_off, meeting_point
    from poise.anticipation.regions import REGIONS, Region, Spots, spots_of
    from poise.anticipation.rules import Rules, both_hands, palm_turn, published_reaction_time, reaction_time, tension
    from poise.anticipation.sight import Sight
    from poise.anticipation.threats import Threats, Watched, find_threats
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.anticipation.assign": (
                "NOTHING",
                "assign_hands",
            ),
            "poise.anticipation.bounds": (
                "KINDS",
                "Bounds",
            ),
            "poise.anticipation.hop": ("hermite_hop",),
            "poise.anticipation.place": (
                "held_off",
                "meeting_point",
            ),
            "poise.anticipation.regions": (
                "REGIONS",
                "Region",
                "Spots",
                "spots_of",
            ),
            "poise.anticipation.rules": (
                "Rules",
                "both_hands",
                "palm_turn",
                "published_reaction_time",
                "reaction_time",
                "tension",
            ),
            "poise.anticipation.memory": ("Memory", "in_view"),
            "poise.anticipation.sight": ("Sight",),
            "poise.anticipation.threats": (
                "Threats",
                "Watched",
                "find_threats",
            ),
        },
    )

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
    "published_reaction_time",
    "reaction_time",
    "spots_of",
    "tension",
]
