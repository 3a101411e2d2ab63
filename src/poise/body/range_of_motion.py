"""How far a body's joints are outside the range of a person's.

Tables of ranges are of joints as a physiotherapist sees them: the trunk against the pelvis, the head against the chest, the
arm against the chest (collar bone and shoulder move it together), the turn of the palm (forearm and wrist together), the turn
of the foot against the thigh (knee and ankle together). Skeletons divide these among their joints as they please, so what is
measured is the whole, and each joint of a chain has the range of the whole chain.

Where an arm can point to is no box of angles about a hanging arm: raised sideways and raised forwards it ends in the
same place. It is a range of planes for every elevation, and the turn of the arm about itself is counted from a direction in the
middle of that range, so that it does not jump where arms point upwards (the idea as remembered of Baerlocher and Boulic 2001).

Ranges are those of `limits.py`, and values taken here. Outwards 104°, inwards 69° and backwards 62° of an arm are means of
Boone and Azen 1979 as a table in a physiotherapy textbook repeats them. The others were taken from memory first, and then
compared with public tables at second hand: the norms of the AAOS as course notes repeat them (trunk bent 80°, back 25°,
sideways 35°, turned 45°), the Merck Manual's table of 2010–2013 (hip bent 125°, turned 45° either way, foot pointed 50°,
turned in 35°) and an appendix of AccessPhysiotherapy (collar bone up 45°, arm level 45° back and 135° forwards); notes on the
shoulder's anatomy have a collar bone rolled back by 20° to 50°, lowered 10° to 15°, drawn forwards and back 15° to 30°. Where
ours are wider that is for what others do to a joint: hip 140°, foot 56°. No page was found for a knee that is knelt on
(159°), nor for how planes narrow between these levels.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.body.limits import limits_for, swing_twist_angles, twisted_first
from poise.body.plan import BodyPlan
from poise.math import quat

__all__ = ["RangeAngles", "range_angles"]

Array = NDArray[np.float64]

_PASSIVE: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "spine": ((-35, 35), (-30, 80), (-45, 45)),
    "clavicle": ((-15, 45), (-50, 20), (-30, 30)),
    "thigh": ((-31, 53), (-140, 20), (-47, 47)),
    "shank": ((-10, 10), (-5, 159), (-43, 35)),
    "foot": ((-37, 23), (-38, 56), (-20, 20)),
}
"""Of the left side, abduction x, flexion y, twist z in degrees, where a body's weight or another joint takes a joint farther
than the table of `limits.py` has it: hips bent in a squat (140, from memory of Kapandji), a knee that is knelt on (159, from
memory of Barter et al. 1957), hips turned (47), feet turned in (37) and pointed (56), both from memory of Boone and Azen 1979
and within 2 and 6° of public tables; the trunk and the collar bone as in those (see the module)."""
_DOWN = np.array([0.0, 0.0, -1.0])
_ELEVATIONS = np.radians([0.0, 48.0, 62.0, 90.0, 120.0, 150.0, 180.0])
_BACKMOST = np.radians([-180.0, -120.0, -90.0, -45.0, -45.0, -90.0, -180.0])
_FOREMOST = np.radians([180.0, 180.0, 165.0, 141.0, 141.0, 180.0, 180.0])
"""Planes in which an arm can be raised so far from hanging: 0 sideways, 90° forwards, 180° across the body. Backwards 62°
(Boone and Azen 1979); across the body 48°, the table's of `limits.py`; level from 141° forwards to 45° backwards (135° and
45° in AccessPhysiotherapy's appendix), and up to the vertical: from memory. What lies between is interpolated, which is our
choice."""
_MIDDLE = np.radians(45.0)
"""Plane of the direction from which the arm's turn about itself is counted, at 90° of elevation."""
_ARM_TURN = np.radians([-114.0, 75.0])
"""Inwards 69° and outwards 104° from a forearm held forwards at an arm raised sideways (Boone and Azen 1979), which is at -45°
here; outwards 16° more for arms that hang or point forwards, a choice."""


class RangeAngles(NamedTuple):
    """Angles that have a range, one column each.

    Args:
        bodies: Body below the joint, shape (N,).
        kinds: What each is: "abduction", "flexion", "twist" or "direction".
        angles: [rad], shape (T, N).
        lower: [rad], shape (N,).
        upper: [rad], shape (N,).
    """

    bodies: NDArray[np.int64]
    kinds: tuple[str, ...]
    angles: Array
    lower: Array
    upper: Array

    @property
    def outside(self) -> Array:
        """How far each angle is outside its range [rad], shape (T, N)."""
        return np.maximum(0.0, np.maximum(self.angles - self.upper, self.lower - self.angles))


class _Column(NamedTuple):
    body: int
    kind: str
    angles: Array
    lower: float
    upper: float


_KINDS = ("abduction", "flexion", "twist")


def range_angles(plan: BodyPlan, coordinates: Array) -> RangeAngles:
    """The angles of a motion that people's ranges are known of, on the left side's terms.

    Args:
        plan: The body.
        coordinates: Joint coordinates wxyz, shape (T, B, 4).
    """
    above = np.maximum(plan.parents, 0)
    relative = quat.mul(plan.bind_rotations, coordinates)
    turns = _Turns(plan, quat.mul(quat.mul(plan.axes[above], relative), quat.conj(plan.axes)))
    columns: list[_Column] = []
    for body, role in enumerate(plan.body_roles[1:], start=1):
        side, part = _side_and_part(role)
        if part == "upper_arm":
            columns += _shoulder(body, _mirrored(turns.since(body, "spine", "pelvis"), side))
        elif part in ("forearm", "hand", "foot"):
            columns += _limb(plan, turns, body, side, part)
        elif part in ("spine", "neck", "head"):
            columns += _boxed(body, part, turns.own(body))
            if part != "neck" and turns.ends(body, part):
                below = ("pelvis",) if part == "spine" else ("spine", "pelvis")
                columns += _boxed(body, part, turns.since(body, *below))
        elif part in ("clavicle", "thigh", "shank"):
            columns += _boxed(body, part, _mirrored(turns.own(body), side))
    return RangeAngles(
        np.array([column.body for column in columns], dtype=np.int64),
        tuple(column.kind for column in columns),
        np.stack([column.angles for column in columns], axis=1),
        np.array([column.lower for column in columns]),
        np.array([column.upper for column in columns]),
    )


class _Turns:
    """Turns of bodies against one another, in anatomical axes."""

    def __init__(self, plan: BodyPlan, turns: Array) -> None:
        self._plan, self._turns = plan, turns

    def own(self, body: int) -> Array:
        """Against the nearest body above that has a role, shape (T, 4)."""
        return self._above(body, lambda role: role is not None)

    def since(self, body: int, *roles: str) -> Array:
        """Against the nearest body above that has one of these roles, shape (T, 4)."""
        return self._above(body, lambda role: role in roles)

    def ends(self, body: int, role: str) -> bool:
        """Whether no other body of this role hangs below."""
        return all(self._plan.body_roles[below] != role for below in self._plan.subtree(body) if below != body)

    def _above(self, body: int, reached: Callable[[str | None], bool]) -> Array:
        turn = self._turns[:, body]
        above = int(self._plan.parents[body])
        while above > 0 and not reached(self._plan.body_roles[above]):
            turn = quat.mul(self._turns[:, above], turn)
            above = int(self._plan.parents[above])
        return turn


def _side_and_part(role: str | None) -> tuple[str, str]:
    side, _, part = (role or "").partition("_")
    return (side, part) if side in ("left", "right") else ("", role or "")


def _mirrored(turns: Array, side: str) -> Array:
    """A right limb's turns as those of the left."""
    return turns * np.array([1.0, -1.0, 1.0, -1.0]) if side == "right" else turns


def _range(part: str) -> tuple[Array, Array]:
    """Least and greatest angles of a left or middle joint [rad], each of shape (3,)."""
    if part in _PASSIVE:
        lower, upper = np.radians(np.array(_PASSIVE[part], dtype=np.float64)).T
        return lower, upper
    limits = limits_for(part if part in ("neck", "head") else f"left_{part}", 1)
    return limits.lower, limits.upper


def _boxed(body: int, part: str, turns: Array, axes: tuple[int, ...] = (0, 1, 2)) -> list[_Column]:
    lower, upper = _range(part)
    angles = swing_twist_angles(turns)
    return [_Column(body, _KINDS[k], angles[:, k], float(lower[k]), float(upper[k])) for k in axes]


def _limb(plan: BodyPlan, turns: _Turns, body: int, side: str, part: str) -> list[_Column]:
    """Swings of elbow, wrist and ankle; twist where the limb ends, with that of the joint above."""
    own = _mirrored(turns.own(body), side)
    if part == "hand":
        own = twisted_first(own)
    columns = _boxed(body, part, own, (0, 1))
    if part == "forearm" and f"{side}_hand" in plan.body_roles:
        return columns
    lower, upper = _range(part)
    twist, least, most = swing_twist_angles(own)[:, 2], float(lower[2]), float(upper[2])
    if part != "forearm":
        above = plan.body_roles.index(f"{side}_{'forearm' if part == 'hand' else 'shank'}")
        twist = twist + swing_twist_angles(_mirrored(turns.own(above), side))[:, 2]
    if part == "foot":
        lower, upper = _range("shank")
        least, most = least + float(lower[2]), most + float(upper[2])
    return [*columns, _Column(body, "twist", _wrapped(twist), least, most)]


def _wrapped(angles: Array) -> Array:
    return np.asarray((angles + np.pi) % (2.0 * np.pi) - np.pi)


def _shoulder(body: int, turns: Array) -> list[_Column]:
    """Where a left arm points to, as the arc by which that is outside, and how it is turned about itself."""
    along = quat.rotate(turns, _DOWN)
    elevation = np.arccos(np.clip(-along[:, 2], -1.0, 1.0))
    plane = np.arctan2(along[:, 0], along[:, 1])
    back, fore = (np.interp(elevation, _ELEVATIONS, table) for table in (_BACKMOST, _FOREMOST))
    past, short = (plane - fore) % (2.0 * np.pi), (back - plane) % (2.0 * np.pi)
    inside = (plane - back) % (2.0 * np.pi) <= fore - back
    arc = np.where(inside, 0.0, np.minimum(past, short) * np.sin(elevation))
    middle = np.array([np.sin(_MIDDLE), np.cos(_MIDDLE), 0.0])
    raised = quat.between(_DOWN, middle)
    field = quat.mul(quat.between(np.broadcast_to(middle, along.shape), along), raised)
    twist = quat.log(quat.mul(quat.conj(field), turns))[:, 2]
    return [
        _Column(body, "direction", arc, 0.0, 0.0),
        _Column(body, "twist", _wrapped(twist), float(_ARM_TURN[0]), float(_ARM_TURN[1])),
    ]
