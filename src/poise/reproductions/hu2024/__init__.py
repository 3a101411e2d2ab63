"""Hu, Guo, Yang, Tao and He 2024: sensible postures from a few goals, elastic poles, and the environment's last word."""

from poise.reproductions.hu2024 import balls, blocks, drags, exercise, kernels, partial, spring, terrain, walk, weight

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (kernels, spring, exercise, walk, terrain, drags, balls, blocks)

CHECKS = tuple(check for experiment in (*_EXPERIMENTS, partial, weight) for check in experiment.CHECKS)
PICTURES = (*(experiment.picture for experiment in _EXPERIMENTS), walk.curves)
