"""Which part of a character obeys its clip and which obeys physics."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from poise.body.plan import BodyPlan
from poise.errors import InputError, unknown_name
from poise.motion.roles import ROLES
from poise.signals import Mode

__all__ = ["anchored", "find_bodies", "whole"]

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
    found = []
    for name in names:
        if name in plan.names:
            found.append(plan.index(name))
        elif name in ROLES:
            bodies = plan.with_role(name)
            if not bodies:
                raise InputError(f"this character has no {name!r}; its roles: {_present(plan)}")
            found.append(bodies[0])
        else:
            raise unknown_name("joint or role", name, [*plan.names, *ROLES])
    return found


def _present(plan: BodyPlan) -> str:
    return ", ".join(sorted({role for role in plan.body_roles if role}))
