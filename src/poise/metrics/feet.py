"""What feet do to the floor: skate on it, sink into it, float above it.

The points are points of the soles (T, F, 3) [m], not ankles; `floor` is the height of the ground [m], one number or, on
uneven ground, the height under each point (T, F). A height is `h = z - floor`, `Δxy` a point's horizontal displacement
from one frame to the next. Every measure is per second or per fixed span of time, so a motion gives the same number at
any frame rate up to what sampling loses; where the published form counts frames, its docstring says how to get it.
A measure that has nothing to measure (one frame, no point, no contact) is NaN.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from poise.math.smoothing import running_mean
from poise.metrics._arrays import Array, Mask, checked, checked_mask, checked_rate, largest, mean, numbers

__all__ = [
    "Floating",
    "GroundPenetration",
    "floating",
    "foot_contacts",
    "ground_penetration",
    "heights",
    "penetrating_skate",
    "skating_ratio",
    "stance_speed",
    "weighted_skate",
    "weighted_steps",
]


@dataclass(frozen=True)
class GroundPenetration:
    """How deep points sank into the floor: `ground_penetration`."""

    mean_mm: float
    max_mm: float
    frames_percent: float


@dataclass(frozen=True)
class Floating:
    """How far above the floor the lowest point hung: `floating`."""

    mean_mm: float
    max_mm: float
    frames_percent: float


def heights(points: ArrayLike, floor: ArrayLike = 0.0) -> Array:
    """Height of the points above the floor [m], shape (T, F).

    Args:
        points: World positions [m], shape (T, F, 3).
        floor: Height of the ground [m], a number or one under each point, shape (T, F).

    Raises:
        InputError: A shape is wrong.
    """
    positions = checked("foot points", points, None, None, 3)
    ground = numbers("the floor", floor)
    if ground.ndim:
        ground = checked("the floor under the foot points", ground, *positions.shape[:2])
    return np.asarray(positions[..., 2] - ground)


def foot_contacts(points: ArrayLike, floor: ArrayLike = 0.0, *, height: float = 0.03) -> Mask:
    """Which points are on the ground, `h < height`, shape (T, F).

    3 cm above the lowest position is animsmith's stance; 5 cm is GMD's. A toe that swings past at 1–2 cm counts too, so
    pass planned contacts to the functions below where they are known.
    """
    return np.asarray(heights(points, floor) < height)


def _steps(points: ArrayLike) -> Array:
    """Horizontal displacement of each point between frames [m], shape (T - 1, F)."""
    positions = np.asarray(points, dtype=np.float64)
    return np.asarray(np.linalg.norm(np.diff(positions[..., :2], axis=0), axis=-1))


def _both(mask: Mask) -> Mask:
    """True where a frame and the next one are both true, shape (T - 1, F)."""
    return np.asarray(mask[:-1] & mask[1:])


def skating_ratio(
    points: ArrayLike,
    rate: float,
    floor: ArrayLike = 0.0,
    *,
    height: float = 0.05,
    speed: float = 0.5,
    window: float = 0.25,
) -> float:
    """Share of frame steps in which some point skates, 0 to 1.

    A point skates where `h < height` in both frames of the step and both its horizontal speed and the mean of that
    speed over a centred `window` exceed `speed`. Thresholds are those of the published code (5 cm, 0.5 m/s; its
    comment says 20 cm/s, its value is 0.5). Captured walks reach 0.2 to 0.3 (measured on Bandai-Namco, CMU and PFNN
    clips), as toes that swing past below 5 cm count.

    Source: Karunratanakul et al. 2023, Guided Motion Diffusion, `calculate_skating_ratio`. Two deviations: the window
    is 0.25 s, which is the code's 5 frames at its 20 Hz (pass `window=5 / rate` for 5 frames at any rate), rounded
    to an odd number of frames; and at the ends the mean is over the frames there are, where the code pads with zeros.

    Args:
        points: Points of the soles [m], shape (T, F, 3).
        rate: Frames per second [Hz].
        floor: Height of the ground [m], a number or shape (T, F).
        height: Contact below this height [m].
        speed: Skating above this speed [m/s].
        window: Span of the running mean [s].

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    rate = checked_rate(rate)
    touching = _both(heights(points, floor) < height)
    if touching.size == 0:
        return float("nan")
    speeds = _steps(points) * rate
    size = 2 * int(window * rate / 2.0) + 1
    running = running_mean(speeds, size)
    return mean((touching & (speeds > speed) & (running > speed)).any(axis=1))


def weighted_skate(points: ArrayLike, floor: ArrayLike = 0.0, *, height: float = 0.025) -> float:
    """Path a point slides near the floor, weighted by how near: `s = Σ ‖Δxy‖ (2 - 2^(h/H))` for `h < H` [m].

    The sum is over time, the mean over points; h is the mean of the step's two frames and h/H is clamped to 0…1, so a
    point in the floor weighs 1. H is 2.5 cm (MANN; 3.3 cm also occurs). A perfect foot gives 0; divide by the duration
    for m/s, by the number of steps for the published mean per frame.

    Source: Zhang et al. 2018, Mode-Adaptive Neural Networks for Quadruped Motion Control (which has v for ‖Δxy‖).

    Raises:
        InputError: A shape is wrong.
    """
    above = heights(points, floor)
    if above.shape[0] < 2 or above.shape[1] == 0:
        return float("nan")
    return mean(np.sum(weighted_steps(points, floor, height=height), axis=0))


def weighted_steps(points: ArrayLike, floor: ArrayLike = 0.0, *, height: float = 0.025) -> Array:
    """What `weighted_skate` sums: the weighted path of each point from each frame to the next [m], shape (T - 1, F).

    Raises:
        InputError: A shape is wrong.
    """
    above = heights(points, floor)
    weight = 2.0 - 2.0 ** np.clip((above[:-1] + above[1:]) / (2.0 * height), 0.0, 1.0)
    return np.asarray(_steps(points) * weight)


def penetrating_skate(
    points: ArrayLike, rate: float, floor: ArrayLike = 0.0, *, tolerance: float = 0.005, reference_rate: float = 30.0
) -> float:
    """Mean horizontal displacement of points that are in the floor in both frames of a step [mm per 1/30 s].

    Each step gives the mean ‖Δxy‖ of the points with `h <= -tolerance` in both frames, 0 where there are none; the
    result is the mean over steps. The order of 0.5 mm with physics
    and 1 to 2 mm without (PhysDiff, MDM).

    Source: Yuan et al. 2023, PhysDiff, "Skate", in PHC's form (5 mm tolerance). The published number is mm per frame;
    here it is scaled to a frame of 1/30 s, so at 30 Hz it is the published one (`reference_rate=rate` at any rate).

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    rate = checked_rate(rate)
    below = _both(heights(points, floor) <= -tolerance)
    if below.size == 0:
        return float("nan")
    count = np.maximum(below.sum(axis=1), 1)
    return 1000.0 * rate / reference_rate * mean(np.sum(_steps(points) * below, axis=1) / count)


def stance_speed(
    points: ArrayLike,
    rate: float,
    floor: ArrayLike = 0.0,
    *,
    contact: ArrayLike | None = None,
    height: float = 0.03,
    speed: float = 1.2,
) -> float:
    """Mean horizontal speed of points while they stand [m/s]; NaN where none ever stands.

    A point stands in a step where it is in contact in both frames: as `contact` (T, F) says, else where `h < height` and
    it is no faster than `speed`. Toes that swing past are as low as toes that stand, at 1 to 2 cm, but twice to three times
    as fast as the walker. What slides faster than `speed` is what `skating_ratio` counts. 0 for a planted foot; captured
    walks have 0.05 to 0.15, runs up to 0.5 (measured on Bandai-Namco, CMU, PFNN and other clips). NVIDIA's Kimodo
    benchmark reports the same quantity; animsmith does by height alone and warns above 0.3 m/s.

    Raises:
        InputError: A shape is wrong or the rate is not positive.
    """
    rate = checked_rate(rate)
    above, speeds = heights(points, floor), rate * _steps(points)
    if contact is not None:
        return mean(speeds[_both(checked_mask("contact", contact, *above.shape))])
    return mean(speeds[_both(above < height) & (speeds <= speed)])


def ground_penetration(points: ArrayLike, floor: ArrayLike = 0.0, *, tolerance: float = 0.005) -> GroundPenetration:
    """How deep points sink into the floor.

    `mean_mm` is the mean over frames of the mean depth `-h` of the points with `h < -tolerance` (0 for a frame without
    one), `frames_percent` the share of frames with one, `max_mm` the deepest `max(0, -h)` of all, without tolerance.
    The mean is of the order of 1 mm with physics and 10 mm without (PhysDiff, MDM; over mesh vertices).

    Source: Yuan et al. 2023, PhysDiff, "Penetrate", 5 mm tolerance. PHC's code measures depth from `floor - 5 mm`; here
    it is from the floor, so the two differ by the tolerance.

    Raises:
        InputError: A shape is wrong.
    """
    depth = -heights(points, floor)
    if depth.size == 0:
        return GroundPenetration(float("nan"), float("nan"), float("nan"))
    below = depth > tolerance
    per_frame = np.sum(depth * below, axis=1) / np.maximum(below.sum(axis=1), 1)
    deepest = max(0.0, largest(depth))
    return GroundPenetration(1000.0 * mean(per_frame), 1000.0 * deepest, 100.0 * mean(below.any(axis=1)))


def floating(
    points: ArrayLike, floor: ArrayLike = 0.0, *, grounded: ArrayLike | None = None, tolerance: float = 0.005
) -> Floating:
    """How far the lowest point hangs above the floor in frames that should touch it.

    The gap of a frame is `max(0, min over points of h)`; `mean_mm` and `max_mm` are over the frames in `grounded` (T,),
    all frames where it is None (then a jump counts as floating), and `frames_percent` is the share of them with a gap
    above `tolerance`. The mean is of the order of 3 mm with physics and 20 mm without
    (PhysDiff, MDM).

    Source: Yuan et al. 2023, PhysDiff, "Float", 5 mm tolerance; the mean here keeps gaps below the tolerance.

    Raises:
        InputError: A shape is wrong.
    """
    above = heights(points, floor)
    frames = np.ones(len(above), np.bool_) if grounded is None else checked_mask("grounded", grounded, len(above))
    if above.shape[1] == 0:
        return Floating(float("nan"), float("nan"), float("nan"))
    gap = np.maximum(0.0, above.min(axis=1))[frames]
    return Floating(1000.0 * mean(gap), 1000.0 * largest(gap), 100.0 * mean(gap > tolerance))
