"""Anatomical segments onto the bodies a skeleton happens to have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from poise.body.inertia import about, collider_inertia, rod_inertia
from poise.body.mass import MassTable, mass_table
from poise.body.plan import Collider

__all__ = ["Weights", "distribute", "segment_shares"]

Array = NDArray[np.float64]

_CLAVICLE = 0.06
"""Share of the upper trunk that moves with each clavicle (our choice: about 0.7 kg)."""
_NECK = 0.2
"""Share of head and neck that belongs to the neck (our choice)."""
_HELPER = 0.002
"""Share of the whole that a body without a role takes from its parent, so that it can be simulated at all."""
_INWARD = {"hand": "forearm", "forearm": "upper_arm", "foot": "shank", "shank": "thigh"}


@dataclass(frozen=True, eq=False)
class Weights:
    """Masses [kg] (B,), centres of mass [m] (B, 3) and inertias about them [kg m²] (B, 3, 3) in body frames."""

    masses: Array
    centres: Array
    inertias: Array


def segment_shares(roles: Sequence[str | None]) -> list[dict[str, float]]:
    """For each body, which part of which anatomical segment it is; every segment is dealt out exactly once per side."""
    shares: list[dict[str, float]] = [{} for _ in roles]

    def give(bodies: Sequence[int], segment: str, part: float) -> None:
        for body in bodies:
            shares[body][segment] = shares[body].get(segment, 0.0) + part / len(bodies)

    def having(*names: str) -> list[int]:
        return [body for body, role in enumerate(roles) if role in names]

    pelvis, spine = having("pelvis"), having("spine")
    clavicles = having("left_clavicle", "right_clavicle")
    give(pelvis, "lower_trunk", 1.0)
    chest = spine[-1:] or pelvis
    give(chest, "upper_trunk", 1.0 - _CLAVICLE * len(clavicles))
    give(spine[:-1] or chest, "middle_trunk", 1.0)
    for clavicle in clavicles:
        give([clavicle], "upper_trunk", _CLAVICLE)
    neck, head = having("neck"), having("head")
    give(head or neck or chest, "head_neck", 1.0 - _NECK if head and neck else 1.0)
    if head and neck:
        give(neck, "head_neck", _NECK)
    for side in ("left_", "right_"):
        for segment in ("upper_arm", "forearm", "hand", "thigh", "shank", "foot"):
            name = segment
            while not having(side + name):
                name = _INWARD[name]
            give(having(side + name)[:1], segment, 1.0)
    return shares


def distribute(
    roles: Sequence[str | None],
    parents: NDArray[np.int64],
    bones: Array,
    colliders: Sequence[Sequence[Collider]],
    table: str,
    total_mass: float,
) -> Weights:
    """Mass, centre of mass and inertia of every body.

    Limbs take centre and radii of gyration from the table along their bone; trunk, head and what has no table entry are
    uniform solids of their collider's shape. A segment folded into the body above it (a forearm that carries a missing
    hand) sits at the end of that body's bone.

    Args:
        roles: Role of each body.
        parents: Parent body, shape (B,).
        bones: Bone vector in each body's frame [m], shape (B, 3).
        colliders: Shapes of each body.
        table: Name of the mass table.
        total_mass: [kg]; a table of densities is scaled to it too.
    """
    numbers = mass_table(table)
    dealt = segment_shares(roles)
    parts = [_part_masses(numbers, dealt[body], colliders[body], total_mass) for body in range(len(roles))]
    for body, role in enumerate(roles):
        if role is None:
            _take_from_parent(parts, body, int(parents[body]), parents, _HELPER * total_mass)
    summed = sum(sum(each.values()) for each in parts)
    factor = total_mass / summed
    masses, centres, inertias = np.zeros(len(roles)), np.zeros((len(roles), 3)), np.zeros((len(roles), 3, 3))
    for body, role in enumerate(roles):
        pieces = {segment: factor * mass for segment, mass in parts[body].items()}
        masses[body] = sum(pieces.values())
        solids = [_solid(numbers, role, segment, m, bones[body], colliders[body]) for segment, m in pieces.items()]
        centres[body] = sum(m * c for m, c, _ in solids) / masses[body]
        inertias[body] = sum(about(tensor, m, c - centres[body]) for m, c, tensor in solids)
    return Weights(masses, centres, inertias)


def _part_masses(
    table: MassTable, shares: dict[str, float], colliders: Sequence[Collider], total_mass: float
) -> dict[str, float]:
    if table.densities:
        volume = sum(collider.volume for collider in colliders) / max(len(shares), 1)
        return {segment: table.densities[segment] * volume for segment in shares}
    return {segment: table.shares[segment] * part * total_mass for segment, part in shares.items()}


def _take_from_parent(
    parts: list[dict[str, float]], body: int, parent: int, parents: NDArray[np.int64], mass: float
) -> None:
    """Give a body without a role a little mass, from the nearest body above that has some to spare."""
    while sum(parts[parent].values()) <= 2.0 * mass and parents[parent] >= 0:
        parent = int(parents[parent])
    whole = sum(parts[parent].values())
    parts[parent] = {segment: value * (1.0 - mass / whole) for segment, value in parts[parent].items()}
    parts[body] = {"helper": mass}


def _solid(
    table: MassTable, role: str | None, segment: str, mass: float, bone: Array, colliders: Sequence[Collider]
) -> tuple[float, Array, Array]:
    """Mass, centre and inertia about that centre of one segment's part in a body."""
    plain = (role or "").removeprefix("left_").removeprefix("right_")
    length = float(np.linalg.norm(bone))
    shape = colliders[0]
    if segment in table.centres and segment == plain and segment != "foot" and length > 1e-3:
        centre = table.centres[segment] * bone
        return mass, np.asarray(centre), rod_inertia(bone / length, length, mass, table.radii[segment])
    if segment in table.centres and segment != plain:
        return mass, bone.copy(), 0.4 * mass * (0.25 * max(length, 0.05)) ** 2 * np.eye(3)
    return mass, shape.position.copy(), collider_inertia(shape, mass)
