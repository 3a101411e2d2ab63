"""A person without a clip: the skeleton with 6 + 30 degrees of freedom that Vaillant 2017 animates, in any size.

Bone lengths are shares of stature (Drillis and Contini, in Winter). Joints are named by their roles.
"""

from __future__ import annotations

import numpy as np

from poise.body.fingers import finger_ends, finger_offsets
from poise.errors import InputError
from poise.math import quat
from poise.motion.clip import Clip
from poise.motion.skeleton import Skeleton

__all__ = ["humanoid"]

_HIP, _WAIST, _SHOULDER, _HEAD = 0.53, 0.60, 0.818, 0.87
"""Heights of joints in standing, as shares of stature."""
_HIP_HALF, _SHOULDER_HALF = 0.055, 0.115
_UPPER_ARM, _FOREARM, _HAND = 0.186, 0.146, 0.108
_THIGH, _SHANK, _ANKLE = 0.245, 0.246, 0.039
_BALL, _TOES, _CROWN = 0.085, 0.045, 0.13


def humanoid(
    stature: float = 1.7, *, seconds: float = 0.0, rate: float = 50.0, name: str = "humanoid", fingers: bool = False
) -> Clip:
    """Somebody who stands with hanging arms at the origin, soles on z = 0, facing x.

    Args:
        stature: Standing height [m].
        seconds: How long the clip lasts.
        rate: Its frames per second [Hz].
        name: What to call it.
        fingers: Whether hands have fingers, straight, in the place of an end site (`poise.body.fingers`).

    Raises:
        InputError: The stature is not a person's.
    """
    if not 0.5 <= stature <= 3.0:
        raise InputError(f"stature must lie between 0.5 and 3 m; got {stature:g}")
    rows: list[tuple[str, str, tuple[float, float, float]]] = [
        ("pelvis", "", (0.0, 0.0, _HIP)),
        ("spine", "pelvis", (0.0, 0.0, _WAIST - _HIP)),
        ("head", "spine", (0.0, 0.0, _HEAD - _WAIST)),
    ]
    sides = (("left_", 1.0), ("right_", -1.0))
    for side, sign in sides:
        rows += [
            (f"{side}upper_arm", "spine", (0.0, sign * _SHOULDER_HALF, _SHOULDER - _WAIST)),
            (f"{side}forearm", f"{side}upper_arm", (0.0, 0.0, -_UPPER_ARM)),
            (f"{side}hand", f"{side}forearm", (0.0, 0.0, -_FOREARM)),
        ]
        if fingers:
            rows += finger_offsets(side[:-1])
    for side, sign in sides:
        rows += [
            (f"{side}thigh", "pelvis", (0.0, sign * _HIP_HALF, 0.0)),
            (f"{side}shank", f"{side}thigh", (0.0, 0.0, -_THIGH)),
            (f"{side}foot", f"{side}shank", (0.0, 0.0, -_SHANK)),
            (f"{side}toes", f"{side}foot", (_BALL, 0.0, -0.7 * _ANKLE)),
        ]
    names = tuple(row[0] for row in rows)
    ends = {"head": (0.0, 0.0, _CROWN)}
    for side, _ in sides:
        ends |= finger_ends(side[:-1]) if fingers else {f"{side}hand": (0.0, 0.0, -_HAND)}
        ends[f"{side}toes"] = (_TOES, 0.0, 0.0)
    skeleton = Skeleton(
        names,
        np.array([names.index(row[1]) if row[1] else -1 for row in rows]),
        stature * np.array([row[2] for row in rows]),
        np.array([names.index(end) for end in ends]),
        stature * np.array(list(ends.values())),
    )
    frames = round(seconds * rate) + 1
    turned = np.tile(quat.IDENTITY, (frames, len(names), 1))
    return Clip(skeleton, rate, turned, np.tile(skeleton.offsets[:1], (frames, 1, 1)), name=name)
