"""What a follower's body keeps to beside the clip: the ranges of its joints, and its own parts off one another.

Neither is tighter than the clip: a range reaches beyond what the clip does, and two parts that the clip brings close may be as
close, since shapes are a coarse likeness (docs/architecture.md, decision 6). Both begin to brake where the clip ends.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from poise.body.coordinates import generalized_from_clip
from poise.body.limits import anatomical, swing_twist_angles
from poise.body.plan import BodyPlan
from poise.groups.tracking.course import OWNER, Course
from poise.groups.tracking.options import TrackingOptions
from poise.qp import Pair, TurnRange
from poise.qp.ranges import BRAKING

__all__ = ["pairs_within", "ranges_within"]

_REACHING = ("forearm", "hand")
_LEGS = ("thigh", "shank", "foot")
_TRUNK = ("pelvis", "spine", "neck", "head")


def ranges_within(name: str, plan: BodyPlan, course: Course) -> TurnRange:
    """How far the joints of somebody turn: as the plan says, and beyond what their course does."""
    rows = generalized_from_clip(plan, course.clip)
    angles = swing_twist_angles(anatomical(rows[:, 7:].reshape(len(rows), -1, 4), plan.neutral[1:]))
    lower = np.minimum([limits.lower for limits in plan.limits[1:]], angles.min(axis=0) - BRAKING)
    upper = np.maximum([limits.upper for limits in plan.limits[1:]], angles.max(axis=0) + BRAKING)
    lower[lower <= -np.pi], upper[upper >= np.pi] = -np.inf, np.inf
    return TurnRange(owner=name, bodies=range(1, len(plan)), neutral=plan.neutral[1:], lower=lower, upper=upper)


def pairs_within(name: str, plan: BodyPlan, course: Course, options: TrackingOptions) -> list[Pair]:
    """Which shapes of somebody keep apart, and how far: arms off trunk, head and one another, legs off one another."""
    twin, bodies = course.twin, list(_parts(plan))
    shapes = [
        (one, other)
        for first, second in bodies
        for one in twin.shapes_of(f"{OWNER}/{first}")
        for other in twin.shapes_of(f"{OWNER}/{second}")
    ]
    numbers = [(twin.shape(one), twin.shape(other)) for one, other in shapes]
    closest = np.full(len(shapes), options.clear)
    for time in np.arange(len(course.clip)) / course.rate:
        moment = course.trajectory.moment(float(time))
        twin.put(OWNER, moment.positions, moment.velocities)
        twin.refresh()
        for number, pair in enumerate(numbers):
            closest[number] = min(closest[number], twin.nearest(*pair, options.clear).distance)
    return [
        Pair(
            first=one.replace(OWNER, name, 1),
            second=other.replace(OWNER, name, 1),
            influence=float(close),
            security=float(close) - options.zone,
        )
        for (one, other), close in zip(shapes, closest, strict=True)
    ]


def _parts(plan: BodyPlan) -> Iterator[tuple[str, str]]:
    """Pairs of bodies that keep apart."""
    roles = plan.body_roles

    def named(parts: tuple[str, ...], side: str) -> list[str]:
        return [plan.names[b] for b, role in enumerate(roles) if role in {f"{side}{part}" for part in parts}]

    left, right = named(_REACHING, "left_"), named(_REACHING, "right_")
    yield from itertools.product(left + right, named(_TRUNK, ""))
    yield from itertools.product(left, right)
    yield from itertools.product(named(_LEGS, "left_"), named(_LEGS, "right_"))
