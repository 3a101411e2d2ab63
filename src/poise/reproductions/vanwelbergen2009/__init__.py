"""Van Welbergen, Zwiers and Ruttkay 2009: kinematic arms on a physical body that feels them."""

from poise.reproductions.vanwelbergen2009 import (
    balance,
    coupling,
    filtering,
    orchestra,
    pushes,
    swing,
    switching,
    tempo,
    wrench,
)

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (wrench, coupling, filtering, balance, pushes, switching, swing, orchestra)

CHECKS = tuple(check for experiment in (*_EXPERIMENTS, tempo) for check in experiment.CHECKS)
_DRAWN = (coupling, filtering, balance, pushes, switching, swing, orchestra)
PICTURES = tuple(experiment.picture for experiment in _DRAWN)
