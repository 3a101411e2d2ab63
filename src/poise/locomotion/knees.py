"""Knees that bend as far as stepping asks of them."""

from __future__ import annotations

from dataclasses import replace

from poise.body.plan import BodyPlan, JointLimits
from poise.locomotion.pelvis import DEEPEST_FLEXION

__all__ = ["with_deep_knees"]


def with_deep_knees(plan: BodyPlan) -> BodyPlan:
    """The plan with knees that bend as far as a step asks of them."""
    limits = list(plan.limits)
    for knee in plan.with_role("left_shank", "right_shank"):
        upper = limits[knee].upper.copy()
        upper[1] = max(upper[1], DEEPEST_FLEXION)
        limits[knee] = JointLimits(limits[knee].lower, upper)
    return replace(plan, limits=tuple(limits))
