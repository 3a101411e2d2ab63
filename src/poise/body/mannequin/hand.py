"""Hands of a person: every finger joint that is there gets its finger; without them fingers are made up that move as one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.figure import Figure
from poise.body.mannequin.lines import child_lines
from poise.body.mannequin.parts import Bone, Part, ball, sweep

__all__ = ["hand", "hand_bones"]

Array = NDArray[np.float64]

_X = np.array([1.0, 0.0, 0.0])
_LENGTH = 0.104
"""Wrist to fingertip as a share of stature (Drillis and Contini, in Winter: 0.108)."""
_FINGERS = 4
"""Fewer fingertips than this are taken for stand-ins, and fingers are made up."""
_FANNED = ((1.5, 0.45, 0.46), (0.5, 0.49, 0.49), (-0.5, 0.46, 0.48), (-1.5, 0.37, 0.45))
"""Fingers that are made up, index first: place across in widths of a finger, length and root as shares of the hand's length."""


def hand(figure: Figure, side: str) -> list[Part]:
    """The parts of one hand."""
    bones = _finger_lines(figure, side)
    return _fingers(figure, side, bones) if bones else _made_up(figure, side)


def hand_bones(figure: Figure, side: str) -> list[Bone]:
    """Lines that move one hand; stand-in joints of made-up fingers move what is nearest them."""
    joint = figure.plan.roles.joint(f"{side}hand")
    if joint is None:
        return []
    lines = child_lines(figure.plan.skeleton, figure.pose, joint)
    if _finger_lines(figure, side):
        return lines
    wrist, along = figure.wrist(side), _direction(figure, side)
    return [Bone(joint, wrist, wrist + 0.7 * _LENGTH * figure.stature * along), *(b for b in lines if b.joint != joint)]


def _finger_lines(figure: Figure, side: str) -> list[Bone]:
    """Bones of the hand and its fingers; empty where the skeleton has no real fingers."""
    joint = figure.plan.roles.joint(f"{side}hand")
    if joint is None:
        return []
    lines = child_lines(figure.plan.skeleton, figure.pose, joint)
    starts = {line.start.tobytes() for line in lines}
    tips = [line.end for line in lines if line.end.tobytes() not in starts]
    far = [tip for tip in tips if np.linalg.norm(tip - figure.wrist(side)) > 0.045 * figure.stature]
    return lines if len(far) >= _FINGERS else []


def _direction(figure: Figure, side: str) -> Array:
    """Unit vector from the wrist to where the hand points."""
    joint, wrist = figure.plan.roles.joint(f"{side}hand"), figure.wrist(side)
    along = wrist - figure.at(f"{side}forearm")
    if joint is not None:
        lines = child_lines(figure.plan.skeleton, figure.pose, joint)
        tips = [line.end - wrist for line in lines if line.joint == joint]
        mean = np.mean(tips, axis=0) if tips else np.zeros(3)
        if np.linalg.norm(mean) > 0.01 * figure.stature:
            along = mean
    return np.asarray(along / np.linalg.norm(along))


def _fingers(figure: Figure, side: str, lines: list[Bone]) -> list[Part]:
    """A flat bar for each bone in the palm, a round one for each in a finger."""
    size, wrist = figure.stature, figure.wrist(side)
    across = _across(lines, wrist, size)
    bars = [line for line in lines if _in_palm(line, wrist, size)]
    rounds = [line for line in lines if not _in_palm(line, wrist, size)]
    root, thick = 0.0095 * size, 0.0085 * size
    flat = [(0, root, root), (0.5, thick, thick), (1, 0.8 * thick, 0.75 * thick)]
    palm = [sweep(line.start, line.end, across, flat, 0.014 * size) for line in bars]
    radius = _finger_radius(rounds, size)
    taper = [(0, radius, radius), (1, 0.9 * radius, 0.9 * radius)]
    return [*palm, *(sweep(line.start, line.end, across, taper, 0.004 * size) for line in rounds)]


def _in_palm(line: Bone, wrist: Array, size: float) -> bool:
    near = float(np.linalg.norm(line.start - wrist)) < 0.03 * size
    return near and float(np.linalg.norm(line.end - line.start)) > 0.02 * size


def _finger_radius(lines: list[Bone], size: float) -> float:
    """Half thickness of the fingers [m]: a person's, less where the bind pose holds them so close that they would fuse."""
    places = np.linspace(0.0, 1.0, 5)[:, None]
    points = np.array([line.start + places * (line.end - line.start) for line in lines])
    away = np.linalg.norm(points[:, None, :, None] - points[None, :, None], axis=-1).min(axis=(2, 3))
    # Bones of one finger touch and do not count.
    nearest = np.where(away > 1e-6, away, np.inf).min(axis=1)
    return float(np.clip(0.38 * np.median(nearest), 0.0034 * size, 0.0052 * size))


def _across(lines: list[Bone], wrist: Array, size: float) -> Array:
    """Direction in which the hand is wide: the main spread of its bones' ends, square to where it points."""
    ends = np.array([line.end for line in lines if np.linalg.norm(line.end - wrist) > 0.02 * size]) - wrist
    along = ends.mean(axis=0) / np.linalg.norm(ends.mean(axis=0))
    flat = ends - (ends @ along)[:, None] * along
    widest: Array = np.linalg.svd(flat - flat.mean(axis=0), full_matrices=False)[2][0]
    return widest


def _made_up(figure: Figure, side: str) -> list[Part]:
    """Palm, four fingers a little bent and apart, and the thumb, which points forward as it does with hanging arms."""
    size, wrist, along = figure.stature, figure.wrist(side), _direction(figure, side)
    forward = _X - (_X @ along) * along
    forward /= np.linalg.norm(forward)
    palm = np.cross(along, forward) * (1.0 if side == "left_" else -1.0)
    rows = [(0.00, 0.0150, 0.0110), (0.35, 0.0215, 0.0115), (0.75, 0.0240, 0.0100), (1.00, 0.0225, 0.0085)]
    length = _LENGTH * size
    parts = [sweep(wrist, wrist + 0.50 * length * along, forward, _times(rows, size), 0.010 * size)]
    for aside, long, start in _FANNED:
        direction = along + 0.16 * aside * forward
        base = wrist + start * length * along + 0.0125 * aside * size * forward
        knuckle = base + 0.5 * long * length * direction
        tip = knuckle + 0.5 * long * length * (0.93 * direction + 0.36 * palm)
        thick, thin = [(0, 0.0058, 0.0058), (1, 0.0050, 0.0050)], [(0, 0.0050, 0.0050), (1, 0.0040, 0.0040)]
        parts.append(sweep(base, knuckle, forward, _times(thick, size), 0.003 * size))
        parts.append(sweep(knuckle, tip, forward, _times(thin, size), 0.002 * size))
    root = wrist + size * (0.016 * along + 0.010 * forward)
    bend, tip = root + size * (0.022 * along + 0.021 * forward), root + size * (0.046 * along + 0.0290 * forward)
    thumb, end = [(0, 0.0090, 0.0090), (1, 0.0066, 0.0066)], [(0, 0.0066, 0.0066), (1, 0.0052, 0.0052)]
    flat = np.cross(along, forward)
    return [
        *parts,
        sweep(root, bend, flat, _times(thumb, size), 0.010 * size),
        sweep(bend, tip, flat, _times(end, size), 0.004 * size),
        ball(root, along, forward, (0.012 * size, 0.010 * size, 0.010 * size), 0.010 * size),
    ]


def _times(rows: Sequence[tuple[float, float, float]], size: float) -> list[tuple[float, ...]]:
    return [(place, size * width, size * depth) for place, width, depth in rows]
