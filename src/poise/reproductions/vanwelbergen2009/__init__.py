"""Van Welbergen, Zwiers and Ruttkay 2009: kinematic arms on a physical body that feels them."""

from poise.reproductions.vanwelbergen2009 import (
    balance,
    filtering,
    floating_trunk,
    many_conductors,
    pushes,
    swing,
    switching,
    tempo,
    wrench,
)

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (wrench, floating_trunk, filtering, balance, pushes, switching, swing, many_conductors)

CHECKS = tuple(check for experiment in (*_EXPERIMENTS, tempo) for check in experiment.CHECKS)
_DRAWN = (floating_trunk, filtering, balance, pushes, switching, swing, many_conductors)
PICTURES = tuple(experiment.picture for experiment in _DRAWN)
