"""Which joint is which part of the body: anatomical roles from joint names and the shape of the tree.

A role is a plain string. "spine" and "neck" may have any number of joints, bottom-up; every other role has at most
one. The guess is made in `role_guess`; a map given by the user wins over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from poise.errors import InputError, shown, unknown_name
from poise.motion.role_guess import assign_roles, misplaced
from poise.motion.skeleton import Skeleton

__all__ = ["ROLES", "Roles", "guess_roles", "mirror_role"]

_LIMBS = ("clavicle", "upper_arm", "forearm", "hand", "thigh", "shank", "foot", "toes")

ROLES: tuple[str, ...] = (
    "pelvis",
    "spine",
    "neck",
    "head",
    *(f"{side}_{part}" for side in ("left", "right") for part in _LIMBS),
)
"""All roles a joint can have."""

_MANY = {"spine", "neck"}


@dataclass(frozen=True, eq=False)
class Roles:
    """The roles of a skeleton's joints.

    Args:
        skeleton: The joints.
        by_joint: Role of each joint, or None for fingers, twist bones, eyes and other joints without one.
        reasons: How each was decided: "map file", "file" (which declares them), "name", "topology", or "" where there is
            nothing to decide.
    """

    skeleton: Skeleton
    by_joint: tuple[str | None, ...]
    reasons: tuple[str, ...]

    def joint(self, role: str) -> int | None:
        """The first joint with `role`, or None; raises `InputError` when there is no such role."""
        return next(iter(self.joints(role)), None)

    def joints(self, role: str) -> tuple[int, ...]:
        """All joints with `role`, from the root outwards; raises `InputError` when there is no such role."""
        _check_role(role)
        return tuple(joint for joint, given in enumerate(self.by_joint) if given == role)

    def require(self, *roles: str) -> None:
        """Raise `InputError`, listing what is missing, unless every one of `roles` has a joint."""
        missing = [role for role in roles if self.joint(role) is None]
        if missing:
            raise InputError(
                f"this skeleton has no joint for {', '.join(missing)}; name the joints in a role map. "
                f"Its joints: {', '.join(self.skeleton.names[:40])}{', …' if len(self.skeleton) > 40 else ''}"
            )
        for above, below in misplaced(self.skeleton, self.by_joint):
            raise InputError(
                f"{shown(self.skeleton.names[below])} ({self.by_joint[below]}) does not hang below "
                f"{shown(self.skeleton.names[above])} ({self.by_joint[above]}); name the joints in a role map"
            )


def mirror_role(role: str) -> str:
    """The same role on the other side; a role of the middle is its own mirror."""
    _check_role(role)
    for here, there in (("left_", "right_"), ("right_", "left_")):
        if role.startswith(here):
            return there + role.removeprefix(here)
    return role


def guess_roles(skeleton: Skeleton, overrides: Mapping[str, str | None] | None = None) -> Roles:
    """Roles of the joints: a map's, else those its file declares, else from names and topology.

    Args:
        skeleton: The joints.
        overrides: Joint name to role, or to None for "no role"; wins over the guess. A joint that was guessed to have
            a role given here to another one loses it ("spine" and "neck" may have several).

    Raises:
        InputError: An override names a joint or a role that does not exist, gives two joints the same role, or a joint a
            role that it cannot have where it hangs.
    """
    by_joint, reasons = assign_roles(skeleton)
    try:
        given = {skeleton.index(name): role for name, role in (overrides or {}).items()}
    except InputError as error:
        raise InputError(error.problem, source="role map") from None
    _check_given(skeleton, given)
    for joint, role in enumerate(by_joint):
        if role in given.values() and role not in _MANY:
            by_joint[joint], reasons[joint] = None, "map file"
    for joint, role in given.items():
        by_joint[joint], reasons[joint] = role, "map file"
    if given:
        _check_limbs(skeleton, by_joint, set(given))
    return Roles(skeleton, tuple(by_joint), tuple(reasons))


def _check_role(role: str) -> None:
    if role not in ROLES:
        raise unknown_name("role", role, ROLES)


def _check_given(skeleton: Skeleton, given: Mapping[int, str | None]) -> None:
    taken: dict[str, int] = {}
    for joint, role in given.items():
        if role is None:
            continue
        _check_role(role)
        if role in taken and role not in _MANY:
            names = f"{skeleton.names[taken[role]]} and {skeleton.names[joint]}"
            raise InputError(f"only one joint can be {role}; the role map gives it to {names}")
        taken[role] = joint


def _check_limbs(skeleton: Skeleton, by_joint: list[str | None], given: set[int]) -> None:
    """Raise `InputError` where what was given is not below what it must hang on."""
    for above, below in misplaced(skeleton, by_joint):
        if not {above, below} & given:
            continue
        names = [f"{shown(skeleton.names[joint])} ({by_joint[joint]})" for joint in (below, above)]
        under = [skeleton.names[joint] for joint in skeleton.descendants(above)[1:8]]
        raise InputError(
            f"the role map puts {names[0]} below {names[1]}, but it does not hang there; below are: "
            f"{', '.join(under) or 'none'}"
        )
