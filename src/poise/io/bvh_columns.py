"""The motion's columns of a BVH file: positions and continuous angles in the order of the channels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.io.axes import Axes
from poise.io.bvh_text import axis_of, is_rotation
from poise.io.euler import from_euler, to_euler
from poise.math import quat
from poise.motion.clip import Clip

__all__ = ["POSITIONS", "ROTATIONS", "Columns"]

Array = NDArray[np.float64]

POSITIONS = ("Xposition", "Yposition", "Zposition")
ROTATIONS = ("Zrotation", "Yrotation", "Xrotation")
SAME_ANGLE = 1e-6
"""A joint with fewer than three rotation channels keeps them if they miss the motion by at most this [rad]."""
SAME_LENGTH = 1e-7
"""The same for positions [m]."""
ANGLE_DECIMALS = 6


def _angles(rotations: Array, order: Sequence[str]) -> Array | None:
    """Channel values [rad], shape (T, J, n), or None where n < 3 channels cannot represent a rotation (T, J, 4)."""
    axes = [axis_of(name) for name in order]
    angles = to_euler(rotations, axes)
    if len(axes) < 3 and float(quat.angle_between(rotations, from_euler(angles, axes)).max()) > SAME_ANGLE:
        return None
    return angles


def _first_angles(clip: Clip, channels: Sequence[tuple[str, ...]]) -> dict[int, Array]:
    """Rotation channel values [degrees] of the first row of the file the clip came from, by joint."""
    row = clip.source.first_row
    if clip.source.channels != tuple(channels) or len(row) != sum(map(len, channels)):
        return {}
    starts = np.cumsum([0, *map(len, channels)])
    return {
        joint: np.array([row[starts[joint] + i] for i, name in enumerate(names) if is_rotation(name)])
        for joint, names in enumerate(channels)
    }


def _as_in_file(angles: Array, first: Array | None) -> Array:
    """The same rotations in the solution and turn of the file's first row; angles [degrees], shape (T, n).

    Three angles (a, b, c) about different axes and (a + 180, 180 - b, c + 180) are the same rotation.
    """
    if first is None or first.shape != angles.shape[1:]:
        return angles
    solutions = [angles]
    if angles.shape[1] == 3:
        solutions.append(np.stack([angles[:, 0] + 180.0, 180.0 - angles[:, 1], angles[:, 2] + 180.0], axis=1))
    moved = [each + 360.0 * np.round((first - each[0]) / 360.0) for each in solutions]
    return min(moved, key=lambda each: float(np.abs(each[0] - first).sum()))


class Columns:
    """The motion's columns, joint by joint, with the channels extended where they cannot hold the motion."""

    def __init__(self, clip: Clip, channels: list[tuple[str, ...]], axes: Axes, *, keep_turns: bool = True) -> None:
        self._first = _first_angles(clip, channels) if keep_turns else {}
        self.channels = channels
        self.notes: list[str] = []
        self._names = clip.skeleton.names
        self._rotations = axes.rotations_out(clip.rotations)
        self._positions = axes.lengths_out(clip.local_positions())
        self._offsets = axes.lengths_out(clip.skeleton.offsets)
        self._tolerance = SAME_LENGTH / axes.scale
        self._angles: dict[int, Array] = {}
        for joint in range(len(channels)):
            self._extend_positions(joint)
        self._turn_all()

    def _extend_positions(self, joint: int) -> None:
        has = {axis_of(name) for name in self.channels[joint] if not is_rotation(name)}
        off = np.abs(self._positions[:, joint] - self._offsets[joint]).max(axis=0)
        if any(off[axis] > self._tolerance for axis in range(3) if axis not in has):
            self.channels[joint] = POSITIONS + tuple(filter(is_rotation, self.channels[joint]))
            self.notes.append(f"joint {self._names[joint]!r} moves; it now has three position channels")

    def _turn_all(self) -> None:
        """Angles of every joint; joints that share a full order are done together."""
        groups: dict[tuple[str, ...], list[int]] = {}
        for joint, names in enumerate(self.channels):
            order = tuple(filter(is_rotation, names))
            if len(order) < 3 and _angles(self._rotations[:, joint : joint + 1], order) is None:
                missing = tuple(name for name in ROTATIONS if name not in order)
                order += missing
                self.channels[joint] += missing
                self.notes.append(f"joint {self._names[joint]!r} turns; it now has the channels {' '.join(order)}")
            groups.setdefault(order, []).append(joint)
        for order, joints in groups.items():
            angles = np.rad2deg(to_euler(self._rotations[:, joints], [axis_of(name) for name in order]))
            for slot, joint in enumerate(joints):
                self._angles[joint] = _as_in_file(angles[:, slot], self._first.get(joint))

    def rows(self, length_decimals: int) -> str:
        """The motion, one line per frame."""
        columns, formats = [], []
        for joint, names in enumerate(self.channels):
            turn = 0
            for name in names:
                decimals = ANGLE_DECIMALS if is_rotation(name) else length_decimals
                column = self._positions[:, joint, axis_of(name)]
                if is_rotation(name):
                    column = self._angles[joint][:, turn]
                    turn += 1
                columns.append(np.round(column, decimals) + 0.0)  # no "-0.000000"
                formats.append(f"%.{decimals}f")
        row = " ".join(formats) + "\n"
        return "".join(row % tuple(values) for values in np.stack(columns, axis=1).tolist())
