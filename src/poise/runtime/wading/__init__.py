"""Wading: a walk becomes the walk a person would walk through what is in the way (Bermudez 2018)."""

from poise.runtime.wading.depth import DEPTHS, depth_against
from poise.runtime.wading.gait import Gait, going
from poise.runtime.wading.options import Push, WadingOptions, default_servo
from poise.runtime.wading.record import Moment, WadingRecord
from poise.runtime.wading.run import Waded, wade
from poise.runtime.wading.wader import Wader
from poise.runtime.wading.water import fluid_sheet

__all__ = [
    "DEPTHS",
    "Gait",
    "Moment",
    "Push",
    "Waded",
    "Wader",
    "WadingOptions",
    "WadingRecord",
    "default_servo",
    "depth_against",
    "fluid_sheet",
    "going",
    "wade",
]
