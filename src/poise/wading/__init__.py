"""Wading: a walk becomes the walk a person would walk through what is in the way (Bermudez 2018)."""

from poise.wading.depth import DEPTHS, depth_against
from poise.wading.gait import Gait, going
from poise.wading.options import Push, WadingOptions, default_servo
from poise.wading.record import Moment, WadingRecord
from poise.wading.run import Waded, wade
from poise.wading.wader import Wader
from poise.wading.water import fluid_sheet

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
