"""A body that yields: pushes and heavy balls from anywhere at any time, on clips that nothing was tuned on."""

from poise.reproductions.compliant import (
    balancing,
    falls,
    flinches,
    gazes,
    hanging,
    legs,
    low_things,
    own_feet,
    pushes,
    throws,
    unawares,
)

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (pushes, throws, hanging, falls, own_feet, unawares, flinches, balancing, gazes, legs, low_things)

CHECKS = tuple(check for experiment in _EXPERIMENTS for check in experiment.CHECKS)
PICTURES = (pushes.picture,)
