"""Trunk, neck and head of a person. Half widths and depths are shares of stature.

Sections follow the breadths and depths of hips, waist, chest and shoulders in Gordon et al., ANSUR (1988), medians of men
and women, slimmed a little as artists' mannequins are. Blocks of muscle (chest, back, seat, neck to shoulder) are
ellipsoids melted in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.body.mannequin.figure import SIDES, Figure
from poise.body.mannequin.parts import Part, ball, sweep

__all__ = ["head", "trunk"]

Array = NDArray[np.float64]

_X, _Y, _Z = np.eye(3)
_EAR = np.array([0.0200, 0.0125, 0.0060])
"""Half height, half width and half thickness of an ear."""


def trunk(figure: Figure) -> list[Part]:
    """Hips, waist, chest, shoulder girdle and neck."""
    size, thick = figure.stature, figure.stature * figure.girth
    hips, shoulders = figure.middle("thigh"), figure.middle("upper_arm")
    half_hips = 0.5 * float(np.linalg.norm(figure.at("left_thigh") - figure.at("right_thigh")))
    half_shoulders = 0.5 * float(np.linalg.norm(figure.at("left_upper_arm") - figure.at("right_upper_arm")))
    hip = float(np.clip(0.094 * thick, half_hips + 0.030 * thick, half_hips + 0.050 * thick))
    chest = float(np.clip(0.088 * thick, 0.62 * half_shoulders, 0.92 * half_shoulders))
    waist = float(np.clip(0.078 * thick, 0.8 * hip, 0.92 * max(hip, chest)))
    rows = [
        (0.00, 0.17 * hip, 0.032 * thick, 0.004 * size),
        (0.09, 0.66 * hip, 0.054 * thick, 0.006 * size),
        (0.20, 0.95 * hip, 0.063 * thick, 0.006 * size),
        (0.30, 0.94 * hip, 0.060 * thick, 0.003 * size),
        (0.48, waist, 0.054 * thick, -0.002 * size),
        (0.66, 0.5 * (0.94 * chest + chest), 0.060 * thick, 0.000 * size),
        (0.80, chest, 0.066 * thick, 0.002 * size),
        (0.90, 0.92 * chest, 0.060 * thick, 0.006 * size),
        (1.00, 0.62 * chest, 0.042 * thick, 0.010 * size),
    ]
    low, high = hips - 0.046 * size * _Z, shoulders + 0.012 * size * _Z
    parts = [sweep(low, high, _Y, rows, 0.042 * thick, caps=(0.016 * thick, 0.022 * thick))]
    parts += [block for side in SIDES for block in _blocks(figure, side, chest)]
    return [*parts, *_neck(figure)]


def _blocks(figure: Figure, side: tuple[str, float], chest: float) -> list[Part]:
    """Seat, chest muscle, shoulder blade, collar and neck muscle of one side."""
    name, left = side
    size, thick = figure.stature, figure.stature * figure.girth
    hip, shoulder = figure.at(f"{name}thigh"), figure.at(f"{name}upper_arm")
    middle = figure.middle("upper_arm")
    soft = 0.03 * thick
    seat = np.array([hip[0] - 0.030 * thick, hip[1] - left * 0.008 * thick, hip[2] - 0.012 * size])
    breast = middle + np.array([0.029 * thick, left * 0.46 * chest, -0.052 * size])
    blade = middle + np.array([-0.033 * thick, left * 0.50 * chest, -0.040 * size])
    root = middle + np.array([-0.004 * size, left * 0.014 * size, 0.010 * size])
    nape = middle + np.array([-0.006 * size, left * 0.010 * size, 0.052 * size])
    collar = [(0, 0.036 * thick, 0.030 * thick), (0.6, 0.037 * thick, 0.027 * thick), (1, 0.034 * thick, 0.029 * thick)]
    slope = [(0, 0.022 * thick, 0.020 * thick), (1, 0.020 * thick, 0.012 * thick)]
    cap = shoulder + np.array([-0.002 * size, left * 0.004 * thick, 0.000 * size])
    toward = middle + 0.74 * (shoulder - middle) + np.array([-0.004, 0.0, 0.016]) * size
    return [
        ball(seat, _Z, _Y, (0.052 * size, 0.046 * thick, 0.042 * thick), soft),
        ball(breast, _Z, _Y, (0.036 * size, 0.046 * thick, 0.027 * thick), soft),
        ball(blade, _Z, _Y, (0.050 * size, 0.040 * thick, 0.026 * thick), soft),
        sweep(root, middle + 0.93 * (shoulder - middle), _X, collar, soft),
        sweep(nape, toward, _X, slope, 0.04 * thick),
        ball(cap, _Z, _Y, (0.034 * size, 0.036 * thick, 0.037 * thick), soft),
    ]


def _neck(figure: Figure) -> list[Part]:
    size, thick = figure.stature, figure.stature * figure.girth
    skull, middle = figure.head_center, figure.middle("upper_arm")
    base = np.array([middle[0] - 0.004 * size, middle[1], middle[2] + 0.008 * size])
    top = skull + np.array([-0.012, 0.0, -0.018]) * size
    rows = [(0, 0.038 * thick, 0.038 * thick), (0.5, 0.0315 * thick, 0.033 * thick), (1, 0.031 * thick, 0.034 * thick)]
    return [sweep(base, top, _Y, rows, 0.03 * thick)]


def head(figure: Figure) -> list[Part]:
    """Skull, jaw, and a face that tells where it looks: brow, eyes, nose, mouth and ears."""
    size, skull = figure.stature, figure.head_center

    def at(ahead: float, aside: float, up: float) -> Array:
        return np.asarray(skull + size * np.array([ahead, aside, up]))

    jaw, chin = at(0.019, 0.0, -0.036), at(0.043, 0.0, -0.058)
    nose = [(0, 0.0040 * size, 0.0045 * size), (0.8, 0.0062 * size, 0.0062 * size), (1, 0.0070 * size, 0.0055 * size)]
    ridge = [(0, 0.0040 * size, 0.0040 * size), (0.5, 0.0050 * size, 0.0050 * size), (1, 0.0040 * size, 0.0040 * size)]
    lips = [(0, 0.0022 * size, 0.0030 * size), (0.5, 0.0050 * size, 0.0052 * size), (1, 0.0022 * size, 0.0030 * size)]
    face = [
        ball(chin, _Z, _Y, (0.012 * size, 0.014 * size, 0.010 * size), 0.016 * size),
        sweep(at(0.0455, 0.018, 0.010), at(0.0455, -0.018, 0.010), _X, ridge, 0.016 * size),
        sweep(at(0.0485, 0.0, 0.005), at(0.0585, 0.0, -0.0165), _Y, nose, 0.007 * size),
        sweep(at(0.0530, 0.011, -0.0375), at(0.0530, -0.011, -0.0375), _X, lips, 0.003 * size),
    ]
    eyes = [ball(at(0.0450, left * 0.0170, -0.002), _Z, _Y, (0.0082 * size,) * 3, 0.0012 * size) for _, left in SIDES]
    ears = [ball(at(-0.006, left * 0.0440, -0.004), _Z - 0.2 * _X, _X, _EAR * size, 0.003 * size) for _, left in SIDES]
    return [
        ball(
            skull + np.array([-0.004, 0.0, 0.012]) * size,
            _Z,
            _Y,
            (0.054 * size, 0.044 * size, 0.055 * size),
            0.014 * size,
        ),
        ball(jaw, _Z, _Y, (0.034 * size, 0.031 * size, 0.035 * size), 0.022 * size),
        *face,
        *eyes,
        *ears,
    ]
