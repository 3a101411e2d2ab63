"""What is inside what before anything has moved: contacts that no force could have brought about."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from poise.world.world import World

__all__ = ["Overlap", "overlaps"]


class Overlap(NamedTuple):
    """A body of a character inside something that stands there, by how much [m]."""

    character: str
    body: str
    thing: str
    depth: float


def overlaps(world: World, deeper: float) -> list[Overlap]:
    """The characters' bodies that are inside a prop or a piece of terrain now, the deepest first; each pair once.

    Args:
        world: With everybody in place and its contacts up to date.
        deeper: Shallower ones are left out [m].
    """
    owners = {int(body): (name, number) for name, at in world.layouts.items() for number, body in enumerate(at.bodies)}
    contact, model = world.data.contact, world.model
    found: dict[tuple[str, str, str], float] = {}
    for row in np.flatnonzero(np.asarray(contact.dist) < -deeper):
        sides = [int(geom) for geom in contact.geom[row]]
        if not _meet(world, *sides):
            continue
        whose = [owners.get(int(model.geom_bodyid[geom])) for geom in sides]
        for who, geom in ((whose[0], sides[1]), (whose[1], sides[0])):
            if who is None or int(model.geom_bodyid[geom]) in owners or world.geom_names[geom] == "ground":
                continue
            key = (who[0], world.layouts[who[0]].plan.names[who[1]], world.geom_names[geom])
            found[key] = max(found.get(key, 0.0), -float(contact.dist[row]))
    ordered = sorted(found.items(), key=lambda entry: -entry[1])
    return [Overlap(*names, depth) for names, depth in ordered]


def _meet(world: World, first: int, second: int) -> bool:
    """Whether two geoms meet as things are now; contacts may have been told before somebody was cut loose."""
    own, meets = world.model.geom_contype, world.model.geom_conaffinity
    return bool(own[first] & meets[second] or own[second] & meets[first])
