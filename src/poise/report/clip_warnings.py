"""What makes one doubt a clip before anything is done to it."""

from __future__ import annotations

from poise.body.capsules import sole_points
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.body.plan import BodyPlan
from poise.metrics import floating
from poise.motion.clip import Clip

__all__ = ["floating_feet"]

_FLOATS = 0.05
"""Height of the lowest foot over the ground, in the mean, that no motion has, in statures: captured jumps have 0.03."""


def floating_feet(plan: BodyPlan, clip: Clip, floor: float) -> list[str]:
    """A line about a clip whose feet hang in the air; none where they do not.

    Args:
        plan: Its body.
        clip: The motion.
        floor: Height of the ground it was recorded on [m].
    """
    gap = floating(sole_points(plan, body_frames(plan, generalized_from_clip(plan, clip))), floor)
    if not gap.mean_mm > 1e3 * _FLOATS * plan.stature:
        return []
    return [
        f"both feet are off the ground in {gap.frames_percent:.0f} % of the frames, {0.1 * gap.mean_mm:.0f} cm in the mean: "
        "the clip floats or its height drifts; `floor` in a scene file says where the ground is"
    ]
