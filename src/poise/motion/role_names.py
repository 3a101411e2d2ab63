"""What joint names say: a side and a body part, for the naming habits of the common tools.

The part is not yet a role: "LeftShoulder" is a collar bone in one dialect and an upper arm in another, "LeftLeg" a
thigh or a shank. `poise.motion.roles` decides that from the chain the joint stands in.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["NameLabel", "read_names"]

_WORDS = {
    "pelvis": "hips pelvis hipcenter hipscenter spinebase lowerbody",
    "spine": "spine chest upperchest lowerchest abdomen torso lowertorso uppertorso trunk lowerback upperback back "
    "waist belly thorax ribs ribcage sternum lumbar spinemid spineshoulder shouldercenter spineupper spinelower "
    "spinemiddle abdomenlower abdomenupper chestlower chestupper",
    "neck": "neck lowerneck upperneck neckbase neckupper necklower necktwist cervical",
    "head": "head skull",
    "clavicle": "clavicle clav collar collarbone scapula",
    "shoulder": "shoulder shldr",
    "upper_arm": "arm uparm upperarm armupper uarm humerus shldrbend",
    "forearm": "forearm radius lowarm lowerarm armlower elbow ulna forearmbend",
    "hand": "hand wrist palm handwrist",
    "hip": "hip buttock glute",
    "thigh": "upleg upperleg legupper thigh femur thighbend",
    "leg": "leg",
    "shank": "shin calf calve shank tibia knee lowleg lowerleg leglower crus",
    "ankle": "ankle footankle",
    "foot": "foot",
    "toes": "toe toes toebase forefoot ball football foottoe",
}
_PARTS = {word: part for part, words in _WORDS.items() for word in words.split()}

_TRUNK = {"pelvis", "spine", "neck", "head"}

_SIDES = {"left": "left", "l": "left", "right": "right", "r": "right"}

_NOISE = {
    "c",
    "joint",
    "jnt",
    "bone",
    "bind",
    "def",
    "j",
    "m",
    "b",
    "bip",
    "biped",
    "sim",
    "mixamorig",
    "base",
    "jt",
    "bn",
}
"""Tokens that exporters put before or after the part."""

_HELPER_WORDS = """
twist roll end nub dummy helper ik pole target ctrl control effector tip top site null offset corrective
eye eyes jaw hair tongue ear brow lip teeth thumb index finger fingers middle ring pinky little metacarpal
weapon prop breast tail skirt cape
"""
_HELPERS = set(_HELPER_WORDS.split())
"""Tokens of joints that carry no part of the body plan."""

_TOKEN = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_SHARED = 0.8
"""A token in this share of all names is a prefix of the file, not a part."""


@dataclass(frozen=True)
class NameLabel:
    """What one name says.

    Args:
        side: "left", "right" or "" for the middle or unknown.
        part: Body part word such as "shoulder" or "spine"; "" where the name says nothing.
        helper: The name belongs to a joint without a part in the body plan: a twist bone, a finger, an eye.
    """

    side: str = ""
    part: str = ""
    helper: bool = False


def read_names(names: Sequence[str]) -> tuple[NameLabel, ...]:
    """Side and part of each joint name; what nearly all names have in common is ignored."""
    tokens = [_tokens(name) for name in names]
    counts = Counter(token for each in tokens for token in set(each))
    shared = {token for token, count in counts.items() if len(names) >= 5 and count >= _SHARED * len(names)}
    return tuple(_label(name, each, _NOISE | shared) for name, each in zip(names, tokens, strict=True))


def _tokens(name: str) -> list[str]:
    """Lower-case words of a name without its namespace and its numbers."""
    last = re.split(r"[:|]", name)[-1]
    return [token.lower() for token in _TOKEN.findall(last) if not token.isdigit()]


def _label(name: str, tokens: list[str], noise: set[str]) -> NameLabel:
    side, rest = _split_side(tokens)
    part = _part(rest, noise)
    if not part and not side and rest:
        side, rest = _glued_side(rest)
        part = _part(rest, noise)
    if part == "hip" and not side:
        part = "pelvis"
    if part in _TRUNK and side:
        return NameLabel(side, "", True)
    helper = not part and (name.startswith("__") or bool(_HELPERS & set(rest)))
    return NameLabel(side, part, helper)


def _split_side(tokens: list[str]) -> tuple[str, list[str]]:
    """The side that stands as a word of its own, and the other words."""
    sides = {_SIDES[token] for token in tokens if token in _SIDES}
    if len(sides) != 1:
        return "", tokens
    return sides.pop(), [token for token in tokens if token not in _SIDES]


def _glued_side(tokens: list[str]) -> tuple[str, list[str]]:
    """The side written without a gap, as in "lshldr", "leftuparm" or "hipright"."""
    first, last = tokens[0], tokens[-1]
    for mark, side in _SIDES.items():
        if first.startswith(mark) and first[len(mark) :] in _PARTS:
            return side, [first[len(mark) :], *tokens[1:]]
        if len(mark) > 1 and last.endswith(mark) and last[: -len(mark)] in _PARTS:
            return side, [*tokens[:-1], last[: -len(mark)]]
    return "", tokens


def _part(tokens: list[str], noise: set[str]) -> str:
    clean = [token for token in tokens if token not in noise]
    return _PARTS.get("".join(tokens)) or _PARTS.get("".join(clean), "")
