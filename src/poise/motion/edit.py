"""Cutting, resampling and repeating clips."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError
from poise.math import quat
from poise.math.spline import PositionSpline, RotationSpline
from poise.motion.clip import Clip
from poise.motion.pose import forward_kinematics
from poise.motion.seam import Motion, join

__all__ = [
    "RootMotion",
    "follow",
    "loop",
    "motion_start",
    "place",
    "resample",
    "rest_frame",
    "retime",
    "root_motion",
    "travelling_joint",
    "trim",
]

Array = NDArray[np.float64]

_UP = np.array([0.0, 0.0, 1.0])

_NEAR_BIND = np.radians(30.0)
"""No joint but the root is turned farther than this in a rest pose [rad]."""

_REST_JUMP = np.radians(15.0)
"""A step below this is ordinary motion at a low frame rate [rad]."""

_SETTLED = np.radians(3.0)
"""A step below this is ordinary motion even after a frame that stands still [rad]."""

_LEAD, _WINDOW = 10, 60
"""What is ordinary is told from the steps between these frames, behind a rest pose that a filter has smeared."""


@dataclass(frozen=True, eq=False)
class RootMotion:
    """Where a character goes, seen from above.

    Args:
        displacement: Horizontal way from frame 0 [m], shape (T, 2).
        heading: Turn about the up axis against the bind pose [rad], continuous over time, shape (T,).
    """

    displacement: Array
    heading: Array


def trim(clip: Clip, start: int, stop: int) -> Clip:
    """Frames `start` up to but not including `stop`; raises `InputError` when they do not lie in the clip."""
    if not 0 <= start < stop <= len(clip):
        raise InputError(f"cannot trim to frames {start}…{stop}; the clip {clip.name} has frames 0…{len(clip)}")
    return clip.with_motion(clip.rotations[start:stop], clip.translations[start:stop])


def place(clip: Clip, at: tuple[float, float] | None = None, turn: float = 0.0) -> Clip:
    """The whole clip turned about the vertical and moved over the ground.

    Args:
        clip: The motion; its root joint must have position channels.
        at: Where the joint that travels starts, seen from above [m]; None leaves it where it is.
        turn: Angle about the vertical through that joint at frame 0 [rad], positive to the left.

    Raises:
        InputError: The root has no position channels.
    """
    if 0 not in clip.translated:
        raise InputError(f"the clip {clip.name} cannot be placed: its root joint has no position channels")
    root = int(np.flatnonzero(clip.translated == 0)[0])
    _, positions = forward_kinematics(clip.skeleton, clip.rotations[:1], clip.local_positions()[:1])
    pivot = positions[0, travelling_joint(clip)] * np.array([1.0, 1.0, 0.0])
    there = pivot if at is None else np.array([at[0], at[1], 0.0])
    about = quat.exp(turn * _UP)
    rotations, translations = clip.rotations.copy(), clip.translations.copy()
    rotations[:, 0] = quat.mul(about, rotations[:, 0])
    translations[:, root] = there + quat.rotate(about, translations[:, root] - pivot)
    return clip.with_motion(rotations, translations)


def resample(clip: Clip, rate: float) -> Clip:
    """The same motion at `rate` frames per second [Hz], along curves with continuous acceleration.

    The first frame stays; the last one is the last that fits into the clip's duration.

    Raises:
        InputError: The rate is not positive.
    """
    if not (np.isfinite(rate) and rate > 0):
        raise InputError(f"the frame rate must be positive; got {rate}")
    count = int(np.floor(clip.duration * rate + 1e-6)) + 1
    return retime(clip, np.minimum(np.arange(count) / rate, clip.duration), rate)


def retime(clip: Clip, times: Array, rate: float) -> Clip:
    """What the clip shows at `times` (T,) [s], at `rate` frames per second, along curves with continuous acceleration."""
    return clip.with_motion(
        RotationSpline(clip.times, clip.rotations)(times),
        PositionSpline(clip.times, clip.translations)(times),
        rate=rate,
    )


def root_motion(clip: Clip, joint: int = 0) -> RootMotion:
    """Horizontal displacement and heading of `joint` at every frame."""
    rotations, positions = clip.world()
    return RootMotion(positions[:, joint, :2] - positions[0, joint, :2], np.unwrap(_yaw(rotations[:, joint])))


def travelling_joint(clip: Clip) -> int:
    """The joint that carries the character through the world: the first that moves, joint 0 where none does.

    In some files the root stays at the origin and the hips below it travel. Controls of feet and knees, which stand before the
    hips in some rigs, travel too but carry little: what bears less than half of what another one bears does not count.
    """
    moving = clip.translated[np.ptp(clip.translations, axis=0).max(axis=-1, initial=0.0) > 1e-6]
    borne = np.ones(len(clip.skeleton))
    for joint in range(len(clip.skeleton) - 1, 0, -1):
        borne[clip.skeleton.parents[joint]] += borne[joint]
    bearing = moving[borne[moving] >= 0.5 * borne[moving].max(initial=0.0)]
    return int(next(iter(bearing), 0))


def rest_frame(clip: Clip) -> bool:
    """Whether frame 0 is a rest pose put before the motion, as conversions of CMU clips have it."""
    return motion_start(clip) > 0


def motion_start(clip: Clip) -> int:
    """The first frame of the motion itself: 0, or what comes after a rest pose put before it.

    Such a clip begins near its bind pose, and in the first step some joint turns much farther than is usual in the
    clip. Where a filter has smeared the jump over a few frames, the motion starts when the steps are usual again.
    """
    window = clip.rotations[: _WINDOW + 1]
    steps = quat.angle_between(window[:-1], window[1:]).max(axis=1)
    if len(steps) <= _LEAD or quat.angle_between(clip.rotations[0, 1:], quat.IDENTITY).max(initial=0.0) > _NEAR_BIND:
        return 0
    usual = float(np.median(steps[_LEAD:]))
    if steps[0] < max(_REST_JUMP, 4.0 * usual):
        return 0
    return int(np.argmax(steps <= max(_SETTLED, 1.5 * usual)))


def loop(clip: Clip, cycles: int, *, blend: float = 0.25, joint: int | None = None) -> Clip:
    """Repeat a cyclic clip, going on from where each cycle ends.

    The last frame is taken as the first one of the next cycle, so the result has `cycles * (T - 1) + 1` frames. From
    cycle to cycle the character moves on by the clip's horizontal displacement and turn; its height stays. Where the
    last pose differs from the first, or the velocity jumps more than is usual in the clip, half is taken out at each
    end, fading to nothing over `blend` seconds (`poise.motion.seam.join`).

    Args:
        clip: One cycle, at least two frames.
        cycles: How often to play it, at least once.
        blend: Time on each side of the seam over which the pose is adjusted [s]; at most half the cycle is used.
        joint: The joint that carries the displacement; by default `travelling_joint`.

    Raises:
        InputError: Too few frames or cycles, a negative blend, or `joint` is neither the root nor has positions.
    """
    if len(clip) < 2 or cycles < 1:
        raise InputError(f"a loop needs at least 2 frames and 1 cycle; got {len(clip)} and {cycles}")
    if not (np.isfinite(blend) and blend >= 0.0):
        raise InputError(f"the blend time must not be negative; got {blend}")
    carrier = travelling_joint(clip) if joint is None else joint
    translated = np.union1d(clip.translated, [0])
    if carrier not in translated:
        raise InputError(f"joint {carrier} has no positions, so it cannot carry the displacement")
    rotations, positions = _carried_in_world(clip, carrier)
    step = _Step.of(rotations[:, carrier], positions[:, carrier])
    cycle = _closed((rotations, positions), step, carrier, round(blend * clip.rate))
    pieces = [cycle]
    for _ in range(cycles - 1):
        pieces.append(step.moved(pieces[-1], carrier))
    rotations, positions = (
        np.concatenate([*(piece[part][:-1] for piece in pieces), pieces[-1][part][-1:]]) for part in (0, 1)
    )
    _carried_by_parent(clip, carrier, rotations, positions)
    return replace(clip, rotations=rotations, translations=positions[:, translated], translated=translated)


def follow(before: Clip, after: Clip, *, blend: float = 0.3) -> Clip:
    """One clip and then another, which goes on from where the first ends, in its place and heading.

    The last frame of the first and the first of the second are the same instant; cut both where the same foot does the same
    thing. Half of what they differ by in pose and velocity is taken out at each end (`poise.motion.seam.join`).

    Args:
        before: The first; its root has position channels.
        after: The second, on the same skeleton and at the same rate.
        blend: Time on each side over which the motion is adjusted [s].

    Raises:
        InputError: Skeletons or rates differ, or a root has no position channels.
    """
    if before.skeleton.names != after.skeleton.names or abs(before.rate - after.rate) > 1e-3 * before.rate:
        raise InputError(f"{after.name} cannot follow {before.name}: skeletons or rates differ")
    carrier = travelling_joint(before)
    motions = [_carried_in_world(each, carrier) for each in (before, after)]
    turn = quat.from_axis_angle(
        _UP, float(np.subtract(*(_yaw(q[at, carrier]) for (q, _), at in zip(motions, (-1, 0), strict=True))))
    )
    ends = [positions[at, carrier] * [1.0, 1.0, 0.0] for (_, positions), at in zip(motions, (-1, 0), strict=True)]
    onto = _Step(turn, ends[0] - quat.rotate(turn, ends[1]))
    translated = np.union1d(np.union1d(before.translated, after.translated), [0, carrier])
    pieces = join(motions[0], onto.moved(motions[1], carrier), round(blend * before.rate))
    rotations, positions = (np.concatenate([pieces[0][part], pieces[1][part][1:]]) for part in (0, 1))
    _carried_by_parent(before, carrier, rotations, positions)
    return replace(before, rotations=rotations, translations=positions[:, translated], translated=translated)


@dataclass(frozen=True, eq=False)
class _Step:
    """The rigid horizontal motion from one cycle to the next: a turn about the up axis, then a shift."""

    turn: Array
    shift: Array

    @classmethod
    def of(cls, rotations: Array, positions: Array) -> _Step:
        """The step from the first to the last frame of the carrier's world motion, (T, 4) and (T, 3)."""
        heading = np.unwrap(_yaw(rotations))
        turn = quat.from_axis_angle(_UP, heading[-1] - heading[0])
        return cls(turn, (positions[-1] - quat.rotate(turn, positions[0])) * [1.0, 1.0, 0.0])

    def inverse(self) -> _Step:
        back = quat.conj(self.turn)
        return _Step(back, -quat.rotate(back, self.shift))

    def moved(self, motion: Motion, carrier: int) -> Motion:
        """The motion with its carrier, which is given in the world, moved by this step."""
        rotations, positions = motion[0].copy(), motion[1].copy()
        rotations[:, carrier] = quat.mul(self.turn, rotations[:, carrier])
        positions[:, carrier] = quat.rotate(self.turn, positions[:, carrier]) + self.shift
        return rotations, positions


def _carried_in_world(clip: Clip, carrier: int) -> Motion:
    """A clip with its carrier in the world, everything else against its parent."""
    rotations, positions = clip.rotations.copy(), clip.local_positions()
    for local, world in zip((rotations, positions), clip.world(), strict=True):
        local[:, carrier] = world[:, carrier]
    return rotations, positions


def _carried_by_parent(clip: Clip, carrier: int, rotations: Array, positions: Array) -> None:
    """The way back, in place."""
    if carrier:
        parent = int(clip.skeleton.parents[carrier])
        above_q, above_p = forward_kinematics(clip.skeleton, rotations, positions)
        back = quat.conj(above_q[:, parent])
        rotations[:, carrier] = quat.mul(back, rotations[:, carrier])
        positions[:, carrier] = quat.rotate(back, positions[:, carrier] - above_p[:, parent])


def _closed(cycle: Motion, step: _Step, carrier: int, frames: int) -> Motion:
    """The cycle with an end that meets its own beginning, moved on by one step, in pose and velocity."""
    end, start = join(cycle, step.moved(cycle, carrier), frames)
    start = step.inverse().moved(start, carrier)
    half = len(cycle[0]) // 2
    return np.concatenate([start[0][:half], end[0][half:]]), np.concatenate([start[1][:half], end[1][half:]])


def _yaw(rotations: Array) -> Array:
    _, twist = quat.swing_twist(rotations, _UP)
    yaw: Array = 2.0 * np.arctan2(twist[..., 3], twist[..., 0])
    return yaw
