"""Poles that point elbows and knees: points on two springs between the body and the joint."""

from poise.ik.poles.as_published import (
    published_angle,
    published_components,
    published_direction,
    published_force,
    published_resultant,
    published_speed,
)
from poise.ik.poles.elastic import ElasticPole, ElasticPoles

__all__ = [
    "ElasticPole",
    "ElasticPoles",
    "published_angle",
    "published_components",
    "published_direction",
    "published_force",
    "published_resultant",
    "published_speed",
]
