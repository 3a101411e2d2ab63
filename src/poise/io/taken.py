"""How a file's numbers are taken where it may be wrong about them: frames per second, and which hand its axes are of."""

from __future__ import annotations

from dataclasses import replace

from poise.errors import InputError
from poise.motion.clip import Clip
from poise.motion.mirrored import lateral_axis, look_at_handedness, mirror
from poise.motion.roles import guess_roles

__all__ = ["as_in_file", "check_rate", "right_handed", "with_rate"]

_SILENT = ("bvh", "asf")
"""Formats that do not say which hand their axes are of."""


def check_rate(rate: float) -> float:
    """The rate [Hz]; raises `InputError` unless motion may be recorded at it."""
    if not 1e-3 <= rate <= 1e5:
        raise InputError(f"the frame rate must lie between 0.001 and 100000 Hz; got {rate:g}")
    return rate


def with_rate(clip: Clip, rate: float | None) -> Clip:
    """The clip at `rate` frames per second [Hz], or as it is; raises `InputError` unless that is a positive number."""
    if rate is None:
        return clip
    check_rate(rate)
    notes = tuple(note for note in clip.source.notes if "--rate" not in note)
    return replace(clip, rate=rate, source=replace(clip.source, notes=notes))


def right_handed(clip: Clip, mirrored: bool | None) -> Clip:
    """The clip with left on the left.

    Args:
        clip: As its numbers say.
        mirrored: Whether they are left-handed; None for what toes and knees say, in formats that do not say it themselves.
    """
    if mirrored is False or clip.source.mirrored:
        return clip
    roles = guess_roles(clip.skeleton)
    if mirrored:
        axis = lateral_axis(clip, roles) if roles.joint("left_thigh") is not None and roles.joint("right_thigh") else 0
        return mirror(clip, axis)
    handedness = look_at_handedness(clip, roles)
    if not handedness.mirrored:
        return clip
    seen = (
        f"left and right are mirrored: in {100.0 * handedness.toes:.0f} % of the frames the toes point backwards, and "
        f"{100.0 * handedness.knees:.0f} % of the bent knees bend backwards"
    )
    silent = clip.source.format in _SILENT
    taken = (
        "read as left-handed data (--no-mirror takes them as they are)"
        if silent
        else "this format is right-handed (--mirror)"
    )
    clip = replace(clip, source=replace(clip.source, notes=(*clip.source.notes, f"{seen}; {taken}")))
    return mirror(clip, lateral_axis(clip, roles)) if silent else clip


def as_in_file(clip: Clip) -> Clip:
    """The clip as its file has it."""
    return mirror(clip, "xyz".index(clip.source.mirrored)) if clip.source.mirrored else clip
