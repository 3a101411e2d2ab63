"""Which of a robot's bodies is which part of a person: by names without what engineers add to them, else by shape."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from poise.errors import InputError, shown, unknown_name
from poise.motion.role_names import NameLabel, read_names
from poise.motion.roles import ROLES, guess_roles
from poise.motion.skeleton import Skeleton
from poise.robots.arms import arms_from_shape
from poise.world.robot import RobotModel

__all__ = ["NamedBodies", "name_bodies"]

Array = NDArray[np.float64]

_AXES = re.compile(r"(?i)(?<![a-z])(link|body|pitch|roll|yaw|pan|tilt|aa|fe|ie|rx|ry|rz|x|y|z|servo|motor)(?![a-z])")
"""Words that say about which axis a hinge turns, or that a body is one."""
_WORDS = {"sho": "shoulder", "el": "elbow", "ank": "ankle", "wr": "wrist", "waist": "spine"}
"""Short forms on robots."""
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_NEEDED = tuple(
    f"{side}_{part}" for side in ("left", "right") for part in ("upper_arm", "forearm", "thigh", "shank", "foot")
)


class NamedBodies(NamedTuple):
    """The robot's bodies and which part of a person each is.

    Args:
        bodies: Number of each body in the model, shape (B,).
        roles: Of each, or None.
        reasons: How each was decided: "map file", "name", "topology" or "".
        labels: What each name says.
        names: Of each.
    """

    bodies: NDArray[np.int64]
    roles: tuple[str | None, ...]
    reasons: tuple[str, ...]
    labels: tuple[NameLabel, ...]
    names: tuple[str, ...]

    def body(self, role: str) -> int | None:
        """Number in the model of the last body with a role, if there is one."""
        found = [int(body) for body, given in zip(self.bodies, self.roles, strict=True) if given == role]
        return found[-1] if found else None


def name_bodies(model: RobotModel, source: object, given: Mapping[str, str | None] | None = None) -> NamedBodies:
    """Roles of a robot's bodies; the model stands in its zero pose.

    Args:
        model: The robot.
        source: Its file, for messages.
        given: Body name to role, or to None for no role; wins over the guess.

    Raises:
        InputError: The map names a body or role that is not there, or this is no humanoid.
    """
    names = tuple(model.body_names[body] for body in model.inside)
    plain = _unique([_plain(name) for name in names])
    skeleton = _skeleton(model, plain)
    guessed = guess_roles(skeleton)
    roles, reasons = list(guessed.by_joint), list(guessed.reasons)
    if not any(role in roles for role in _NEEDED if role.endswith("arm")):
        for joint, shaped in _shaped_arms(model, skeleton, roles).items():
            roles[joint], reasons[joint] = shaped, "topology"
    for name, role in (given or {}).items():
        if name not in names:
            raise unknown_name("body", name, names, source=source)
        if role is not None and role not in ROLES:
            raise unknown_name("role", role, ROLES, source=source)
        for body, other in enumerate(roles):
            if other == role and names[body] not in (given or {}):
                roles[body], reasons[body] = None, ""
        roles[names.index(name)], reasons[names.index(name)] = role, "map file"
    missing = [role for role in _NEEDED if role not in roles]
    if missing:
        raise InputError(
            f"this is no humanoid: no body is found for {', '.join(missing)}; a role map (--roles) names them. "
            f"Its bodies: {', '.join(names[:40])}{', …' if len(names) > 40 else ''}",
            source=source,
        )
    named = NamedBodies(model.inside, tuple(roles), tuple(reasons), read_names(plain), names)
    _check_limbs(model, named, source)
    return named


def _shaped_arms(model: RobotModel, skeleton: Skeleton, roles: list[str | None]) -> dict[int, str]:
    """Arms by their shape, where legs are known by name."""
    thighs = [roles.index(role) for role in ("left_thigh", "right_thigh") if role in roles]
    if len(thighs) < 2:
        return {}
    number = {int(body): joint for joint, body in enumerate(model.inside)}
    places = model.positions[model.inside[thighs]]
    axes = {number[int(body)]: axis for body, axis in zip(model.bend_bodies, model.axes[1], strict=True)}
    legs = {joint for role in ("thigh", "shank") for joint, given in enumerate(roles) if (given or "").endswith(role)}
    left = places[0] - places[1]
    return arms_from_shape(skeleton, axes, legs, left / max(float(np.linalg.norm(left)), 1e-9))


def _check_limbs(model: RobotModel, named: NamedBodies, source: object) -> None:
    """Raise `InputError` where a part of a limb does not hang on the part above."""
    for side in ("left", "right"):
        for parts in (("upper_arm", "forearm", "hand"), ("thigh", "shank", "foot")):
            found = [(f"{side}_{part}", named.body(f"{side}_{part}")) for part in parts]
            for (upper, above), (lower, below) in pairwise(found):
                if above is None or below is None:
                    continue
                body = below
                while body not in (above, 0):
                    body = int(model.parents[body])
                if body != above or above == below:
                    raise InputError(
                        f"{shown(model.body_names[below])} ({lower}) does not hang below {shown(model.body_names[above])} "
                        f"({upper}); a role map (--roles) names the bodies",
                        source=source,
                    )


def _plain(name: str) -> str:
    """A name without axes of hinges: "left_hip_yaw_link" as "left_hip"."""
    words = _AXES.sub(" ", _CAMEL.sub("_", name).replace("_", " ")).split()
    return "_".join(_WORDS.get(word.lower(), word) for word in words) or name


def _unique(names: list[str]) -> list[str]:
    """The names with numbers behind those that come again; numbers say nothing to whoever reads names."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} {seen[name]}")
    return found


def _skeleton(model: RobotModel, names: list[str]) -> Skeleton:
    """The bodies as joints at the anchors of their hinges; what ends a limb ends where its mass is doubled."""
    number = {int(body): joint for joint, body in enumerate(model.inside)}
    places = model.positions[model.inside].copy()
    anchors, _ = model.axes
    for anchor, body in zip(anchors[::-1], model.bend_bodies[::-1], strict=True):
        places[number[int(body)]] = anchor
    parents = np.array([number.get(int(model.parents[body]), -1) for body in model.inside])
    offsets = places - np.where(parents[:, None] >= 0, places[parents], 0.0)
    leaves = np.array([joint for joint in range(len(names)) if joint not in parents], dtype=np.int64)
    tips = 2.0 * (model.centres[model.inside] - places)[leaves]
    return Skeleton(tuple(names), parents, offsets, leaves, tips)
