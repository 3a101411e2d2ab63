"""How a clip's BVH file was written, kept in a GLB: `asset.extras` has it, and BVH written from there has it again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from poise.errors import InputError
from poise.io.axes import check_unit, check_up
from poise.io.bvh_text import CHANNELS
from poise.io.gltf.entry import Entry
from poise.motion.skeleton import Skeleton
from poise.motion.source import Source

__all__ = ["dialect_extras", "with_dialect"]

_NAME = "bvh"
"""What `extras` call it."""


def dialect_extras(skeleton: Skeleton, source: Source) -> dict[str, Any]:
    """What is kept of a source; empty where it has no channels of these joints."""
    if len(source.channels) != len(skeleton):
        return {}
    up, unit = source.channel_axes or (source.up_axis, source.metres_per_unit)
    channels = [" ".join(each) for each in source.channels]
    names = list(skeleton.names)
    kept = {"joints": names, "channels": channels, "up": up, "unit": unit, "frame_time": source.frame_time_text}
    return {"extras": {_NAME: kept}}


def with_dialect(root: Entry, skeleton: Skeleton, source: Source) -> Source:
    """A source with the channels that a file keeps; as it is where the file keeps none, or none that hold for its joints."""
    extras = root.member("asset").value.get("extras")
    kept = extras.get(_NAME) if isinstance(extras, dict) else None
    if not isinstance(kept, dict) or kept.get("joints") != list(skeleton.names):
        return source
    channels, frame_time = kept.get("channels"), kept.get("frame_time")
    if not isinstance(channels, list) or not all(isinstance(each, str) for each in channels):
        return source
    read = tuple(tuple(each.split()) for each in channels)
    if len(read) != len(skeleton) or any(len({*each} & {*CHANNELS}) < len(each) for each in read):
        return source
    try:
        axes = (check_up(kept.get("up", "")), check_unit(kept.get("unit", "")))
    except (InputError, TypeError):
        return source
    return replace(
        source, channels=read, channel_axes=axes, frame_time_text=frame_time if isinstance(frame_time, str) else ""
    )
