"""Fewer bodies: some of a plan's bodies made one with the body above them, as they are in the neutral pose."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from poise.body.inertia import about
from poise.body.plan import BodyPlan, Collider
from poise.errors import InputError
from poise.math import quat

__all__ = ["fifteen_bodies", "fold"]

Array = NDArray[np.float64]

_LIMBS = ("upper_arm", "forearm", "hand", "thigh", "shank", "foot")


def fifteen_bodies(plan: BodyPlan) -> BodyPlan:
    """The segmentation of van Welbergen 2009, Fig. 5: pelvis, trunk, head, and per side three bodies of an arm and of a leg.

    The trunk turns about the spine's lowest joint (the paper's sacroiliac joint) and the head about the neck's lowest.

    Raises:
        InputError: The character lacks one of them.
    """
    wanted = [("pelvis",), ("spine",), ("neck", "head")]
    wanted += [(f"{side}_{limb}",) for side in ("left", "right") for limb in _LIMBS]
    found = {roles: plan.with_role(*roles) for roles in wanted}
    missing = [" or ".join(roles) for roles, bodies in found.items() if not bodies]
    if missing:
        raise InputError(f"this character has no {', '.join(missing)}, which the fifteen bodies need")
    return fold(plan, (bodies[0] for bodies in found.values()))


def fold(plan: BodyPlan, keep: Iterable[int]) -> BodyPlan:
    """A plan of the bodies `keep` alone; every other one is fixed to the nearest kept body above it in the neutral pose.

    Mass, centre of mass and inertia of the whole in the neutral pose stay what they were.

    Raises:
        InputError: The pelvis is not kept, or there is no such body.
    """
    kept = sorted(set(keep))
    if not kept or kept[0] != 0 or kept[-1] >= len(plan):
        raise InputError(f"the bodies to keep must begin with the pelvis, 0, and end before {len(plan)}; got {kept}")
    carrier = np.arange(len(plan))
    for body in range(1, len(plan)):
        if body not in kept:
            carrier[body] = carrier[plan.parents[body]]
    places, turns = _in_carrier(plan, carrier)
    number = {body: index for index, body in enumerate(kept)}
    above = [int(carrier[plan.parents[body]]) for body in kept[1:]]
    offsets = np.zeros((len(kept), 3))
    for index, body in enumerate(kept[1:], start=1):
        parent = int(plan.parents[body])
        offsets[index] = places[parent] + quat.rotate(turns[parent], plan.offsets[body])
    bind = quat.mul(quat.conj(plan.neutral[[0, *above]]), plan.neutral[kept])
    bind[0] = plan.bind_rotations[0]
    members = [[b for b in range(len(plan)) if carrier[b] == body] for body in kept]
    masses, centres, inertias = _fused(plan, members, places, turns)
    return replace(
        plan,
        joints=plan.joints[kept],
        parents=np.array([-1, *(number[body] for body in above)]),
        offsets=offsets,
        bind_rotations=bind,
        neutral=plan.neutral[kept],
        axes=plan.axes[kept],
        axes_from=tuple(plan.axes_from[body] for body in kept),
        masses=masses,
        centres=centres,
        inertias=inertias,
        colliders=tuple(
            tuple(_moved(c, places[b], turns[b]) for b in own for c in plan.colliders[b]) for own in members
        ),
        limits=tuple(plan.limits[body] for body in kept),
        strengths=plan.strengths[kept],
    )


def _in_carrier(plan: BodyPlan, carrier: NDArray[np.int64]) -> tuple[Array, Array]:
    """Each body's frame in its carrier's, in the neutral pose: positions (B, 3) and rotations (B, 4)."""
    places, turns = np.zeros((len(plan), 3)), np.tile(quat.IDENTITY, (len(plan), 1))
    for body in range(1, len(plan)):
        parent = int(plan.parents[body])
        if carrier[body] != body:
            places[body] = places[parent] + quat.rotate(turns[parent], plan.offsets[body])
            turns[body] = quat.mul(turns[parent], plan.bind_rotations[body])
    return places, turns


def _fused(plan: BodyPlan, members: list[list[int]], places: Array, turns: Array) -> tuple[Array, Array, Array]:
    masses = np.array([plan.masses[own].sum() for own in members])
    centres, inertias = np.zeros((len(members), 3)), np.zeros((len(members), 3, 3))
    points = places + quat.rotate(turns, plan.centres)
    axes = quat.to_matrix(turns)
    tensors = axes @ plan.inertias @ np.swapaxes(axes, -1, -2)
    for index, own in enumerate(members):
        centres[index] = plan.masses[own] @ points[own] / masses[index]
        inertias[index] = sum(about(tensors[b], plan.masses[b], points[b] - centres[index]) for b in own)
    return masses, centres, inertias


def _moved(collider: Collider, place: Array, turn: Array) -> Collider:
    position = place + quat.rotate(turn, collider.position)
    return replace(collider, position=position, rotation=quat.mul(turn, collider.rotation))
