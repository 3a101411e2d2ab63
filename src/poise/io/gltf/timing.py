"""The frame rate of an animation whose keys stand at times of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError

__all__ = ["DEFAULT_RATE", "Grid", "choose_grid"]

Array = NDArray[np.float64]

DEFAULT_RATE = 30.0
"""Rate of what has one frame [Hz]."""
FALLBACK = 60.0
"""Rate at which keys at irregular times are sampled [Hz]."""
USUAL = (24.0, 25.0, 30.0, 48.0, 50.0, 60.0, 100.0, 120.0)
LOWEST, SMOOTH = 12.0, 24.0
"""Keys further apart than those of the first rate are sampled at least at the second [Hz]."""
HIGHEST = 1000.0
MAX_FRAMES = 1_000_000
OFF_FRAME = 0.02
"""Part of a frame by which a key may miss it."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Frames at `times` [s], `rate` a second, and notes on how they were chosen."""

    times: Array
    rate: float
    notes: tuple[str, ...] = ()


def _fits(keys: Array, rate: float, slack: float) -> bool:
    frames = (keys - keys[0]) * rate
    return rate <= HIGHEST and bool((np.abs(frames - np.round(frames)) <= OFF_FRAME + slack * rate).all())


def _rate(keys: Array, slack: float, stated: float | None) -> tuple[float, tuple[str, ...]]:
    span = float(keys[-1] - keys[0])
    if stated is not None and _fits(keys, stated, slack) and round(span * stated) >= 1:
        return stated, ()
    smallest = float(np.diff(keys).min())
    own = max(1, round(span / smallest)) / span
    if abs(own - round(own)) <= 1e-5 * own:
        own = float(round(own))
    if _fits(keys, own, slack):
        if own >= LOWEST:
            return own, ()
        finer = own * np.ceil(SMOOTH / own)
        return finer, (f"the keys stand {1.0 / own:.4g} s apart; sampled at {finer:g} Hz",)
    usual = next((rate for rate in USUAL if _fits(keys, rate, slack)), None)
    if usual is not None:
        return usual, ()
    rate = max(1, round(span * FALLBACK)) / span
    return rate, (f"the keys stand at irregular times; sampled at {rate:.6g} Hz",)


def choose_grid(times: list[Array], stated: float | None, joints: int) -> Grid:
    """Evenly spaced frames from the first key to the last.

    Args:
        times: Key times of each channel [s], increasing.
        stated: The rate that the file itself names, taken where the keys agree.
        joints: How many joints there are; a clip that would be too big is refused.

    Raises:
        InputError: The clip would be too big.
    """
    keys = np.unique(np.concatenate(times)) if times else np.zeros(1)
    slack = max(1e-6, 4e-7 * float(np.abs(keys).max()))  # what 32 bits cannot tell apart
    keys = keys[np.concatenate([[True], np.diff(keys) > slack])]
    if len(keys) < 2:
        return Grid(
            keys, stated or DEFAULT_RATE, (f"the animation has one key; its rate is taken as {DEFAULT_RATE:g} Hz",)
        )
    rate, notes = _rate(keys, slack, stated)
    frames = round(float(keys[-1] - keys[0]) * rate) + 1
    if frames > MAX_FRAMES or frames * joints > 10 * MAX_FRAMES:
        raise InputError(
            f"the animation lasts {keys[-1] - keys[0]:.4g} s, {frames} frames of {joints} joints: too long"
        )
    return Grid(keys[0] + np.arange(frames) / rate, rate, notes)
