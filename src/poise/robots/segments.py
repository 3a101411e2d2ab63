"""A robot's segments: which hinges turn each part of its body, which body that is, and where its joint's centre lies.

Robots have one hinge a body: three bodies make a hip. A segment is the last of the bodies that one joint of a person stands
for; its hinges are those between the segment it hangs on and itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.robots.naming import NamedBodies
from poise.world.robot import RobotModel

__all__ = ["SIDES", "Segment", "segments_of"]

Array = NDArray[np.float64]

SIDES = ("left", "right")
_LIMBS = (("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot"))
_ALIKE = {"ankle": "foot", "leg": "shank", "neck": "head"}
"""Parts that one segment may be named by."""
_TOGETHER = 0.1
"""Hinges this near to one another turn one joint [limbs]."""
_PULL = 1e-3
"""How much the middle of a joint's anchors says about its centre, beside where its axes meet."""


@dataclass(frozen=True, eq=False)
class Segment:
    """One part of a robot's body.

    Args:
        role: What it is to a person (`poise.motion.roles.ROLES`).
        above: Role of the segment it hangs on; "" for the pelvis.
        body: Its body's number in the model.
        hinges: Those of its joint, as places among the robot's hinges.
        centre: Of its joint in the zero pose [m], shape (3,).
        tip: Where it ends where nothing hangs on it, in the zero pose [m], shape (3,).
    """

    role: str
    above: str
    body: int
    hinges: tuple[int, ...]
    centre: Array
    tip: Array


def segments_of(model: RobotModel, named: NamedBodies) -> dict[str, Segment]:
    """The robot's segments by role, parents before children; the model stands in its zero pose.

    Pelvis, trunk ("spine") and head are there as far as hinges part them.
    """
    tree = _Tree(model, named)
    limbs = {f"{side}_{parts[0]}": tree.limb(side, parts) for parts in _LIMBS for side in SIDES}
    pelvis = tree.meeting(limbs["left_thigh"][0][0], limbs["right_thigh"][0][0])
    chest = tree.meeting(limbs["left_upper_arm"][0][0], limbs["right_upper_arm"][0][0])
    hips = np.mean([tree.centre(tree.between(pelvis, limbs[f"{side}_thigh"][0][1])) for side in SIDES], axis=0)
    found = {"pelvis": Segment("pelvis", "", pelvis, (), hips, hips)}
    trunk = "pelvis"
    if waist := tree.between(pelvis, chest):
        found["spine"] = Segment("spine", "pelvis", chest, waist, tree.centre(waist), model.positions[chest])
        trunk = "spine"
    for side in SIDES:
        for parts, carrier in zip(_LIMBS, (trunk, "pelvis"), strict=True):
            above, body = carrier, found[carrier].body
            for part, (first, last) in zip(parts, limbs[f"{side}_{parts[0]}"], strict=False):
                start = tree.carrier(first, above=body) if above == carrier else body
                hinges = tree.between(start, last)
                if not hinges:
                    break
                found[f"{side}_{part}"] = tree.segment(f"{side}_{part}", above, last, hinges)
                above, body = f"{side}_{part}", last
    head = tree.head(chest)
    if head is not None and (hinges := tree.between(chest, head)):
        found["head"] = tree.segment("head", trunk, head, hinges)
    return found


class _Tree:
    """The bodies with what is known of them."""

    def __init__(self, model: RobotModel, named: NamedBodies) -> None:
        self.model, self.named = model, named
        self.labels = {
            int(body): (label.side, _ALIKE.get(label.part, label.part))
            for body, label in zip(named.bodies, named.labels, strict=True)
        }
        self.anchors, self.axes = model.axes
        self.moved = set(map(int, model.bend_bodies))

    def path(self, body: int) -> list[int]:
        """Bodies from the base down to `body`."""
        chain = [body]
        while chain[-1] != self.model.base:
            chain.append(int(self.model.parents[chain[-1]]))
        return chain[::-1]

    def meeting(self, first: int, second: int) -> int:
        """The last body that two others both hang on, neither of them."""
        shared = set(self.path(first)[:-1]) & set(self.path(second)[:-1])
        return max(shared, key=lambda body: len(self.path(body)), default=self.model.base)

    def between(self, start: int, end: int) -> tuple[int, ...]:
        """Hinges that turn one body in the other, in the order from the base."""
        one, other = self.path(start), self.path(end)
        way = set(one) ^ set(other)
        return tuple(hinge for hinge, body in enumerate(self.model.bend_bodies) if int(body) in way)

    def limb(self, side: str, parts: tuple[str, ...]) -> list[tuple[int, int]]:
        """First body of each part of a limb, and its last, above where the next part begins."""
        bodies = [self.named.body(f"{side}_{part}") for part in parts]
        known = [body for body in bodies if body is not None]
        firsts = [self.first(body) for body in known]
        size = float(np.linalg.norm(self.anchor(firsts[-1]) - self.anchor(firsts[0])))
        for part, above in enumerate(known[:-1], start=1):
            firsts[part] = self.nearest(firsts[part], above, _TOGETHER * size)
        lasts = [int(self.model.parents[below]) for below in firsts[1:]]
        end = self.last(known[-1])
        return list(zip(firsts, [*lasts, end], strict=True))

    def first(self, body: int) -> int:
        """The first of the bodies above that have the same name but for its axes."""
        label = self.labels[body]
        while label[1] and body != self.model.base and self.labels.get(int(self.model.parents[body])) == label:
            body = int(self.model.parents[body])
        return body

    def nearest(self, body: int, above: int, most: float) -> int:
        """The first of the bodies below `above` whose hinges are at one place with a body's, however they are called."""
        first = body
        while True:
            parent = int(self.model.parents[first])
            if parent in (above, 0) or above not in self.path(parent):
                return first
            if parent in self.moved and np.linalg.norm(self.anchor(parent) - self.anchor(body)) > most:
                return first
            first = parent

    def anchor(self, body: int) -> Array:
        """Of a body's first hinge [m], or where the body is."""
        hinges = np.flatnonzero(self.model.bend_bodies == body)
        return np.asarray(self.anchors[hinges[0]] if len(hinges) else self.model.positions[body])

    def last(self, body: int) -> int:
        """The last of the moving bodies below that have the same name but for its axes."""
        label, last = self.labels[body], body
        for other in map(int, self.model.inside):
            below = other in self.moved and last in self.path(other)
            if below and label[1] and self.labels[other] == label:
                last = other
        return last

    def carrier(self, first: int, above: int) -> int:
        """The body that a limb's first joint turns against: a collar bone, where one is between limb and trunk."""
        path = self.path(first)
        start = path.index(above) if above in path else 0
        collars = [body for body in path[start + 1 : -1] if self.labels[body][1] == "clavicle"]
        return collars[-1] if collars else above

    def head(self, chest: int) -> int | None:
        """The head's last body, or that of a neck that carries it."""
        named = self.named
        pairs = zip(named.bodies, named.roles, strict=True)
        bodies = [int(body) for body, role in pairs if role in ("neck", "head")]
        on_chest = [body for body in bodies if chest in self.path(body)[:-1]]
        return self.last(on_chest[-1]) if on_chest else None

    def centre(self, hinges: tuple[int, ...]) -> Array:
        """The point nearest to the axes of hinges [m], shape (3,): where they meet, beside their anchors where they do not."""
        middle = self.anchors[list(hinges)].mean(axis=0)
        matrix, right = _PULL * np.eye(3), _PULL * middle
        for hinge in hinges:
            across = np.eye(3) - np.outer(self.axes[hinge], self.axes[hinge])
            matrix, right = matrix + across, right + across @ self.anchors[hinge]
        return np.asarray(np.linalg.solve(matrix, right))

    def segment(self, role: str, above: str, body: int, hinges: tuple[int, ...]) -> Segment:
        centre = self.centre(hinges)
        return Segment(role, above, body, hinges, centre, 2.0 * self.model.centres[body] - centre)
