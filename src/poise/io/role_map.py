"""Role maps: which joint is which part of the body, said by the user in a small YAML file."""

from __future__ import annotations

from pathlib import Path

import yaml

from poise.errors import InputError, shown
from poise.io.yaml_tree import compose_yaml, plain
from poise.motion.roles import ROLES

__all__ = ["read_role_map"]

_LONGEST = 200_000


def read_role_map(path: str | Path) -> dict[str, str | None]:
    """Joint name to role, from a YAML file with one `joint: role` per line (`null` for no role).

    Raises:
        InputError: The file cannot be read, is not such a mapping, names a joint twice or a role that does not exist.
    """
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
            raise InputError(f"unknown role {shown(role)}; allowed: null, {', '.join(ROLES)}", source=path, place=place)
        roles[key.value] = role
    return roles
