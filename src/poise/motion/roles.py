"""Which joint is which part of the body: anatomical roles from joint names and the shape of the tree.

A role is a plain string. "spine" and "neck" may have any number of joints, bottom-up; every other role has at most
one. The guess is made in `role_guess`; a map given by the user wins over it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from poise.errors import InputError, unknown_name
from poise.motion.role_guess import assign_roles
from poise.motion.skeleton import Skeleton

__all__ = ["ROLES", "Roles", "guess_roles", "mirror_role", "read_role_map"]

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
        reasons: How each was decided: "name", "topology", "map file", or "" where there is nothing to decide.
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


def mirror_role(role: str) -> str:
    """The same role on the other side; a role of the middle is its own mirror."""
    _check_role(role)
    for here, there in (("left_", "right_"), ("right_", "left_")):
        if role.startswith(here):
            return there + role.removeprefix(here)
    return role


def guess_roles(skeleton: Skeleton, overrides: Mapping[str, str | None] | None = None) -> Roles:
    """Roles of the joints from names and topology.

    Args:
        skeleton: The joints.
        overrides: Joint name to role, or to None for "no role"; wins over the guess. A joint that was guessed to have
            a role given here to another one loses it ("spine" and "neck" may have several).

    Raises:
        InputError: An override names a joint or a role that does not exist, or gives two joints the same role.
    """
    by_joint, reasons = assign_roles(skeleton)
    given = {skeleton.index(name): role for name, role in (overrides or {}).items()}
    _check_given(skeleton, given)
    for joint, role in enumerate(by_joint):
        if role in given.values() and role not in _MANY:
            by_joint[joint], reasons[joint] = None, "map file"
    for joint, role in given.items():
        by_joint[joint], reasons[joint] = role, "map file"
    return Roles(skeleton, tuple(by_joint), tuple(reasons))


def read_role_map(path: str | Path) -> dict[str, str | None]:
    """Joint name to role, from a small YAML file with one `joint: role` per line (`null` for no role).

    Raises:
        InputError: The file cannot be read, is not such a mapping, names a joint twice or a role that does not exist.
    """
    try:
        node = yaml.compose(Path(path).read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a UTF-8 text file"
        raise InputError(f"cannot read the role map: {reason}", source=path) from None
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        place = None if mark is None else f"line {mark.line + 1}"
        raise InputError("not valid YAML; expected lines `joint: role`", source=path, place=place) from None
    if not isinstance(node, yaml.MappingNode):
        raise InputError("expected a mapping with one `joint: role` per line", source=path)
    roles: dict[str, str | None] = {}
    for key, value in node.value:
        place = f"line {key.start_mark.line + 1}"
        if not (isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)):
            raise InputError("expected `joint: role`, both plain words", source=path, place=place)
        role = None if value.tag == "tag:yaml.org,2002:null" else value.value
        if key.value in roles:
            raise InputError("the joint is listed twice", source=path, place=f"{place}, {key.value}")
        if role is not None and role not in ROLES:
            problem = f"unknown role {role!r}; allowed: null, {', '.join(ROLES)}"
            raise InputError(problem, source=path, place=f"{place}, {key.value}")
        roles[key.value] = role
    return roles


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
