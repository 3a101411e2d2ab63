"""Vaillant, Bouyarmane and Kheddar 2017: characters, tools and furniture controlled by one quadratic program."""

from poise.reproductions.vaillant2017 import (
    ahead,
    delay,
    growth,
    laws,
    physical,
    planned,
    pushing,
    scenes,
    starts,
    table,
)

__all__ = ["CHECKS", "PICTURES"]

_EXPERIMENTS = (pushing, laws, scenes, starts, physical, table, growth, delay, ahead, planned)

CHECKS = tuple(check for experiment in _EXPERIMENTS for check in experiment.CHECKS)
PICTURES = (table.picture, growth.picture) if growth.CHECKS else (table.picture,)
