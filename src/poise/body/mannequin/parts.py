"""What a mannequin is put together from: sweeps with elliptic cross-sections, and the bones that move the skin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math.cubic import monotone_cubic

__all__ = ["Bone", "Part", "PartArrays", "ball", "pack", "sweep"]

Array = NDArray[np.float64]

_SAMPLES = 33
_FREE = np.array([0.0, 0.0, 0.0, 1.0])
"""A cut that takes nothing away."""


@dataclass(frozen=True, eq=False)
class Part:
    """A solid swept along a straight axis; solids merge softly, in the order they are listed.

    Args:
        start: First end of the axis [m], shape (3,).
        end: Second end of the axis [m], shape (3,).
        across: Direction of the widths; made perpendicular to the axis, shape (3,).
        profile: Half width, half depth and shift along axis × across [m] at even steps along the axis, shape (3, K).
        caps: How far the round caps reach beyond start and end [m].
        blend: Width over which it merges with the parts before it [m].
        cut: Plane (unit normal, distance) beyond which nothing of the part is left, shape (4,).
    """

    start: Array
    end: Array
    across: Array
    profile: Array
    caps: tuple[float, float]
    blend: float
    cut: Array


@dataclass(frozen=True, eq=False)
class Bone:
    """A line [m] that moves the skin around it with `joint`; of several lines the one nearest by its own radius [m] does."""

    joint: int
    start: Array
    end: Array
    radius: float = 1.0


def sweep(
    start: Array,
    end: Array,
    across: Array,
    rows: Sequence[tuple[float, ...]],
    blend: float,
    *,
    caps: tuple[float, float] | None = None,
    cut: Array | None = None,
) -> Part:
    """A part from rows (place along the axis 0…1, half width, half depth, shift along axis × across), shift optional.

    Sections are joined by monotone cubics. Caps are as high as the section's smaller half unless given.
    """
    table = np.array([(*row, 0.0)[:4] for row in rows], dtype=np.float64)
    places = np.linspace(0.0, 1.0, _SAMPLES)
    profile = np.ascontiguousarray(monotone_cubic(table[:, 0], table[:, 1:])(places).T)
    ends = caps or (float(profile[:2, 0].min()), float(profile[:2, -1].min()))
    return Part(start, end, across, profile, ends, blend, _FREE if cut is None else cut)


def ball(center: Array, along: Array, across: Array, halves: Sequence[float] | Array, blend: float) -> Part:
    """An ellipsoid with half axes along `along`, `across` and along × across."""
    height, width, depth = (float(half) for half in halves)
    tiny = 1e-4 * height * along / np.linalg.norm(along)
    return sweep(
        center - tiny, center + tiny, across, [(0, width, depth), (1, width, depth)], blend, caps=(height, height)
    )


@dataclass(frozen=True, eq=False)
class PartArrays:
    """Parts as the kernels take them (see `_kernels`), and the box [m] around each, low and high corners (P, 2, 3)."""

    frames: Array
    profiles: Array
    cuts: Array
    boxes: Array

    @property
    def thickness(self) -> Array:
        """Smallest half section of each part [m], shape (P,)."""
        return np.asarray(self.profiles[:, :2].min(axis=(1, 2)))


def pack(parts: Sequence[Part]) -> PartArrays:
    """The parts as plain arrays."""
    frames, boxes = np.zeros((len(parts), 18)), np.zeros((len(parts), 2, 3))
    for row, part in enumerate(parts):
        axis = part.end - part.start
        length = float(np.linalg.norm(axis))
        axis = axis / length
        across = part.across - (part.across @ axis) * axis
        across = across / np.linalg.norm(across)
        reach = float((part.profile[:2].max(axis=0) + np.abs(part.profile[2])).max())
        frames[row] = np.concatenate(
            [part.start, axis, across, np.cross(axis, across), [length, *part.caps, part.blend, reach, 0.0]]
        )
        # An axis that runs along x adds its caps there and its sections across it.
        spread = reach * np.sqrt(1.0 - np.minimum(axis**2, 1.0))
        tips = np.array([part.start - part.caps[0] * axis, part.end + part.caps[1] * axis, part.start, part.end])
        boxes[row] = tips.min(axis=0) - spread, tips.max(axis=0) + spread
    frames[:, 17] = _margins(frames[:, 15], boxes)
    profiles = np.array([part.profile for part in parts])
    return PartArrays(frames, profiles, np.array([part.cut for part in parts]), boxes)


def _margins(blends: Array, boxes: Array) -> Array:
    """Distance up to which each part can matter: 1.6 times the widest blend with a part after it.

    More than once, since where three parts meet the surface may lie away from every one of them.
    """
    wide = 1.6 * blends
    low, high = boxes[:, 0] - wide[:, None], boxes[:, 1] + wide[:, None]
    meet = np.all((low[:, None] < high[None]) & (low[None] < high[:, None]), axis=-1)
    later = np.triu(np.ones(meet.shape, dtype=bool))
    return np.asarray(np.where(meet & later, wide[None], 0.0).max(axis=1))
