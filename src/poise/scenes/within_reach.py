"""What arms meet of what stands beside a path, as the clip moves them, and what balls meet on their way to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.capsules import body_capsules
from poise.body.coordinates import body_frames, generalized_from_clip
from poise.characters.character import Character
from poise.scenes.ball_times import FLIGHT
from poise.world.props import Ball, Fence, Gate, Hanging, Plant, Prop
from poise.world.scene import SceneSpec

__all__ = ["Arms", "flies_free"]

Array = NDArray[np.float64]

_RATE = 60.0
"""Moments that are looked at [Hz]."""
_ALONG, _ALONG_A_BONE, _ALONG_A_FLIGHT = 9, 4, 40
"""Columns that stand for something long, points for a capsule, and places for a flight."""
_GRAZED = 0.01
"""What an arm only just touches gives way unnoticed [m]."""
_HALF = 0.5
"""How far something may reach into a ball that brushes it, in radii of the ball."""
_ROOM = 0.7
"""How near the pelvis may come to a ball that waits to be thrown, for a stature of 1.75 m [m]."""
_NEAR = 1.5
"""What is farther from the pelvis is not asked about, for a stature of 1.75 m [m]."""


@dataclass(frozen=True, eq=False)
class Arms:
    """Where a clip's arms are.

    Args:
        times: Moments [s], shape (T,).
        pelvis: Where the pelvis is over the ground [m], shape (T, 2).
        points: Points within the arms [m], shape (T, P, 3).
        radii: How thick the arm is around each [m], shape (P,).
        size: Of the body, 1 for a stature of 1.75 m.
    """

    times: Array
    pelvis: Array
    points: Array
    radii: Array
    size: float

    @classmethod
    def of(cls, character: Character) -> Arms:
        """The arms of a character as its clip has them."""
        plan, clip = character.plan, character.clip
        rows = np.arange(0, len(clip), max(1, round(clip.rate / _RATE)))
        frames = body_frames(plan, generalized_from_clip(plan, clip)[rows])
        capsules = body_capsules(plan, frames)
        names = [f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "hand")]
        arm = np.isin(capsules.bodies, plan.with_role(*names))
        between = np.linspace(0.0, 1.0, _ALONG_A_BONE)[:, None]
        points = capsules.starts[:, arm, None] * (1.0 - between) + capsules.ends[:, arm, None] * between
        radii = capsules.radii[arm].repeat(_ALONG_A_BONE)
        return cls(rows / clip.rate, frames.positions[:, 0, :2], points.reshape(len(rows), -1, 3), radii, plan.size)

    def first_meeting(self, prop: Prop) -> float:
        """When an arm is first where something stands, by more than it may be grazed [s]; infinite where that never is."""
        columns = _columns(prop)
        near = np.linalg.norm(self.pelvis - columns[:, :2].mean(axis=0), axis=1) < _NEAR * self.size
        points = self.points[near][:, :, None]
        apart = np.linalg.norm(points[..., :2] - columns[:, :2], axis=-1) - columns[:, 2] - self.radii[:, None]
        beside = (points[..., 2] > columns[:, 3]) & (points[..., 2] < columns[:, 4])
        met = (beside & (apart < -_GRAZED)).any(axis=(1, 2))
        return float(self.times[near][met.argmax()]) if met.any() else float("inf")

    def leave_alone(self, ball: Ball) -> bool:
        """Whether a ball that waits to be thrown is not run into."""
        before = self.pelvis[self.times < ball.time]
        return bool((np.linalg.norm(before - ball.position[:2], axis=1) > _ROOM * self.size).all())


def flies_free(ball: Ball, props: Sequence[Prop], gravity: float = SceneSpec.gravity) -> bool:
    """Whether a ball gets where it is thrown past everything that stands there; it may brush something."""
    times = np.linspace(0.0, FLIGHT - ball.radius / float(np.hypot(*ball.velocity[:2])), _ALONG_A_FLIGHT)[:, None]
    points = (
        np.array(ball.position) + times * np.array(ball.velocity) - 0.5 * gravity * times**2 * np.array([0.0, 0.0, 1.0])
    )
    for prop in props:
        columns = _columns(prop)
        apart = np.linalg.norm(points[:, None, :2] - columns[:, :2], axis=-1) - columns[:, 2]
        high, low = points[:, 2:] - columns[:, 3] > -ball.radius, points[:, 2:] - columns[:, 4] < ball.radius
        if (high & low & (apart < _HALF * ball.radius)).any():
            return False
    return True


def _columns(prop: Prop) -> Array:
    """Upright columns that fill what something takes up: x, y, radius, lower and upper end [m], shape (C, 5)."""
    x, y, z = prop.position
    if isinstance(prop, Hanging):
        across, middle = float(prop.size[0]), z - prop.rope
        high = float(prop.size[2] or across)
        if prop.ropes == 1:
            return np.array([[x, y, across, middle - high, middle + high]])
        return _row((x, y), prop.yaw, (-across, across), float(prop.size[1]), (middle - high, middle + high))
    if isinstance(prop, Fence):
        return _row((x, y), prop.yaw, (-0.5 * prop.width, 0.5 * prop.width), 0.02, (z, z + prop.height))
    if isinstance(prop, Gate):
        return _row((x, y), prop.yaw, (0.0, prop.width), 0.02, (z, z + prop.height))
    if isinstance(prop, Plant) and prop.direction[2] < 0.5:
        heading = float(np.arctan2(prop.direction[1], prop.direction[0]))
        row = _row((x, y), heading, (0.0, prop.length), prop.stem_radius, (z, z))
        row[:, 3:] += np.linspace(0.0, prop.direction[2] * prop.length, _ALONG)[:, None] + np.array([-0.05, 0.05])
        return row
    if isinstance(prop, Plant):
        top, crown = z + prop.length, prop.crown_radius
        return np.array([[x, y, prop.stem_radius, z, top], [x, y, 0.8 * crown, top - 0.6 * crown, top + 0.6 * crown]])
    return np.array([[x, y, 0.0, z, z]])


def _row(
    at: tuple[float, float], yaw: float, ends: tuple[float, float], radius: float, height: tuple[float, float]
) -> Array:
    """Columns in a row."""
    along = np.linspace(*ends, _ALONG)
    heading = np.array([np.cos(yaw), np.sin(yaw)])
    return np.column_stack([at + along[:, None] * heading, np.broadcast_to([radius, *height], (_ALONG, 3))])
