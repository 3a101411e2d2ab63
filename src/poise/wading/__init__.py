"""Wading: a walk becomes the walk a person would walk through what is in the way (Bermudez 2018)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from poise.lazy import lazy_names

if TYPE_CHECKING:
    from poise.locomotion.steps import FootholdOptions
    from poise.wading.balance import BalanceOptions
    from poise.wading.changing import ChangedGait, far_enough, walks_where_slow
    from poise.wading.depth import DEPTHS, depth_against
    from poise.wading.entering import CrossingOptions
    from poise.wading.fluids import Fluids
    from poise.wading.gait import Gait, going
    from poise.wading.law import WadingLaw
    from poise.wading.lifted_hands import HandsOptions
    from poise.wading.live import LiveWading
    from poise.wading.options import ChangingOptions, Push, WadingOptions
    from poise.wading.pacing import PaceOptions
    from poise.wading.reaching import ReachOptions
    from poise.wading.record import WadingMoment, WadingRecord
    from poise.wading.run import Waded, wade
    from poise.wading.servo import ServoOptions, default_servo
    from poise.wading.soaking import SoakingOptions
    from poise.wading.swinging import SwingOptions
    from poise.wading.turning import TurningOptions
    from poise.wading.wader import Wader
    from poise.wading.water import fluid_sheet
else:
    __getattr__, __dir__ = lazy_names(
        __name__,
        {
            "poise.locomotion.steps": ("FootholdOptions",),
            "poise.wading.balance": ("BalanceOptions",),
            "poise.wading.changing": (
                "ChangedGait",
                "far_enough",
                "walks_where_slow",
            ),
            "poise.wading.depth": (
                "DEPTHS",
                "depth_against",
            ),
            "poise.wading.entering": ("CrossingOptions",),
            "poise.wading.fluids": ("Fluids",),
            "poise.wading.gait": (
                "Gait",
                "going",
            ),
            "poise.wading.law": ("WadingLaw",),
            "poise.wading.lifted_hands": ("HandsOptions",),
            "poise.wading.live": ("LiveWading",),
            "poise.wading.options": (
                "ChangingOptions",
                "Push",
                "WadingOptions",
            ),
            "poise.wading.pacing": ("PaceOptions",),
            "poise.wading.reaching": ("ReachOptions",),
            "poise.wading.record": (
                "WadingMoment",
                "WadingRecord",
            ),
            "poise.wading.run": (
                "Waded",
                "wade",
            ),
            "poise.wading.servo": (
                "ServoOptions",
                "default_servo",
            ),
            "poise.wading.soaking": ("SoakingOptions",),
            "poise.wading.swinging": ("SwingOptions",),
            "poise.wading.turning": ("TurningOptions",),
            "poise.wading.wader": ("Wader",),
            "poise.wading.water": ("fluid_sheet",),
        },
    )

__all__ = [
    "DEPTHS",
    "BalanceOptions",
    "ChangedGait",
    "ChangingOptions",
    "CrossingOptions",
    "Fluids",
    "FootholdOptions",
    "Gait",
    "HandsOptions",
    "LiveWading",
    "PaceOptions",
    "Push",
    "ReachOptions",
    "ServoOptions",
    "SoakingOptions",
    "SwingOptions",
    "TurningOptions",
    "Waded",
    "Wader",
    "WadingLaw",
    "WadingMoment",
    "WadingOptions",
    "WadingRecord",
    "default_servo",
    "depth_against",
    "far_enough",
    "fluid_sheet",
    "going",
    "wade",
    "walks_where_slow",
]
