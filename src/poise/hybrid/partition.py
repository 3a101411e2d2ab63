"""Which part of a character obeys its clip and which obeys physics."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.motion.roles import ROLES
from poise.signals import Mode

__all__ = ["anchored", "find_bodies", "find_named", "whole"]

Modes = NDArray[np.int64]


def whole(plan: BodyPlan, mode: Mode) -> Modes:
    """Every joint in one mode, shape (B,)."""
    return np.full(len(plan), int(mode))


def anchored(plan: BodyPlan, anchors: Iterable[str], mode: Mode = Mode.TORQUE) -> Modes:
    """The anchors' bones and everything below them in `mode`, the rest `MOTION`, shape (B,).

    Alvarado 2022, Fig. 4: "the physical simulation takes control of the part of the character down the hierarchy, starting
    at the anchor point". The bone at the anchor is itself dynamic and its parent is kinematic.

    Args:
        plan: The character.
        anchors: Joint names or roles ("left_upper_arm"); several at once are allowed, also nested ones.
        mode: Who moves the released part.

    Raises:
        InputError: An anchor is no joint or role of this character that is a body.
    """
    modes = whole(plan, Mode.MOTION)
    for body in find_bodies(plan, anchors):
        modes[list(plan.subtree(body))] = int(mode)
    return modes


def find_bodies(plan: BodyPlan, names: Iterable[str]) -> list[int]:
    """Bodies by joint name or role; a role stands for its first body.

    Raises:
        InputError: A name is neither.
    """
    return find_named(plan.names, plan.body_roles, names)


def find_named(joints: Sequence[str], roles: Sequence[str | None], names: Iterable[str]) -> list[int]:
    """The same among bodies of which no more is known than the names of their joints and their roles.

    Raises:
        InputError: A name is neither.
    """
    found = []
    for name in names:
        if name in joints:
            found.append(joints.index(name))
        elif name not in ROLES:
            raise unknown_name("joint or role", name, [*joints, *ROLES])
        elif name not in roles:
            present = ", ".join(sorted({role for role in roles if role}))
            raise InputError(f"this character has no {name!r}; its roles: {present}")
        else:
            found.append(roles.index(name))
    return found
