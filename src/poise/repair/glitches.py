"""Moments in which tracking was lost: teleports, rotation pops and frames at the origin, and where a take jumps for good.

A body does not move so that a step of its pelvis differs by more than 5.5 times its own reach a second (5 m/s of a person), or
one of a joint by more than 2500 degrees/s, from those around it (a pitcher's shoulder turns at 7000 degrees/s, but gathers that
over more than three frames of 120 Hz). A cartoon's giant hops as much farther as it is taller.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.edit import travelling_joint
from poise.repair.steps import Flags, bad_steps, pieces

__all__ = ["Glitches", "find_glitches"]

Array = NDArray[np.float64]

_FASTEST, _SHORTEST = 5.5, 0.055
"""Sudden change of speed [reaches/s], and of a step [reaches], from which on a body was not tracked."""
_QUICKEST, _SMALLEST = np.radians(2500.0), np.radians(50.0)
"""The same for a joint [rad/s], [rad]."""
_FEWEST = 8
"""Shorter clips do not say what is ordinary."""
_POSES, _STRETCHED = 15, 0.75
"""How many poses tell how far a body reaches, and which of them, in order of that."""
_STILL, _ROUNDING = 1e-9, 1e-9
_AWAY = np.radians(20.0)
"""How far some joint must be turned before and after a frame of zeros, so that it is not on the way."""


@dataclass(frozen=True, eq=False)
class Glitches:
    """What was found in a clip.

    Args:
        frames: Whole frames that are lost, shape (T,).
        joints: Rotations of joints that are lost, shape (T, J); whole frames are among them.
        jumps: Frames from which on the body is elsewhere, and by how much over the ground [m], shape (2,).
        off: By how much each lost frame is off [m], shape (T,).
    """

    frames: Flags
    joints: Flags
    jumps: tuple[tuple[int, Array], ...]
    off: Array

    def __bool__(self) -> bool:
        return bool(self.joints.any() or self.jumps)


def find_glitches(clip: Clip) -> Glitches:
    """Look for moments in which tracking was lost."""
    count, joints = len(clip), len(clip.skeleton)
    nothing = Glitches(np.zeros(count, bool), np.zeros((count, joints), bool), (), np.zeros(count))
    if count < _FEWEST:
        return nothing
    carrier = travelling_joint(clip)
    course = _course(clip, carrier)
    most = max(_SHORTEST, _FASTEST / clip.rate) * _reach(clip, carrier)
    body = pieces(course, bad_steps(np.diff(course, axis=0)[:, None], most)[:, 0], most, clip.rate)
    frames = body.lost | _at_zero(clip)
    turned = np.tile(frames[:, None], (1, joints))
    largest = max(_SMALLEST, _QUICKEST / clip.rate)
    bad = _bad_turns(clip.rotations, largest)
    for joint in np.flatnonzero(bad.any(axis=0)):
        found = pieces(_unrolled(clip.rotations[:, joint]), bad[:, joint], largest, clip.rate)
        turned[:, joint] |= found.lost
        for jump in found.jumps:
            turned[_around(jump, clip), joint] = True
    jumps = []
    for jump in body.jumps:
        jumps.append((jump, (course[jump] - course[jump - 1])[:2]))
        frames[_around(jump, clip)] = turned[_around(jump, clip)] = True
    off = np.where(frames, np.linalg.norm(course - _median_course(course, frames), axis=1), 0.0)
    return Glitches(frames, turned, tuple(jumps), off)


def _bad_turns(rotations: Array, most: float) -> Flags:
    """Which steps of joints (T, J, 4) turn by more than `most` [rad] beyond what is ordinary around them, shape (T-1, J)."""
    bad = np.zeros((len(rotations) - 1, rotations.shape[1]), bool)
    # Half of it in one step at least: most joints never turn so far, and logarithms are dear.
    halves = np.abs(np.einsum("tji,tji->tj", rotations[:-1], rotations[1:]))
    quick = np.flatnonzero(halves.min(axis=0) < np.cos(0.25 * min(most, 2.0 * np.pi)) + _ROUNDING)
    some = rotations[:, quick]
    bad[:, quick] = bad_steps(quat.log(quat.mul(quat.conj(some[:-1]), some[1:])), most)
    return bad


def _course(clip: Clip, carrier: int) -> Array:
    """Where the joint that carries the body is in the world, shape (T, 3), along the path from the root alone."""
    local, place = clip.local_positions(), np.zeros((len(clip), 3))
    turn = np.tile(quat.IDENTITY, (len(clip), 1))
    for joint in clip.skeleton.path(carrier):
        place = place + quat.rotate(turn, local[:, joint])
        turn = quat.mul(turn, clip.rotations[:, joint])
    return place


def _reach(clip: Clip, carrier: int) -> float:
    """How far a body reaches from the joint that carries it [m], in a stretched one of its poses: about a person's leg."""
    body = clip.skeleton.descendants(carrier)
    if 2 * len(body) < len(clip.skeleton):  # Some limb is all that is moved.
        body = np.setdiff1d(np.arange(len(clip.skeleton)), clip.skeleton.path(carrier)[:-1]).tolist()
    some = np.linspace(0, len(clip) - 1, min(len(clip), _POSES)).astype(np.int64)
    positions, _ = clip.with_motion(clip.rotations[some], clip.translations[some]).world_positions()
    far = np.linalg.norm(positions[:, body] - positions[:, carrier, None], axis=-1).max(axis=1)
    return float(np.quantile(far, _STRETCHED)) or np.inf


def _median_course(course: Array, lost: Flags) -> Array:
    good = np.flatnonzero(~lost)
    if not len(good):
        return course
    frames = np.arange(len(course))
    return np.stack([np.interp(frames, good, course[good, axis]) for axis in range(3)], axis=1)


def _at_zero(clip: Clip) -> Flags:
    """Frames of nothing but zeros within a take that is elsewhere: a tracker that had nothing to say."""
    zero, found = (np.abs(np.abs(clip.rotations[..., 0]) - 1.0) < _STILL).all(axis=1), np.zeros(len(clip), bool)
    if not zero.any():
        return found
    turned = 2.0 * np.arccos(np.clip(np.abs(clip.rotations[..., 0]), 0.0, 1.0))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], zero, [False]]).astype(np.int8)))
    for start, stop in zip(edges[::2], edges[1::2], strict=True):
        beside = [frame for frame in (start - 1, stop) if 0 <= frame < len(clip)]
        if len(beside) == 2 and min(turned[frame].max() for frame in beside) > _AWAY:
            found[start:stop] = True
    return found


def _unrolled(rotations: Array) -> Array:
    """Quaternions (T, 4) so scaled that a small distance is the angle [rad] between them."""
    return 2.0 * rotations


def _around(jump: int, clip: Clip) -> slice:
    """The frames that are bridged where a course goes on elsewhere."""
    reach = max(1, round(0.05 * clip.rate))
    return slice(max(jump - reach, 1), min(jump + reach, len(clip) - 1))
