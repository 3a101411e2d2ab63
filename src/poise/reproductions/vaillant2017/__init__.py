"""Vaillant, Bouyarmane and Kheddar 2017: characters, tools and furniture controlled by one quadratic program."""

from poise.reproductions.vaillant2017 import (
    ahead,
    delay,
    figures,
    growth,
    laws,
    physical,
    planned,
    pushing,
    scenes,
    starts,
    table,
    tracking,
)

__all__ = ["CHECKS", "PICTURES", "TOGETHER"]

_EXPERIMENTS = (pushing, laws, scenes, starts, physical, table, growth, delay, ahead, planned, tracking)

CHECKS = tuple(check for experiment in _EXPERIMENTS for check in experiment.CHECKS)
PICTURES = (*figures.PICTURES, table.picture, *((growth.picture,) if growth.CHECKS else ()))
TOGETHER = dict.fromkeys(("laws", "scenes", "starts"), "courses")
"""Experiments that are measured on the same plays."""
