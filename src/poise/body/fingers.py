"""Fingers of the humanoid: bones, a hand at ease, and a hand that closes round a bar until it touches.

They ride on the hand, which is rigid to physics; what they do is for the eye and for what is exported. In a hand's frame x goes
to the thumb and z from the fingers to the wrist; palms face one another. Lengths are shares of stature.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from poise.math import quat
from poise.motion.skeleton import Skeleton

__all__ = ["PALM", "close_hands", "finger_ends", "finger_offsets", "hands_at_ease"]

Array = NDArray[np.float64]

_SIDES = (("left", 1.0), ("right", -1.0))
PALM = (0.0, -0.018, -0.048)
"""Middle of a bar that is held, in the left hand's frame; y has the other sign in the right one's."""

_HAND = 0.104
_FINGERS = {
    "index": (0.0185, 0.45, 0.46),
    "middle": (0.0062, 0.49, 0.49),
    "ring": (-0.0062, 0.47, 0.48),
    "little": (-0.0180, 0.385, 0.45),
}
"""Place across, length and distance of the knuckle from the wrist; the last two as shares of the hand's length."""
_PHALANGES = (0.46, 0.30, 0.24)
_FAN = 2.5
"""How far a finger leans outward [rad per stature of its place across]."""
_THUMB = ((0.012, 0.0, -0.014), (0.021, 0.0, -0.021), (0.0085, 0.0, -0.0165), (0.004, 0.0, -0.0140))
"""Its first joint in the hand's frame, then each bone to the next joint and to the tip."""
_THICK = 0.0055
"""Half thickness of fingers."""
_MOST = np.radians([95.0, 110.0, 70.0])
"""How far the three joints of a finger bend."""
_EASE = {
    "index": (14.0, 22.0, 12.0),
    "middle": (20.0, 25.0, 14.0),
    "ring": (25.0, 28.0, 15.0),
    "little": (30.0, 30.0, 16.0),
}
"""How far they are bent in a hand at ease [degrees]."""
_THUMB_EASE = ((0.60, -0.30, -0.74), (0.30, -0.18, -0.93), (0.15, -0.22, -0.96))
"""Where the thumb's bones point then, in the left hand's frame."""
_BESIDE = 0.031
"""Place across at which the thumb goes round a bar: beside the index finger."""


def _finger_names(side: str) -> list[str]:
    """All joints of one hand's fingers, thumb last."""
    return [f"{side}_{finger}{number}" for finger in (*_FINGERS, "thumb") for number in (1, 2, 3)]


def finger_offsets(side: str) -> list[tuple[str, str, tuple[float, float, float]]]:
    """Joint, parent and offset at stature 1 of all finger joints of one hand, the fingers straight."""
    rows = []
    for finger, (across, length, root) in _FINGERS.items():
        bones = _finger_bones(across, length)
        places = [np.array([across, 0.0, -root * _HAND]), *bones[:-1]]
        rows += [(f"{side}_{finger}", place) for place in places]
    rows += [(f"{side}_thumb", np.array(place)) for place in _THUMB[:3]]
    result = []
    for count, (label, place) in enumerate(rows):
        number = count % 3 + 1
        parent = f"{side}_hand" if number == 1 else f"{label}{number - 1}"
        result.append((f"{label}{number}", parent, (float(place[0]), float(place[1]), float(place[2]))))
    return result


def finger_ends(side: str) -> dict[str, tuple[float, float, float]]:
    """End sites of the fingertips, by their joints, at stature 1."""
    ends = {f"{side}_thumb3": _THUMB[3]}
    for finger, (across, length, _) in _FINGERS.items():
        tip = _finger_bones(across, length)[-1]
        ends[f"{side}_{finger}3"] = (float(tip[0]), float(tip[1]), float(tip[2]))
    return ends


def _finger_bones(across: float, length: float) -> list[Array]:
    lean = _FAN * across
    return [share * length * _HAND * np.array([np.sin(lean), 0.0, -np.cos(lean)]) for share in _PHALANGES]


def close_hands(skeleton: Skeleton, rotations: Array, grips: Array) -> Array:
    """Local rotations of poses with the fingers as the hands hold.

    Args:
        skeleton: With the humanoid's fingers; others are left as they are.
        rotations: Local joint rotations, shape (T, J, 4). Those of a hand that is not closed at all are left as they are.
        grips: Of the left and the right hand: how far it is closed, 0 at ease to 1, and the curvature of what it holds [1/m], 0
            for what is flat, shape (T, 2, 2).

    Returns:
        Shape (T, J, 4); the rotations themselves where nothing is changed.
    """
    if "left_thumb3" not in skeleton.names or not grips[..., 0].any():
        return rotations
    result = rotations.copy()
    for hand, (side, sign) in enumerate(_SIDES):
        joints = np.array([skeleton.index(name) for name in _finger_names(side)])
        size = float(skeleton.offsets[joints[0]][0]) / _FINGERS["index"][0]
        closed, bent = grips[:, hand, 0], grips[:, hand, 1]
        for curvature in np.unique(bent[closed > 0.0]):
            now = np.flatnonzero((bent == curvature) & (closed > 0.0))
            result[np.ix_(now, joints)] = _hand(closed[now], float(curvature) * size, sign)
    return result


def hands_at_ease(skeleton: Skeleton, rotations: Array) -> Array:
    """Local rotations of poses with the humanoid's fingers bent a little, as those of a hand that hangs, shape (T, J, 4)."""
    result = rotations.copy()
    for side, sign in _SIDES:
        joints = [skeleton.index(name) for name in _finger_names(side)]
        result[:, joints] = _hand(np.zeros(1), 0.0, sign)
    return result


def _hand(closed: Array, curvature: float, sign: float) -> Array:
    """Local rotations of one hand's finger joints, shape (T, 15, 4), as far closed as said (T,)."""
    turns = []
    for finger, (_, length, root) in _FINGERS.items():
        ease = np.radians(_EASE[finger])
        angles = ease + closed[:, None] * (_wrapped(length, root, curvature) - ease)
        turns += [quat.exp(np.stack([-sign * angle, 0.0 * angle, 0.0 * angle], axis=-1)) for angle in angles.T]
    rests = np.array(_THUMB[1:])
    ease, held = _mirrored(_THUMB_EASE, sign), _thumb(curvature, sign)
    above = np.tile(quat.IDENTITY, (len(closed), 1))
    for rest, loose, tight in zip(rests, ease, held, strict=True):
        aim = loose / np.linalg.norm(loose) * (1.0 - closed[:, None]) + tight / np.linalg.norm(tight) * closed[:, None]
        turn = quat.between(rest, quat.rotate(quat.conj(above), aim))
        turns.append(turn)
        above = quat.mul(above, turn)
    return np.stack(turns, axis=1)


def _wrapped(length: float, root: float, curvature: float) -> Array:
    """Angles [rad] at which the bones of a finger, one after the other, lie on a bar in the palm, shape (3,)."""
    if curvature <= 0.0:
        return np.zeros(3)
    reach = 1.0 / curvature + _THICK
    # Along the hand and out of its palm.
    center, place = np.array([-PALM[2], -PALM[1]]), np.array([root * _HAND, 0.0])
    heading, angles = 0.0, np.zeros(3)
    for number, share in enumerate(_PHALANGES):
        to = center - place
        tangent = np.arctan2(to[1], to[0]) - np.arcsin(min(reach / float(np.linalg.norm(to)), 1.0))
        turn = (tangent - heading + np.pi) % (2.0 * np.pi) - np.pi
        angles[number] = np.clip(turn, 0.0, _MOST[number])
        heading += angles[number]
        place = place + share * length * _HAND * np.array([np.cos(heading), np.sin(heading)])
    return angles


def _thumb(curvature: float, sign: float) -> Array:
    """Where the thumb's bones point that goes round a bar from the wrist's side, shape (3, 3)."""
    if curvature <= 0.0:
        return np.array(_THUMB[1:])
    reach = 1.0 / curvature + _THICK
    center, place = np.array([-PALM[2], -PALM[1]]), np.array([-_THUMB[0][2], 0.0])
    aims, across = [], _THUMB[0][0]
    for bone in _THUMB[1:]:
        length = float(np.linalg.norm(bone))
        aside = float(np.clip(_BESIDE - across, 0.0, 0.7 * length))
        to = center - place
        heading = np.arctan2(to[1], to[0]) + np.arcsin(min(reach / float(np.linalg.norm(to)), 1.0))
        step = np.sqrt(length**2 - aside**2) * np.array([np.cos(heading), np.sin(heading)])
        aims.append([aside, -step[1], -step[0]])
        place, across = place + step, across + aside
    return _mirrored(aims, sign)


def _mirrored(directions: object, sign: float) -> Array:
    mirrored: Array = np.asarray(directions, dtype=np.float64) * np.array([1.0, sign, 1.0])
    return mirrored
