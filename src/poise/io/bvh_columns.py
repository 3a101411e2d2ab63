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
SAME_NUMBERS = 2e-9
"""Quaternions that differ by less than this are the same: a tenth of the last digit of an angle."""


def _angles(rotations: Array, order: Sequence[str]) -> Array | None:
    """Channel values [rad], shape (T, J, n), or None where n < 3 channels cannot represent a rotation (T, J, 4)."""
    axes = [axis_of(name) for name in order]
    angles = to_euler(rotations, axes)
    if len(axes) < 3 and float(quat.angle_between(rotations, from_euler(angles, axes)).max()) > SAME_ANGLE:
        return None
    return angles


class _SourceRows:
    """The rows of the file that a clip came from, as far as they are still its motion.

    Args:
        clip: The clip.
        channels: Those it is written with.
    """

    def __init__(self, clip: Clip, channels: Sequence[tuple[str, ...]]) -> None:
        source, frames = clip.source, len(clip)
        self._channels = list(channels)
        self._starts = np.cumsum([0, *map(len, channels)]).tolist()
        self.rows = np.full((frames, self._starts[-1]), np.nan)
        if source.channels != tuple(channels):
            return
        if source.rows is not None and source.rows.shape[1] == self.rows.shape[1]:
            kept = source.rows[:frames]
            self.rows[: len(kept)] = kept
        elif len(source.first_row) == self.rows.shape[1] and frames:
            self.rows[0] = source.first_row

    def turning(self, joint: int) -> Array:
        """Its rotation channels [rad], shape (T, n), NaN where they are not known."""
        columns = [self._starts[joint] + i for i, name in enumerate(self._channels[joint]) if is_rotation(name)]
        return np.asarray(np.deg2rad(self.rows[:, columns]))

    def channel(self, joint: int, name: str) -> Array:
        """One channel as the file has it, shape (T,), NaN where it is not known."""
        if name not in self._channels[joint]:
            return np.full(len(self.rows), np.nan)
        return np.asarray(self.rows[:, self._starts[joint] + self._channels[joint].index(name)])


class Columns:
    """The motion's columns, joint by joint, with the channels extended where they cannot hold the motion."""

    def __init__(self, clip: Clip, channels: list[tuple[str, ...]], axes: Axes, *, keep_turns: bool = True) -> None:
        self._source = _SourceRows(clip, channels) if keep_turns else None
        self.channels = channels
        self.notes: list[str] = []
        self._names = clip.skeleton.names
        self._rotations = axes.rotations_out(clip.rotations)
        self._positions = axes.lengths_out(clip.local_positions())
        self._offsets = axes.lengths_out(clip.skeleton.offsets)
        self._tolerance = SAME_LENGTH / axes.scale
        self._angles: dict[int, Array] = {}
        self._known: dict[int, NDArray[np.bool_]] = {}
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
            axes, turned = [axis_of(name) for name in order], self._rotations[:, joints]
            given = np.stack([self._given(joint, len(order)) for joint in joints], axis=1)
            known = _same(turned, from_euler(np.nan_to_num(given), axes)) & np.isfinite(given).all(axis=2)
            angles = np.rad2deg(to_euler(turned, axes, known, np.nan_to_num(given)))
            for slot, joint in enumerate(joints):
                self._angles[joint], self._known[joint] = angles[:, slot], known[:, slot]

    def _given(self, joint: int, count: int) -> Array:
        """What the source's file has for a joint's `count` rotation channels [rad], NaN where nothing is known."""
        if self._source is not None:
            found = self._source.turning(joint)
            if found.shape[1] == count:
                return found
        return np.full((len(self._rotations), count), np.nan)

    def rows(self, length_decimals: int) -> str:
        """The motion, one line per frame; where it still is the source's, in the source's own numbers."""
        columns, formats = [], []
        for joint, names in enumerate(self.channels):
            turn = 0
            for name in names:
                decimals = ANGLE_DECIMALS if is_rotation(name) else length_decimals
                column = self._positions[:, joint, axis_of(name)]
                if is_rotation(name):
                    column = self._angles[joint][:, turn]
                    turn += 1
                column = np.round(column, decimals) + 0.0  # no "-0.000000"
                own = self._own_numbers(joint, name, decimals)
                known = np.isfinite(own)
                column[known] = own[known]
                plain = bool((np.round(column, decimals) == column).all())
                columns.append(column.tolist() if plain else _texts(column, decimals))
                formats.append(f"%.{decimals}f" if plain else "%s")
        row = " ".join(formats) + "\n"
        return "".join(row % values for values in zip(*columns, strict=True))

    def _own_numbers(self, joint: int, name: str, decimals: int) -> Array:
        """The source's numbers of a channel where the motion still has them, NaN elsewhere, shape (T,)."""
        if self._source is None:
            return np.full(len(self._rotations), np.nan)
        own = self._source.channel(joint, name)
        if is_rotation(name):
            same = self._known[joint]
        else:
            same = np.abs(self._positions[:, joint, axis_of(name)] - own) <= 0.5 * 10.0**-decimals
        return np.where(same, own, np.nan)


def _same(first: Array, second: Array) -> NDArray[np.bool_]:
    """Whether quaternions (..., 4) are the same rotation, to less than the last digit that is written."""
    apart = np.minimum(np.abs(first - second).max(axis=-1), np.abs(first + second).max(axis=-1))
    return np.asarray(apart < SAME_NUMBERS)


def _texts(column: Array, decimals: int) -> list[str]:
    """Numbers as text: with so many decimals, or as many as it takes to read the same number again."""
    short = [f"{value:.{decimals}f}" for value in column.tolist()]
    return [text if float(text) == value else repr(value) for text, value in zip(short, column.tolist(), strict=True)]
