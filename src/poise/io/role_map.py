"""Role maps: which joint is which part of the body, said by the user in a small YAML file, or by Unity beside a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from poise.errors import InputError, likeliest, shown
from poise.io.humanoid import humanoid_role
from poise.io.yaml_tree import compose_yaml, plain, read_yaml
from poise.motion.roles import ROLES

__all__ = ["read_role_map"]

_LONGEST = 200_000
_LONGEST_META = 4_000_000
"""Unity lists every node of a model, too."""


def read_role_map(path: str | Path) -> dict[str, str | None]:
    """Joint name to role, from a YAML file with one `joint: role` per line (`null` for no role), or a Unity .meta of an avatar.

    Raises:
        InputError: The file cannot be read, is not such a mapping, names a joint twice or a role that does not exist; the .meta
            has no humanoid avatar.
    """
    if Path(path).suffix.lower() == ".meta":
        return _avatar(Path(path))
    node = compose_yaml(path, _LONGEST)
    if not isinstance(node, yaml.MappingNode):
        raise InputError("expected a mapping with one `joint: role` per line", source=path)
    roles: dict[str, str | None] = {}
    for key, value in node.value:
        place = f"line {key.start_mark.line + 1}"
        if not (isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)):
            raise InputError("expected `joint: role`, both plain words", source=path, place=place)
        role = plain(value)
        place = f"{place}, {shown(key.value)[1:-1]}"
        if key.value in roles:
            raise InputError("the joint is listed twice", source=path, place=place)
        if role is not None and role not in ROLES:
            raise InputError(
                f"unknown role {shown(role)}{likeliest(str(role), ROLES)}; allowed: null, {', '.join(ROLES)}",
                source=path,
                place=place,
            )
        roles[key.value] = role
    return roles


def _avatar(path: Path) -> dict[str, str | None]:
    """What Unity calls the human bones of a model's avatar."""
    place: Any = read_yaml(path, _LONGEST_META)
    for key in ("ModelImporter", "humanDescription", "human"):
        place = place.get(key) if isinstance(place, dict) else None
    roles: dict[str, str | None] = {}
    for bone in place if isinstance(place, list) else ():
        name, human = (bone.get(key) if isinstance(bone, dict) else None for key in ("boneName", "humanName"))
        role = humanoid_role(human) if isinstance(human, str) else None
        if isinstance(name, str) and role is not None:
            roles[name] = role
    if not roles:
        raise InputError(
            "expected a humanoid avatar: ModelImporter, humanDescription, human, a list of bones", source=path
        )
    return roles
