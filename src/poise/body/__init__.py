"""Layer 2: what a skeleton weighs, how far its joints turn and where it collides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.body.build import build_body
    from poise.body.options import BodyOptions
    from poise.body.plan import BodyPlan, Collider, JointLimits
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.body.build": ("build_body",),
            "poise.body.options": ("BodyOptions",),
            "poise.body.plan": ("BodyPlan", "Collider", "JointLimits"),
        },
    )

__all__ = ["BodyOptions", "BodyPlan", "Collider", "JointLimits", "build_body"]
