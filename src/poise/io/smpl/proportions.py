"""How long a person's bones are, in shares of stature, for the joints that SMPL names. The numbers are ours and not SMPL's.

Heights of joints and lengths of limbs are Drillis and Contini's (in Winter, Biomechanics and Motor Control of Human Movement,
Fig. 4.1), lengths within the hand Buchholz, Armstrong and Goldstein's (Ergonomics 35, 1992), mean statures those of ANSUR II
(Gordon et al. 2014). Where the trunk's inner joints lie is our choice.

Offsets are in Poise's frame for somebody in T-pose who faces x: x forward, y left, z up; of the left side, where there are two.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["ENDS", "OFFSETS", "PARENTS", "STATURES"]

Offset = tuple[float, float, float]

STATURES = {"male": 1.756, "female": 1.629, "neutral": 1.692}
"""Mean standing height [m] of men, of women, and between."""

_ANKLE, _HIP, _PELVIS, _SHOULDER, _HEAD = 0.039, 0.53, 0.545, 0.818, 0.87
_SPINE = (0.59, 0.65, 0.70)
_NECK, _COLLAR, _EYE, _JAW = 0.825, 0.80, 0.936, 0.895
"""Heights of joints in standing."""
_HIP_HALF, _COLLAR_HALF, _SHOULDER_HALF, _EYE_HALF = 0.05, 0.02, 0.115, 0.018
_THIGH, _SHANK, _UPPER_ARM, _FOREARM, _HAND = 0.245, 0.246, 0.186, 0.146, 0.108
_BALL, _TOES, _FACE = 0.085, 0.045, 0.05
"""How far the ball of the foot is before the ankle, toes before that, eyes before the head's joint."""

_FINGERS: dict[str, tuple[float, tuple[float, float, float, float]]] = {
    "index": (0.014, (0.463, 0.245, 0.143, 0.097)),
    "middle": (0.003, (0.446, 0.266, 0.170, 0.108)),
    "pinky": (-0.018, (0.414, 0.204, 0.117, 0.093)),
    "ring": (-0.008, (0.421, 0.244, 0.165, 0.107)),
}
"""How far before the hand's axis a knuckle is, and metacarpal and phalanges as shares of the hand."""
_THUMB = (0.251, 0.196, 0.158)

OFFSETS: dict[str, Offset] = {
    "pelvis": (0.0, 0.0, _PELVIS),
    "spine1": (0.0, 0.0, _SPINE[0] - _PELVIS),
    "spine2": (0.0, 0.0, _SPINE[1] - _SPINE[0]),
    "spine3": (0.0, 0.0, _SPINE[2] - _SPINE[1]),
    "neck": (0.0, 0.0, _NECK - _SPINE[2]),
    "head": (0.0, 0.0, _HEAD - _NECK),
    "jaw": (0.3 * _FACE, 0.0, _JAW - _HEAD),
    "eye_smplhf": (_FACE, _EYE_HALF, _EYE - _HEAD),
    "hip": (0.0, _HIP_HALF, _HIP - _PELVIS),
    "knee": (0.0, 0.0, -_THIGH),
    "ankle": (0.0, 0.0, -_SHANK),
    "foot": (_BALL, 0.0, -0.7 * _ANKLE),
    "collar": (0.0, _COLLAR_HALF, _COLLAR - _SPINE[2]),
    "shoulder": (0.0, _SHOULDER_HALF - _COLLAR_HALF, _SHOULDER - _COLLAR),
    "elbow": (0.0, _UPPER_ARM, 0.0),
    "wrist": (0.0, _FOREARM, 0.0),
    "hand": (0.0, 0.446 * _HAND, 0.0),
}
"""Of each joint from the one it hangs on, without its side; the pelvis' is its height above the soles."""

PARENTS: dict[str, str] = {
    **{"spine1": "pelvis", "spine2": "spine1", "spine3": "spine2", "neck": "spine3", "head": "neck"},
    **{"hip": "pelvis", "knee": "hip", "ankle": "knee", "foot": "ankle", "jaw": "head", "eye_smplhf": "head"},
    **{"collar": "spine3", "shoulder": "collar", "elbow": "shoulder", "wrist": "elbow", "hand": "wrist"},
}
"""What each joint hangs on, as SMPL has it; the pelvis on nothing."""

ENDS: dict[str, Offset] = {
    "head": (0.0, 0.0, 1.0 - _HEAD),
    "foot": (_TOES, 0.0, 0.0),
    "wrist": (0.0, _HAND, 0.0),
    "hand": (0.0, (1.0 - 0.446) * _HAND, 0.0),
}
"""Crown, toes and fingertips, where nothing hangs on such a joint; the crown always."""


def _along(share: float, direction: NDArray[np.float64]) -> Offset:
    x, y, z = share * _HAND * direction
    return (float(x), float(y), float(z))


def _add_fingers() -> None:
    """Fingers straight on, the thumb halfway forward, as of a hand with its palm down."""
    straight, sideways = np.array([0.0, 1.0, 0.0]), np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0])
    for finger, (before, lengths) in _FINGERS.items():
        OFFSETS[f"{finger}1"] = (before, lengths[0] * _HAND, 0.0)
        OFFSETS[f"{finger}2"], OFFSETS[f"{finger}3"] = _along(lengths[1], straight), _along(lengths[2], straight)
        ENDS[f"{finger}3"] = _along(lengths[3], straight)
    OFFSETS["thumb1"] = _along(0.15, sideways)
    OFFSETS["thumb2"], OFFSETS["thumb3"] = _along(_THUMB[0], sideways), _along(_THUMB[1], sideways)
    ENDS["thumb3"] = _along(_THUMB[2], sideways)
    for finger in (*_FINGERS, "thumb"):
        PARENTS.update({f"{finger}1": "wrist", f"{finger}2": f"{finger}1", f"{finger}3": f"{finger}2"})


_add_fingers()
