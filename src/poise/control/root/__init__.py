"""What carries a pelvis that follows its motion with finite force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.control.root.change import ROOTS, Root, RootChange
    from poise.control.root.details import Bearing, Bracing, Noticing, Resting, Standing, Waiting, Yielding
    from poise.control.root.drive import RootDrive, RootGains, lean_against, leg_shares, root_wrench
    from poise.control.root.recovering import Recovering
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.control.root.change": (
                "ROOTS",
                "Root",
                "RootChange",
            ),
            "poise.control.root.details": (
                "Bearing",
                "Bracing",
                "Noticing",
                "Resting",
                "Standing",
                "Waiting",
                "Yielding",
            ),
            "poise.control.root.drive": (
                "RootDrive",
                "RootGains",
                "lean_against",
                "leg_shares",
                "root_wrench",
            ),
            "poise.control.root.recovering": ("Recovering",),
        },
    )

__all__ = [
    "ROOTS",
    "Bearing",
    "Bracing",
    "Noticing",
    "Recovering",
    "Resting",
    "Root",
    "RootChange",
    "RootDrive",
    "RootGains",
    "Standing",
    "Waiting",
    "Yielding",
    "lean_against",
    "leg_shares",
    "root_wrench",
]
