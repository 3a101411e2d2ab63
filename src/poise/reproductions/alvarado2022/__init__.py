"""Alvarado, Rohmer and Cani 2022: responsive upper bodies by antagonistic control and anchors."""

from poise.reproductions.alvarado2022 import (
    anchors,
    apple,
    arms,
    equilibrium,
    garden,
    going_by,
    isoline,
    mirror,
    pairs,
    perception,
    route,
    rules,
    sight,
    table,
    timing,
    upright,
    vain,
    wall,
)

__all__ = ["CHECKS", "PICTURES", "TOGETHER"]

_ANTICIPATION = (upright, pairs, rules, sight, wall, apple, timing, arms, perception, route, vain, going_by)

CHECKS = (
    equilibrium.tension_spread,
    equilibrium.target_error,
    equilibrium.deflection_under_gravity,
    equilibrium.deflection_weightless,
    isoline.points_collinear,
    isoline.slope_independent,
    isoline.pendulum_settles,
    mirror.muscle_torque,
    mirror.antagonist_torque_by_stiffness,
    anchors.kinematic_above,
    anchors.hanging_below,
    anchors.subtree_size,
    anchors.state_unchanged,
    anchors.velocity_continuous,
    *(check for experiment in _ANTICIPATION for check in experiment.CHECKS),
    garden.protected,
    garden.no_gaps,
)
PICTURES = (*(experiment.picture for experiment in _ANTICIPATION[3:-2]), garden.picture, route.tensions, table.picture)
TOGETHER = dict.fromkeys(("arms", "perception", "rules"), "shoves") | dict.fromkeys(("upright", "pairs"), "nudges")
"""Experiments that are measured on the same plays."""
