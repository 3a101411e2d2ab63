"""Bermudez, Tessendorf, Zimmermann and Zordan 2018: locomotion that feels the fluid it goes through."""

from poise.reproductions.bermudez2018 import crossing, gait, live, pressure, speeds, steps, strip, turns

__all__ = ["CHECKS", "PICTURES", "TOGETHER"]

_EXPERIMENTS = (speeds, pressure, gait, steps, strip, turns, live, crossing)

CHECKS = tuple(check for experiment in _EXPERIMENTS for check in experiment.CHECKS)
PICTURES = (
    *(experiment.picture for experiment in (speeds, pressure, gait)),
    *(steps.states, steps.schedule, strip.strip, strip.surface),
)
TOGETHER = dict.fromkeys(("speeds", "pressure", "gait", "steps", "strip", "live"), "wading")
"""Experiments that are measured on the same plays."""
