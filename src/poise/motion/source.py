"""What must be remembered of a file so that the same dialect can be written again."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

__all__ = ["Source"]


@dataclass(frozen=True, kw_only=True)
class Source:
    """The dialect a clip was read from. `io` fills it in and reads it when writing; nobody else needs it."""

    path: str = ""
    """File the clip came from, as given by the user."""
    format: str = ""
    """Name of the reader, such as "bvh"."""
    metres_per_unit: float = 1.0
    """Length of the file's unit [m]."""
    up_axis: str = "z"
    """The file's up axis: "x", "y" or "z"."""
    unit_reason: str = ""
    """Why this unit was chosen, in words."""
    up_reason: str = ""
    """Why this up axis was chosen, in words."""
    channels: tuple[tuple[str, ...], ...] = field(default=())
    """Per joint, the file's channel names in order (BVH)."""
    channel_axes: tuple[str, float] | None = None
    """Up axis and unit [m] of a BVH file's numbers, where the clip came from there by way of a file with other ones."""
    first_row: tuple[float, ...] = ()
    """The file's first row of channel values, so that angles are written in the same turn and solution (BVH)."""
    rows: NDArray[np.float64] | None = field(default=None, compare=False, repr=False)
    """All of the file's channel values, (T, C): what the motion still has of them is written back to the digit (BVH)."""
    frame_time_text: str = ""
    """The frame time as the file printed it, so that it is written back unchanged."""
    hierarchy: tuple[tuple[str, str], ...] = ()
    """Each joint of the file and what it hangs on there, in the file's order; only where `poise.motion.ik_rig` changed that."""
    mirrored: str = ""
    """The axis of Poise ("x", "y", "z") that was turned round, since the file's data are left-handed; else ""."""
    notes: tuple[str, ...] = ()
    """What the reader found odd and how it took it, one line each."""
