"""Bermudez, Tessendorf, Zimmermann and Zordan 2018: locomotion that feels the fluid it goes through."""

from poise.reproductions.bermudez2018 import gait, pressure, speeds

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (speeds, pressure, gait)

CHECKS = tuple(check for experiment in _EXPERIMENTS for check in experiment.CHECKS)
PICTURES = tuple(experiment.picture for experiment in _EXPERIMENTS)
