"""Arms and legs of a person. Half widths and depths are shares of stature, muscles sit where they bulge.

Girths follow ANSUR (Gordon et al. 1988): upper arm 0.18 of stature around, forearm 0.16, wrist 0.10, thigh 0.33,
calf 0.21, ankle 0.13.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.figure import Figure
from poise.body.mannequin.parts import Part, sweep

__all__ = ["arm", "foot", "leg"]

Array = NDArray[np.float64]

_X, _Y, _Z = np.eye(3)


def _scaled(rows: Sequence[tuple[float, ...]], factor: float) -> list[tuple[float, ...]]:
    return [(place, *(factor * value for value in values)) for place, *values in rows]


def _stout(length: float, usual: float) -> float:
    """Thickness of a limb that is longer or shorter than usual, as a factor."""
    return float(np.clip(length / usual, 0.7, 1.1))


def leg(figure: Figure, side: str) -> list[Part]:
    """Thigh and lower leg; depth is forward."""
    size, thick = figure.stature, figure.stature * figure.girth
    hip, knee, ankle = (figure.at(side + part) for part in ("thigh", "shank", "foot"))
    upper = [
        (0.00, 0.0420, 0.0450, 0.000),
        (0.15, 0.0510, 0.0535, 0.002),
        (0.40, 0.0475, 0.0500, 0.005),
        (0.72, 0.0375, 0.0395, 0.004),
        (0.92, 0.0315, 0.0335, 0.003),
        (1.00, 0.0300, 0.0325, 0.003),
    ]
    lower = [
        (0.00, 0.0300, 0.0325, 0.003),
        (0.10, 0.0290, 0.0315, 0.000),
        (0.28, 0.0320, 0.0345, -0.007),
        (0.45, 0.0300, 0.0320, -0.007),
        (0.70, 0.0215, 0.0235, -0.003),
        (0.88, 0.0170, 0.0200, -0.002),
        (1.00, 0.0175, 0.0210, -0.003),
    ]
    thigh = thick * _stout(float(np.linalg.norm(knee - hip)), 0.245 * size)
    shank = thick * _stout(float(np.linalg.norm(ankle - knee)), 0.246 * size)
    return [
        sweep(hip, knee, _Y, _scaled(upper, thigh), 0.012 * thick, caps=(0.030 * thick, 0.030 * thick)),
        sweep(knee, ankle, _Y, _scaled(lower, shank), 0.012 * thick),
    ]


def foot(figure: Figure, side: str) -> list[Part]:
    """Heel, instep, ball and toes on a flat sole, as long as the foot's collider."""
    size = figure.stature
    body = figure.plan.with_role(f"{side}foot")[0]
    box = figure.plan.colliders[body][0]
    ankle = figure.at(f"{side}foot")
    height = 2.0 * float(box.size[2])
    back, front = 0.034 * size, 2.0 * float(box.size[0]) - 0.040 * size
    toes = figure.place(f"{side}toes")
    aside = 0.0
    if toes is not None:
        aside = float(np.clip(toes[1] - ankle[1], -0.03 * size, 0.03 * size))
        front = max(front, min(float(toes[0] - ankle[0]) + 0.035 * size, 0.19 * size))
    slant = aside / max(front, 1e-9)
    sole = ankle[2] - height
    level = sole + 0.012 * size
    heel = np.array([ankle[0] - back + 0.016 * size, ankle[1] - slant * back, level])
    tip = np.array([ankle[0] + front - 0.014 * size, ankle[1] + slant * front, level])
    flat = np.array([0.0, 0.0, -1.0, -sole])
    arch = min(height / (0.039 * size), 1.6)
    # Depth is down here: a negative shift raises the middle of the section.
    rows = [
        (0.00, 0.0185, 0.0190, -0.004 * arch),
        (0.20, 0.0200, 0.0260, -0.009 * arch),
        (0.42, 0.0215, 0.0250, -0.007 * arch),
        (0.70, 0.0270, 0.0170, -0.001),
        (0.86, 0.0270, 0.0130, 0.000),
        (1.00, 0.0200, 0.0100, 0.001),
    ]
    parts = [sweep(heel, tip, _Y, _scaled(rows, size), 0.016 * size, caps=(0.017 * size, 0.015 * size), cut=flat)]
    return [*parts, *_ankle(figure, ankle, tip, sole)]


def _ankle(figure: Figure, ankle: Array, tip: Array, sole: float) -> list[Part]:
    """What joins the lower leg to the foot: the heel under the ankle, the instep down to the ball."""
    size = figure.stature
    heel = np.array([ankle[0] - 0.010 * size, ankle[1], sole + 0.020 * size])
    top = np.array([ankle[0] - 0.002 * size, ankle[1], max(ankle[2] + 0.002 * size, sole + 0.026 * size)])
    front = np.array([ankle[0] + 0.008 * size, ankle[1], max(ankle[2] - 0.010 * size, sole + 0.022 * size)])
    ball = front + 0.58 * (tip - front)
    ball[2] = sole + 0.013 * size
    down = [(0, 0.0180 * size, 0.0205 * size), (1, 0.0195 * size, 0.0230 * size)]
    slope = [(0, 0.0175 * size, 0.0165 * size), (0.5, 0.0205 * size, 0.0150 * size), (1, 0.0240 * size, 0.0110 * size)]
    return [sweep(top, heel, _Y, down, 0.020 * size), sweep(front, ball, _Y, slope, 0.022 * size)]


def arm(figure: Figure, side: str) -> list[Part]:
    """Upper arm with the shoulder's muscle, and forearm; width is forward, where the palm's edge points."""
    size, thick = figure.stature, figure.stature * figure.girth
    shoulder, elbow, wrist = figure.at(f"{side}upper_arm"), figure.at(f"{side}forearm"), figure.wrist(side)
    forward = _X if side == "left_" else -_X
    upper = [
        (0.00, 0.0360, 0.0330, -0.004),
        (0.22, 0.0350, 0.0325, -0.004),
        (0.45, 0.0290, 0.0275, 0.000),
        (0.70, 0.0265, 0.0250, 0.001),
        (0.92, 0.0225, 0.0220, 0.000),
        (1.00, 0.0215, 0.0215, 0.000),
    ]
    lower = [
        (0.00, 0.0215, 0.0215, 0.000),
        (0.18, 0.0250, 0.0225, 0.001),
        (0.40, 0.0232, 0.0205, 0.001),
        (0.75, 0.0172, 0.0145, 0.000),
        (1.00, 0.0155, 0.0115, 0.000),
    ]
    above = thick * _stout(float(np.linalg.norm(elbow - shoulder)), 0.172 * size)
    below = thick * _stout(float(np.linalg.norm(wrist - elbow)), 0.15 * size)
    return [
        sweep(shoulder, elbow, forward, _scaled(upper, above), 0.03 * thick),
        sweep(elbow, wrist, forward, _scaled(lower, below), 0.012 * thick),
    ]
