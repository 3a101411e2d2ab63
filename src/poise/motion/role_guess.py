"""The guess behind `poise.motion.roles`: limbs by name and chain, then the trunk as what lies between them.

What a file declares is believed. Else names are read first (`role_names`). What they leave open ("LeftShoulder": collar bone or
upper arm?) is decided by the chain the joint stands in, the trunk by what lies between the limbs, a skeleton whose names say
nothing by its shape (`role_topology`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from poise.motion.role_names import NameLabel, read_names
from poise.motion.role_topology import limbs_from_shape
from poise.motion.skeleton import Skeleton

__all__ = ["assign_roles", "misplaced"]

_ARM = {"clavicle", "shoulder", "upper_arm", "forearm", "hand"}
_LEG = {"hip", "thigh", "leg", "shank", "ankle", "foot", "toes"}
_TRUNK = {"spine", "neck"}
_LIMBS = (("clavicle", "upper_arm", "forearm", "hand"), ("thigh", "shank", "foot", "toes"))
_MAIN_LIMBS = {f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "thigh", "shank")}
"""What names must give, or the shape is asked instead."""


def assign_roles(skeleton: Skeleton) -> tuple[list[str | None], list[str]]:
    """Role of each joint, or None, and how it was decided: "file", "name", "topology", or "" where there is nothing to tell."""
    if set(skeleton.declared) >= _MAIN_LIMBS | {"pelvis"} and not any(misplaced(skeleton, skeleton.declared)):
        return list(skeleton.declared), ["file" if role else "" for role in skeleton.declared]
    guess = _Guess(skeleton)
    joints = range(len(skeleton))
    return [guess.roles.get(joint) for joint in joints], [guess.reason(joint) for joint in joints]


def misplaced(skeleton: Skeleton, by_joint: Sequence[str | None]) -> Iterator[tuple[int, int]]:
    """Pairs of a joint and one that has the role of a part below it, but does not hang there."""
    place = {role: joint for joint, role in enumerate(by_joint) if role not in (None, "spine", "neck")}
    for side in ("left_", "right_"):
        for parts in _LIMBS:
            limb = [place[role] for role in ("pelvis", *(side + part for part in parts)) if role in place]
            for above, below in pairwise(limb):
                if above not in skeleton.path(below)[:-1]:
                    yield above, below


class _Guess:
    """One pass over a skeleton: limbs first, then the trunk as what lies between them."""

    def __init__(self, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self.labels = _with_sides(skeleton, read_names(skeleton.names))
        self.roles: dict[int, str] = {}
        self.shaped: set[int] = set()
        for side in ("left", "right"):
            self._limb(side, _arm_parts(self._chain(side, _ARM)))
            self._limb(side, _leg_parts(self._chain(side, _LEG), self._toe_count(side)))
        if not set(self.roles.values()) >= _MAIN_LIMBS:
            found = limbs_from_shape(skeleton)
            if len(found) > len(self.roles):
                self.roles = {joint: role for role, joint in found.items()}
                self.shaped = set(self.roles)
        self._trunk()

    def reason(self, joint: int) -> str:
        if joint in self.roles:
            return "topology" if joint in self.shaped else "name"
        return "name" if self.labels[joint].helper else ""

    def _limb(self, side: str, parts: Mapping[str, int | None]) -> None:
        self.roles.update({joint: f"{side}_{part}" for part, joint in parts.items() if joint is not None})

    def _chain(self, side: str, parts: set[str]) -> list[tuple[int, str]]:
        """Joints of one limb with their part words, root outwards: the path that passes the most different parts."""
        best: list[tuple[int, str]] = []
        for joint in range(len(self.skeleton)):
            if not self._is(joint, side, parts):
                continue
            path = [(j, self.labels[j].part) for j in self.skeleton.path(joint) if self._is(j, side, parts)]
            if len({part for _, part in path}) > len({part for _, part in best}):
                best = path
        return best

    def _is(self, joint: int, side: str, parts: set[str]) -> bool:
        label = self.labels[joint]
        return label.side == side and label.part in parts

    def _toe_count(self, side: str) -> int:
        toes = {joint for joint in range(len(self.skeleton)) if self._is(joint, side, {"toes"})}
        return sum(int(self.skeleton.parents[joint]) not in toes for joint in toes)

    def _named(self, part: str) -> list[int]:
        return [joint for joint, label in enumerate(self.labels) if not label.side and label.part == part]

    def _limb_tops(self, *parts: str) -> list[int]:
        """The first joint of each limb that has one of `parts`."""
        tops = []
        for side in ("left", "right"):
            wanted = {f"{side}_{part}" for part in parts}
            tops += [joint for joint in sorted(self.roles) if self.roles[joint] in wanted][:1]
        return tops

    def _above(self, joints: Iterable[int]) -> list[int]:
        """Joints, root first, that every one of `joints` hangs on."""
        paths = [self.skeleton.path(joint)[:-1] for joint in joints]
        return [joint for joint in paths[0] if all(joint in path for path in paths)] if paths else []

    def _set(self, joint: int, role: str) -> None:
        self.roles[joint] = role
        if self.labels[joint].part != role:
            self.shaped.add(joint)

    def _trunk(self) -> None:
        above_legs = self._above(self._limb_tops("thigh"))
        named = self._named("pelvis")
        pelvis = [joint for joint in named if joint in above_legs][-1:] or above_legs[-1:] or named[:1]
        for joint in pelvis:
            self._set(joint, "pelvis")
        below = set(self.skeleton.path(pelvis[0])) if pelvis else set()
        arms = self._limb_tops("clavicle", "upper_arm")
        carriers = self._above(arms)
        head = self._head(carriers[-1] if carriers else None, arms)
        if head is not None:
            self._set(head, "head")
        upper = self._named("neck") if head is None else [head]
        way_up = sorted({*carriers, *(joint for top in upper for joint in self.skeleton.path(top))})
        if not pelvis:
            way_up = [joint for joint in way_up if self.labels[joint].part in _TRUNK]
        for joint in way_up:
            if joint in below or joint in self.roles or self.labels[joint].helper:
                continue
            part = self.labels[joint].part
            self._set(joint, part if part in _TRUNK else "spine" if joint in carriers else "neck")

    def _head(self, chest: int | None, arms: list[int]) -> int | None:
        """The joint named head, or the last joint of the chain that goes on above the arms."""
        named = [joint for joint in self._named("head") if joint not in self.roles]
        if named or chest is None or self.labels[chest].part == "pelvis":
            return named[0] if named else None
        limbs = {joint for arm in arms for joint in self.skeleton.descendants(arm)}
        top = chest
        while True:
            onward = [j for j in self.skeleton.children[top] if j not in limbs | set(self.roles)]
            onward = [j for j in onward if not self.labels[j].side and not self.labels[j].helper]
            if len(onward) != 1:
                break
            top = onward[0]
        return top if top != chest and self.labels[top].part != "neck" else None


def _with_sides(skeleton: Skeleton, labels: tuple[NameLabel, ...]) -> tuple[NameLabel, ...]:
    """The labels with limb parts that name no side ("Toe" below "LeftFoot") on the side of the limb they hang on."""
    sided = list(labels)
    for joint, parent in enumerate(skeleton.parents):
        label = sided[joint]
        if parent >= 0 and not label.side and label.part in _ARM | _LEG and sided[parent].part in _ARM | _LEG:
            sided[joint] = replace(label, side=sided[parent].side)
    return tuple(sided)


def _first(chain: list[tuple[int, str]], *parts: str) -> int | None:
    return next((joint for joint, part in chain if part in parts), None)


def _after(chain: list[tuple[int, str]], joint: int | None) -> list[tuple[int, str]]:
    return [each for each in chain if joint is None or each[0] > joint]


def _arm_parts(chain: list[tuple[int, str]]) -> dict[str, int | None]:
    """A shoulder is the collar bone when an upper arm is named below it, and the upper arm otherwise."""
    upper = _first(chain, "upper_arm")
    if upper is None:
        upper = _first(chain[::-1], "shoulder")
    before = [each for each in chain if upper is None or each[0] < upper]
    collar = _first(before, "clavicle")
    forearm = _first(_after(chain, upper), "forearm")
    hand = _first(_after(chain, upper if forearm is None else forearm), "hand")
    return {
        "clavicle": _first(before[::-1], "shoulder") if collar is None else collar,
        "upper_arm": upper,
        "forearm": forearm,
        "hand": hand,
    }


def _leg_parts(chain: list[tuple[int, str]], toe_count: int) -> dict[str, int | None]:
    """A hip is the thigh unless a thigh is named below it; a leg is the thigh above a knee, else the shank."""
    thigh, leg = _first(chain, "thigh"), _first(chain, "leg")
    if thigh is None and leg is not None and _first(_after(chain, leg), "shank") is not None:
        thigh = leg
    if thigh is None:
        thigh = _first(chain[::-1], "hip")
    if thigh is None:
        thigh = leg
    shank = _first(_after(chain, thigh), "shank")
    if shank is None:
        shank = _first(_after(chain, thigh), "leg")
    foot = _first(_after(chain, thigh if shank is None else shank), "ankle", "foot")
    beyond = [] if foot is None else _after(chain, foot)
    toes = _first(beyond, "toes") if toe_count == 1 else None
    if toes is None and toe_count == 0:
        toes = _first(beyond, "foot")
    return {"thigh": thigh, "shank": shank, "foot": foot, "toes": toes}
