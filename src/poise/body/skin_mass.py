"""A character weighed by its skin: mass, centre and inertia of each body from a closed mesh and the density of tissue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.closed_mesh import cut, require_closed, solid, welded
from poise.body.mass import MASS_TABLES
from poise.body.plan import BodyPlan
from poise.body.segments import Weights, segment_shares
from poise.errors import InputError, unknown_name
from poise.motion.skin import SkinnedMesh

__all__ = ["DENSITIES", "skin_weights", "weighed_by_skin"]

Array = NDArray[np.float64]

DENSITIES: Mapping[str, float] = MASS_TABLES["vanwelbergen2009"].densities
"""Density of each anatomical segment [kg/m³] (Winter; the pelvis from Dempster and Gaughran 1967)."""
_LEAST = 1e-6
"""Volume that a body must have [m³]."""


def weighed_by_skin(plan: BodyPlan, mesh: SkinnedMesh, densities: Mapping[str, float] | None = None) -> BodyPlan:
    """The plan with the masses, centres and inertias of `skin_weights`; raises what that does."""
    weights = skin_weights(plan, mesh, densities)
    return replace(plan, masses=weights.masses, centres=weights.centres, inertias=weights.inertias)


def skin_weights(plan: BodyPlan, mesh: SkinnedMesh, densities: Mapping[str, float] | None = None) -> Weights:
    """Mass, centre of mass and inertia of every body inside its part of a closed skin (van Welbergen 2009, Sec. 3.1).

    The skin is cut where vertices begin to follow the next body most, and the gaps are closed; volumes sum to the whole's.

    Args:
        plan: The character.
        mesh: Its skin.
        densities: [kg/m³] by anatomical segment (`poise.body.mass.SEGMENTS`) where they differ from `DENSITIES`.

    Raises:
        InputError: The skin is not closed, a density is unknown or not positive, or a body has no skin of its own.
    """
    values = {**DENSITIES, **_checked(densities or {})}
    same, triangles = welded(mesh.vertices, mesh.triangles)
    require_closed(triangles)
    owner = _owners(plan, mesh)[same]
    masses, centres, inertias = np.zeros(len(plan)), np.zeros((len(plan), 3)), np.zeros((len(plan), 3, 3))
    whole = solid(mesh.vertices, triangles, 1.0).mass
    if whole < 0.0:
        triangles = triangles[:, ::-1]
    for body, (points, faces) in enumerate(cut(mesh.vertices, triangles, owner, len(plan))):
        to_body = mesh.inverse_bind[plan.joints[body]]
        own = points @ to_body[:3, :3].T + to_body[:3, 3]
        density = _density(values, segment_shares(plan.body_roles)[body])
        piece = solid(own, faces, density) if len(faces) else None
        if piece is None or piece.mass < density * _LEAST:
            raise InputError(
                f"body {plan.names[body]!r} has no skin of its own to be weighed by; fold it into the body above it "
                "(poise.body.fold) or take a table"
            )
        masses[body], centres[body], inertias[body] = piece
    return Weights(masses, centres, inertias)


def _checked(densities: Mapping[str, float]) -> dict[str, float]:
    for segment, value in densities.items():
        if segment not in DENSITIES:
            raise unknown_name("segment", segment, DENSITIES)
        if not 1.0 <= value <= 20_000.0:
            raise InputError(f"the density of {segment!r} must lie between 1 and 20000 kg/m³; got {value:g}")
    return dict(densities)


def _density(values: Mapping[str, float], shares: Mapping[str, float]) -> float:
    """Mean density of the segments a body is part of; that of the trunk where it is none."""
    if not shares:
        return values["middle_trunk"]
    return sum(values[segment] * part for segment, part in shares.items()) / sum(shares.values())


def _owners(plan: BodyPlan, mesh: SkinnedMesh) -> NDArray[np.int64]:
    """The body each vertex follows most, shape (V,); what follows joints above the pelvis is the pelvis'."""
    number = {int(joint): body for body, joint in enumerate(plan.joints)}
    carrier = np.zeros(len(plan.skeleton), dtype=np.int64)
    for joint, parent in enumerate(plan.skeleton.parents):
        carrier[joint] = number.get(joint, carrier[parent] if parent >= 0 else 0)
    share = np.zeros((len(mesh), len(plan)))
    np.add.at(share, (np.arange(len(mesh))[:, None], carrier[mesh.joints]), mesh.weights)
    owners: NDArray[np.int64] = np.argmax(share, axis=1)
    return owners
