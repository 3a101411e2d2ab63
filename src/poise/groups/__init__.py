"""Groups: characters and things that one quadratic program moves together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.groups.apart import Apart, ApartOptions
    from poise.groups.group import Group, Input
    from poise.groups.idle import IdleOptions
    from poise.groups.person import Person
    from poise.groups.physical import Physical
    from poise.groups.preview import Preview, stride
    from poise.groups.readiness import ReadinessOptions
    from poise.groups.steps import Footstep, walk
    from poise.groups.striding import StrideOptions
    from poise.groups.taking import TakingOptions, steps_to, take
    from poise.groups.together import Together
    from poise.groups.tracking.carrying import carry
    from poise.groups.tracking.follow import follow
    from poise.groups.tracking.follower import Follower
    from poise.groups.tracking.options import TrackingOptions
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.groups.apart": ("Apart", "ApartOptions"),
            "poise.groups.group": ("Group", "Input"),
            "poise.groups.idle": ("IdleOptions",),
            "poise.groups.person": ("Person",),
            "poise.groups.physical": ("Physical",),
            "poise.groups.preview": ("Preview", "stride"),
            "poise.groups.readiness": ("ReadinessOptions",),
            "poise.groups.steps": ("Footstep", "walk"),
            "poise.groups.striding": ("StrideOptions",),
            "poise.groups.taking": ("TakingOptions", "steps_to", "take"),
            "poise.groups.together": ("Together",),
            "poise.groups.tracking.carrying": ("carry",),
            "poise.groups.tracking.follow": ("follow",),
            "poise.groups.tracking.follower": ("Follower",),
            "poise.groups.tracking.options": ("TrackingOptions",),
        },
    )

__all__ = [
    "Apart",
    "ApartOptions",
    "Follower",
    "Footstep",
    "Group",
    "IdleOptions",
    "Input",
    "Person",
    "Physical",
    "Preview",
    "ReadinessOptions",
    "StrideOptions",
    "TakingOptions",
    "Together",
    "TrackingOptions",
    "carry",
    "follow",
    "steps_to",
    "stride",
    "take",
    "walk",
]
