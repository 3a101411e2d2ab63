"""Poles that point elbows and knees: points on two springs between the body and the joint."""

from poise.ik.poles.as_published import (
    printed_angle,
    printed_components,
    printed_direction,
    printed_force,
    printed_resultant,
    printed_speed,
)
from poise.ik.poles.elastic import ElasticPole, ElasticPoles

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
