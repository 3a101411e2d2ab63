"""Poles that point elbows and knees: points on two springs between the body and the joint."""

from poise.ik.poles.elastic import ElasticPole, ElasticPoles
from poise.ik.poles.printed import (
    printed_angle,
    printed_components,
    printed_direction,
    printed_force,
    printed_resultant,
    printed_speed,
)

__all__ = [
    "ElasticPole",
    "ElasticPoles",
    "printed_angle",
    "printed_components",
    "printed_direction",
    "printed_force",
    "printed_resultant",
    "printed_speed",
]
