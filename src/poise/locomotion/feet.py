"""Where a foot goes on uneven ground, frame by frame: locked while it stands, clear of the ground while it swings.

What is added to the clip's foot is smooth: three rotation components for the slope, three that lay the sole flat, three for
the place. Each is fixed while the foot stands and otherwise the smoothest curve there is (`curves.smoothest`); a smooth
lift on top of it keeps the swinging sole over whatever lies under it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.locomotion.curves import smoothest
from poise.locomotion.footholds import Foothold
from poise.locomotion.soles import BALL, HEEL, Sole
from poise.locomotion.stances import Stance
from poise.math import quat
from poise.signals import Ground

__all__ = ["FootTrack", "track_foot"]

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

_TIME = 0.15
"""Unit of time of the curves, about a third of a swing [s]."""
_LAY_TIME = 0.1
"""Within about this time a foot that does not lie flat returns to the clip's orientation [s]."""
_LIFT_TIME = 0.12
"""Unit of time of what is added to clear the ground [s]."""
_ROLL = 1000.0
"""How much more strongly than to the clip's orientation a foot on heel or ball alone turns to stand on its whole width."""
_FADE_TIME = 0.15
"""Time over which a foot forgets how it lay in the clip while ours lies flat [s]."""
_SINKS = 0.0035
"""How deep an edge of a standing sole may be in the ground [m]."""
_LIFT_OFF = 30.0
"""A foot leaves and lands with at most this acceleration [m/s²]; what it then does not clear it cuts."""
_CLEARANCE = 0.015
"""A swinging sole stays this far above the ground [m]; the clearance grows from nothing over `_GROWS`."""
_GROWS = 0.1
_CUTS = 0.005
"""What a swinging sole may cut without being led another way [m]."""
_WAYS = (-0.02, -0.04, 0.02, -0.06, 0.04, -0.09, 0.06, -0.12, 0.09, 0.12)
"""Shifts along the foot that are tried, shortest first, back before on [m]."""
_WAY_TIME = 0.06
"""Unit of time of the shift [s]."""
_BETWEEN = 4
"""Places looked at between two frames of a swing, so that no edge is passed unseen."""


@dataclass(frozen=True, eq=False)
class FootTrack:
    """Where a foot's joint is to be [m], shape (T, 3), and how it is to be turned, wxyz, shape (T, 4)."""

    positions: Array
    rotations: Array


def track_foot(
    ground: Ground,
    sole: Sole,
    stances: Sequence[Stance],
    footholds: Sequence[Foothold],
    clip: FootTrack,
    rate: float,
) -> FootTrack:
    """The track of one foot on the ground.

    Args:
        ground: What it walks on.
        sole: Its sole.
        stances: When it stands.
        footholds: Where, one per stance.
        clip: Its track on flat ground.
        rate: Frames per second [Hz].
    """
    standing = np.zeros(len(clip.positions), dtype=bool)
    for stance in stances:
        standing[stance.frames] = True
    if not stances:
        return clip
    rotations = _rotations(sole, stances, footholds, clip.rotations, standing, rate)
    fixed = np.zeros((len(standing), 3))
    for stance, foothold in zip(stances, footholds, strict=True):
        locked = _locked(ground, sole, stance, foothold, rotations[stance.frames], rate)
        fixed[stance.frames] = locked - clip.positions[stance.frames]
    added = smoothest(rate, standing, fixed, time=_TIME)
    added += _kept_off(ground, sole, FootTrack(clip.positions + added, rotations), standing, rate)
    path = FootTrack(clip.positions + added, rotations)
    lift = np.where(
        standing, -np.inf, np.minimum(_needed_lift(ground, sole, path, standing, rate), _most(standing, rate))
    )
    none = np.zeros(len(standing))
    added[:, 2] += smoothest(rate, standing, none, time=_LIFT_TIME, weights=1.0, bounds=(lift, np.inf))
    return FootTrack(clip.positions + added, rotations)


def _rotations(
    sole: Sole, stances: Sequence[Stance], footholds: Sequence[Foothold], clip: Array, standing: Mask, rate: float
) -> Array:
    """The clip's foot, laid flat where heel and ball both stand and tilted with the slope while anything stands."""
    lain, tilts, flat = np.zeros((len(clip), 3)), np.zeros((len(clip), 3)), np.zeros(len(clip), dtype=bool)
    for stance, foothold in zip(stances, footholds, strict=True):
        tilts[stance.frames] = quat.log(foothold.tilt)
        level = quat.mul(quat.conj(foothold.tilt), quat.mul(foothold.rotation, quat.conj(sole.turn)))
        flat[stance.frames] = stance.flat
        rolled = _unrolled(level, sole, stance, clip[stance.frames], rate)
        lain[stance.frames] = quat.log(quat.mul(rolled, quat.conj(clip[stance.frames])))
    weights = np.where(standing, _ROLL, 1.0)
    laid = quat.mul(quat.exp(smoothest(rate, flat, lain, time=_LAY_TIME, weights=weights, wishes=lain)), clip)
    return np.asarray(quat.mul(quat.exp(smoothest(rate, standing, tilts, time=_TIME)), laid))


def _unrolled(level: Array, sole: Sole, stance: Stance, clip: Array, rate: float) -> Array:
    """The clip's foot without its roll about its own length, so that heel or ball stands on its whole width, (n, 4).

    It goes on from lying flat as the clip goes on from how it lay then; what it did not lie flat by fades. On the heel
    alone its toes point up at least level, on the ball alone down, or the end that does not stand would sink.
    """
    flat = quat.mul(level, sole.turn)
    across, _ = quat.swing_twist(quat.mul(quat.conj(flat), quat.mul(clip, sole.turn)), np.array([1.0, 0.0, 0.0]))
    angles = quat.log(across)
    if stance.flat.any():
        frames, lying = np.arange(len(clip)), np.flatnonzero(stance.flat)
        nearest = lying[np.abs(frames[:, None] - lying).argmin(axis=1)]
        angles -= angles[nearest] * np.exp(-np.abs(frames - nearest) / (rate * _FADE_TIME))[:, None]
    angles[:, 1] = np.where(stance.ball, np.maximum(angles[:, 1], 0.0), np.minimum(angles[:, 1], 0.0))
    angles[stance.flat] = 0.0
    return np.asarray(quat.mul(quat.mul(flat, quat.exp(angles)), quat.conj(sole.turn)))


def _locked(ground: Ground, sole: Sole, stance: Stance, foothold: Foothold, rotations: Array, rate: float) -> Array:
    """Positions of the foot's joint that keep heel or ball where they stand, shape (n, 3)."""
    ends = sole.points(np.array([HEEL, BALL]), np.zeros(2))
    along = np.array([[end * sole.half[0], 0.0, 0.0] for end in (HEEL, BALL)])
    stand = foothold.position + quat.rotate(foothold.rotation, along)
    joints = stand - quat.rotate(rotations[:, None], ends)
    both = np.stack([stance.heel, stance.ball], axis=1).astype(np.float64)
    joints = np.sum(joints * both[..., None], axis=1) / both.sum(axis=1)[:, None]
    times = np.arange(stance.first, stance.last + 1) / rate
    place = np.broadcast_to(foothold.position[:2], (len(times), 2))
    middle = 0.5 * (stance.first + stance.last) / rate
    moved = ground.height(place, times) - ground.height(foothold.position[None, :2], np.array([middle]))
    joints[:, 2] += np.where(np.isfinite(moved), moved, 0.0)
    # A foot that stands on its edge would sink its other edge.
    corners = sole.points(np.repeat([HEEL, BALL], 2), np.tile([-0.9, 0.9], 2))
    corners = joints[:, None] + quat.rotate(rotations[:, None], corners)
    heights = ground.height(corners[..., :2], np.broadcast_to(times[:, None], corners.shape[:2]))
    sunk = np.fmax.reduce(heights - corners[..., 2], axis=1, initial=0.0)
    joints[:, 2] += np.maximum(sunk - _SINKS, 0.0)
    return np.asarray(joints)


def _needed_lift(ground: Ground, sole: Sole, path: FootTrack, standing: Mask, rate: float) -> Array:
    """How much higher the foot must go for its sole to clear the ground, shape (T,)."""
    count = len(standing)
    fine = np.linspace(0.0, count - 1.0, (count - 1) * _BETWEEN + 1)
    below = np.floor(fine).astype(int).clip(max=max(count - 2, 0))
    share = fine - below
    above = np.minimum(below + 1, count - 1)
    places = path.positions[below] + share[:, None] * (path.positions[above] - path.positions[below])
    turns = quat.slerp(path.rotations[below], path.rotations[above], share)
    points = places[:, None] + quat.rotate(turns[:, None], sole.grid())
    # Toes bend: they are never lower than the ball.
    points[:, 18:, 2] = np.maximum(points[:, 18:, 2], points[:, 15:18, 2])
    heights = ground.height(points[..., :2], np.broadcast_to((fine / rate)[:, None], points.shape[:2]))
    need = np.nanmax(np.where(np.isnan(heights), -np.inf, heights) - points[..., 2], axis=1)
    away = np.interp(fine, np.arange(count), _away(standing) / rate)
    need = need + _CLEARANCE * np.minimum(away / _GROWS, 1.0)
    padded = np.pad(need, _BETWEEN - 1, mode="edge")
    return np.asarray(np.lib.stride_tricks.sliding_window_view(padded, 2 * _BETWEEN - 1)[::_BETWEEN].max(axis=1))


def _most(standing: Mask, rate: float) -> Array:
    """How far the foot can be lifted at most [m], shape (T,)."""
    return np.asarray(0.5 * _LIFT_OFF * (_away(standing) / rate) ** 2)


def _kept_off(ground: Ground, sole: Sole, path: FootTrack, standing: Mask, rate: float) -> Array:
    """Shift of a swinging foot back, or on, where it cannot be lifted over an edge in time [m], shape (T, 3).

    So toes do not cut the riser before a step just after they leave the ground or just before they land.
    """
    most = _most(standing, rate) + _CUTS
    short = ~standing & (_needed_lift(ground, sole, path, standing, rate) > most)
    shift = np.zeros((len(standing), 3))
    if not short.any():
        return shift
    ahead = quat.rotate(quat.mul(path.rotations, sole.turn), np.array([1.0, 0.0, 0.0])) * [1.0, 1.0, 0.0]
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    wanted = np.zeros(len(standing))
    for way in _WAYS:
        moved = FootTrack(path.positions + way * ahead, path.rotations)
        clear = short & (_needed_lift(ground, sole, moved, standing, rate) <= most)
        wanted[clear], short = way, short & ~clear
    none = np.zeros(len(standing))
    for sign in (-1.0, 1.0):
        least = np.where(standing | (sign * wanted <= 0.0), -np.inf, sign * wanted)
        if np.isfinite(least).any():
            curve = smoothest(rate, standing, none, time=_WAY_TIME, weights=1.0, bounds=(least, np.inf))
            shift += sign * curve[:, None] * ahead
    return shift


def _away(standing: Mask) -> Array:
    """Frames to the nearest one in which the foot stands, shape (T,)."""
    frames = np.arange(len(standing))
    stood = np.flatnonzero(standing)
    at = np.searchsorted(stood, frames)
    before = frames - stood[np.maximum(at - 1, 0)]
    after = stood[np.minimum(at, len(stood) - 1)] - frames
    away = np.where(at == 0, after, np.where(at == len(stood), before, np.minimum(before, after)))
    return np.asarray(away, dtype=np.float64)
